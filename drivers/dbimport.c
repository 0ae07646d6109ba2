/* SPDX-License-Identifier: MIT
 *
 * dbimport: makes a database from a file of another program, and a recipe that does so again.
 */
#include "pasr/generators/import.h"

#include <stdio.h>

#include "drivers/generate/generate.h"

static void tell(const char *text, const json_t *results, const char *list)
{
    const json_t *names = json_object_get(results, list);
    size_t n = json_array_size(names);
    if (n)
        printf("note: %zu species %s:", n, text);
    for (size_t i = 0; i < n && i < 10; i++)
        printf(" %s", json_string_value(json_array_get(names, i)));
    printf(n > 10 ? " ...\n" : n ? "\n" : "");
}

static int make(const void *recipe, const kb_generation *g, kb_output *o, kb_error *err)
{
    const kb_import *r = recipe;
    if (kb_same_file(r->source, g->out))
        return kb_fail(err, KB_INVALID, "%s: the database would take the place of its source "
                       "(--out names another file)", g->out);
    int code = kb_import_run(r, g->m, o, err);
    if (!code && !g->quiet) {
        tell("not in the source, so 0 in all states", o->results, "species_not_in_source");
        tell("in the source, but not in the mechanism, so left out", o->results,
             "species_left_out");
        printf("note: the fractions add up to 1 within %.1g\n",
               json_number_value(json_object_get(o->results, "largest_sum_error")));
    }
    return code;
}

static const kb_generator generator = {
    .program = "dbimport", .form = &kb_import_form, .at_once = true, .make = make,
    .summary = "Makes a database of states (.npy: T [K], p [Pa], Y) from an array, a table or the "
               "cells of another program (--source), and the recipe that does so again (.json).\v"
               "docs/databases.md describes the formats.",
    .example = "build/dbimport --mech h2 --source states.csv --out h2.npy"};

int main(int argc, char **argv)
{
    kb_import recipe;
    kb_import_defaults(&recipe);
    return kb_generate(argc, argv, &generator, &recipe);
}
