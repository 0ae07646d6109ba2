/* SPDX-License-Identifier: MIT
 *
 * What orders and schedules cost, and whether engines agree: tables from cells.csv and
 * divergence.csv.
 */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/shown.h"
#include "base/table.h"
#include "drivers/bench/divergence.h"
#include "drivers/bench/print.h"
#include "drivers/bench/rows.h"

#define SHOWN 12 /* lines of disagreement on the screen */

/* ---- the slow-down table ---- */

typedef struct {
    const kb_record *r;
    const kb_matrix *m;
    long *cell_row, *rhs_row, *steps_row; /* of each cell, in cells and divergence; -1: none */
} source;

static bool same_work(const kb_cell *a, const kb_cell *b)
{
    return a->solver == b->solver && !strcmp(a->solver_text, b->solver_text) && a->n == b->n &&
           a->dt == b->dt && a->rtol == b->rtol && a->atol == b->atol && a->threads == b->threads;
}

static bool measured(const source *s, int i)
{
    const kb_csv *t = &s->r->cells;
    return s->cell_row[i] >= 0 && !strcmp(kb_csv_get(t, s->cell_row[i], "status"), "ok") &&
           s->rhs_row[i] >= 0 && s->steps_row[i] >= 0;
}

/* The cell with the same work in this order and schedule; -1 if it was not measured */
static int find(const source *s, int like, const char *order, kb_schedule schedule)
{
    for (int i = 0; i < s->m->count; i++) {
        const kb_cell *c = &s->m->cells[i];
        if (c->schedule == schedule && (!order || !strcmp(c->order, order)) &&
            same_work(c, &s->m->cells[like]) && measured(s, i))
            return i;
    }
    return -1;
}

/* similar and static where that was measured, otherwise what comes next to it */
static int base_of(const source *s, int like)
{
    const char *const orders[] = {"similar", "generated", NULL};
    for (int k = 0; k < 3; k++)
        for (int schedule = KB_STATIC; schedule <= KB_REFILL; schedule++) {
            int i = find(s, like, orders[k], (kb_schedule)schedule);
            if (i >= 0)
                return i;
        }
    return -1;
}

static double time_of(const source *s, int i)
{
    return i < 0 ? NAN : kb_csv_value(&s->r->cells, s->cell_row[i], "time_s");
}

/* What the counts of cell i make of groups of the engine's lanes; i < 0: NAN */
static double expected(const source *s, int i)
{
    if (i < 0)
        return NAN;
    bool refill = s->m->cells[i].schedule == KB_REFILL;
    return kb_csv_value(&s->r->divergence, s->rhs_row[i],
                        refill ? "slow_down_refill" : "slow_down");
}

static char *number(double value) { return kb_shown("%.2f", value); }

static char *of_divergence(const source *s, const long *rows, int i, const char *column)
{
    return number(kb_csv_value(&s->r->divergence, rows[i], column));
}

/* One line: the cell's work in its order, with both schedules */
static void add_line(kb_table *out, const source *s, int i)
{
    const kb_cell *c = &s->m->cells[i];
    int base = base_of(s, i);
    int still = find(s, i, c->order, KB_STATIC), refill = find(s, i, c->order, KB_REFILL);
    int any = still >= 0 ? still : refill;
    double time = time_of(s, base), work = expected(s, base);
    char *f[] = {
        kb_strdup(c->solver_text), kb_strdup(c->solver->info.engine), kb_strdup(c->order),
        kb_format("%d", kb_cell_threads(c)), kb_format("%g", c->rtol),
        number(time_of(s, still) / time), number(expected(s, still) / work),
        number(time_of(s, refill) / time), number(expected(s, refill) / work),
        of_divergence(s, s->rhs_row, any, "D"), of_divergence(s, s->steps_row, any, "D"),
        still < 0 ? kb_strdup("-") : of_divergence(s, s->rhs_row, still, "lane_use"),
        refill < 0 ? kb_strdup("-") : of_divergence(s, s->rhs_row, refill, "lane_use")};
    kb_table_add(out, f);
}

/* The first cell of its order and work: the one that makes the line */
static bool makes_line(const source *s, int i)
{
    const kb_cell *c = &s->m->cells[i];
    int still = find(s, i, c->order, KB_STATIC), refill = find(s, i, c->order, KB_REFILL);
    return measured(s, i) && i == (still >= 0 ? still : refill);
}

