/* SPDX-License-Identifier: MIT */
#include "drivers/flow/accuracy.h"

#include <math.h>

#include "mech/thermo/rates.h"
#include "mech/thermo/thermo.h"

#define REACH 10.0 /* induction lengths of a profile behind the front of a detonation */

static double temperature(const kb_mech *m, const kb_flow_point *p)
{
    double moles = 0; /* [kmol/m^3] */
    for (int s = 0; s < m->nspecies; s++)
        moles += p->rho[s] / m->species[s].weight;
    return p->p / (KB_R * moles);
}

/* [W/m^3] */
static double heat_release(const kb_mech *m, const kb_flow_point *p, double T)
{
    double *C = kb_alloc(2 * (size_t)m->nspecies, sizeof *C), *wdot = C + m->nspecies, sum = 0;
    for (int s = 0; s < m->nspecies; s++)
        C[s] = p->rho[s] / m->species[s].weight;
    kb_production(m, T, p->p, C, wdot);
    for (int s = 0; s < m->nspecies; s++)
        sum -= kb_h_RT(&m->species[s], T) * KB_R * T * wdot[s];
    free(C);
    return sum;
}

static double mass_fraction(const kb_mech *m, const kb_flow_point *p, int species)
{
    double rho = 0;
    for (int s = 0; s < m->nspecies; s++)
        rho += p->rho[s];
    return p->rho[species] / rho;
}

static void quantities_of(const kb_flow_gas_run *g, const kb_flow_point *p, double *value)
{
    int species = kb_find_species(&g->m, "OH");
    species = species < 0 && g->problem.nshown ? g->species[0] : species;
    value[KB_FLOW_T] = temperature(&g->m, p);
    value[KB_FLOW_OH] = species < 0 ? 0 : mass_fraction(&g->m, p, species);
    value[KB_FLOW_HEAT] = heat_release(&g->m, p, value[KB_FLOW_T]);
}

static kb_flow_profile new_profile(long n)
{
    kb_flow_profile p = {n, NULL};
    p.value = kb_alloc((size_t)n + 1, sizeof *p.value);
    return p;
}

/* the means over `per` cells each way; a solid cell counts as 0 in all runs alike */
static kb_flow_profile of_cells(const kb_flow_gas_run *g, const kb_flow *f, int per)
{
    const kb_flow_grid *grid = &f->stage.grid;
    int along = grid->nx > 1 ? per : 1, down = grid->ny > 1 ? per : 1, nx = grid->nx / along;
    kb_flow_profile p = new_profile((long)nx * (grid->ny / down));
    for (int j = 0; j < grid->ny; j++)
        for (int i = 0; i < grid->nx; i++) {
            kb_flow_point cell;
            double value[KB_FLOW_QUANTITIES];
            if (kb_flow_is_solid(f, i, j))
                continue;
            kb_flow_cell(f, i, j, &cell);
            quantities_of(g, &cell, value);
            for (int k = 0; k < KB_FLOW_QUANTITIES; k++)
                p.value[(long)(j / down) * nx + i / along][k] += value[k] / (along * down);
        }
    return p;
}

/* points behind the front of a detonation, one cell of nx apart */
static long points(const kb_flow_gas_run *g, int nx, double *h)
{
    *h = g->problem.x1 / nx;
    return (long)(fmin(REACH * g->start.zone.induction, 0.8 * g->start.shock) / *h);
}

static double front_of(const kb_flow_gas_run *g, const kb_flow *f)
{
    double peak;
    return kb_flow_front(f, 3 * g->set->p, &peak);
}

static kb_flow_profile behind_front(const kb_flow_gas_run *g, const kb_flow *f, int nx)
{
    const kb_flow_grid *grid = &f->stage.grid;
    kb_flow_profile cells = of_cells(g, f, 1);
    double h, front = front_of(g, f);
    kb_flow_profile p = new_profile(points(g, nx, &h));
    for (long n = 0; n < p.n; n++) {
        double at = (front - (n + 0.5) * h - grid->x0) / grid->dx - 0.5;
        long i = (long)at; /* the front is between two cells */
        for (int k = 0; k < KB_FLOW_QUANTITIES; k++)
            p.value[n][k] = cells.value[i][k] +
                            (at - (double)i) * (cells.value[i + 1][k] - cells.value[i][k]);
    }
    free(cells.value);
    return p;
}

