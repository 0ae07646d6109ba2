/* SPDX-License-Identifier: MIT
 *
 * One simulation before its first step.
 */
#include <math.h>
#include <string.h>

#include "mech/thermo/equilibrium.h"
#include "mech/thermo/thermo.h"
#include "pasr/generators/common/streams.h"
#include "pasr/generators/lem_inside.h"

#define PRANDTL 0.75

/* Smooke and Giovangigli, Lecture Notes in Physics 384 (1991): 2.58e-4 g/(cm s) (T/298 K)^0.7 */
double kb_lem_rho_D(double T) { return 2.58e-5 * pow(T / 298, 0.7); }

double kb_lem_waiting(double rate, kb_random *random)
{
    return rate > 0 ? -log(1 - kb_random_unit(random)) / rate : INFINITY;
}

double kb_lem_eddies(const kb_lem_work *l, const kb_lem_line *s)
{
    return s->eddies.rate * s->cell * (double)l->r->cells;
}

static double draw(const kb_axis *a, kb_random *random)
{
    return a->v[kb_random_below(random, (uint64_t)a->n)];
}

static void draw_conditions(const kb_lem *r, long k, kb_lem_line *s)
{
    kb_random *random = &s->dice->random;
    *random = kb_random_stream((uint64_t)r->seed, (uint64_t)k);
    s->T_fuel = draw(&r->T_fuel, random);
    s->T_oxidizer = draw(&r->T_oxidizer, random);
    s->p = draw(&r->p, random) * KB_ATM;
    s->dilution = draw(&r->dilution, random);
    s->strain = draw(&r->strain, random);
    s->u = draw(&r->u, random);
    s->length = draw(&r->length, random) * 1e-3;
}

/* fuel and diluent mixed by moles: by masses that stand as (1 - d) Wf to d Wd */
static int make_streams(const kb_lem_work *l, kb_lem_line *s, kb_error *err)
{
    double *diluent = kb_alloc((size_t)l->columns, sizeof *diluent), d = s->dilution;
    int code = kb_stream(l->m, "fuel", l->r->fuel, s->T_fuel, s->p, s->fuel, err);
    if (!code)
        code = kb_stream(l->m, "diluent", l->r->diluent, s->T_fuel, s->p, diluent, err);
    if (!code)
        code = kb_stream(l->m, "oxidizer", l->r->oxidizer, s->T_oxidizer, s->p, s->oxidizer, err);
    if (!code) {
        double f = (1 - d) * kb_mean_weight(l->m, s->fuel + 2);
        double w = d * kb_mean_weight(l->m, diluent + 2);
        for (int i = 2; i < l->columns; i++)
            s->fuel[i] = (f * s->fuel[i] + w * diluent[i]) / (f + w);
    }
    free(diluent);
    return code;
}

static void state_to_cell(const kb_lem_work *l, const double *state, double z, double *cell)
{
    cell[T_] = state[0];
    cell[Z_] = z;
    cell[H_] = kb_mix_h(l->m, state[0], state + 2);
    memcpy(cell + Y_, state + 2, (size_t)l->m->nspecies * sizeof *cell);
}

/* The laminar mixing layer of this strain rate, burnt where it mixes: z solves
 * strain x dz/dx + D d2z/dx2 = 0, x the distance from the stagnation plane: a function of
 * x / sqrt(2 D/strain) */
int kb_lem_fill(const kb_lem_work *l, long k, kb_error *err)
{
    kb_lem_line *s = &l->line[k];
    double *state = kb_alloc((size_t)l->columns, sizeof *state);
    int code = KB_OK;
    for (long i = 0; i < l->r->cells && !code; i++) {
        double x = (((double)i + 0.5) / (double)l->r->cells - 0.5) * l->r->domain; /* in widths */
        double z = 0.5 * erfc(x);
        code = kb_mix_streams(l->m, s->fuel, s->oxidizer, z, state, err);
        if (!code && z > 1e-3 && z < 1 - 1e-3)
            code = kb_equilibrate(l->m, KB_FIXED_HP, &state[0], &state[1], state + 2, err);
        state_to_cell(l, state, z, s->cells + i * l->width);
    }
    free(state);
    return code;
}

int kb_lem_start(const kb_lem_work *l, long k, kb_error *err)
{
    size_t columns = (size_t)l->columns, width = (size_t)l->width;
    kb_lem_line *s = &l->line[k];
    s->fuel = kb_alloc(columns, sizeof(double));
    s->oxidizer = kb_alloc(columns, sizeof(double));
    s->inflow[0] = kb_alloc(width, sizeof(double));
    s->inflow[1] = kb_alloc(width, sizeof(double));
    draw_conditions(l->r, k, s);
    int code = make_streams(l, s, err);
    if (code)
        return code;
    state_to_cell(l, s->fuel, 1, s->inflow[0]);
    state_to_cell(l, s->oxidizer, 0, s->inflow[1]);
    double rho = kb_density(l->m, s->T_oxidizer, s->p, s->oxidizer + 2);
    double D = kb_lem_rho_D(s->T_oxidizer) / rho; /* [m^2/s] */
    s->cell = l->r->domain * sqrt(2 * D / s->strain) / (double)l->r->cells;
    s->mass = rho * s->cell;
    s->eddies = kb_eddies_of(s->u, s->length, PRANDTL * D, s->cell);
    s->dice->next_eddy = kb_lem_waiting(kb_lem_eddies(l, s), &s->dice->random);
    s->dice->next_loss = kb_lem_waiting(s->strain * (double)l->r->cells, &s->dice->random);
    return KB_OK;
}
