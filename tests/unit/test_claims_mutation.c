/* SPDX-License-Identifier: MIT
 *
 * Mutation test of the ledger: for each judged claim one field of a row changes, in memory, of the
 * last row first: a maximum or the value at the largest n may rest on another. Verdict or value
 * have to change, or the text beside it, which has the number of rows of a curve and the reason of
 * "cannot say". Reads results/gpu.
 */
#include "tests/test.h"
#include "drivers/claims/judge.h"
#include "rows/ranking.h"

/* The columns of which the first that a table has gets the value; if NULL, all that it has get 1000
 * times what is there, and then a thousandth: of a minimum only the second counts */
static const struct { const char *field, *columns[16], *value; } changes[] = {
    {"time", {"time_s", "time_lo_s", "time_hi_s", "kernel_s", "us_per_system", "ns_per_ode",
              "ns_per_cell_step", "ns_lo", "ns_hi", "cell_steps_per_s", "count", "slow_down",
              "speedup_dense", "bandwidth_GBs", "gflops", "copy_percent"}, NULL},
    {"error", {"err_p95"}, "10"},
    {"solver", {"solver", "kernel", "scheme", "part"}, "another"},
    {"n", {"n", "nx"}, "7"},
    {"tolerance", {"rtol"}, "0.5"},
    {"mechanism", {"mech_sha256"}, "0bad"},
    {"status", {"status"}, "interrupted"},
    {"machine", {"machine"}, "den-8c"},
};
enum { CHANGES = sizeof changes / sizeof *changes };

/* What the value does not rest on: a kernel's time of one system has no n in it, the differences of
 * two solutions and a number of steps no time, the first bin of a histogram and the least that has
 * a warp no count */
static const char *const beside[] = {
    "lecambier2013-c027 n", "stone2014-c022 n", "curtis2017-c042 n", "lecambier2013-c036 n",
    "lecambier2013-c036 time", "sewerin2015-c066 time", "lecambier2013-c030 time",
    "niemeyer2014-c054 time"};

static kb_results results;
static kb_ledger ledger;

/* The row `back` rows from the end of "run/table:line line run/table:key:line"; NULL: there are
 * fewer */
static kb_csv *row_from_end(const char *rows, int back, long *row)
{
    char run[200] = "", table[200] = "", words[400] = "";
    const char *p = rows;
    int count = 1;
    for (const char *q = rows; *q; q++)
        count += *q == ' ';
    for (int i = 0; i < count - back; i++, p += strcspn(p, " "), p += *p == ' ') {
        snprintf(words, sizeof words, "%.*s", (int)strcspn(p, " "), p);
        if (strchr(words, '/'))
            sscanf(words, "%199[^/]/%199[^:]", run, table);
    }
    const char *line = strrchr(words, ':');
    *row = atol(line ? line + 1 : words) - 2;
    for (int i = 0; i < results.count && back < count; i++)
        if (!strcmp(results.of[i]->run, run) && !strcmp(results.of[i]->table, table))
            return &results.of[i]->csv;
    return NULL;
}

/* Returns whether the row has such a number */
static bool change(kb_csv *t, long row, int which, double factor)
{
    bool any = false;
    for (int i = 0; i < 16 && changes[which].columns[i]; i++) {
        const char *column = changes[which].columns[i];
        bool number = !changes[which].value;
        if (!kb_csv_has(t, column) || (number ? isnan(kb_csv_value(t, row, column)) : any))
            continue;
        any = true;
        if (changes[which].value)
            kb_csv_set(t, row, column, changes[which].value);
        else
            kb_csv_number(t, row, column, factor * kb_csv_value(t, row, column), 17);
    }
    kb_rows_mark(t);
    return any;
}

static bool noticed(const kb_judgement *was, const kb_judgement *is)
{
    return is->verdict == KB_CANNOT_SAY || is->verdict != was->verdict || is->value != was->value ||
           is->lo != was->lo || is->hi != was->hi || strcmp(is->why, was->why);
}

static bool is_beside(const char *id, const char *field)
{
    kb_owned char *text = kb_format("%s %s", id, field);
    bool found = false;
    for (size_t i = 0; i < sizeof beside / sizeof *beside; i++)
        found |= !strcmp(beside[i], text);
    return found;
}

/* 0: unnoticed, 1: noticed, -1: the row has no such number */
static int change_row(const kb_claim *c, const kb_judgement *was, kb_csv *t, long row, int which,
                      double factor)
{
    int columns = t->ncolumns, result = -1;
    kb_owned char **kept = kb_alloc((size_t)columns, sizeof *kept);
    for (int i = 0; i < columns; i++)
        kept[i] = kb_strdup(t->rows[row][i]);
    if (change(t, row, which, factor)) {
        kb_judgement is;
        assert_works(kb_judge(&results, c, &is, &err));
        result = noticed(was, &is);
        kb_judgement_free(&is);
    }
    for (int i = 0; i < columns; i++) {
        kb_csv_set(t, row, t->names[i], kept[i]);
        free(kept[i]);
    }
    return result;
}

/* the same of the first row from the end whose change is noticed */
static int try_change(const kb_claim *c, const kb_judgement *was, int which)
{
    long row;
    kb_csv *t;
    int result = 0, back = 0;
    for (; result == 0 && (t = row_from_end(was->rows, back, &row)); back++) {
        result = change_row(c, was, t, row, which, 1000);
        if (result == 0 && !changes[which].value)
            result = change_row(c, was, t, row, which, 1e-3);
    }
    assert_true(back > 0); /* there are rows */
    return result;
}

TEST(no_change_passes)
{
    int tried = 0, passed = 0, claims = 0;
    for (int i = 0; i < ledger.count; i++) {
        kb_judgement was;
        assert_works(kb_judge(&results, &ledger.of[i], &was, &err));
        bool rests = *was.rows && was.verdict != KB_CANNOT_SAY && was.verdict != KB_NOT_JUDGED;
        for (int k = 0; k < CHANGES && rests; k++) {
            int result = try_change(&ledger.of[i], &was, k);
            tried += result >= 0;
            if (result || is_beside(ledger.of[i].field[KB_ID], changes[k].field))
                continue;
            passed++;
            fprintf(stderr, "%s: %s of %s passes: %s\n", ledger.of[i].field[KB_ID],
                    changes[k].field, was.rows, was.why);
        }
        claims += rests;
        kb_judgement_free(&was);
    }
    printf("%d claims, %d changes, %d unnoticed\n", claims, tried, passed);
    assert_true(claims > 100 && tried > 6 * claims);
    assert_int_equal(passed, 0);
}

static int read_all(void **state)
{
    kb_error err = {0};
    (void)state;
    return kb_ledger_read(&ledger, "datasets/claims.tsv", &err) ||
           kb_results_open(&results, "results/gpu", &err);
}

FIXTURE(free_all)
{
    kb_results_free(&results);
    kb_ledger_free(&ledger);
    return 0;
}

TESTS(read_all, free_all)
