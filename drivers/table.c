/* SPDX-License-Identifier: MIT */
#include "table.h"

#include <stdio.h>
#include <string.h>

void kb_table_add(kb_table *t, char **fields)
{
    t->rows = kb_realloc(t->rows, (size_t)t->nrows + 1, sizeof *t->rows);
    t->rows[t->nrows] = kb_alloc((size_t)t->ncolumns, sizeof **t->rows);
    memcpy(t->rows[t->nrows++], fields, (size_t)t->ncolumns * sizeof *fields);
}

static void print_line(const kb_table *t, const int *width, char *const *fields)
{
    for (int c = 0; c < t->ncolumns; c++) {
        bool last = c + 1 == t->ncolumns;
        if (c < t->left || (last && t->last_left))
            printf("%-*s", last ? 0 : width[c], fields[c]);
        else
            printf("%*s", width[c], fields[c]);
        printf("%s", last ? "\n" : "  ");
    }
}

void kb_table_print(const kb_table *t)
{
    int *width = kb_alloc((size_t)t->ncolumns, sizeof *width);
    for (int c = 0; c < t->ncolumns; c++) {
        width[c] = (int)strlen(t->heads[c]);
        for (long r = 0; r < t->nrows; r++) {
            int w = (int)strlen(t->rows[r][c]);
            width[c] = w > width[c] ? w : width[c];
        }
    }
    print_line(t, width, (char *const *)t->heads);
    for (long r = 0; r < t->nrows; r++)
        print_line(t, width, t->rows[r]);
    free(width);
}

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
