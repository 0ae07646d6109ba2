/* SPDX-License-Identifier: MIT
 *
 * The lists of bench for other programs.
 */
#include "base/json.h"
#include "drivers/bench/print.h"

static int dump(json_t *o, kb_error *err)
{
    int code = kb_json_print(stdout, o, 6, err);
    json_decref(o);
    return code;
}

static json_t *options_json(const kb_solver_info *info)
{
    json_t *all = json_array();
    for (const kb_option *o = info->options; o && o->name; o++)
        json_array_append_new(all, json_pack("{s:s, s:f, s:s}", "name", o->name, "default",
                                             o->value, "help", o->help));
    return all;
}

int kb_print_solvers_json(const kb_solvers *s, kb_error *err)
{
    json_t *solvers = json_array();
    for (int i = 0; i < s->nsolvers; i++) {
        const kb_solver_info *info = &s->solvers[i]->info;
        json_array_append_new(
            solvers, json_pack("{s:s, s:s, s:i, s:i, s:f, s:f, s:I, s:s, s:s, s:o}", "solver",
                               info->name, "engine", info->engine, "lanes", info->lanes, "order",
                               info->order, "rtol", info->rtol, "atol", info->atol, "bytes_per_ode",
                               (json_int_t)info->bytes_per_ode, "summary", info->summary, "source",
                               info->source, "options", options_json(info)));
    }
    return dump(json_pack("{s:s, s:s, s:i, s:i, s:o}", "mech", s->mech, "mech_sha256", s->sha256,
                          "species", s->nsp, "reactions", s->nrxn, "solvers", solvers), err);
}

static json_t *seconds_json(const kb_seconds *s)
{
    return json_pack("{s:o, s:o, s:o}", "likely", kb_json_number(s->likely), "least",
                     kb_json_number(s->least), "most", kb_json_number(s->most));
}

int kb_print_plan_json(const kb_record *r, const kb_matrix *m, const kb_forecast *f,
                       kb_error *err)
{
    json_t *cells = json_array();
    for (int i = 0; i < m->count; i++) {
        const kb_cell *c = &m->cells[i];
        json_array_append_new(
            cells, json_pack("{s:s, s:s, s:s, s:s, s:i, s:I, s:f, s:i, s:s, s:f, s:f, s:b, s:o, "
                             "s:s?}",
                             "solver", c->solver_text, "engine", c->solver->info.engine, "schedule",
                             kb_schedule_name(c->schedule), "order", c->order, "threads",
                             c->threads, "n", (json_int_t)c->n, "dt_s", c->dt, "steps", c->steps,
                             "chain", kb_chain_names[c->chain],
                             "rtol", c->rtol, "atol", c->atol, "cached", c->state == KB_CELL_CACHED,
                             "seconds", seconds_json(&f->cell[i]), "note", f->note[i]));
    }
    return dump(json_pack("{s:s, s:s, s:o, s:o, s:o}", "folder", r->folder, "mech",
                          r->solvers->mech, "cells", cells, "references",
                          seconds_json(&f->references), "seconds", seconds_json(&f->all)), err);
}
