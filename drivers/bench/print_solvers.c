/* SPDX-License-Identifier: MIT */
#include "drivers/bench/print.h"

#include <stdio.h>
#include <string.h>

#include "base/table.h"

static bool is_first(const kb_solvers *s, int i)
{
    for (int k = 0; k < i; k++)
        if (!strcmp(s->solvers[k]->info.name, s->solvers[i]->info.name))
            return false;
    return true;
}

static void print_options(const kb_solver_info *info)
{
    printf("\n%s: %s\n    %s\n", info->name, info->summary, info->source);
    for (const kb_option *o = info->options; o && o->name; o++)
        printf("    %s:%s=%g  (%g to %g) %s\n", info->name, o->name, o->value, o->low, o->high,
               o->help);
}

void kb_print_solvers(const kb_solvers *s)
{
    static const char *const heads[] = {"solver", "engine", "lanes", "order", "rtol", "atol",
                                        "bytes/ODE"};
    kb_table out = {.ncolumns = 7, .heads = heads, .left = 2};
    for (int i = 0; i < s->nsolvers; i++) {
        const kb_solver_info *info = &s->solvers[i]->info;
        char *f[] = {kb_strdup(info->name), kb_strdup(info->engine), kb_format("%d", info->lanes),
                     info->order ? kb_format("%d", info->order) : kb_strdup("variable"),
                     kb_format("%g", info->rtol), kb_format("%g", info->atol),
                     kb_format("%zu", info->bytes_per_ode)};
        kb_table_add(&out, f);
    }
    printf("%s: %d species, %d reactions; %s %s\n\n", s->mech, s->nsp, s->nrxn, s->compiler,
           s->flags);
    kb_table_print(&out);
    kb_table_free(&out);
    for (int i = 0; i < s->nsolvers; i++)
        if (is_first(s, i))
            print_options(&s->solvers[i]->info);
}
