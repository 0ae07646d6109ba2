/* SPDX-License-Identifier: MIT
 *
 * The errors that methods hold at their tolerances (datasets/held.def), from the runs of `make
 * accuracy`.
 */
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "drivers/tune/tune.h"
#include "rows/ranking.h"

/* a method at one tolerance; substeps: the sum of their logarithms over sets */
typedef struct {
    kb_held held;
    int sets;
} entry;

/* a size of mechanism and a dt; its sets are the states of its runs */
typedef struct {
    int nsp, sets;
    double dt;
} cell;

typedef struct {
    entry *of;
    cell *cells;
    int count, ncells;
} entries;

static cell *cell_of(entries *all, int nsp, double dt)
{
    for (int i = 0; i < all->ncells; i++)
        if (all->cells[i].nsp == nsp && all->cells[i].dt == dt)
            return &all->cells[i];
    all->cells = kb_realloc(all->cells, (size_t)all->ncells + 1, sizeof *all->cells);
    all->cells[all->ncells] = (cell){nsp, 0, dt};
    return &all->cells[all->ncells++];
}

static entry *entry_of(entries *all, const kb_held *like)
{
    for (int i = 0; i < all->count; i++) {
        kb_held *h = &all->of[i].held;
        if (h->nsp == like->nsp && h->dt == like->dt && h->rtol == like->rtol &&
            h->atol == like->atol && !strcmp(h->solver, like->solver))
            return &all->of[i];
    }
    all->of = kb_realloc(all->of, (size_t)all->count + 1, sizeof *all->of);
    all->of[all->count] = (entry){.held = *like};
    all->of[all->count].held.solver = kb_strdup(like->solver);
    return &all->of[all->count++];
}

/* The error that may be asked for. In states before reaction the active ODEs keep it; in all other
 * states it may be AUTO_ROOM times as large. */
static double error_of(const kb_csv *t, long row)
{
    bool before = !strcmp(kb_csv_get(t, row, "states"), "before");
    double error = kb_rank_error(t, row), all = kb_csv_value(t, row, "err_p95_hi");
    return fmax(before ? error : error / AUTO_ROOM, all / AUTO_ROOM);
}

/* no ODE may have failed; a cell that was skipped leaves its method without this set */
static void add_row(entries *all, const kb_csv *t, long row)
{
    const kb_held like = {.nsp = (int)kb_csv_value(t, row, "nsp"),
                          .dt = kb_csv_value(t, row, "dt_s"),
                          .solver = kb_csv_get(t, row, "solver"),
                          .rtol = kb_csv_value(t, row, "rtol"),
                          .atol = kb_csv_value(t, row, "atol")};
    double error = error_of(t, row);
    if (!isfinite(error))
        return;
    entry *e = entry_of(all, &like);
    e->held.error = fmax(e->held.error, error);
    e->held.substeps += log(kb_csv_value(t, row, "steps_mean"));
    e->sets++;
}

static bool begins_set(const kb_csv *t, long row)
{
    for (long i = 0; i < row; i++)
        if (kb_csv_value(t, i, "dt_s") == kb_csv_value(t, row, "dt_s"))
            return false;
    return true;
}

/* the errors of a cell are there before its times, which are not read: any will do */
static void take_interrupted(kb_csv *t)
{
    for (long i = 0; i < t->nrows; i++)
        if (!strcmp(kb_csv_get(t, i, "status"), "interrupted")) {
            kb_csv_set(t, i, "status", "ok");
            if (kb_csv_has(t, "time_s"))
                kb_csv_set(t, i, "time_s", "1");
        }
}

static int add_run(entries *all, const char *path, kb_error *err)
{
    kb_csv t;
    int code = kb_rows_read(&t, path, err);
    if (code)
        return code;
    take_interrupted(&t);
    for (long i = 0; i < t.nrows; i++) {
        if (begins_set(&t, i))
            cell_of(all, (int)kb_csv_value(&t, i, "nsp"), kb_csv_value(&t, i, "dt_s"))->sets++;
        add_row(all, &t, i);
    }
    kb_csv_free(&t);
    return KB_OK;
}

static int ascending(const void *one, const void *other)
{
    const kb_held *a = &((const entry *)one)->held, *b = &((const entry *)other)->held;
    int order = a->nsp != b->nsp ? a->nsp - b->nsp
              : a->dt != b->dt   ? (a->dt > b->dt) - (a->dt < b->dt)
                                 : strcmp(a->solver, b->solver);
    return order ? order : (a->rtol < b->rtol) - (a->rtol > b->rtol);
}

static const char head[] =
    "/* Written by make tune from results/accuracy: what the methods of `auto` hold (auto.h). Do\n"
    " * not change it by hand.\n"
    " *   HELD(species, dt [s], solver, rtol, atol, error, substeps) */\n";

static char *text_of(entries *all)
{
    char *text, dt[32], rtol[32], atol[32];
    size_t length;
    FILE *to = kb_open_text(&text, &length);
    fputs(head, to);
    for (int i = 0; i < all->count; i++) {
        const kb_held *h = &all->of[i].held;
        int sets = cell_of(all, h->nsp, h->dt)->sets;
        if (all->of[i].sets == sets)
            fprintf(to, "HELD(%d, %s, \"%s\", %s, %s, %.3g, %.4g)\n", h->nsp, kb_number(h->dt, dt),
                    h->solver, kb_number(h->rtol, rtol), kb_number(h->atol, atol), h->error,
                    exp(h->substeps / sets));
    }
    kb_close_text(to);
    return text;
}

int kb_tune_held(const char *results, char **text, kb_error *err)
{
    char *pattern = kb_format("%s/*/cells.csv", results);
    glob_t found = {0};
    entries all = {0};
    int code = KB_OK;
    bool none = glob(pattern, 0, NULL, &found);
    for (size_t i = 0; !none && i < found.gl_pathc && !code; i++)
        code = add_run(&all, found.gl_pathv[i], err);
    globfree(&found);
    free(pattern);
    if (!code && !all.count)
        code = kb_fail(err, KB_NOTHING, "%s: no run of make accuracy is there", results);
    if (!code) {
        qsort(all.of, (size_t)all.count, sizeof *all.of, ascending);
        *text = text_of(&all);
    }
    for (int i = 0; i < all.count; i++)
        free((char *)all.of[i].held.solver);
    free(all.of);
    free(all.cells);
    return code;
}
