/* SPDX-License-Identifier: MIT
 *
 * mechinfo: prints what a mechanism holds and what it costs, and writes it as canonical YAML.
 */
#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "base/file.h"
#include "base/json.h"
#include "drivers/mechinfo/memory.h"
#include "base/owned.h"
#include "mech/describe.h"
#include "mech/find.h"
#include "mech/oneway.h"
#include "mech/tables/sparse.h"
#include "pasr/database/recipe.h"
#include "solvers/solver.h"

typedef struct {
    const char *mech, *thermo, *out, *name, *description, *temperatures;
    const char *oneway; /* "exact" or "lsq"; NULL: no */
    double card; /* [B]; 0: not given */
    bool json;
    kb_oneway how;
} settings;

#define AT(member) offsetof(settings, member)

static const kb_program_option options[] = {
    {"thermo", 0, "FILE", KB_OPT_TEXT, AT(thermo), 0, 0, 0, 0,
     "separate thermo file of a CHEMKIN mechanism"},
    {"write", 'w', "OUT.yaml", KB_OPT_TEXT, AT(out), 0, 0, 0, 0,
     "write the mechanism as YAML that Cantera reads"},
    {"name", 0, "NAME", KB_OPT_TEXT, AT(name), 0, 0, 0, 0, "with --write: another name"},
    {"description", 0, "TEXT", KB_OPT_TEXT, AT(description), 0, 0, 0, 0,
     "with --write: another description (citation, terms); @FILE takes it from a file"},
    {"oneway", 0, "exact|lsq", KB_OPT_TEXT, AT(oneway), "exact, lsq", 0, 0, 0,
     "split every reversible reaction into two one-way ones, by the exact fit at three "
     "temperatures or by least squares over a range; summary and --write are then of the result"},
    {"temperatures", 0, "T1,T2,T3", KB_OPT_NUMBERS, AT(temperatures), "200 to 6000", "K", 0, 0,
     "with --oneway: the three temperatures, or the range from T1 to T3; rising"},
    {"device-memory", 0, "GB", KB_OPT_NUMBER, AT(card), "more than 0", "GB",
     ": the memory of the GPU here, or 141", 0,
     "memory of a card, for the number of ODEs that fit"},
    {"json", 0, 0, KB_OPT_SWITCH, AT(json), 0, 0, 0, 0,
     "the counts of the summary as JSON, for other programs"},
    {0}};

static int rest(int key, char *arg, struct argp_state *state, void *set)
{
    settings *s = set;
    double *T = s->how.T;
    (void)arg;
    if (key != ARGP_KEY_END)
        return ARGP_ERR_UNKNOWN;
    if (s->temperatures && (sscanf(s->temperatures, "%lf,%lf,%lf", &T[0], &T[1], &T[2]) != 3 ||
                            !(T[0] < T[1] && T[1] < T[2])))
        argp_error(state, "--temperatures: '%s' is not three ascending temperatures",
                   s->temperatures);
    if (!s->out && (s->name || s->description))
        argp_error(state, "--name and --description go with --write");
    if (!s->oneway && s->temperatures)
        argp_error(state, "--temperatures goes with --oneway");
    s->how.fit = s->oneway && *s->oneway == 'l' ? KB_FIT_LEAST_SQUARES : KB_FIT_EXACT;
    s->card *= 1e9;
    return 0;
}

static const kb_program mechinfo = {
    options, "MECH",
    "Prints a mechanism's summary: elements, species, reactions by type, features, thermo ranges, "
    "sparsity and LU cost, memory of each solver, ODEs that fit a card.\v"
    "MECH is a name in datasets/mechanisms, or a file: Cantera YAML (.yaml, .yml), anything else "
    "is read as CHEMKIN.\n\n"
    "Example: build/mechinfo gri30 --json", "mechanism", AT(mech), .rest = rest};

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
    kb_sparse_build(m, 1, KB_HEAD_CHEAPER, &s);
    json_auto_t *o = json_pack("{s:s, s:s, s:s, s:o, s:o, s:i, s:i, s:i, s:i, s:i, s:I, s:I, s:o}",
                               "name", m->name, "description", m->description, "sha256", m->sha256,
                               "elements", elements, "species", species, "steady", m->nsteady,
                               "reactions", m->nreactions, "unknowns", s.n, "matrix_entries", s.nnz,
                               "lu_entries", s.nnz_lu, "lu_flops", (json_int_t)s.lu_flops,
                               "solve_flops", (json_int_t)s.solve_flops, "warnings", warnings);
    kb_sparse_free(&s);
    return kb_json_print(stdout, o, 17, err);
}

static void print_sparsity(const kb_mech *m)
{
    kb_sparse s;
    kb_sparse_build(m, 1, KB_HEAD_CHEAPER, &s);
    double n = s.n, all = n * n;
    printf("sparsity       Newton matrix of %d species, T and the mole sum\n", m->nspecies);
    printf("  %-28s %10d\n", "unknowns", s.n);
    printf("  %-28s %10d   (%.1f %% of %.0f)\n", "entries of the matrix", s.nnz,
           100.0 * s.nnz / all, all);
    printf("  %-28s %10d   (%.1f %%)\n", "entries of L+U, as listed", s.nnz_natural,
           100.0 * s.nnz_natural / all);
    printf("  %-28s %10d   (%.1f %%)\n", "entries of L+U, ordered", s.nnz_lu,
           100.0 * s.nnz_lu / all);
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
        kb_owned char *equation = kb_equation(m, &m->reactions[e->reaction]);
        printf("    %12.5g %6.0f K %12.5g %6.0f K   reaction %d: %s\n", e->ratio_wide, e->T_wide,
               e->ratio, e->T, e->reaction + 1, equation);
    }
    putchar('\n');
}

static void print_fit(const kb_mech *m, const kb_oneway *how)
{
    printf("one-way        %s at %g, %g, %g K\n",
           how->fit == KB_FIT_EXACT ? "exact fit" : "least squares", how->T[0], how->T[1],
           how->T[2]);
    if (!how->nerrors)
        return;
    kb_owned char *equation = kb_equation(m, &m->reactions[how->worst_reaction]);
    printf("  %-28s %10.3g   at %g K, reaction %d: %s\n", "largest error of k_r", how->worst,
           how->worst_T, how->worst_reaction + 1, equation);
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
    if (!rc && s->out && kb_is_of_mechanism(m, s->out))
        rc = kb_fail(err, KB_INVALID, "%s: --write would take the place of the mechanism", s->out);
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
    return KB_OK;
}

int main(int argc, char **argv)
{
    settings s = {0};
    kb_mech m = {0};
    kb_error err = {0};
    kb_program_parse(&mechinfo, argc, argv, &s);
    int rc = run_mechinfo(&s, &m, &err);
    if (rc)
        kb_report("mechinfo", &err);
    kb_mech_free(&m);
    return rc;
}
