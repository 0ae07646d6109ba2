/* SPDX-License-Identifier: MIT
 *
 * A mechanism file as solvers whose tables are read at run time.
 */
#include <stdio.h>
#include <stdlib.h>

#include "mech/check.h"
#include "mech/tables/likeness.h"
#include "mech/tables/run_time.h"
#include "solvers/run_time.h"

__attribute__((visibility("hidden"), tls_model("initial-exec")))
_Thread_local const kb_run_time_tables *kb_rt;

typedef struct {
    kb_solvers all;
    kb_mech mech;
    kb_tables tables;
    kb_run_time_tables values;
} opened;

static void close_file(const kb_solvers *s)
{
    opened *o = (opened *)s;
    if (s->solvers)
        free((void *)s->solvers[0]);
    free((void *)s->solvers);
    free((void *)s->species);
    kb_tables_free(&o->tables);
    kb_mech_free(&o->mech);
    free(o);
}

static int read_file(opened *o, const char *file, const char *thermo, kb_error *err)
{
    const kb_layout layout = {.sorted = true, .team = 1, .bytes = {16, 16}};
    int code = kb_mech_load(&o->mech, file, thermo, err);
    code = code ? code : kb_check_tables(&o->mech, err);
    return code ? code : kb_tables_build(&o->mech, &layout, &o->tables, err);
}

static void fill(opened *o, const kb_solvers *of)
{
    const kb_mech *m = &o->mech;
    kb_solver *solver = kb_alloc((size_t)of->nsolvers, sizeof *solver);
    const kb_solver **list = kb_alloc((size_t)of->nsolvers, sizeof *list);
    const char **species = kb_alloc((size_t)m->nspecies, sizeof *species);
    kb_rt = &o->values;
    for (int i = 0; i < of->nsolvers; i++) {
        solver[i] = *of->solvers[i];
        solver[i].tables = &o->values;
        solver[i].info.bytes_per_ode = solver[i].bytes();
        list[i] = &solver[i];
    }
    for (int i = 0; i < m->nspecies; i++)
        species[i] = m->species[i].name;
    o->all = *of;
    o->all.mech = m->name;
    o->all.sha256 = m->sha256;
    o->all.nsp = m->nspecies;
    o->all.nrxn = m->nreactions;
    o->all.species = species;
    o->all.W = o->values.W;
    o->all.solvers = list;
    o->all.data_from = o->values.data_from;
    o->all.data_to = o->values.data_to;
    o->all.tables = &o->values;
    o->all.close = close_file;
}

const kb_solvers *kb_run_time_open(const kb_solvers *of, const char *file, const char *thermo,
                                   const char *name, kb_error *err)
{
    jmp_buf no_memory;
    if (setjmp(no_memory)) {
        kb_no_memory = NULL;
        kb_fail(err, KB_INVALID, "no memory to open %s", file);
        return NULL;
    }
    kb_no_memory = &no_memory;
    opened *o = kb_alloc(1, sizeof *o);
    int code = read_file(o, file, thermo, err);
    if (!code && name) {
        free(o->mech.name);
        o->mech.name = kb_strdup(name);
    }
    if (!code) {
        o->values = kb_run_time_of(&o->tables);
        fill(o, of);
    }
    kb_no_memory = NULL;
    if (!code)
        return &o->all;
    close_file(&o->all);
    return NULL;
}

void kb_run_time_likeness(const kb_solvers *s, char *text)
{
    char *likeness = kb_mech_likeness(&((const opened *)s)->mech);
    snprintf(text, KB_LIKENESS, "%s", likeness);
    free(likeness);
}
