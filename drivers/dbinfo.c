/* SPDX-License-Identifier: MIT
 *
 * dbinfo: what the states of a database are, what they cost, and how each order of them diverges.
 */
#include <argp.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arguments.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/stats.h"
#include "drivers/dbinfo/dbinfo.h"
#include "mech/find.h"
#include "pasr/database/origin.h"
#include "pasr/database/recipe.h"

enum { SOLVERS_FILE = 256, SAMPLE, SEED, THREADS, NO_COSTS, WRITE_COST, CSV, COLUMNS, SPECIES,
       REPAIR, JSON };

static const struct argp_option options[] = {
    {"mech", 'm', "NAME", 0, "mechanism (default: the one named in the .json beside the "
     "database)", 1},
    {"species", SPECIES, "NAMES", 0, "species of the columns, if no .json beside the database "
     "says so: H2,O2,... in their order, a file of names, or mechanism if they are the species of "
     "the mechanism in its order; kept in a .json beside it", 1},
    {"repair", REPAIR, 0, 0, "mass fractions that are off by noise (at least -1e-3, sums within "
     "1e-2 of 1) are mended instead of refused", 1},
    {"solvers-file", SOLVERS_FILE, "FILE", 0, "its solvers (default "
     "build/mech/NAME/solvers.so)", 1},
    {"dt", 't', "LIST", 0, "global steps [s], more than 0 (default 1e-6,1e-4)", 1},
    {"solvers", 's', "LIST", 0, "solvers whose cost is measured; orders go by the first (default "
     "rodas4,cvode)", 1},
    {"sample", SAMPLE, "COUNT", 0, "states that are measured at most, for each order (from 32; "
     "default 4096; a quarter of them by solvers that have no lanes)", 1},
    {"seed", SEED, "NUMBER", 0, "seed of the sample and of order shuffled (from 0; default 1)", 1},
    {"threads", THREADS, "NUMBER", 0, "CPU threads; 0: all (0 to 4096, default 0)", 1},
    {"no-costs", NO_COSTS, 0, 0, "only what the states are; measure nothing", 1},
    {"write-cost", WRITE_COST, 0, 0, "measure every state by the first solver at the first dt and "
     "keep its cost beside the database, for order sorted-cost", 1},
    {"csv", CSV, "FOLDER", 0, "also write what is printed as CSV, for plots/dbinfo.gp", 1},
    {"columns", COLUMNS, "LIST", 0, "write nothing but these columns of all states as CSV to the "
     "standard output: T_K, p_Pa, species and those beside the database; unknown ones are left out",
     1},
    {"json", JSON, 0, 0, "print everything as JSON, for other programs", 1},
    {"quiet", 'q', 0, 0, "no progress", 1},
    {0, 0, 0, 0, 0, 0}};

typedef struct {
    kb_dbinfo_settings *set;
    const char *path;
} parsing;

