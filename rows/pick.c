/* SPDX-License-Identifier: MIT */
#include "rows/pick.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/owned.h"
#include "rows/ranking.h"
#include "rows/select.h"
#include "solvers/engine_names.h"

struct kb_source {
    kb_csv csv;
    char *path, *run, *table;
};

static const char *const wished[] = {"engine", "solver", "order", "schedule"};
enum { WISHED = sizeof wished / sizeof *wished };

struct kb_picked {
    int source;
    long row;
    int wish[WISHED];
};

static const char *text_of(const kb_pick *p, const kb_picked *row, const char *column)
{
    return kb_csv_get(&p->source[row->source].csv, row->row, column);
}

/* ---- reading ---- */

/* A column with the text where it is empty; of all rows if it replaces what is there */
static void set_all(kb_csv *t, const char *column, const char *text, bool replace)
{
    kb_csv_add_column(t, column, "");
    for (long i = 0; i < t->nrows; i++)
        if (replace || !*kb_csv_get(t, i, column))
            kb_csv_set(t, i, column, text);
}

static void name_kernels(kb_csv *t)
{
    kb_csv_add_column(t, "solver", "");
    for (long i = 0; i < t->nrows; i++) {
        const char *single = strcmp(kb_csv_get(t, i, "precision"), "float") ? "" : " single";
        kb_owned char *name = kb_format("%s %s%s", kb_csv_get(t, i, "kernel"),
                                        kb_csv_get(t, i, "layout"), single);
        kb_csv_set(t, i, "solver", name);
    }
}

/* A cell's step is what an ODE is elsewhere; of a flow with chemistry the solver is that of it */
static void name_flow(kb_csv *t)
{
    static const char *const names[][2] = {{"time_s", "ns_per_cell_step"},
                                           {"time_lo_s", "ns_lo"}, {"time_hi_s", "ns_hi"}};
    for (long i = 0; i < t->nrows; i++) {
        double n = kb_csv_value(t, i, "nx") * kb_csv_value(t, i, "ny");
        kb_csv_add_column(t, "n", "");
        kb_csv_number(t, i, "n", n, 17);
        for (int k = 0; k < 3; k++) {
            kb_csv_add_column(t, names[k][0], "");
            kb_csv_number(t, i, names[k][0], 1e-9 * n * kb_csv_value(t, i, names[k][1]), 17);
        }
        kb_owned char *with = kb_strdup(kb_csv_get(t, i, "chemistry"));
        char *at = strchr(with, '@');
        kb_csv_add_column(t, "solver", "");
        if (at) {
            *at = 0;
            kb_csv_set(t, i, "engine", at + 1);
        }
        kb_csv_set(t, i, "solver", at ? with : kb_csv_get(t, i, "scheme"));
    }
}

/* What the rows do not say, from beside them */
static void fill_columns(kb_source *s, const char *experiment, const char *run)
{
    static const char *const names[] = {"mech", "machine", "git"};
    kb_owned char *path = kb_format("%.*senvironment.json",
                                    (int)(strrchr(s->path, '/') + 1 - s->path), s->path);
    json_auto_t *environment = kb_json_read(path, NULL, NULL);
    for (int i = 0; i < 3; i++) {
        const char *text = json_string_value(json_object_get(environment, names[i]));
        set_all(&s->csv, names[i], text ? text : "", false);
    }
    set_all(&s->csv, "experiment", experiment, true);
    set_all(&s->csv, "run", run, true);
    if (kb_csv_has(&s->csv, "kernel"))
        name_kernels(&s->csv);
    if (kb_csv_has(&s->csv, "ns_per_cell_step"))
        name_flow(&s->csv);
}

/* "run" and "table" of "results/run/table.csv" */
static void name_source(kb_source *s, const char *path, const char *run)
{
    s->path = strchr(path, '/') ? kb_strdup(path) : kb_format("./%s", path);
    const char *name = strrchr(s->path, '/'), *end = name, *begin = name;
    while (begin > s->path && begin[-1] != '/')
        begin--;
    s->run = run ? kb_strdup(run) : kb_format("%.*s", (int)(end - begin), begin);
    s->table = kb_format("%.*s", (int)strcspn(name + 1, "."), name + 1);
}

