/* SPDX-License-Identifier: MIT
 *
 * dbimport: makes a database from a file of another program, and a recipe that does so again.
 */
#include "../pasr/import.h"
#include "generate.h"

static int make(const void *recipe, const kb_generation *g, kb_output *o, kb_error *err)
{
    return kb_import_run(recipe, g->m, o, err);
}

static const kb_generator generator = {
    .program = "dbimport", .form = &kb_import_form, .at_once = true, .make = make,
    .summary = "Makes a database of states (.npy: T [K], p [Pa], Y) from an array or a table of "
               "another program (--source), and the recipe that does so again (.json).\v"
               "docs/databases.md describes the formats."};

int main(int argc, char **argv)
{
    kb_import recipe;
    kb_import_defaults(&recipe);
    return kb_generate(argc, argv, &generator, &recipe);
}
