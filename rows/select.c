/* SPDX-License-Identifier: MIT */
#include "rows/select.h"

#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "base/owned.h"
#include "rows/columns.h"

_Static_assert(KB_SELECTORS == 32 && KB_ALTERNATIVES == 32, "as messages say");

/* What a term may ask for: columns of bench, and more. us to rank_error are computed (results.c);
 * columns that another file of the run has (run, mech) are found there; steps to price are for
 * results that have them. Of the flow solver: flow (times), errors. */
static const struct {
    const char *name;
    const kb_columns *columns;
    const char *more;
} tables[] = {
    {"cells", &kb_cells_columns, " us kernel_us outside moved_s thread_use err_over_rtol "
     "rank_error steps chain sample wrong resident price "},
    {"divergence", &kb_divergence_columns, " run mech database steps chain sample "},
    {"kernels", NULL, " run mech kernel engine layout precision matrix m n segments block time_s "
     "us_per_system flops_per_system gflops bytes_per_system bandwidth_GBs copy_GBs copy_percent "
     "storage_bytes backward_error componentwise_error pivoted_difference speedup_dense "
     "speedup_pivoted speedup_sparse_simd status why "},
    {"micro", NULL, " run mech n engine part repeats ns_per_ode ns_lo ns_hi "},
    {"flow", NULL, " run us case mech nx ny ns scheme riemann variables cfl engine threads "
     "ranks chemistry splitting steps repeats ns_per_cell_step ns_chemistry attempts redone "
     "cell_steps_per_s scaled blended faces "},
    {"errors", NULL, " run case scheme riemann variables engine cfl nx ny steps retried scaled "
     "blended faces ns_per_cell_step "},
    {"roofline", NULL, " run mech nsp engine part repeats ns_per_ode ns_lo ns_hi flops words "
     "flop_limit_ns shared_limit_ns issue_limit_ns limit share "},
    {"efficiency", NULL, " run scaling order solver engine dt_s place distribution ranks n "
     "efficiency efficiency_lo efficiency_hi "},
    {"tables", NULL, " run mech item value "},
    {"peers", NULL, " run us rank_error mech machine n dt_s peer version solver engine rtol atol "
     "time_s time_lo_s time_hi_s err_p95_active err_max error_ours model_difference failed status "
     "why "},
    {"mech", NULL, " name species reactions reversible oneway falloff three_body unknowns entries "
     "lu_flops solve_flops Tmid_max "},
};

/* Names of today and what committed rows have for them: a query with either finds rows of both. */
static const char *const renamed[][2] = {{"pivoted", "dgesv"},
                                         {"pivoted_difference", "dgesv_difference"},
                                         {"speedup_pivoted", "speedup_dgesv"}};

/* NULL: there is no other */
static const char *other_name(const char *name)
{
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        for (int k = 0; k < 2; k++)
            if (!strcmp(name, renamed[i][k]))
                return renamed[i][1 - k];
    return NULL;
}

bool kb_has_word(const char *words, const char *word)
{
    size_t length = strlen(word), n;
    for (; *(words += strspn(words, " ")); words += n) {
        n = strcspn(words, " ");
        if (n == length && !memcmp(words, word, n))
            return true;
    }
    return false;
}

int kb_table_known(const char *table)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (!strcmp(tables[i].name, table))
            return true;
    return false;
}

static bool has_column(const kb_columns *columns, const char *name)
{
    for (int i = 0; columns && i < columns->count; i++)
        if (!strcmp(columns->column[i].name, name))
            return true;
    return false;
}

int kb_column_known(const char *table, const char *column)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if ((!table || !strcmp(tables[i].name, table)) &&
            (has_column(tables[i].columns, column) || kb_has_word(tables[i].more, column)))
            return true;
    return false;
}

static const char *key_of_word(const char *table, const char *word)
{
    if (table && !strcmp(table, "mech"))
        return "name";
    bool flow = table && (!strcmp(table, "flow") || !strcmp(table, "errors"));
    if (!strncmp(word, "cpu-", 4) || !strncmp(word, "gpu-", 4) || (flow && !strcmp(word, "gpu")))
        return "engine";
    if (flow)
        return "scheme";
    if (kb_has_word(" static refill ", word))
        return "schedule";
    if (kb_has_word(" generated similar shuffled ", word) || !strncmp(word, "sorted-", 7))
        return "order";
    return table && !strcmp(table, "kernels") ? "kernel" : "solver";
}

/* Returns NULL, or what is wrong */
static const char *add_alternatives(kb_words *any, const char *text)
{
    for (const char *p = text; p; p = strchr(p, '|') ? strchr(p, '|') + 1 : NULL) {
        if (any->count == KB_ALTERNATIVES)
            return "more than 32 alternatives in";
        kb_owned char *word = kb_format("%.*s", (int)strcspn(p, "|"), p);
        kb_words_add(any, word);
    }
    return any->count ? NULL : "no value in";
}

