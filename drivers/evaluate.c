/* SPDX-License-Identifier: MIT
 *
 * evaluate: rates, Jacobian, thermodynamics and equilibrium at states in a file, into files. It is
 * what `make validate` compares with Cantera.
 */

#include "base/options.h"
#include "base/owned.h"
#include "mech/find.h"
#include "mech/thermo/equilibrium.h"
#include "mech/thermo/thermo.h"
#include "pasr/database/database.h"
#include "pasr/database/recipe.h"
#include "solvers/solver.h"

typedef struct {
    const char *mech, *solvers, *engine, *states;
    const char *wdot, *dy, *jacobian, *thermo, *equilibrium; /* files to write */
    kb_reactor reactor;
    kb_fixed fixed;
} settings;

#define AT(member) offsetof(settings, member)

static const kb_program_option options[] = {
    {"mech", 'm', "NAME", KB_OPT_TEXT, AT(mech), 0, 0, "gri30", 1,
     "mechanism: a name in datasets/mechanisms or a YAML file"},
    {"solvers", 0, "FILE", KB_OPT_TEXT, AT(solvers), 0, 0, ": build/mech/NAME/solvers.so", 1,
     "its solvers"},
    {"engine", 'e', "NAME", KB_OPT_TEXT, AT(engine), "cpu-scalar, cpu-simd", 0, "cpu-scalar", 1,
     "whose tables and lanes"},
    {"reactor", 'r', "p|v", KB_OPT_WORD, AT(reactor), "p, v", 0, "p", 1,
     "constant pressure or volume, for --dy and --jacobian"},
    {"wdot", 0, "FILE", KB_OPT_TEXT, AT(wdot), 0, 0, 0, 2,
     "n x nsp net production rates [kmol/(m^3 s)]"},
    {"dy", 0, "FILE", KB_OPT_TEXT, AT(dy), 0, 0, 0, 2, "n x (nsp+1) d(T, Y)/dt [K/s, 1/s]"},
    {"jacobian", 0, "FILE", KB_OPT_TEXT, AT(jacobian), 0, 0, 0, 2,
     "n x (nsp+1)^2 its Jacobian by (T, Y), row major"},
    {"thermo", 0, "FILE", KB_OPT_TEXT, AT(thermo), 0, 0, 0, 2,
     "n x 3 nsp: cp/R, h/RT, s/R of each species"},
    {"equilibrium", 0, "FILE", KB_OPT_TEXT, AT(equilibrium), 0, 0, 0, 2,
     "n x (nsp+2) states at equilibrium"},
    {"fixed", 0, "tp|hp|uv", KB_OPT_WORD, AT(fixed), "tp, hp, uv", 0, "hp", 2,
     "what --equilibrium leaves as it is"},
    {0}};

static const kb_program evaluate = {
    options, "STATES.npy",
    "Evaluates rates, Jacobian, thermodynamics and equilibrium at every state of a file (.npy, "
    "float64, n x (nsp+2): T [K], p [Pa], Y) and writes those that an option names as .npy.\v"
    "Example: build/evaluate states.npy --mech h2 --wdot rates.npy",
    "file of states", AT(states)};

/* rates and Jacobian, by the tables and lanes of an engine */
static int evaluate_rates(const settings *s, const kb_database *db, kb_error *err)
{
    const kb_solvers *solvers = s->solvers ? kb_solvers_open(s->solvers, err)
                                           : kb_solvers_named(s->mech, err);
    if (!solvers)
        return err->code;
    long n = db->n, ny = solvers->nsp + 1;
    if (db->columns != ny + 1)
        return kb_fail(err, KB_INVALID, "%s: %d columns, but the solvers have %d species", db->path,
                       db->columns, solvers->nsp);
    kb_owned double *y = kb_alloc(n * ny, sizeof *y), *p = kb_alloc(n, sizeof *p);
    for (long i = 0; i < n; i++) {
        const double *state = db->states + i * db->columns;
        y[i * ny] = state[0];
        p[i] = state[1];
        memcpy(y + i * ny + 1, state + 2, (ny - 1) * sizeof *y);
    }
    kb_evaluation e = {.n = n, .y = y, .p = p, .reactor = s->reactor,
                       .dy = kb_alloc(n * ny, sizeof *y),
                       .wdot = kb_alloc(n * (ny - 1), sizeof *y),
                       .J = s->jacobian ? kb_alloc(n * ny * ny, sizeof *y) : NULL};
    int code = solvers->evaluate(solvers, s->engine, &e, err);
    if (!code && s->wdot)
        code = kb_npy_write(s->wdot, n, (int)ny - 1, e.wdot, err);
    if (!code && s->dy)
        code = kb_npy_write(s->dy, n, (int)ny, e.dy, err);
    if (!code && s->jacobian)
        code = kb_npy_write(s->jacobian, n, (int)(ny * ny), e.J, err);
    free(e.dy);
    free(e.wdot);
    free(e.J);
    return code;
}

