/* SPDX-License-Identifier: MIT
 *
 * detonation: the Chapman-Jouguet state of a mixture, the state behind its shock, and its reaction
 * zone as a table.
 */
#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/owned.h"
#include "flow/gas/detonation.h"
#include "mech/find.h"
#include "mech/thermo/thermo.h"
#include "pasr/database/recipe.h"
#include "pasr/generators/common/mixture.h"

typedef struct {
    const char *mech, *thermo, *solvers, *mixture, *out;
    double p, T, overdrive, length;
} settings;

#define AT(member) offsetof(settings, member)

static const kb_program_option options[] = {
    {"mech", 'm', "NAME", KB_OPT_TEXT, AT(mech), 0, 0, "h2co", 1, "mechanism"},
    {"thermo", 't', "FILE", KB_OPT_TEXT, AT(thermo), 0, 0, 0, 1, "its separate thermo file"},
    {"solvers", 0, "FILE", KB_OPT_TEXT, AT(solvers), 0, 0, ": build/mech/NAME/solvers.so", 1,
     "its solvers"},
    {"mixture", 'x', "LIST", KB_OPT_TEXT, AT(mixture), 0, 0, "H2:2,O2:1,AR:7", 2, "mole fractions"},
    {"pressure", 'p', "PA", KB_OPT_NUMBER, AT(p), "1 to 1e9", "Pa", "6670", 2, "unburnt gas"},
    {"temperature", 'T', "K", KB_OPT_NUMBER, AT(T), "200 to 2000", "K", "298", 2, "unburnt gas"},
    {"overdrive", 0, "X", KB_OPT_NUMBER, AT(overdrive), "1.0001 to 10", 0, "1.0005", 2,
     "speed of the shock of the reaction zone over the speed of Chapman and Jouguet"},
    {"length", 0, "M", KB_OPT_NUMBER, AT(length), "1e-9 to 1000", "m", ": 20 induction lengths", 2,
     "length of the reaction zone in znd.csv"},
    {"out", 0, "FOLDER", KB_OPT_TEXT, AT(out), 0, 0, ": plots/out/detonation-NAME", 3,
     "folder of znd.csv"},
    {0}};

static const kb_program detonation = {
    options, NULL,
    "Prints the Chapman-Jouguet and von Neumann states of a detonation and its induction length, "
    "and writes the reaction zone.\vdocs/flow.md explains the equations.\n\n"
    "Example: build/detonation --mech h2co --mixture H2:2,O2:1 --pressure 1e5"};

static void print_state(const char *name, const kb_gas_state *a, const kb_gas_state *fresh)
{
    printf("%-24s T = %.1f K, p = %.5g Pa (%.3f p1), density %.5g kg/m^3 (%.4f), sound %.1f m/s\n",
           name, a->T, a->p, a->p / fresh->p, a->rho, a->rho / fresh->rho, a->c);
}

static void print(const settings *s, const kb_detonation *d, const kb_znd *z)
{
    double u = d->D * d->fresh.rho / d->cj.rho;
    printf("%s, %s\n", s->mech, s->mixture);
    print_state("unburnt", &d->fresh, &d->fresh);
    print_state("behind the shock", &d->vn, &d->fresh);
    print_state("Chapman and Jouguet", &d->cj, &d->fresh);
    printf("%-24s D = %.2f m/s, Mach number %.3f\n", "speed", d->D, d->D / d->fresh.c);
    printf("%-24s %.4g mm, %.4g us, to the largest thermicity of %.4g 1/s\n", "induction",
           1e3 * z->induction, 1e6 * z->delay, z->sigma);
    if (z->sonic)
        printf("the zone ends %.4g mm behind the shock, where the flow is sonic: a steady one "
               "needs a higher --overdrive\n", 1e3 * z->at[z->n - 1].x);
    printf("%-24s %.3g mm, speed of the burnt gas over that\n", "length of the release",
           1e3 * u / z->sigma);
}

static int write_zone(const settings *s, const kb_mech *m, const kb_znd *z, kb_error *err)
{
    kb_owned char *name = kb_built_name(s->mech);
    kb_owned char *path = s->out ? kb_format("%s/znd.csv", s->out)
                                 : kb_format("plots/out/detonation-%s/znd.csv", name);
    kb_csv t;
    kb_csv_start(&t, "x_m,t_s,T_K,p_Pa,density,w_m_s,thermicity,mach");
    for (int k = 0; k < m->nspecies; k++)
        kb_csv_add_column(&t, m->species[k].name, "");
    for (long i = 0; i < z->n; i++) {
        const kb_znd_point *a = &z->at[i];
        const double value[] = {a->x, a->t, a->T, a->p, a->rho, a->w, a->sigma, a->mach};
        long row = kb_csv_add(&t);
        for (size_t k = 0; k < sizeof value / sizeof *value; k++)
            kb_csv_number(&t, row, t.names[k], value[k], 9);
        for (int k = 0; k < m->nspecies; k++)
            kb_csv_number(&t, row, t.names[8 + k], z->Y[i * m->nspecies + k], 9);
    }
    int code = kb_make_folders(path, err);
    code = code ? code : kb_csv_write(&t, path, err);
    if (!code)
        printf("%s: %ld points\n", path, z->n);
    kb_csv_free(&t);
    return code;
}

/* as long as it is asked for: one that ends before its peak has the induction of the whole */
static int find_zone(const settings *s, const kb_mech *m, const kb_solvers *solvers,
                     const kb_detonation *d, const double *Y, kb_znd *z, kb_error *err)
{
    double D = s->overdrive * d->D, lengths = s->length > 0 ? 3 : 20;
    int code = kb_znd_zone(m, solvers, &d->fresh, Y, D, lengths, z, err);
    if (code || s->length <= 0)
        return code;
    kb_znd whole = *z;
    code = kb_znd_run(m, solvers, &d->fresh, Y, D, s->length, z, err);
    z->induction = whole.induction;
    z->delay = whole.delay;
    z->sigma = whole.sigma;
    kb_znd_free(&whole);
    return code;
}

static int run_detonation(const settings *s, const kb_mech *m, kb_error *err)
{
    size_t n = (size_t)m->nspecies;
    double *Y = kb_alloc(3 * n, sizeof *Y), *X = Y + n, *Yb = X + n;
    kb_detonation d = {0};
    kb_znd z = {0};
    const kb_solvers *solvers = kb_solvers_of(s->mech, s->thermo, s->solvers, err);
    int code = solvers ? kb_same_mechanism(m, solvers, err) : KB_INVALID;
    code = code ? code : kb_mole_fractions(m, "mixture", s->mixture, X, err);
    if (!code)
        kb_X_to_Y(m, X, Y);
    code = code ? code : kb_cj(m, s->T, s->p, Y, &d, Yb, err);
    code = code ? code : find_zone(s, m, solvers, &d, Y, &z, err);
    if (!code) {
        print(s, &d, &z);
        code = write_zone(s, m, &z, err);
    }
    kb_znd_free(&z);
    free(Y);
    return code;
}

int main(int argc, char **argv)
{
    settings s = {0};
    kb_error err = {0};
    kb_mech m = {0};
    kb_program_parse(&detonation, argc, argv, &s);
    int code = kb_mechanism_load(&m, s.mech, s.thermo, &err);
    if (!code)
        kb_warnings_tell(&m);
    code = code ? code : run_detonation(&s, &m, &err);
    if (code)
        kb_report("detonation", &err);
    kb_mech_free(&m);
    return code;
}