/* where key ends in word, and what follows; options of solvers (cvode:max_order=3) are no keys */
static size_t find_compare(const char *word, kb_compare *compare, size_t *width)
{
    static const struct { const char *sign; kb_compare is; } signs[] = {
        {"!=", KB_NOT}, {"<=", KB_LESS_EQUAL}, {">=", KB_MORE_EQUAL}, {"<", KB_LESS},
        {">", KB_MORE}, {"=", KB_EQUAL}};
    size_t n = strcspn(word, "!<>=:");
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (!strncmp(word + n, signs[i].sign, strlen(signs[i].sign))) {
            *compare = signs[i].is;
            *width = strlen(signs[i].sign);
            return n;
        }
    return 0;
}

const char *kb_select_add(kb_selects *s, const char *table, const char *word, size_t length)
{
    kb_owned char *copy = kb_format("%.*s", (int)length, word);
    kb_select new = {.compare = KB_EQUAL};
    size_t width = 0, n = find_compare(copy, &new.compare, &width);
    const char *wrong = NULL, *value = copy;
    if (!strcmp(copy, "least") || !strcmp(copy, "most")) {
        s->extreme = *copy == 'l' ? -1 : 1;
        return NULL;
    }
    if (n) {
        new.key = n == 2 && !strncmp(copy, "dt", 2) ? kb_strdup("dt_s")
                                                    : kb_format("%.*s", (int)n, copy);
        value = copy + n + width;
    } else {
        kb_owned char *first = kb_format("%.*s", (int)strcspn(copy, "|"), copy);
        new.key = kb_strdup(key_of_word(table, first));
    }
    if (!kb_column_known(table, new.key))
        wrong = "no such column";
    else if (!*value || strchr("!<>=", *value))
        wrong = "no value in";
    else if (kb_selects_find(s, new.key) && new.compare == KB_EQUAL)
        wrong = "given twice";
    else if (s->count == KB_SELECTORS)
        wrong = "more than 32 selectors, from";
    else
        wrong = add_alternatives(&new.any, value);
    s->of = kb_realloc(s->of, (size_t)s->count + 1, sizeof *s->of);
    s->of[s->count++] = new;
    return wrong;
}

void kb_selects_free(kb_selects *s)
{
    for (int i = 0; i < s->count; i++) {
        free(s->of[i].key);
        kb_words_free(&s->of[i].any);
    }
    free(s->of);
    *s = (kb_selects){0};
}

const kb_select *kb_selects_find(const kb_selects *s, const char *key)
{
    for (int i = 0; i < s->count; i++)
        if (!strcmp(s->of[i].key, key))
            return &s->of[i];
    return NULL;
}

static bool number_of(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && !*end;
}

int kb_list_place(const char *list, const char *text, double largest)
{
    double a, b;
    int place = 0;
    const char *other = other_name(text);
    for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
        kb_owned char *want = kb_format("%.*s", (int)strcspn(p, ","), p);
        bool number = number_of(text, &a), max = isfinite(largest) && !strcmp(want, "max");
        bool is = max ? number && a == largest
                  : number && number_of(want, &b) ? fabs(a - b) <= 1e-9 * fabs(b)
                                                  : !fnmatch(want, text, 0);
        is |= other && !fnmatch(want, other, 0);
        place++;
        if (is)
            return place;
    }
    return 0;
}

bool kb_select_holds(const kb_select *s, int which, const char *text)
{
    double a, b;
    const char *want = s->any.word[which];
    bool numbers = number_of(text, &a) && number_of(want, &b);
    bool equal = kb_list_place(want, text, NAN);
    switch (s->compare) {
    case KB_EQUAL: return equal;
    case KB_NOT: return !equal;
    case KB_LESS: return numbers && a < b && !equal;
    case KB_LESS_EQUAL: return numbers && (a < b || equal);
    case KB_MORE: return numbers && a > b && !equal;
    case KB_MORE_EQUAL: return numbers && (a > b || equal);
    }
    return false;
}

static const char *cell_of(const kb_csv *t, long row, const char *column)
{
    for (int i = 0; column && i < t->ncolumns; i++)
        if (!strcmp(t->names[i], column))
            return t->rows[row][i];
    return NULL;
}

const char *kb_row_text(const kb_csv *t, long row, const char *column)
{
    static const struct { const char *column, *value; } defaults[] = {
        {"steps", "1"}, {"chain", "host"}, {"sample", "first"}, {"wrong", "0"},
        {"status", "ok"}};
    const char *text = cell_of(t, row, column);
    if (!text)
        text = cell_of(t, row, other_name(column));
    if (text)
        return text;
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        if (!strcmp(defaults[i].column, column))
            return defaults[i].value;
    return NULL;
}
