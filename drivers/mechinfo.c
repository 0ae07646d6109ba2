/* SPDX-License-Identifier: MIT
 *
 * mechinfo: prints what a mechanism holds and what it costs, and writes it as canonical YAML.
 */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "base/arguments.h"
#include "base/file.h"
#include "base/json.h"
#include "drivers/mechinfo/memory.h"
#include "mech/describe.h"
#include "mech/find.h"
#include "mech/oneway.h"
#include "mech/tables/sparse.h"
#include "solvers/solver.h"

typedef struct {
    const char *mech, *thermo, *out, *name, *description;
    double card; /* [B]; 0: not given */
    bool oneway, json;
    kb_oneway how;
} settings;

enum { THERMO = 256, NAME, DESCRIPTION, ONEWAY, TEMPERATURES, DEVICE_MEMORY, JSON };

static const struct argp_option options[] = {
    {"thermo", THERMO, "FILE", 0, "separate thermo file of a CHEMKIN mechanism", 0},
    {"write", 'w', "OUT.yaml", 0, "write the mechanism as YAML that Cantera reads", 0},
    {"name", NAME, "NAME", 0, "with --write: another name", 0},
    {"description", DESCRIPTION, "TEXT", 0, "with --write: another description (citation, terms); "
     "@FILE takes it from a file", 0},
    {"oneway", ONEWAY, "exact|lsq", 0, "split every reversible reaction into two one-way ones, by "
     "the exact fit at three temperatures or by least squares over a range; summary and --write "
     "are then of the result", 0},
    {"temperatures", TEMPERATURES, "T1,T2,T3", 0, "with --oneway: the three temperatures [K], or "
     "the range from T1 to T3; rising, 200 to 6000", 0},
    {"device-memory", DEVICE_MEMORY, "GB", 0, "memory of a card [GB], for the number of ODEs that "
     "fit (more than 0, default: the memory of the GPU here, or 141)", 0},
    {"json", JSON, 0, 0, "the counts of the summary as JSON, for other programs", 0},
    {0, 0, 0, 0, 0, 0}};

static void parse_temperatures(const char *text, settings *s, struct argp_state *state)
{
    double *T = s->how.T;
    int used = 0;
    int n = sscanf(text, "%lf,%lf,%lf%n", &T[0], &T[1], &T[2], &used);
    if (n != 3 || text[used] || !(T[0] >= 200 && T[0] < T[1] && T[1] < T[2] && T[2] <= 6000))
        argp_error(state, "--temperatures: '%s' is not three ascending temperatures in 200-6000 K",
                   text);
}

