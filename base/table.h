/* SPDX-License-Identifier: MIT
 *
 * Aligned tables of text.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

typedef struct {
    int ncolumns;
    const char *const *heads;
    int left;      /* this many columns are aligned left, the others right ... */
    bool last_left; /* ... but for the last one, if so */
    long nrows;
    char ***rows;
} kb_table;

/* A new row; each of the ncolumns fields is fresh memory that the table takes */
void kb_table_add(kb_table *t, char **fields);
void kb_table_write(const kb_table *t, FILE *to);
void kb_table_print(const kb_table *t); /* to stdout */
void kb_table_free(kb_table *t);