static bool first_of_group(const source *s, int i)
{
    for (int k = 0; k < i; k++)
        if (s->m->cells[k].dt == s->m->cells[i].dt && s->m->cells[k].n == s->m->cells[i].n)
            return false;
    return true;
}

static void write_group(const source *s, int first, FILE *to)
{
    static const char *const heads[] = {"solver", "engine", "order", "threads", "rtol", "static",
                                        "expected", "refill", "expected", "D_rhs", "D_steps",
                                        "lane use", "refill"};
    kb_table out = {.ncolumns = 13, .heads = heads, .left = 3};
    const kb_cell *c = &s->m->cells[first];
    for (int like = first; like < s->m->count; like++)
        if (s->m->cells[like].dt == c->dt && s->m->cells[like].n == c->n &&
            like == base_of(s, like)) /* orders of one solver stand together */
            for (int i = 0; i < s->m->count; i++)
                if (same_work(&s->m->cells[i], &s->m->cells[like]) && makes_line(s, i))
                    add_line(&out, s, i);
    if (out.nrows) {
        fprintf(to, "\nslow-down by order, dt %g s, n %ld: time over the time in the order "
                "similar (else generated) with\nthe static schedule, and the same expected from "
                "the evaluations of groups of lanes\n", c->dt, c->n);
        kb_table_write(&out, to);
    }
    kb_table_free(&out);
}

static source open_source(const kb_record *r, const kb_matrix *m)
{
    source s = {.r = r, .m = m};
    s.cell_row = kb_alloc((size_t)m->count, 3 * sizeof *s.cell_row);
    s.rhs_row = s.cell_row + m->count;
    s.steps_row = s.rhs_row + m->count;
    for (int i = 0; i < m->count; i++) {
        s.cell_row[i] = kb_row_find(&r->cells, &m->cells[i]);
        s.rhs_row[i] = kb_divergence_row(&r->divergence, &m->cells[i], "rhs");
        s.steps_row[i] = kb_divergence_row(&r->divergence, &m->cells[i], "steps");
    }
    return s;
}

int kb_print_slow_down(const kb_record *r, const kb_matrix *m, FILE *to, kb_error *err)
{
    bool orders = false;
    for (int i = 1; i < m->count; i++)
        orders |= strcmp(m->cells[i].order, m->cells[0].order) != 0;
    if (!orders)
        return KB_OK;
    source s = open_source(r, m);
    kb_owned char *text = NULL, *path = kb_format("%s/slowdown.txt", r->folder);
    size_t length;
    FILE *f = kb_open_text(&text, &length);
    for (int i = 0; i < m->count; i++)
        if (first_of_group(&s, i))
            write_group(&s, i, f);
    kb_close_text(f);
    fputs(text, to);
    int code = kb_file_write_text(path, text + (*text == '\n'), err);
    free(s.cell_row);
    return code;
}

/* ---- do engines count the same? ---- */

static void print_difference(const kb_csv *t, const kb_cell *c, long row, FILE *to)
{
    kb_owned char *text = kb_cell_text(c);
    fprintf(to, "  %s: %s of %ld ODEs took other substeps than on %s (D_steps %s, there %s)\n",
            text, kb_csv_get(t, row, "differ"), c->n, kb_csv_get(t, row, "against"),
            kb_csv_get(t, row, "D"), kb_csv_get(t, row, "D_against"));
}

void kb_print_agreement(const kb_record *r, const kb_matrix *m, FILE *to)
{
    const kb_csv *t = &r->divergence;
    int compared = 0, differ = 0;
    for (int pass = 0; pass < 2; pass++) { /* first the totals, then which */
        int shown = 0;
        for (int i = 0; i < m->count; i++) {
            long row = kb_divergence_row(t, &m->cells[i], "steps");
            if (row < 0 || !*kb_csv_get(t, row, "against"))
                continue;
            bool same = kb_csv_value(t, row, "differ") == 0;
            compared += !pass;
            differ += !pass && !same;
            if (pass && !same && shown++ < SHOWN)
                print_difference(t, &m->cells[i], row, to);
        }
        if (!pass && compared)
            fprintf(to, "\nsubsteps of each ODE, %d cells compared with the same solver elsewhere: "
                    "equal in %d%s\n", compared, compared - differ, differ ? ", but" : "");
    }
    if (differ > SHOWN)
        fprintf(to, "  ... and %d more in divergence.csv\n", differ - SHOWN);
}
