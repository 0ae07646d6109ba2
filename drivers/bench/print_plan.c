/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "base/table.h"
#include "drivers/bench/print.h"

static char *state_text(const kb_cell *c, const kb_seconds *s, const char *note)
{
    char text[32], most[32];
    if (c->state == KB_CELL_CACHED)
        return kb_strdup("cached");
    if (note)
        return kb_strdup(note);
    return kb_format("%s (to %s)", kb_duration(s->likely, text), kb_duration(s->most, most));
}

void kb_print_plan(const kb_record *r, const kb_matrix *m, const kb_forecast *f)
{
    static const char *const heads[] = {"solver", "engine", "schedule", "order", "threads", "n",
                                        "dt [s]", "rtol", "atol", "time"};
    kb_table out = {.ncolumns = 10, .heads = heads, .left = 4};
    int cached = 0, left_out = 0;
    char likely[32], least[32], most[32], references[32], *kind = kb_states_kind_text(&r->kind);
    for (int i = 0; i < m->count; i++) {
        const kb_cell *c = &m->cells[i];
        cached += c->state == KB_CELL_CACHED;
        left_out += f->note[i] != NULL;
        char *row[] = {kb_strdup(c->solver_text), kb_strdup(c->solver->info.engine),
                       kb_strdup(kb_schedule_name(c->schedule)), kb_strdup(c->order),
                       c->threads ? kb_format("%d", c->threads) : kb_strdup("-"),
                       kb_format("%ld", c->n), kb_format("%g", c->dt), kb_format("%g", c->rtol),
                       kb_format("%g", c->atol), state_text(c, &f->cell[i], f->note[i])};
        kb_table_add(&out, row);
    }
    kb_table_print(&out);
    kb_table_free(&out);
    printf("\n%d cells, %d cached, %d to measure, %d beyond the budget or not able to run\n"
           "about %s (between %s and %s, by short probes), of which %s for reference solutions\n"
           "states of %s%s%s\n%s\n", m->count, cached, m->count - cached - left_out, left_out,
           kb_duration(f->all.likely, likely), kb_duration(f->all.least, least),
           kb_duration(f->all.most, most), kb_duration(f->references.likely, references),
           r->database, *kind ? ", " : "", kind, r->folder);
    free(kind);
}
