/* SPDX-License-Identifier: MIT */
#include "drivers/compare/side.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "rows/ranking.h"

static bool is_run(const char *folder)
{
    kb_owned char *path = kb_format("%s/cells.csv", folder);
    return !access(path, F_OK);
}

static int add_run(kb_side *s, const char *folder, kb_error *err)
{
    kb_owned char *cells = kb_format("%s/cells.csv", folder),
                  *samples = kb_format("%s/samples.csv", folder);
    kb_compare_run run = {0};
    int code = kb_rows_read(&run.cells, cells, err);
    code = code ? code : kb_csv_read(&run.samples, samples, err);
    if (code) {
        kb_csv_free(&run.cells);
    } else {
        run.folder = kb_strdup(folder);
        s->runs = kb_realloc(s->runs, (size_t)s->nruns + 1, sizeof *s->runs);
        s->runs[s->nruns++] = run;
    }
    return code;
}

static int add_runs_in(kb_side *s, const char *folder, kb_error *err)
{
    struct dirent **entry = NULL;
    int n = scandir(folder, &entry, NULL, alphasort), code = KB_OK;
    for (int i = 0; i < n; i++) {
        kb_owned char *path = kb_format("%s/%s", folder, entry[i]->d_name);
        kb_owned char *samples = kb_format("%s/samples.csv", path);
        if (!code && *entry[i]->d_name != '.' && is_run(path) && !access(samples, F_OK))
            code = add_run(s, path, err);
        free(entry[i]);
    }
    free(entry);
    if (!code && !s->nruns)
        code = kb_fail(err, KB_INVALID,
                       "%s: neither a run of bench (cells.csv and samples.csv) "
                       "nor a folder of such (make bench MECH=... makes one)",
                       folder);
    return code;
}

int kb_side_read(kb_side *s, const char *folder, const char *column, kb_error *err)
{
    *s = (kb_side){.folder = folder, .column = column, .one_run = is_run(folder)};
    int code = s->one_run ? add_run(s, folder, err) : add_runs_in(s, folder, err);
    for (int i = 0; i < s->nruns; i++)
        if (code || kb_csv_has(&s->runs[i].samples, column))
            return code;
    return code ? code
                : kb_fail(err, KB_INVALID,
                          "%s: samples.csv has no column %s (results from "
                          "before it: measure again, or compare by another)",
                          folder, column);
}

long kb_side_find(const kb_side *s, const char *identity)
{
    for (long i = 0; i < s->ncells; i++)
        if (!strcmp(s->cells[i].identity, identity))
            return i;
    return -1;
}

bool kb_side_measured(const kb_side_cell *c)
{
    for (long i = 0; i < c->n; i++)
        if (!(c->time[i] > 0))
            return false;
    return !strcmp(kb_side_text(c, "status"), "ok") && c->n > 0;
}

double kb_side_value(const kb_side_cell *c, const char *column)
{
    return kb_csv_value(&c->run->cells, c->row, column);
}

const char *kb_side_text(const kb_side_cell *c, const char *column)
{
    return kb_csv_get(&c->run->cells, c->row, column);
}

/* Mechanism and states are part of what a cell is; of several rows for one cell the last measured
 * one counts */
static void add_cell(kb_side *s, const kb_compare_run *run, long row, const kb_identity *id,
                     const kb_sample_index *samples)
{
    char *text = kb_identity_text(id, &run->cells, row);
    kb_side_cell c = {.run = run, .row = row};
    const long *rows;
    c.n = kb_samples_of(samples, text, &rows);
    c.time = kb_alloc((size_t)c.n, sizeof *c.time);
    c.begin = kb_alloc((size_t)c.n, sizeof *c.begin);
    for (long i = 0; i < c.n; i++) {
        c.time[i] = kb_csv_value(&run->samples, rows[i], s->column);
        c.begin[i] = kb_csv_value(&run->samples, rows[i], "begin_s");
    }
    c.identity = kb_format("%s|%s|%s", kb_side_text(&c, "mech_sha256"),
                           kb_side_text(&c, "db_sha256"), text);
    free(text);
    long before = kb_side_find(s, c.identity);
    if (before < 0) {
        s->cells = kb_realloc(s->cells, (size_t)s->ncells + 1, sizeof *s->cells);
        s->cells[s->ncells++] = c;
        return;
    }
    kb_side_cell *old = &s->cells[before];
    kb_side_cell other = kb_side_measured(&c) ? *old : c;
    *old = kb_side_measured(&c) ? c : *old;
    free(other.identity);
    free(other.time);
    free(other.begin);
}

static void add_cells(kb_side *s, const kb_identity *id)
{
    for (int i = 0; i < s->nruns; i++) {
        kb_sample_index samples;
        kb_samples_index(&samples, &s->runs[i].samples, id);
        for (long row = 0; row < s->runs[i].cells.nrows; row++)
            add_cell(s, &s->runs[i], row, id, &samples);
        kb_samples_free(&samples);
    }
}

void kb_sides_join(kb_side *const *sides, int n)
{
    int all = 0;
    const kb_csv **tables = NULL;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < sides[k]->nruns; i++) {
            tables = kb_realloc(tables, (size_t)all + 2, sizeof *tables);
            tables[all++] = &sides[k]->runs[i].cells;
            tables[all++] = &sides[k]->runs[i].samples;
        }
    kb_identity id = kb_identity_of(tables, all);
    free(tables);
    for (int k = 0; k < n; k++)
        add_cells(sides[k], &id);
}

void kb_side_free(kb_side *s)
{
    for (int i = 0; i < s->nruns; i++) {
        free(s->runs[i].folder);
        kb_csv_free(&s->runs[i].cells);
        kb_csv_free(&s->runs[i].samples);
    }
    for (long i = 0; i < s->ncells; i++) {
        free(s->cells[i].identity);
        free(s->cells[i].time);
        free(s->cells[i].begin);
    }
    free(s->runs);
    free(s->cells);
}
