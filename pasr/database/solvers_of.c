/* SPDX-License-Identifier: MIT
 *
 * The solvers of a mechanism by its name, or of its file where nothing is compiled for it.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/owned.h"
#include "base/shared_object.h"
#include "mech/find.h"
#include "pasr/database/recipe.h"
#include "solvers/solver.h"

char *kb_built_solvers(const char *mech)
{
    kb_owned char *name = kb_built_name(mech), *place = kb_format("build/mech/%s/solvers.so", name);
    char *path = kb_find_in_tree(place);
    if (!access(path, R_OK))
        return path;
    free(path);
    return NULL;
}

/* the mechanism's file, by engines of any mechanism */
static const kb_solvers *read_file(const char *engines, const char *name, const char *mech,
                                   const char *thermo, kb_error *err)
{
    kb_owned char *file = kb_mechanism_file(mech);
    kb_owned char *text = kb_format("%s=%s%s%s", name, file, thermo ? "," : "",
                                    thermo ? thermo : "");
    return kb_solvers_read(engines, text, err);
}

const kb_solvers *kb_solvers_of(const char *mech, const char *thermo, const char *given,
                                kb_error *err)
{
    if (given || kb_ends_in(mech, ".so"))
        return kb_solvers_open(given ? given : mech, err);
    const char *engines = getenv("KB_ANY");
    kb_owned char *name = kb_built_name(mech), *built = kb_built_solvers(mech);
    bool any = engines && *engines && !built;
    return any ? read_file(engines, name, mech, thermo, err) : kb_solvers_open(name, err);
}

const kb_solvers *kb_solvers_named(const char *mech, kb_error *err)
{
    bool path = strchr(mech, '/') || kb_is_mechanism_file(mech);
    return kb_solvers_of(mech, NULL, path ? mech : NULL, err);
}
