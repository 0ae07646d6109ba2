/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* qsort_r */
#include "rows/identity.h"

#include <string.h>

#include "base/stats.h"
#include "rows/columns.h"

kb_identity kb_identity_of(const kb_csv *const *tables, int n)
{
    kb_identity id = {.count = 0};
    for (int i = 0; i < kb_which_columns.count && id.count < KB_MOST_IDENTITY; i++) {
        const char *name = kb_which_columns.column[i].name;
        int have = 0;
        for (int k = 0; k < n; k++)
            have += kb_csv_has(tables[k], name);
        if (have == n)
            id.column[id.count++] = name;
    }
    return id;
}

char *kb_identity_text(const kb_identity *id, const kb_csv *t, long row)
{
    size_t length = 1;
    for (int i = 0; i < id->count; i++)
        length += strlen(kb_csv_get(t, row, id->column[i])) + 1;
    char *text = kb_alloc(length, 1), *to = text;
    for (int i = 0; i < id->count; i++) {
        to = stpcpy(to, kb_csv_get(t, row, id->column[i]));
        *to++ = '|';
    }
    return text;
}

static int by_text(const void *a, const void *b, void *index)
{
    const kb_sample_index *ix = index;
    long x = *(const long *)a, y = *(const long *)b;
    int order = strcmp(ix->text[x], ix->text[y]);
    return order ? order : (x > y) - (x < y);
}

void kb_samples_index(kb_sample_index *ix, const kb_csv *samples, const kb_identity *id)
{
    size_t n = (size_t)samples->nrows;
    *ix = (kb_sample_index){.samples = samples,
                            .text = kb_alloc(n, sizeof *ix->text),
                            .row = kb_alloc(n, sizeof *ix->row)};
    for (long i = 0; i < samples->nrows; i++) {
        ix->text[i] = kb_identity_text(id, samples, i);
        ix->row[i] = i;
    }
    qsort_r(ix->row, n, sizeof *ix->row, by_text, ix);
}

void kb_samples_free(kb_sample_index *ix)
{
    for (long i = 0; ix->samples && i < ix->samples->nrows; i++)
        free(ix->text[i]);
    free(ix->text);
    free(ix->row);
    *ix = (kb_sample_index){0};
}

long kb_samples_of(const kb_sample_index *ix, const char *text, const long **rows)
{
    long low = 0, high = ix->samples->nrows, n = 0;
    while (low < high) { /* the first that is not before text */
        long middle = low + (high - low) / 2;
        if (strcmp(ix->text[ix->row[middle]], text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *rows = ix->row + low;
    while (low + n < ix->samples->nrows && !strcmp(ix->text[ix->row[low + n]], text))
        n++;
    return n;
}

double *kb_samples_times(const kb_sample_index *ix, const char *text, long *n)
{
    const long *rows;
    *n = kb_samples_of(ix, text, &rows);
    double *times = kb_alloc((size_t)*n, sizeof *times);
    for (long i = 0; i < *n; i++)
        times[i] = kb_csv_value(ix->samples, rows[i], "time_s");
    return times;
}

void kb_samples_ratio(const kb_sample_index *ix, const kb_identity *id, const kb_csv *cells,
                      long slow, long fast, double *lo, double *hi)
{
    char *text[2] = {kb_identity_text(id, cells, fast), kb_identity_text(id, cells, slow)};
    long n[2];
    double *x[2];
    for (int i = 0; i < 2; i++)
        x[i] = kb_samples_times(ix, text[i], &n[i]);
    kb_bootstrap_ratio(x[0], n[0], x[1], n[1], lo, hi);
    for (int i = 0; i < 2; i++) {
        free(text[i]);
        free(x[i]);
    }
}