static error_t parse_mechinfo(int key, char *arg, struct argp_state *state)
{
    static const char *const fits[] = {[KB_FIT_EXACT] = "exact", [KB_FIT_LEAST_SQUARES] = "lsq",
                                       NULL};
    settings *s = state->input;
    switch (key) {
    case THERMO: s->thermo = kb_option_text(state, key, arg); break;
    case 'w': s->out = kb_option_text(state, key, arg); break;
    case NAME: s->name = kb_option_text(state, key, arg); break;
    case DESCRIPTION: s->description = kb_option_text(state, key, arg); break;
    case ONEWAY:
        s->oneway = true;
        s->how.fit = (kb_fit)kb_option_choice(state, key, arg, fits);
        break;
    case TEMPERATURES: parse_temperatures(arg, s, state); break;
    case DEVICE_MEMORY: s->card = 1e9 * kb_option_positive(state, key, arg); break;
    case JSON: s->json = true; break;
    case ARGP_KEY_ARG: kb_argument(state, &s->mech, arg, "mechanism"); break;
    case ARGP_KEY_END:
        if (!s->mech)
            argp_error(state, "MECH is missing: a name in datasets/mechanisms, or a file");
        if (!s->out && (s->name || s->description))
            argp_error(state, "--name and --description go with --write");
        if (!s->oneway && s->how.T[0] > 0)
            argp_error(state, "--temperatures goes with --oneway");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {
    options, parse_mechinfo, "MECH",
    "Prints a mechanism's summary: elements, species, reactions by type, features, thermo ranges, "
    "sparsity and LU cost, memory of each solver, ODEs that fit a card.\v"
    "MECH is a name in datasets/mechanisms, or a file: Cantera YAML (.yaml, .yml), anything else "
    "is read as CHEMKIN. "
    "Exit codes: 0 fine, 2 invalid use or input.\n\n"
    "Example: build/mechinfo gri30 --json", 0, 0, 0};

static int print_json(const kb_mech *m, kb_error *err)
{
    kb_sparse s;
    json_t *species = json_array(), *elements = json_array(), *warnings = json_array();
    for (int i = 0; i < m->nspecies + m->nsteady; i++)
        json_array_append_new(species, json_string(m->species[i].name));
    for (int i = 0; i < m->nelements; i++)
        json_array_append_new(elements, json_string(m->elements[i].name));
    for (int i = 0; i < m->nwarnings; i++)
        json_array_append_new(warnings, json_string(m->warnings[i]));
    kb_sparse_build(m, 1, &s);
    json_t *o = json_pack("{s:s, s:s, s:s, s:o, s:o, s:i, s:i, s:i, s:i, s:i, s:I, s:I, s:o}",
                          "name", m->name, "description", m->description, "sha256", m->sha256,
                          "elements", elements, "species", species, "steady", m->nsteady,
                          "reactions", m->nreactions, "unknowns", s.n, "matrix_entries", s.nnz,
                          "lu_entries", s.nnz_lu, "lu_flops", (json_int_t)s.lu_flops,
                          "solve_flops", (json_int_t)s.solve_flops, "warnings", warnings);
    kb_sparse_free(&s);
    int code = kb_json_print(stdout, o, 17, err);
    json_decref(o);
    return code;
}

static void print_sparsity(const kb_mech *m)
{
    kb_sparse s;
    kb_sparse_build(m, 1, &s);
    double n = s.n, all = n * n;
    printf("sparsity       Newton matrix of %d species, T and the mole sum\n", m->nspecies);
    printf("  %-28s %10d\n", "unknowns", s.n);
    printf("  %-28s %10d   (%.1f %% of %.0f)\n", "entries of the matrix", s.nnz, 100 * s.nnz / all,
           all);
    printf("  %-28s %10d   (%.1f %%)\n", "entries of L+U, as listed", s.nnz_natural,
           100 * s.nnz_natural / all);
    printf("  %-28s %10d   (%.1f %%)\n", "entries of L+U, ordered", s.nnz_lu,
           100 * s.nnz_lu / all);
    printf("  %-28s %10ld   (dense %.0f)\n", "flops of one LU", s.lu_flops, 2 * n * n * n / 3);
    printf("  %-28s %10ld   (dense %.0f)\n", "flops of one solve", s.solve_flops, 2 * all);
    printf("  %-28s %10d\n", "dense tail, rows", s.n - s.tail);
    kb_sparse_free(&s);
}

static void print_warnings(const kb_mech *m)
{
    enum { WHOLE = 20 }; /* of a kind */
    printf("%-14s %d\n", "warnings", m->nwarnings);
    kb_warnings_print(stdout, m, "  ", WHOLE, 0);
}

/* The reactions whose fits are farthest off */
static void print_errors(const kb_mech *m, const kb_oneway *how)
{
    enum { SHOWN = 10 };
    printf("  k_fit / k_r where it is farthest from 1, %d of %d fits\n"
           "    %12s %8s %12s %8s\n", how->nerrors < SHOWN ? how->nerrors : SHOWN, how->nerrors,
           "300-3500 K", "at", "1000-2500 K", "at");
    for (int i = 0; i < how->nerrors && i < SHOWN; i++) {
        const kb_fit_error *e = &how->errors[i];
        char *equation = kb_equation(m, &m->reactions[e->reaction]);
        printf("    %12.5g %6.0f K %12.5g %6.0f K   reaction %d: %s\n", e->ratio_wide, e->T_wide,
               e->ratio, e->T, e->reaction + 1, equation);
        free(equation);
    }
    putchar('\n');
}

static void print_fit(const kb_mech *m, const kb_oneway *how)
{
    printf("one-way        %s at %g, %g, %g K\n",
           how->fit == KB_FIT_EXACT ? "exact fit" : "least squares", how->T[0], how->T[1],
           how->T[2]);
    if (how->worst_reaction < 0 || how->worst_reaction >= m->nreactions)
        return;
    char *equation = kb_equation(m, &m->reactions[how->worst_reaction]);
    printf("  %-28s %10.3g   at %g K, reaction %d: %s\n", "largest error of k_r", how->worst,
           how->worst_T, how->worst_reaction + 1, equation);
    free(equation);
    print_errors(m, how);
}

/* Replaces *m by its one-way form. */
static int convert(kb_mech *m, settings *s, kb_error *err)
{
    kb_mech out;
    if (kb_oneway_convert(m, &s->how, &out, err))
        return KB_INVALID;
    print_fit(m, &s->how);
    free(s->how.errors);
    s->how.errors = NULL;
    kb_mech_free(m);
    *m = out;
    return KB_OK;
}

static int write_yaml(kb_mech *m, const settings *s, kb_error *err)
{
    if (s->name) {
        free(m->name);
        m->name = kb_strdup(s->name);
    }
    if (s->description) {
        size_t n;
        char *text = *s->description == '@' ? kb_file_read(s->description + 1, &n, err)
                                            : kb_strdup(s->description);
        if (!text)
            return KB_INVALID;
        free(m->description);
        m->description = text;
    }
    return kb_yaml_write(m, s->out, err);
}

static int run_mechinfo(settings *s, kb_mech *m, kb_error *err)
{
    int rc = kb_mechanism_load(m, s->mech, s->thermo, err);
    if (!rc && s->oneway)
        rc = convert(m, s, err);
    if (!rc && s->out)
        rc = write_yaml(m, s, err);
    if (rc)
        return rc;
    if (s->json)
        return print_json(m, err);
    kb_summary_print(stdout, m);
    print_sparsity(m);
    kb_memory_print(m, s->mech, s->card);
    print_warnings(m);
    return fflush(stdout) ? kb_fail(err, KB_INVALID, "the summary cannot be written") : KB_OK;
}

int main(int argc, char **argv)
{
    settings s = {.how.worst_reaction = -1};
    kb_mech m = {0};
    kb_error err = {0};
    argp_err_exit_status = KB_INVALID;
    argp_parse(&argp, argc, argv, 0, 0, &s);
    int rc = run_mechinfo(&s, &m, &err);
    if (rc)
        kb_report("mechinfo", &err);
    kb_mech_free(&m);
    return rc;
}
