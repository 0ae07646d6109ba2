/* SPDX-License-Identifier: MIT */
#include "drivers/flow/gas.h"

#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "mech/find.h"
#include "mech/thermo/thermo.h"
#include "pasr/database/recipe.h"
#include "pasr/generators/common/mixture.h"

static int open_libraries(kb_flow_gas_run *g, kb_error *err)
{
    const kb_flow_settings *set = g->set;
    kb_owned char *name = kb_built_name(set->mech);
    int code = kb_mechanism_load(&g->m, set->mech, set->thermo, err);
    g->solvers = code ? NULL : kb_solvers_open(name, err);
    g->engines = g->solvers ? kb_flow_engines_open(name, err) : NULL;
    code = g->engines ? kb_same_mechanism(&g->m, g->solvers, err) : err->code;
    if (!code && strcmp(g->engines->sha256, g->m.sha256))
        code = kb_fail(err, KB_INVALID, "flow.so of %s was built for another mechanism", name);
    return code;
}

static int make_start(kb_flow_gas_run *g, kb_error *err)
{
    const kb_flow_settings *set = g->set;
    size_t n = (size_t)g->m.nspecies;
    int code = kb_flow_case_file_fill(set->file, &g->m, err);
    g->problem = set->file->problem;
    if (code || !set->file->detonation)
        return code;
    g->Y = kb_alloc(2 * n, sizeof *g->Y);
    code = kb_mole_fractions(&g->m, "mixture", set->mixture, g->Y + n, err);
    if (code)
        return code;
    kb_X_to_Y(&g->m, g->Y + n, g->Y);
    return kb_flow_detonation_open(&g->problem, &g->start, &g->m, g->solvers, g->Y, set->T, set->p,
                                   set->length, set->height, set->options.end, err);
}

/* The command line, or else the file, names the species whose mass fractions are written. */
static int show_species(kb_flow_gas_run *g, kb_error *err)
{
    const kb_flow_settings *set = g->set;
    kb_words *names = &g->shown;
    const kb_words *asked = set->fields.count ? &set->fields : &set->file->fields;
    bool if_there = !set->fields.count && set->file->detonation; /* of any mixture */
    for (int k = 0; k < asked->count; k++)
        if (!if_there || kb_find_species(&g->m, asked->word[k]) >= 0)
            kb_words_add(names, asked->word[k]);
    g->species = kb_alloc((size_t)names->count + 1, sizeof *g->species);
    for (int k = 0; k < names->count; k++) {
        char *name = names->word[k];
        g->species[k] = kb_find_species(&g->m, name);
        if (g->species[k] < 0 && set->fields.count)
            return kb_fail(err, KB_INVALID, "--fields: %s has no species '%s'", g->m.name, name);
        if (g->species[k] < 0)
            return kb_case_wrong(&(kb_case_part){.path = set->file->path, .err = err}, "fields",
                                 NULL, "%s has no species '%s'", g->m.name, name);
        names->word[k] = kb_format("Y_%s", name);
        free(name);
        for (char *slash = names->word[k]; (slash = strchr(slash, '/'));)
            *slash = '-'; /* a name of a file */
    }
    g->problem.nshown = names->count;
    g->problem.shown = g->species;
    g->problem.shown_names = names->word;
    return KB_OK;
}

int kb_flow_gas_open(kb_flow_gas_run *g, const kb_flow_settings *set, kb_error *err)
{
    *g = (kb_flow_gas_run){.set = set};
    int code = open_libraries(g, err);
    code = code ? code : make_start(g, err);
    return code ? code : show_species(g, err);
}

void kb_flow_gas_close(kb_flow_gas_run *g)
{
    kb_znd_free(&g->start.zone);
    kb_mech_free(&g->m);
    kb_words_free(&g->shown);
    free(g->species);
    free(g->Y);
    *g = (kb_flow_gas_run){0};
}

char *kb_flow_gas_chemistry(const kb_flow_chemistry *c, const char *text)
{
    return kb_format("%.*s@%s", (int)strcspn(text, "@"), text, c->solver->info.engine);
}

double kb_flow_gas_attempts(const kb_flow_chemistry *c)
{
    return c->odes ? (double)c->attempts / (double)c->odes : 0;
}

/* text with the engine that goes with that of the flow; caller frees */
static char *with_engine(const kb_flow_gas_run *g, const char *engine, const char *text)
{
    const char *const on_gpu[] = {"gpu-straight", "gpu-thread", NULL}, *here[] = {engine, NULL};
    char *name = kb_format("%.*s", (int)strcspn(text, ":@"), text), *chosen = NULL;
    for (const char *const *e = strcmp(engine, "gpu") ? here : on_gpu; *e && !chosen; e++)
        if (!strchr(text, '@') && kb_solver_find(g->solvers, name, *e))
            chosen = kb_format("%s@%s", text, *e);
    free(name);
    return chosen ? chosen : kb_strdup(text);
}

int kb_flow_gas_start(const kb_flow_gas_run *g, kb_flow *f, kb_flow_chemistry *c,
                      const char *scheme, const char *engine, const char *text, int nx,
                      kb_error *err)
{
    const kb_flow_settings *set = g->set;
    kb_flow_options o = set->options;
    *f = (kb_flow){0};
    *c = (kb_flow_chemistry){0};
    double rows = round(nx * set->height / g->problem.x1);
    if (set->height > 0 && (rows < 4 || rows > (double)KB_FLOW_SPACE / nx))
        return kb_fail(err, KB_INVALID, "--height %g: %g rows of square cells with %d along %g m; "
                       "4 to %ld can be", set->height, rows, nx, g->problem.x1, KB_FLOW_SPACE / nx);
    o.nx = nx;
    o.ny = set->ratio > 0 ? (int)lround(nx * set->ratio) : set->height > 0 ? (int)rows : 1;
    o.end = set->file->detonation ? g->problem.end : o.end;
    const kb_flow_engine *e = kb_flow_mechanism_engine(g->engines, scheme, engine, err);
    kb_owned char *chosen = with_engine(g, engine, text);
    int code = e ? kb_flow_chemistry_open(c, g->solvers, chosen, err) : KB_INVALID;
    c->splitting = (kb_flow_splitting)set->splitting;
    c->threads = set->threads;
    c->T_react = set->T_react;
    c->stop = &kb_stop;
    code = code ? code : kb_flow_open(f, &g->problem, &o, e, err);
    f->chemistry = c;
    return code;
}
