/* SPDX-License-Identifier: MIT */
#include "drivers/tune/tune.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "drivers/tune/rows.h"
#include "solvers/engine_names.h"

/* ---- which runs are matrices ---- */

static bool has_engine(const kb_csv *t, const char *engine)
{
    for (long i = 0; i < t->nrows; i++)
        if (!strcmp(kb_csv_get(t, i, "engine"), engine))
            return true;
    return false;
}

/* an engine of every build: the variants have words of VARIANTS= in their names */
static bool always_built(const char *engine)
{
    static const char *const name[] = {
#define ENGINE(object, name, width, tables, define, built) #name, #built,
#include "solvers/engines.def"
#undef ENGINE
    };
    for (size_t i = 0; i < sizeof name / sizeof *name; i += 2)
        if (!strcmp(engine, name[i]))
            return !strcmp(name[i + 1], "always");
    return false;
}

/* methods of ours beside CVODE: two or more? */
static bool has_two_methods(const kb_csv *t)
{
    const char *first = NULL;
    for (long i = 0; i < t->nrows; i++) {
        const char *text = kb_csv_get(t, i, "solver");
        size_t n = strcspn(text, ":");
        if (kb_is_cvode(t, i) || !kb_is_sound(t, i) || !always_built(kb_csv_get(t, i, "engine")))
            continue;
        if (first && (strncmp(first, text, n) || strcspn(first, ":") != n))
            return true;
        first = text;
    }
    return false;
}

/* when the run began last; "" where its environment.json does not say */
static char *date_of(const char *path)
{
    kb_owned char *beside = kb_format("%.*senvironment.json", (int)(strrchr(path, '/') + 1 - path),
                                      path);
    json_auto_t *environment = kb_json_read(beside, NULL, NULL);
    json_t *sessions = json_object_get(environment, "sessions");
    json_t *last = json_array_get(sessions, json_array_size(sessions) - 1);
    const char *date = json_string_value(json_object_get(json_object_get(last, "before"), "date"));
    return kb_strdup(date ? date : "");
}

static int add_matrix(kb_tune *t, const char *path, kb_error *err)
{
    kb_tune_matrix m = {0};
    int code = kb_rows_read(&m.cells, path, err);
    if (code || !has_engine(&m.cells, "cpu-simd") || !has_two_methods(&m.cells)) {
        kb_csv_free(&m.cells);
        return code;
    }
    m.name = kb_strdup(kb_csv_get(&m.cells, 0, "run"));
    m.date = date_of(path);
    t->matrix = kb_realloc(t->matrix, (size_t)t->nmatrices + 1, sizeof *t->matrix);
    t->matrix[t->nmatrices++] = m;
    return KB_OK;
}

/* ---- rows ---- */

bool kb_tune_one_step(const kb_csv *t, long row)
{
    const char *steps = kb_csv_get(t, row, "steps");
    return !*steps || !strcmp(steps, "1");
}

int kb_tune_threads(const kb_csv *t)
{
    int most = 0;
    for (long i = 0; i < t->nrows; i++)
        if (!kb_on_gpu(kb_csv_get(t, i, "engine")))
            most = (int)fmax(most, kb_csv_value(t, i, "threads"));
    return most;
}