static error_t parse_dbinfo(int key, char *arg, struct argp_state *state)
{
    parsing *p = state->input;
    kb_dbinfo_settings *s = p->set;
    switch (key) {
    case 'm': s->mech = kb_option_text(state, key, arg); break;
    case SOLVERS_FILE: s->solvers_file = kb_option_text(state, key, arg); break;
    case 't': s->dt = kb_option_text(state, key, arg); break;
    case 's': s->solvers = kb_option_text(state, key, arg); break;
    case SAMPLE: s->sample = kb_option_whole(state, key, arg, KB_WARP, LONG_MAX); break;
    case SEED: s->seed = (unsigned long long)kb_option_whole(state, key, arg, 0, LONG_MAX); break;
    case THREADS: s->threads = (int)kb_option_whole(state, key, arg, 0, KB_MAX_THREADS); break;
    case NO_COSTS: s->costs = false; break;
    case WRITE_COST: s->write_cost = true; break;
    case CSV: s->csv = kb_option_text(state, key, arg); break;
    case COLUMNS: s->columns = kb_option_text(state, key, arg); break;
    case SPECIES: s->species = kb_option_text(state, key, arg); break;
    case REPAIR: s->repair = true; break;
    case JSON: s->json = true; break;
    case 'q': s->quiet = true; break;
    case ARGP_KEY_ARG: kb_argument(state, &p->path, arg, "database"); break;
    case ARGP_KEY_NO_ARGS: argp_error(state, "DATABASE.npy is missing"); break;
    case ARGP_KEY_END:
        if (s->json && s->columns)
            argp_error(state, "--columns are CSV: without --json");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {options, parse_dbinfo, "DATABASE.npy",
    "Prints what the states of a database are, what they cost, and how each order of them diverges "
    "in warps of 32.\vdocs/databases.md explains each figure.\n\n"
    "Example: build/dbinfo h2.npy --solvers rodas4,cvode --dt 1e-6", 0, 0, 0};

/* ---- what stands beside the database ---- */

static int read_recipe(kb_dbinfo *d, kb_error *err)
{
    char *path = kb_beside(d->db.path, ".json");
    int code = KB_OK;
    if (access(path, F_OK) == 0) {
        d->recipe = kb_json_read(path, NULL, err);
        code = d->recipe ? KB_OK : KB_INVALID;
    }
    free(path);
    return code;
}

/* columns for plots, named in the recipe; there need not be any */
static int read_aux(kb_dbinfo *d, kb_error *err)
{
    long rows;
    json_t *names = json_object_get(d->recipe, "aux");
    char *path = kb_beside(d->db.path, ".aux.npy");
    int code = KB_OK;
    if (json_is_array(names) && access(path, F_OK) == 0) {
        code = kb_npy_read(path, &rows, &d->naux, &d->aux, err);
        if (!code && (rows != d->db.n || (size_t)d->naux != json_array_size(names) ||
                      d->naux > KB_MAX_ELEMENTS))
            code = kb_fail(err, KB_INVALID, "%s: %ld x %d numbers, expected %ld rows and the %zu "
                           "columns of the .json", path, rows, d->naux, d->db.n,
                           json_array_size(names));
        for (int i = 0; i < d->naux && !code; i++) {
            const char *name = json_string_value(json_array_get(names, (size_t)i));
            d->aux_names[i] = name ? name : "aux";
        }
    }
    free(path);
    return code;
}

static const char *recipe_text(const kb_dbinfo *d, const char *key)
{
    const char *inner = json_string_value(json_object_get(
        json_object_get(d->recipe, "parameters"), key));
    return inner ? inner : json_string_value(json_object_get(d->recipe, key));
}

static int check_origin(const kb_dbinfo *d, kb_error *err)
{
    int n = d->m.nspecies;
    const char **names = kb_alloc((size_t)n, sizeof *names);
    for (int i = 0; i < n; i++)
        names[i] = d->m.species[i].name;
    kb_origin o = {.path = d->db.path, .states_sha256 = d->db.file_sha256, .mech = d->m.name,
                   .mech_sha256 = d->m.sha256, .nspecies = n, .species = names,
                   .said = d->set.species};
    int code = kb_origin_check(&o, err);
    free(names);
    return code;
}

/* The mechanism is as named on the command line or in the recipe; without one, only what needs no
 * mechanism is printed. */
static int open_mechanism(kb_dbinfo *d, kb_error *err)
{
    const char *name = d->set.mech ? d->set.mech : recipe_text(d, "mech");
    if (!name)
        return d->set.costs ? kb_fail(err, KB_INVALID, "%s: no .json beside it names the mechanism "
                                      "(give --mech NAME, or --no-costs)", d->db.path) : KB_OK;
    char *short_name = kb_built_name(name);
    if (!d->set.mech)
        kb_origin_read_as(d->recipe);
    const char *thermo = d->set.mech ? NULL : recipe_text(d, "thermo");
    int code = kb_mechanism_load(&d->m, name, thermo, err);
    if (!code)
        kb_warnings_tell(&d->m);
    if (!code && d->m.nspecies + 2 != d->db.columns)
        code = kb_fail(err, KB_INVALID, "%s: %d columns, but mechanism %s has %d species",
                       d->db.path, d->db.columns, name, d->m.nspecies);
    code = code ? code : check_origin(d, err);
    if (!code && (d->set.costs || d->set.write_cost)) {
        d->solvers = kb_solvers_open(d->set.solvers_file ? d->set.solvers_file : short_name, err);
        code = d->solvers ? kb_same_mechanism(&d->m, d->solvers, err) : KB_INVALID;
    }
    free(short_name);
    return code;
}

static int run_dbinfo(kb_dbinfo *d, const char *path, kb_error *err)
{
    int code = kb_database_read(&d->db, path, 0, d->set.repair, err);
    if (!code && d->db.repaired)
        kb_progress_note(&d->progress, "note: %s: %ld of %ld states repaired", path,
                         d->db.repaired, d->db.n);
    code = code ? code : read_recipe(d, err);
    code = code ? code : read_aux(d, err);
    if (!code && d->set.columns)
        return kb_dbinfo_columns(d, err);
    code = code ? code : open_mechanism(d, err);
    if (!code && d->set.csv) {
        char *folder = kb_format("%s/", d->set.csv);
        code = kb_make_folders(folder, err);
        free(folder);
    }
    code = code ? code : kb_dbinfo_states(d, err);
    fflush(stdout);
    if (!code && (d->set.costs || d->set.write_cost))
        code = kb_dbinfo_costs(d, err);
    if (!code && d->about)
        code = json_object_get(d->about, "database")
                   ? kb_json_print(stdout, d->about, 9, err)
                   : kb_fail(err, KB_INVALID, "%s: JSON holds no name that is not UTF-8", path);
    return code;
}

int main(int argc, char **argv)
{
    kb_error err = {0};
    kb_dbinfo d = {.set = {.dt = "1e-6,1e-4", .solvers = "rodas4,cvode", .seed = 1, .sample = 4096,
                           .costs = true}};
    parsing p = {&d.set, NULL};
    argp_err_exit_status = KB_INVALID;
    argp_parse(&argp, argc, argv, 0, NULL, &p);
    d.about = d.set.json ? json_object() : NULL;
    kb_interrupt_install();
    kb_progress_start(&d.progress, d.set.quiet);
    int code = run_dbinfo(&d, p.path, &err);
    kb_progress_end(&d.progress);
    if (code)
        kb_report("dbinfo", &err);
    json_decref(d.recipe);
    json_decref(d.about);
    kb_mech_free(&d.m);
    kb_database_free(&d.db);
    free(d.aux);
    return code;
}
