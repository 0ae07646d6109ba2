/* SPDX-License-Identifier: MIT
 *
 * Tables in CSV (RFC 4180): a header line, then rows of text; and numbers as text.
 */
#pragma once

#include <stdio.h>

#include "base/error.h"

typedef struct {
    int ncolumns;
    char **names;
    long nrows;
    char ***rows; /* nrows x ncolumns */
} kb_csv;

/* Reads a table. A last line without its newline is what an interrupted program left and is
 * dropped. Errors, with the line: no header, a row of another length, a quote that is never closed.
 * On failure *t is empty. */
int kb_csv_read(kb_csv *t, const char *path, kb_error *err);
/* Whole file under a temporary name, flushed to the disk, then renamed. */
int kb_csv_write(const kb_csv *t, const char *path, kb_error *err);
/* Appends one row and flushes it to the disk; on failure the file keeps its former length. */
int kb_csv_append_line(const char *path, char *const *fields, int n, kb_error *err);

/* A field, in quotes where it needs them */
void kb_csv_put(FILE *to, const char *text);

/* An empty table with the columns of "a,b,c" */
void kb_csv_start(kb_csv *t, const char *header);
void kb_csv_free(kb_csv *t);
/* A new row of empty fields; each is replaced by kb_csv_set (which copies). */
long kb_csv_add(kb_csv *t);
void kb_csv_set(kb_csv *t, long row, const char *column, const char *text);
void kb_csv_number(kb_csv *t, long row, const char *column, double value, int digits);
/* A column with this text in each row, unless the table has it */
void kb_csv_add_column(kb_csv *t, const char *column, const char *text);
int kb_csv_has(const kb_csv *t, const char *column);
/* Text of a field; "" when there is no such column */
const char *kb_csv_get(const kb_csv *t, long row, const char *column);
/* Number in a field; NAN when it is empty or no number */
double kb_csv_value(const kb_csv *t, long row, const char *column);

/* The shortest decimal that reads back to the same double, whole numbers below 1e15 without an
 * exponent: text [32]; returns text */
const char *kb_number(double value, char *text);
