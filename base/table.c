/* SPDX-License-Identifier: MIT */
#include "base/table.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

void kb_table_add(kb_table *t, char **fields)
{
    t->rows = kb_realloc(t->rows, (size_t)t->nrows + 1, sizeof *t->rows);
    t->rows[t->nrows] = kb_alloc((size_t)t->ncolumns, sizeof **t->rows);
    memcpy(t->rows[t->nrows++], fields, (size_t)t->ncolumns * sizeof *fields);
}

static void write_line(const kb_table *t, const int *width, char *const *fields, FILE *to)
{
    for (int c = 0; c < t->ncolumns; c++) {
        bool last = c + 1 == t->ncolumns;
        if (c < t->left || (last && t->last_left))
            fprintf(to, "%-*s", last ? 0 : width[c], fields[c]);
        else
            fprintf(to, "%*s", width[c], fields[c]);
        fprintf(to, "%s", last ? "\n" : "  ");
    }
}

void kb_table_write(const kb_table *t, FILE *to)
{
    int *width = kb_alloc((size_t)t->ncolumns, sizeof *width);
    for (int c = 0; c < t->ncolumns; c++) {
        width[c] = (int)strlen(t->heads[c]);
        for (long r = 0; r < t->nrows; r++) {
            int w = (int)strlen(t->rows[r][c]);
            width[c] = w > width[c] ? w : width[c];
        }
    }
    write_line(t, width, (char *const *)t->heads, to);
    for (long r = 0; r < t->nrows; r++)
        write_line(t, width, t->rows[r], to);
    free(width);
}

void kb_table_print(const kb_table *t) { kb_table_write(t, stdout); }

void kb_table_free(kb_table *t)
{
    for (long r = 0; r < t->nrows; r++) {
        for (int c = 0; c < t->ncolumns; c++)
            free(t->rows[r][c]);
        free(t->rows[r]);
    }
    free(t->rows);
    t->rows = NULL;
    t->nrows = 0;
}