/* A row that bench ended at its budget, or did not begin: it has no time */
static bool was_ended(const kb_csv *t, long row)
{
    return kb_csv_has(t, "status") && !strcmp(kb_csv_get(t, row, "status"), "skipped");
}

int kb_pick_add(kb_pick *p, const char *path, const char *experiment, const char *run,
                kb_error *err)
{
    kb_source s = {0};
    int code = kb_rows_read(&s.csv, path, err);
    if (code)
        return code;
    name_source(&s, path, run);
    fill_columns(&s, experiment, s.run);
    p->row = kb_realloc(p->row, (size_t)(p->nrows + s.csv.nrows), sizeof *p->row);
    for (long i = 0; i < s.csv.nrows; i++)
        if (kb_is_sound(&s.csv, i) || was_ended(&s.csv, i))
            p->row[p->nrows++] = (kb_picked){.source = p->nsources, .row = i};
    p->source = kb_realloc(p->source, (size_t)p->nsources + 1, sizeof *p->source);
    p->source[p->nsources++] = s;
    return KB_OK;
}

void kb_pick_free(kb_pick *p)
{
    for (int i = 0; i < p->nsources; i++) {
        kb_csv_free(&p->source[i].csv);
        free(p->source[i].path);
        free(p->source[i].run);
        free(p->source[i].table);
    }
    free(p->source);
    free(p->row);
    *p = (kb_pick){0};
}

/* ---- selectors ---- */

/* Rows among which one list of alternatives is chosen */
typedef struct {
    char *name;
    double largest;
    kb_words sizes[KB_ALTERNATIVES]; /* pairs of value and size that the list has */
    int best;
} group;

typedef struct {
    group *of;
    int count;
} groups;

static bool is_on_gpu(const kb_pick *p, const kb_picked *row)
{
    return kb_on_gpu(text_of(p, row, "engine"));
}

static char *group_name(const kb_pick *p, const kb_picked *r, const char *key)
{
    bool of_solver = !strcmp(key, "solver");
    if (!strcmp(key, "n"))
        return kb_format("%s|%s|%s|%d", text_of(p, r, "experiment"), text_of(p, r, "dt_s"),
                         text_of(p, r, "m"), is_on_gpu(p, r));
    return kb_format("%s|%s|%s|%s|%s", text_of(p, r, "experiment"), text_of(p, r, "mech"),
                     strcmp(key, "dt_s") ? text_of(p, r, "dt_s") : "",
                     text_of(p, r, of_solver ? "threads" : "solver"),
                     strcmp(key, "engine") ? text_of(p, r, "engine") : "");
}

static int group_of(groups *g, char *name)
{
    for (int i = 0; i < g->count; i++)
        if (!strcmp(g->of[i].name, name)) {
            free(name);
            return i;
        }
    g->of = kb_realloc(g->of, (size_t)g->count + 1, sizeof *g->of);
    g->of[g->count] = (group){.name = name, .largest = -INFINITY};
    return g->count++;
}

/* Which value of each list the row has */
static void note_sizes(const kb_pick *p, const kb_picked *r, const kb_select *s, group *g)
{
    for (int k = 0; k < s->any.count; k++) {
        int place = kb_list_place(s->any.word[k], text_of(p, r, s->key), g->largest);
        kb_owned char *pair = kb_format("%d|%s|%s", place, text_of(p, r, "n"), text_of(p, r, "m"));
        if (place)
            kb_words_add(&g->sizes[k], pair);
    }
}

static void choose_list(group *g, int count)
{
    for (int k = 1; k < count; k++)
        if (g->sizes[k].count > g->sizes[g->best].count)
            g->best = k;
    for (int k = 0; k < count; k++)
        kb_words_free(&g->sizes[k]);
    free(g->name);
}

/* 0: the row is left out; from 1: the place of its value in the list */
static int place_of(const kb_pick *p, const kb_picked *r, const kb_select *s, const group *g)
{
    const char *text = text_of(p, r, s->key);
    if (s->compare != KB_EQUAL)
        return kb_select_holds(s, 0, text);
    return kb_list_place(s->any.word[g->best], text, g->largest);
}