static bool starts(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* Are they states before reaction? A run that says nothing of them counts as such; older runs have
 * no column for it. */
static bool is_before(const kb_csv *t, long row)
{
    const char *states = kb_csv_get(t, row, "states");
    return kb_csv_has(t, "states") && strcmp(states, "after") && strcmp(states, "both") &&
           strcmp(states, "path");
}

/* The row, of a run with these CPU threads; false where auto may not choose it: a variant of an
 * engine, other threads, an error (kb_rank_error) above 0.1 */
static bool take_row(const kb_csv *t, long row, int threads, kb_tuned *out)
{
    const char *engine = kb_csv_get(t, row, "engine");
    bool cpu = starts(engine, "cpu");
    double given = kb_csv_value(t, row, "threads"), n = kb_csv_value(t, row, "n");
    double time = kb_csv_value(t, row, "time_s");
    *out = (kb_tuned){.nsp = (int)kb_csv_value(t, row, "nsp"),
                      .dt = kb_csv_value(t, row, "dt_s"),
                      .n = (long)n,
                      .error = kb_rank_error(t, row),
                      .solver = kb_csv_get(t, row, "solver"),
                      .engine = engine,
                      .rtol = kb_csv_value(t, row, "rtol"),
                      .atol = kb_csv_value(t, row, "atol"),
                      .threads = cpu ? threads : 0,
                      .us = 1e6 * time / n,
                      .before = is_before(t, row)};
    out->schedule = strcmp(kb_csv_get(t, row, "schedule"), "refill") ? KB_STATIC : KB_REFILL;
    if (!always_built(engine) || strstr(out->solver, ":host=") || !(time > 0) ||
        !(out->error <= 0.1))
        return false;
    if (cpu)
        return given == threads;
    return !starts(engine, "gpu-thread") || given == 64; /* the engine's own choice */
}

/* the same choice, of the same states */
static bool is_same(const kb_tune_choice *a, const kb_tune_choice *b)
{
    return b->usable && a->row.dt == b->row.dt && a->row.before == b->row.before &&
           kb_tuned_same_choice(&a->row, &b->row);
}

kb_tune_choice *kb_tune_choices(const kb_csv *t)
{
    int threads = kb_tune_threads(t);
    kb_tune_choice *of = kb_alloc((size_t)t->nrows, sizeof *of);
    kb_owned double *error = kb_alloc((size_t)t->nrows, sizeof *error);
    for (long i = 0; i < t->nrows; i++) {
        of[i].usable = take_row(t, i, threads, &of[i].row);
        error[i] = of[i].row.error;
    }
    for (long i = 0; i < t->nrows; i++)
        for (long k = 0, most = i; of[i].usable && k < t->nrows; k++)
            if (of[k].row.n > of[most].row.n && is_same(&of[i], &of[k])) {
                most = k;
                of[i].row.error = error[k];
            }
    return of;
}

/* ---- cells ---- */

/* rows of all matrices; of a cell those in the order shuffled count, or where there are none,
 * generated; of these the rows of states before reaction, or where there are none, all others */
typedef struct {
    kb_tuned row;
    bool shuffled;
    const char *date; /* of its matrix */
} candidate;

typedef struct {
    candidate *of;
    int count;
} candidates;

/* what several matrices have measured: the largest error, for states differ, and the newest time,
 * for programs do */
static void add_candidate(candidates *all, const candidate *c)
{
    for (int i = 0; i < all->count; i++) {
        candidate *old = &all->of[i];
        if (old->shuffled != c->shuffled || old->row.before != c->row.before ||
            !kb_tuned_same_cell(&old->row, &c->row) || !kb_tuned_same_choice(&old->row, &c->row))
            continue;
        old->row.error = fmax(old->row.error, c->row.error);
        int newer = strcmp(c->date, old->date);
        if (newer > 0 || (newer == 0 && c->row.us < old->row.us)) {
            old->row.us = c->row.us;
            old->date = c->date;
        }
        return;
    }
    all->of = kb_realloc(all->of, (size_t)all->count + 1, sizeof *all->of);
    all->of[all->count++] = *c;
}

static void add_contest(const kb_tune_matrix *m, const kb_tune_choice *of,
                        const kb_contest *contest, candidates *all)
{
    const kb_csv *rows = &m->cells;
    candidate c = {.shuffled = !strcmp(contest->order, "shuffled"), .date = m->date};
    if (!c.shuffled && strcmp(contest->order, "generated"))
        return;
    for (long i = 0; i < rows->nrows; i++) {
        if (!of[i].usable || !kb_contest_has(contest, rows, i))
            continue;
        c.row = of[i].row;
        add_candidate(all, &c);
    }
}

/* a slower row may be the fastest at another n */
#define KEPT 1.5

/* is the other one as accurate and KEPT times as fast on the same of CPU and GPU, or in the better
 * order, or of the states that a flow code hands over? */
static bool beats(const candidate *other, const candidate *c)
{
    const kb_tuned *a = &c->row, *b = &other->row;
    if (!kb_tuned_same_cell(a, b))
        return false;
    if (other->shuffled != c->shuffled)
        return other->shuffled;
    if (b->before != a->before)
        return b->before;
    return !a->threads == !b->threads && KEPT * b->us < a->us && b->error <= a->error;
}

static bool is_beaten(const candidates *all, const candidate *c)
{
    for (int i = 0; i < all->count; i++)
        if (&all->of[i] != c && beats(&all->of[i], c))
            return true;
    return false;
}

static int ascending(const void *one, const void *other)
{
    const kb_tuned *a = one, *b = other;
    const double x[5] = {a->nsp, a->dt, (double)a->n, a->threads, a->us};
    const double y[5] = {b->nsp, b->dt, (double)b->n, b->threads, b->us};
    for (int i = 0; i < 5; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return strcmp(a->solver, b->solver);
}

static void add_candidates(const kb_tune_matrix *m, candidates *all)
{
    kb_owned kb_tune_choice *of = kb_tune_choices(&m->cells);
    for (long i = 0; i < m->cells.nrows; i++) {
        kb_contest contest = kb_contest_anywhere(&m->cells, i);
        if (kb_contest_begins(&contest, &m->cells, i) && kb_tune_one_step(&m->cells, i))
            add_contest(m, of, &contest, all);
    }
}

static void make_rows(kb_tune *t)
{
    candidates all = {0};
    for (int m = 0; m < t->nmatrices; m++)
        add_candidates(&t->matrix[m], &all);
    t->row = kb_alloc((size_t)all.count, sizeof *t->row);
    for (int i = 0; i < all.count; i++)
        if (!is_beaten(&all, &all.of[i]))
            t->row[t->nrows++] = all.of[i].row;
    free(all.of);
    qsort(t->row, (size_t)t->nrows, sizeof *t->row, ascending);
}

int kb_tune_read(kb_tune *t, const char *results, kb_error *err)
{
    kb_owned char *pattern = kb_format("%s/*/cells.csv", results);
    glob_t found = {0};
    int code = KB_OK;
    bool none = glob(pattern, 0, NULL, &found);
    for (size_t i = 0; !none && i < found.gl_pathc && !code; i++)
        code = add_matrix(t, found.gl_pathv[i], err);
    globfree(&found);
    make_rows(t);
    if (!code && !t->nrows)
        code = kb_fail(err, KB_NOTHING,
                       "%s: no run there is a matrix (one with cpu-simd and two "
                       "methods beside CVODE)",
                       results);
    return code;
}

void kb_tune_free(kb_tune *t)
{
    for (int i = 0; i < t->nmatrices; i++) {
        free(t->matrix[i].name);
        free(t->matrix[i].date);
        kb_csv_free(&t->matrix[i].cells);
    }
    free(t->matrix);
    free(t->row);
    *t = (kb_tune){0};
}

/* ---- as text ---- */

static const char head[] =
    "/* Written by make tune from measured rows: the table of the solver `auto` (auto.h). Do not\n"
    " * change it by hand.\n"
    " *   TUNED(species, dt [s], ODEs, error, solver, engine, schedule, rtol, atol, CPU threads,\n"
    " *         us an ODE, of states before reaction) */\n";

char *kb_tune_text(const kb_tune *t)
{
    char *text, dt[32], error[32], rtol[32], atol[32];
    size_t length;
    FILE *to = kb_open_text(&text, &length);
    fputs(head, to);
    for (const kb_tuned *r = t->row; r < t->row + t->nrows; r++)
        fprintf(to, "TUNED(%d, %s, %ld, %s, \"%s\", \"%s\", %s, %s, %s, %d, %.3g, %d)\n", r->nsp,
                kb_number(r->dt, dt), r->n, kb_number(r->error, error), r->solver, r->engine,
                r->schedule == KB_REFILL ? "KB_REFILL" : "KB_STATIC", kb_number(r->rtol, rtol),
                kb_number(r->atol, atol), r->threads, r->us, r->before);
    kb_close_text(to);
    return text;
}

/* A file whose head names other columns is of another commit's tune, and this one's table would not
 * compile there */
static bool has_other_form(const char *path, const char *text)
{
    static const char end[] = "*/";
    size_t length, head = (size_t)(strstr(text, end) - text);
    kb_error none = {0};
    kb_owned char *there = kb_file_read(path, &length, &none);
    return there && strstr(there, end) && strncmp(there, text, head);
}

int kb_tune_write(const char *path, const char *text, kb_error *err)
{
    if (has_other_form(path, text))
        return kb_fail(err, KB_INVALID, "%s has other columns than this build writes (`make tune` "
                       "builds it anew)", path);
    return kb_file_write_text(path, text, err);
}

int kb_tune_compare(const char *path, const char *text, kb_error *err)
{
    size_t length;
    kb_owned char *there = kb_file_read(path, &length, err);
    bool same = there && length == strlen(text) && !memcmp(there, text, length);
    return same ? KB_OK
                : kb_fail(err, KB_DIFFERS, "these results give another table than %s (make tune)",
                          path);
}