/* the state of ZND; x: from the front, negative behind it */
static void zone_at(const kb_flow_gas_run *g, double x, kb_flow_point *p)
{
    g->problem.state(&g->problem, g->start.shock + x, 0, 0, p);
}

kb_flow_profile kb_flow_profile_of(const kb_flow_gas_run *g, const kb_flow *f, int nx)
{
    return g->set->file->detonation ? behind_front(g, f, nx)
                                    : of_cells(g, f, kb_flow_asked_nx(f) / nx);
}

kb_flow_profile kb_flow_profile_of_zone(const kb_flow_gas_run *g, int nx)
{
    double h;
    kb_flow_profile p = new_profile(points(g, nx, &h));
    for (long n = 0; n < p.n; n++) {
        kb_flow_point at;
        zone_at(g, -(n + 0.5) * h, &at);
        quantities_of(g, &at, p.value[n]);
    }
    return p;
}

void kb_flow_profile_error(const kb_flow_profile *a, const kb_flow_profile *b, double *l1)
{
    for (int k = 0; k < KB_FLOW_QUANTITIES; k++) {
        double least = k == KB_FLOW_T ? INFINITY : 0, sum = 0, size = 0;
        for (long n = 0; k == KB_FLOW_T && n < b->n; n++)
            least = fmin(least, b->value[n][k]);
        for (long n = 0; n < b->n; n++) {
            sum += fabs(a->value[n][k] - b->value[n][k]);
            size += fabs(b->value[n][k] - least);
        }
        l1[k] = sum / size;
    }
}

/* ---- beside a profile ---- */

static double *add_column(kb_flow_beside *b, const char *name, const char *more, int n)
{
    b->name = kb_realloc(b->name, (size_t)b->count + 1, sizeof *b->name);
    b->value = kb_realloc(b->value, (size_t)b->count + 1, sizeof *b->value);
    b->name[b->count] = kb_format("%s%s", name, more);
    return b->value[b->count++] = kb_alloc((size_t)n, sizeof(double));
}

static void add_heat(kb_flow_beside *b, const kb_flow_gas_run *g, const kb_flow *f)
{
    int nx = f->stage.grid.nx, n = nx * f->stage.grid.ny; /* one of them is 1 */
    double *heat = add_column(b, "heat_release", "", n);
    for (int i = 0; i < n; i++) {
        kb_flow_point p;
        kb_flow_cell(f, i % nx, i / nx, &p);
        heat[i] = heat_release(&g->m, &p, temperature(&g->m, &p));
    }
}

static void add_zone(kb_flow_beside *b, const kb_flow_gas_run *g, const kb_flow *f)
{
    int nx = f->stage.grid.nx, shown = g->problem.nshown;
    double front = front_of(g, f), *T = add_column(b, "temperature", "_znd", nx);
    double *p = add_column(b, "pressure", "_znd", nx);
    double *heat = add_column(b, "heat_release", "_znd", nx);
    for (int k = 0; k < shown; k++)
        add_column(b, g->problem.shown_names[k], "_znd", nx);
    for (int i = 0; i < nx; i++) {
        kb_flow_point at;
        double x = kb_flow_x(f, i) - front;
        zone_at(g, x, &at);
        bool known = x > -g->start.shock;
        T[i] = known ? temperature(&g->m, &at) : NAN;
        p[i] = known ? at.p : NAN;
        heat[i] = known ? heat_release(&g->m, &at, T[i]) : NAN;
        for (int k = 0; k < shown; k++)
            b->value[b->count - shown + k][i] =
                known ? mass_fraction(&g->m, &at, g->species[k]) : NAN;
    }
}

void kb_flow_beside_of(kb_flow_beside *b, const kb_flow_gas_run *g, const kb_flow *f)
{
    *b = (kb_flow_beside){0};
    add_heat(b, g, f);
    if (g->set->file->detonation)
        add_zone(b, g, f);
}