static void apply(kb_pick *p, const kb_select *s)
{
    groups all = {0};
    kb_owned int *in = kb_alloc((size_t)p->nrows, sizeof *in);
    for (long i = 0; i < p->nrows; i++) {
        in[i] = group_of(&all, group_name(p, &p->row[i], s->key));
        all.of[in[i]].largest = fmax(all.of[in[i]].largest, atof(text_of(p, &p->row[i], s->key)));
    }
    for (long i = 0; i < p->nrows; i++)
        note_sizes(p, &p->row[i], s, &all.of[in[i]]);
    for (int k = 0; k < all.count; k++)
        choose_list(&all.of[k], s->any.count);
    long kept = 0;
    for (long i = 0; i < p->nrows; i++) {
        kb_picked r = p->row[i];
        bool all_kept = !strcmp(s->key, "threads") && is_on_gpu(p, &r);
        int place = all_kept ? 1 : place_of(p, &r, s, &all.of[in[i]]);
        for (int k = 0; k < WISHED; k++)
            r.wish[k] = strcmp(s->key, wished[k]) ? r.wish[k] : place;
        if (place)
            p->row[kept++] = r;
    }
    p->nrows = kept;
    free(all.of);
}

/* Without rows of methods without error control, of wrong ODEs, and of cells that were ended,
 * unless `all` names these */
static void drop_unnamed(kb_pick *p, const kb_selects *all)
{
    const kb_select *solver = kb_selects_find(all, "solver");
    bool named = solver && solver->compare != KB_NOT, judged = kb_selects_find(all, "wrong"),
         ended = kb_selects_find(all, "status");
    long kept = 0;
    for (long i = 0; i < p->nrows; i++) {
        const kb_picked *r = &p->row[i];
        const kb_csv *t = &p->source[r->source].csv;
        if ((named || kb_controls_error(text_of(p, r, "solver"))) &&
            (was_ended(t, r->row) ? ended : judged || !kb_row_fault(t, r->row)))
            p->row[kept++] = *r;
    }
    p->nrows = kept;
}

int kb_pick_select(kb_pick *p, const char *selectors, kb_error *err)
{
    kb_selects all = {0};
    int code = KB_OK;
    const char *word = selectors + strspn(selectors, " ");
    while (*word && !code) {
        size_t n = strcspn(word, " ");
        const char *wrong = kb_select_add(&all, NULL, word, n);
        if (wrong)
            code = kb_fail(err, KB_INVALID, "selectors '%s': %s '%.*s'", selectors, wrong, (int)n,
                           word);
        word += n + strspn(word + n, " ");
    }
    drop_unnamed(p, &all);
    for (int i = 0; i < all.count && !code; i++)
        apply(p, &all.of[i]);
    kb_selects_free(&all);
    return code;
}

/* ---- printing ---- */

void kb_tabbed(const char *text, char end, FILE *to)
{
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' || *text == 127 ? ' ' : *text, to);
    fputc(end, to);
}

void kb_pick_print(const kb_pick *p, FILE *to)
{
    kb_words names = {0};
    for (int i = 0; i < p->nsources; i++)
        for (int k = 0; k < p->source[i].csv.ncolumns; k++)
            kb_words_add(&names, p->source[i].csv.names[k]);
    for (int k = 0; k < names.count; k++)
        kb_tabbed(names.word[k], '\t', to);
    fprintf(to, "file\trow\tyardstick");
    for (int k = 0; k < WISHED; k++)
        fprintf(to, "\twish_%s", wished[k]);
    fputc('\n', to);
    for (long i = 0; i < p->nrows; i++) {
        const kb_picked *r = &p->row[i];
        const kb_source *s = &p->source[r->source];
        for (int k = 0; k < names.count; k++)
            kb_tabbed(text_of(p, r, names.word[k]), '\t', to);
        kb_tabbed(s->path, '\t', to);
        kb_owned char *row = kb_format("%s/%s:%ld", s->run, s->table, r->row + 2);
        kb_tabbed(row, '\t', to);
        fprintf(to, "%d", kb_is_cvode(&s->csv, r->row));
        for (int k = 0; k < WISHED; k++)
            fprintf(to, "\t%d", r->wish[k]);
        fputc('\n', to);
    }
    kb_words_free(&names);
}