static int evaluate_thermo(const settings *s, const kb_mech *m, const kb_database *db,
                           kb_error *err)
{
    long nsp = m->nspecies;
    kb_owned double *out = kb_alloc(3 * db->n * nsp, sizeof *out);
    for (long i = 0; i < db->n; i++)
        for (int k = 0; k < nsp; k++) {
            double T = db->states[i * db->columns], *row = out + 3 * nsp * i;
            row[k] = kb_cp_R(&m->species[k], T);
            row[nsp + k] = kb_h_RT(&m->species[k], T);
            row[2 * nsp + k] = kb_s_R(&m->species[k], T);
        }
    return kb_npy_write(s->thermo, db->n, 3 * (int)nsp, out, err);
}

static int evaluate_equilibrium(const settings *s, const kb_mech *m, const kb_database *db,
                                kb_error *err)
{
    int code = KB_OK;
    for (long i = 0; i < db->n && !code; i++) {
        double *state = db->states + i * db->columns;
        code = kb_equilibrate(m, s->fixed, &state[0], &state[1], state + 2, err);
    }
    return code ? code : kb_npy_write(s->equilibrium, db->n, db->columns, db->states, err);
}

/* thermodynamics and equilibrium, by mech/ itself */
static int evaluate_mech(const settings *s, const kb_database *db, kb_error *err)
{
    kb_mech m;
    int code = kb_mechanism_load(&m, s->mech, NULL, err);
    if (code)
        return code;
    kb_warnings_tell(&m);
    if (db->columns != m.nspecies + 2)
        code = kb_fail(err, KB_INVALID, "%s: %d columns, but %s has %d species", db->path,
                       db->columns, m.name, m.nspecies);
    if (!code && s->thermo)
        code = evaluate_thermo(s, &m, db, err);
    if (!code && s->equilibrium)
        code = evaluate_equilibrium(s, &m, db, err);
    kb_mech_free(&m);
    return code;
}

static int check_files(const settings *s, kb_error *err)
{
    const char *const file[] = {s->states, s->mech, s->wdot, s->dy,
                                s->jacobian, s->thermo, s->equilibrium};
    static const char *const name[] = {"the states", "the mechanism", "--wdot", "--dy",
                                       "--jacobian", "--thermo", "--equilibrium"};
    for (int i = 2; i < 7; i++)
        for (int k = 0; k < i && file[i]; k++)
            if (file[k] && kb_same_file(file[k], file[i]))
                return kb_fail(err, KB_INVALID, "%s: %s would take the place of %s", file[i],
                               name[i], name[k]);
    return KB_OK;
}

static int run_evaluate(const settings *s, kb_error *err)
{
    kb_database db;
    if (check_files(s, err))
        return KB_INVALID;
    if (!s->wdot && !s->dy && !s->jacobian && !s->thermo && !s->equilibrium)
        return kb_fail(err, KB_INVALID, "nothing to write: give --wdot, --dy, --jacobian, --thermo "
                       "or --equilibrium a file");
    int code = kb_database_read(&db, s->states, 0, false, err);
    if (code)
        return code;
    if (s->wdot || s->dy || s->jacobian)
        code = evaluate_rates(s, &db, err);
    if (!code && (s->thermo || s->equilibrium))
        code = evaluate_mech(s, &db, err);
    kb_database_free(&db);
    return code;
}

int main(int argc, char **argv)
{
    kb_error err = {0};
    settings s = {0};
    kb_program_parse(&evaluate, argc, argv, &s);
    int code = run_evaluate(&s, &err);
    return code ? kb_report("evaluate", &err) : KB_OK;
}
