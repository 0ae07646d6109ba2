/* SPDX-License-Identifier: MIT
 *
 * Mechanisms: opened from where their solvers are, and what they are.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/owned.h"
#include "library/inside.h"
#include "solvers/run_time.h"

/* Are the files of "[NAME=]FILE[,FILE]" there? Nothing is built for others. */
static bool are_there(const char *text, kb_error *err)
{
    const char *named = strchr(text, '=');
    kb_owned char *files = kb_strdup(named ? named + 1 : text);
    char *list = files;
    int code = strpbrk(text, "=,") && !access(text, F_OK)
                   ? kb_fail(err, KB_INVALID, "%s: a path here has no = and no comma; give it "
                                              "another name, or a link", text)
                   : KB_OK;
    for (char *file; !code && (file = strsep(&list, ","));) {
        struct stat what;
        if (!*file)
            code = kb_fail(err, KB_INVALID, "%s: no file beside the comma (expected mech.yaml or "
                           "mech.inp,therm.dat)", text);
        else if (stat(file, &what))
            code = kb_fail(err, KB_INVALID, "%s: %s", file, strerror(errno));
        else if (S_ISDIR(what.st_mode))
            code = kb_fail(err, KB_INVALID, "%s: %s", file, strerror(EISDIR));
    }
    return !code;
}

/* the solvers of a mechanism file without a compiler, or those compiled for it where they are */
static const kb_solvers *open_file(const char *file, kb_error *err)
{
    char path[KB_PATH];
    int code = kb_place_of_any(path, sizeof path);
    if (code) {
        kb_fail(err, code, "%s", kb_last_error());
        return NULL;
    }
    const kb_solvers *read = kb_solvers_read(path, file, err);
    const kb_solvers *compiled = read ? kb_compiled_for(path, read, file) : NULL;
    if (compiled)
        read->close(read);
    return compiled ? compiled : read;
}

static bool to_compile(void)
{
    const char *set = getenv("KINBENCH_COMPILE");
    return set && !strcmp(set, "1");
}

/* of a name, as kb_mechanism_open has it; returns a public code */
static int find(const char *name, const kb_solvers **found)
{
    char path[KB_PATH];
    kb_error err = {0};
    bool file = kb_is_mechanism_file(name);
    if (!kb_ends_in(name, ".so") && (file || strpbrk(name, "/,")) && !are_there(name, &err))
        return kb_fail_as(&err);
    if (file && !to_compile()) {
        *found = open_file(name, &err);
    } else {
        int code = kb_place_of(name, path, sizeof path);
        if (code)
            return code;
        *found = kb_solvers_open(path, &err);
    }
    return *found ? KB_SUCCESS : kb_fail_as(&err);
}

int kb_mechanism_open(const char *name, kb_mechanism **out)
{
    KB_HOLD_CALLER();
    if (!name || !out || !*name)
        return kb_fail_with(KB_ERROR_ARGUMENT, "kb_mechanism_open: an argument is NULL or empty");
    *out = NULL;
    jmp_buf no_memory;
    if (setjmp(no_memory)) {
        kb_no_memory = NULL;
        return kb_fail_with(KB_ERROR_MEMORY, "no memory to open %s", name);
    }
    kb_no_memory = &no_memory;
    const kb_solvers *solvers = NULL;
    int code = find(name, &solvers);
    kb_no_memory = NULL;
    if (code)
        return code;
    *out = malloc(sizeof **out);
    if (!*out)
        return kb_fail_with(KB_ERROR_MEMORY, "no memory to open %s", name);
    (*out)->solvers = solvers;
    return KB_SUCCESS;
}

void kb_mechanism_close(kb_mechanism *m)
{
    if (m && m->solvers->close)
        m->solvers->close(m->solvers);
    free(m);
}

/* ---- what it is ---- */

/* false, with a reason for kb_last_error: m is NULL */
static bool given(const kb_mechanism *m)
{
    if (!m)
        kb_fail_with(KB_ERROR_ARGUMENT, "the mechanism is NULL");
    return m;
}

const char *kb_mechanism_name(const kb_mechanism *m)
{
    return given(m) ? m->solvers->mech : NULL;
}

int kb_mechanism_species(const kb_mechanism *m)
{
    return given(m) ? m->solvers->nsp : 0;
}

const char *kb_mechanism_species_name(const kb_mechanism *m, int k)
{
    return given(m) && k >= 0 && k < m->solvers->nsp ? m->solvers->species[k] : NULL;
}

double kb_mechanism_weight(const kb_mechanism *m, int k)
{
    return given(m) && k >= 0 && k < m->solvers->nsp ? m->solvers->W[k] : 0;
}

int kb_mechanism_find_species(const kb_mechanism *m, const char *name)
{
    if (!given(m))
        return -1;
    for (int k = 0; name && k < m->solvers->nsp; k++)
        if (!strcmp(m->solvers->species[k], name))
            return k;
    return -1;
}

int kb_mechanism_find_all(const kb_mechanism *m, int n, const char *const *names, int *index)
{
    if (!given(m))
        return KB_ERROR_ARGUMENT;
    if (n < 0 || (n > 0 && (!names || !index)))
        return kb_fail_with(KB_ERROR_ARGUMENT, "kb_mechanism_find_all: n = %d, expected 0 or more "
                            "names and indices", n);
    for (int i = 0; i < n; i++)
        if (kb_mechanism_find_species(m, names[i]) < 0)
            return kb_fail_with(KB_ERROR_ARGUMENT, "species %d, '%s', is not among the %d of %s", i,
                                names[i] ? names[i] : "NULL", m->solvers->nsp, m->solvers->mech);
    for (int i = 0; i < n; i++)
        index[i] = kb_mechanism_find_species(m, names[i]);
    return KB_SUCCESS;
}

int kb_mechanism_solver(const kb_mechanism *m, int i, const char **method, const char **engine)
{
    if (!given(m))
        return KB_ERROR_ARGUMENT;
    if (!method || !engine)
        return kb_fail_with(KB_ERROR_ARGUMENT, "kb_mechanism_solver: %s is NULL",
                            method ? "engine" : "method");
    if (i < 0 || i >= m->solvers->nsolvers)
        return KB_ERROR_ARGUMENT;
    *method = m->solvers->solvers[i]->info.name;
    *engine = m->solvers->solvers[i]->info.engine;
    return KB_SUCCESS;
}
