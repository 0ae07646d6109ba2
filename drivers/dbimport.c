/* SPDX-License-Identifier: MIT
 *
 * dbimport: makes a database from a file of another program, and a recipe that does so again.
 */
#include "pasr/generators/import.h"

#include <stdbool.h>
#include <sys/stat.h>

#include "drivers/generate/generate.h"

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int make(const void *recipe, const kb_generation *g, kb_output *o, kb_error *err)
{
    const kb_import *r = recipe;
    if (same_file(r->source, g->out))
        return kb_fail(err, KB_INVALID, "%s: the database would take the place of its source "
                       "(--out names another file)", g->out);
    return kb_import_run(r, g->m, o, err);
}

static const kb_generator generator = {
    .program = "dbimport", .form = &kb_import_form, .at_once = true, .make = make,
    .summary = "Makes a database of states (.npy: T [K], p [Pa], Y) from an array or a table of "
               "another program (--source), and the recipe that does so again (.json).\v"
               "docs/databases.md describes the formats.",
    .example = "build/dbimport --mech h2 --source states.csv --out h2.npy"};

int main(int argc, char **argv)
{
    kb_import recipe;
    kb_import_defaults(&recipe);
    return kb_generate(argc, argv, &generator, &recipe);
}
