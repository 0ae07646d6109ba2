/* SPDX-License-Identifier: MIT
 *
 * detonation: the Chapman-Jouguet state of a mixture, the state behind its shock, and its reaction
 * zone as a table.
 */
#include <argp.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arguments.h"
#include "base/csv.h"
#include "base/file.h"
#include "flow/gas/detonation.h"
#include "mech/find.h"
#include "mech/thermo/thermo.h"
#include "pasr/database/recipe.h"
#include "pasr/generators/common/mixture.h"

enum { SOLVERS = 256, OVERDRIVE, LENGTH, OUT };

static const struct argp_option options[] = {
    {"mech", 'm', "NAME", 0, "mechanism (default h2co)", 1},
    {"thermo", 't', "FILE", 0, "its separate thermo file", 1},
    {"solvers", SOLVERS, "FILE", 0, "its solvers (default build/mech/NAME/solvers.so)", 1},
    {"mixture", 'x', "LIST", 0, "mole fractions (default H2:2,O2:1,AR:7)", 2},
    {"pressure", 'p', "PA", 0, "unburnt gas [Pa] (1 to 1e9, default 6670)", 2},
    {"temperature", 'T', "K", 0, "unburnt gas [K] (200 to 2000, default 298)", 2},
    {"overdrive", OVERDRIVE, "X", 0, "speed of the shock of the reaction zone over the speed of "
     "Chapman and Jouguet (1.0001 to 10, default 1.0005)", 2},
    {"length", LENGTH, "M", 0, "length of the reaction zone in znd.csv [m] (1e-9 to 1000, default "
     "20 induction lengths)", 2},
    {"out", OUT, "FOLDER", 0, "folder of znd.csv (default plots/out/detonation-NAME)", 3},
    {0, 0, 0, 0, 0, 0}};

typedef struct {
    const char *mech, *thermo, *solvers, *mixture, *out;
    double p, T, overdrive, length;
} settings;

static error_t parse_detonation(int key, char *arg, struct argp_state *state)
{
    settings *s = state->input;
    switch (key) {
    case 'm': s->mech = arg; break;
    case 't': s->thermo = arg; break;
    case SOLVERS: s->solvers = arg; break;
    case 'x': s->mixture = arg; break;
    case 'p': s->p = kb_option_number(state, key, arg, 1, 1e9); break;
    case 'T': s->T = kb_option_number(state, key, arg, 200, 2000); break;
    case OVERDRIVE: s->overdrive = kb_option_number(state, key, arg, 1.0001, 10); break;
    case LENGTH: s->length = kb_option_number(state, key, arg, 1e-9, 1e3); break;
    case OUT: s->out = arg; break;
    case ARGP_KEY_ARG: argp_error(state, "'%s' is not an option", arg); break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {options, parse_detonation, 0,
    "Prints the Chapman-Jouguet and von Neumann states of a detonation and its induction length, "
    "and writes the reaction zone.\vdocs/flow.md explains the equations.\n\n"
    "Example: build/detonation --mech h2co --mixture H2:2,O2:1 --pressure 1e5", 0, 0, 0};

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
    char *name = kb_built_name(s->mech);
    char *path = s->out ? kb_format("%s/znd.csv", s->out)
                        : kb_format("plots/out/detonation-%s/znd.csv", name);
    char *header = kb_strdup("x_m,t_s,T_K,p_Pa,density,w_m_s,thermicity,mach");
    for (int k = 0; k < m->nspecies; k++) {
        char *longer = kb_format("%s,%s", header, m->species[k].name);
        free(header);
        header = longer;
    }
    kb_csv t;
    kb_csv_start(&t, header);
    for (long i = 0; i < z->n; i++) {
        const kb_znd_point *a = &z->at[i];
        const double value[] = {a->x, a->t, a->T, a->p, a->rho, a->w, a->sigma, a->mach};
        long row = kb_csv_add(&t);
        for (int k = 0; k < 8; k++)
            kb_csv_number(&t, row, t.names[k], value[k], 9);
        for (int k = 0; k < m->nspecies; k++)
            kb_csv_number(&t, row, t.names[8 + k], z->Y[i * m->nspecies + k], 9);
    }
    int code = kb_make_folders(path, err);
    code = code ? code : kb_csv_write(&t, path, err);
    if (!code)
        printf("%s: %ld points\n", path, z->n);
    kb_csv_free(&t);
    free(header);
    free(path);
    free(name);
    return code;
}

static int run_detonation(const settings *s, const kb_mech *m, kb_error *err)
{
    size_t n = (size_t)m->nspecies;
    double *Y = kb_alloc(3 * n, sizeof *Y), *X = Y + n, *Yb = X + n;
    char *name = kb_built_name(s->mech);
    kb_detonation d = {0};
    kb_znd z = {0};
    const kb_solvers *solvers = kb_solvers_open(s->solvers ? s->solvers : name, err);
    int code = solvers ? kb_same_mechanism(m, solvers, err) : KB_INVALID;
    code = code ? code : kb_mole_fractions(m, "mixture", s->mixture, X, err);
    if (!code)
        kb_X_to_Y(m, X, Y);
    code = code ? code : kb_cj(m, s->T, s->p, Y, &d, Yb, err);
    if (!code)
        code = s->length > 0
                   ? kb_znd_run(m, solvers, &d.fresh, Y, s->overdrive * d.D, s->length, &z, err)
                   : kb_znd_zone(m, solvers, &d.fresh, Y, s->overdrive * d.D, 20, &z, err);
    if (!code) {
        print(s, &d, &z);
        code = write_zone(s, m, &z, err);
    }
    kb_znd_free(&z);
    free(name);
    free(Y);
    return code;
}

int main(int argc, char **argv)
{
    settings s = {.mech = "h2co", .mixture = "H2:2,O2:1,AR:7", .p = 6670, .T = 298,
                  .overdrive = 1.0005};
    kb_error err = {0};
    kb_mech m = {0};
    argp_err_exit_status = KB_INVALID;
    argp_parse(&argp, argc, argv, 0, 0, &s);
    char *path = kb_mechanism_file(s.mech);
    int code = kb_mech_load(&m, path, s.thermo, &err);
    if (!code)
        kb_warnings_tell(&m);
    code = code ? code : run_detonation(&s, &m, &err);
    if (code)
        kb_report("detonation", &err);
    kb_mech_free(&m);
    free(path);
    return code;
}
