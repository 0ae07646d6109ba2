/* SPDX-License-Identifier: MIT
 *
 * dbinfo: what the states of a database are, what they cost, and how each order of them diverges.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/options.h"
#include "drivers/dbinfo/dbinfo.h"
#include "mech/find.h"
#include "pasr/database/origin.h"
#include "pasr/database/recipe.h"

#define AT(member) offsetof(kb_dbinfo_settings, member)

static const kb_program_option options[] = {
    {"mech", 'm', "NAME", KB_OPT_TEXT, AT(mech), 0, 0, ": as the .json beside the database", 1,
     "mechanism"},
    {"species", 0, "NAMES", KB_OPT_TEXT, AT(species), 0, 0, 0, 1,
     "species of the columns, if no .json beside the database says so: H2,O2,... in their order, a "
     "file of names, or mechanism if they are the species of the mechanism in its order; kept in a "
     ".json beside it"},
    {"repair", 0, 0, KB_OPT_SWITCH, AT(repair), 0, 0, 0, 1,
     "mass fractions that are off by noise (at least -1e-3, sums within 1e-2 of 1) are mended "
     "instead of refused"},
    {"solvers-file", 0, "FILE", KB_OPT_TEXT, AT(solvers_file), 0, 0,
     ": build/mech/NAME/solvers.so", 1, "its solvers"},
    {"dt", 't', "LIST", KB_OPT_NUMBERS, AT(dt), "more than 0", "s", "1e-6,1e-4", 1, "global steps"},
    {"solvers", 's', "LIST", KB_OPT_TEXT, AT(solvers), 0, 0, "rodas4,cvode", 1,
     "solvers whose cost is measured; orders go by the first"},
    {"sample", 0, "COUNT", KB_OPT_LONG, AT(sample), "from 32", 0, "4096", 1,
     "states that are measured at most, for each order; a quarter of them by solvers that have no "
     "lanes"},
    {"seed", 0, "NUMBER", KB_OPT_LONG, AT(seed), "from 0", 0, "1", 1,
     "seed of the sample and of order shuffled"},
    {"threads", 0, "NUMBER", KB_OPT_INT, AT(threads), "0 to 4096", 0, "0", 1,
     "CPU threads; 0: all"},
    {"no-costs", 0, 0, KB_OPT_SWITCH, AT(no_costs), 0, 0, 0, 1,
     "only what the states are; measure nothing"},
    {"write-cost", 0, 0, KB_OPT_SWITCH, AT(write_cost), 0, 0, 0, 1,
     "measure every state by the first solver at the first dt and keep its cost beside the "
     "database, for order sorted-cost"},
    {"csv", 0, "FOLDER", KB_OPT_TEXT, AT(csv), 0, 0, 0, 1,
     "also write what is printed as CSV, for plots/dbinfo.gp"},
    {"columns", 0, "LIST", KB_OPT_TEXT, AT(columns), 0, 0, 0, 1,
     "write nothing but these columns of all states as CSV to the standard output: T_K, p_Pa, "
     "species and those beside the database; unknown ones are left out"},
    {"json", 0, 0, KB_OPT_SWITCH, AT(json), 0, 0, 0, 1,
     "print everything as JSON, for other programs"},
    {"quiet", 'q', 0, KB_OPT_SWITCH, AT(quiet), 0, 0, 0, 1, "no progress"},
    {0}};

static int rest(int key, char *arg, struct argp_state *state, void *settings)
{
    const kb_dbinfo_settings *s = settings;
    (void)arg;
    if (key == ARGP_KEY_END && s->json && s->columns)
        argp_error(state, "--columns are CSV: without --json");
    return ARGP_ERR_UNKNOWN;
}

static const kb_program dbinfo = {
    options, "DATABASE.npy",
    "Prints what the states of a database are, what they cost, and how each order of them diverges "
    "in warps of 32.\vdocs/databases.md explains each figure.\n\n"
    "Example: build/dbinfo h2.npy --solvers rodas4,cvode --dt 1e-6",
    "database", AT(path), .rest = rest};

/* ---- what stands beside the database ---- */

static int read_recipe(kb_dbinfo *d, kb_error *err)
{
    kb_owned char *path = kb_beside(d->db.path, ".json");
    int code = KB_OK;
    if (access(path, F_OK) == 0) {
        d->recipe = kb_json_read(path, NULL, err);
        code = d->recipe ? KB_OK : KB_INVALID;
    }
    return code;
}

/* columns for plots, named in the recipe; there need not be any */
static int read_aux(kb_dbinfo *d, kb_error *err)
{
    json_t *names = json_object_get(d->recipe, "aux");
    kb_owned char *path = kb_beside(d->db.path, ".aux.npy");
    int code = KB_OK;
    if (json_is_array(names) && access(path, F_OK) == 0) {
        code = kb_aux_read(d->db.path, d->db.n, names, &d->naux, &d->aux, err);
        if (!code && d->naux > KB_MAX_ELEMENTS)
            code = kb_fail(err, KB_INVALID, "%s: %d columns, expected at most %d", path, d->naux,
                           KB_MAX_ELEMENTS);
        for (int i = 0; i < d->naux && !code; i++) {
            const char *name = json_string_value(json_array_get(names, (size_t)i));
            d->aux_names[i] = name ? name : "aux";
        }
    }
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
    kb_owned const char **names = kb_alloc((size_t)n, sizeof *names);
    for (int i = 0; i < n; i++)
        names[i] = d->m.species[i].name;
    kb_origin o = {.path = d->db.path, .states_sha256 = d->db.file_sha256, .mech = d->m.name,
                   .mech_sha256 = d->m.sha256, .nspecies = n, .species = names,
                   .said = d->set.species};
    return kb_origin_check(&o, err);
}

/* The mechanism is as named on the command line or in the recipe; without one, only what needs no
 * mechanism is printed. */
static int open_mechanism(kb_dbinfo *d, kb_error *err)
{
    const char *name = d->set.mech ? d->set.mech : recipe_text(d, "mech");
    if (!name)
        return !d->set.no_costs
                   ? kb_fail(err, KB_INVALID, "%s: no .json beside it names the mechanism "
                                      "(give --mech NAME, or --no-costs)", d->db.path) : KB_OK;
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
    if (!code && (!d->set.no_costs || d->set.write_cost)) {
        d->solvers = kb_solvers_of(name, thermo, d->set.solvers_file, err);
        code = d->solvers ? kb_same_mechanism(&d->m, d->solvers, err) : KB_INVALID;
    }
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
        kb_owned char *folder = kb_format("%s/", d->set.csv);
        code = kb_make_folders(folder, err);
    }
    code = code ? code : kb_dbinfo_states(d, err);
    fflush(stdout);
    if (!code && (!d->set.no_costs || d->set.write_cost))
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
    kb_dbinfo d = {0};
    kb_program_parse(&dbinfo, argc, argv, &d.set);
    d.about = d.set.json ? json_object() : NULL;
    kb_interrupt_install();
    kb_progress_start(&d.progress, d.set.quiet);
    int code = run_dbinfo(&d, d.set.path, &err);
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
