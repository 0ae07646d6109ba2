/* SPDX-License-Identifier: MIT */
#include "base/csv.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

const char *kb_number(double value, char *text)
{
    if (value == rint(value) && fabs(value) < 1e15) {
        snprintf(text, 32, "%.0f", value);
        return text;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}

/* ---- tables ---- */

static int find_column(const kb_csv *t, const char *name)
{
    for (int i = 0; i < t->ncolumns; i++)
        if (!strcmp(t->names[i], name))
            return i;
    return -1;
}

void kb_csv_start(kb_csv *t, const char *header)
{
    *t = (kb_csv){0};
    for (const char *p = header; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
        t->names = kb_realloc(t->names, (size_t)t->ncolumns + 1, sizeof *t->names);
        t->names[t->ncolumns++] = kb_format("%.*s", (int)strcspn(p, ","), p);
    }
}

void kb_csv_free(kb_csv *t)
{
    for (long r = 0; r < t->nrows; r++) {
        for (int c = 0; c < t->ncolumns; c++)
            free(t->rows[r][c]);
        free(t->rows[r]);
    }
    for (int c = 0; c < t->ncolumns; c++)
        free(t->names[c]);
    free(t->rows);
    free(t->names);
    *t = (kb_csv){0};
}

static long add_row(kb_csv *t, char **fields)
{
    if ((t->nrows & (t->nrows - 1)) == 0) /* room doubles at powers of two */
        t->rows = kb_realloc(t->rows, t->nrows ? 2 * (size_t)t->nrows : 1, sizeof *t->rows);
    t->rows[t->nrows] = fields;
    return t->nrows++;
}

long kb_csv_add(kb_csv *t)
{
    char **fields = kb_alloc((size_t)t->ncolumns, sizeof *fields);
    for (int c = 0; c < t->ncolumns; c++)
        fields[c] = kb_strdup("");
    return add_row(t, fields);
}

void kb_csv_set(kb_csv *t, long row, const char *column, const char *text)
{
    int c = find_column(t, column);
    if (c < 0)
        return;
    free(t->rows[row][c]);
    t->rows[row][c] = kb_strdup(text);
}

/* a number that is not known (NAN) is an empty field */
void kb_csv_number(kb_csv *t, long row, const char *column, double value, int digits)
{
    char text[32] = "";
    if (digits > 0 && !isnan(value))
        snprintf(text, sizeof text, "%.*g", digits, value);
    else if (!isnan(value))
        kb_number(value, text);
    kb_csv_set(t, row, column, text);
}

void kb_csv_add_column(kb_csv *t, const char *column, const char *text)
{
    if (kb_csv_has(t, column))
        return;
    t->names = kb_realloc(t->names, (size_t)t->ncolumns + 1, sizeof *t->names);
    for (long r = 0; r < t->nrows; r++) {
        t->rows[r] = kb_realloc(t->rows[r], (size_t)t->ncolumns + 1, sizeof *t->rows[r]);
        t->rows[r][t->ncolumns] = kb_strdup(text);
    }
    t->names[t->ncolumns++] = kb_strdup(column);
}

int kb_csv_has(const kb_csv *t, const char *column) { return find_column(t, column) >= 0; }

const char *kb_csv_get(const kb_csv *t, long row, const char *column)
{
    int c = find_column(t, column);
    return c < 0 ? "" : t->rows[row][c];
}

double kb_csv_value(const kb_csv *t, long row, const char *column)
{
    const char *text = kb_csv_get(t, row, column);
    char *end;
    double value = strtod(text, &end);
    return end == text || *end ? NAN : value;
}

/* ---- reading ---- */

typedef struct {
    const char *path;
    FILE *file;
    int line;
    bool torn; /* the last row read had no newline: the end of an interrupted file */
    bool open; /* ... and a quote that never closes */
    int zero;  /* the first line with a NUL character, which would end its field; 0: none yet */
} reader;

typedef struct {
    char *text;
    size_t length, room;
} buffer;

static void put(buffer *b, char c)
{
    if (b->length + 1 >= b->room) {
        b->room = b->room ? 2 * b->room : 64;
        b->text = kb_realloc(b->text, b->room, 1);
    }
    b->text[b->length++] = c;
    b->text[b->length] = 0;
}

/* One field into b; returns the character after it: ',', '\n' or EOF. */
static int read_field(reader *in, buffer *b)
{
    bool quoted = false;
    int c;
    b->length = 0;
    put(b, 0);
    b->length = 0;
    while ((c = getc(in->file)) != EOF && (quoted || (c != ',' && c != '\n'))) {
        in->line += c == '\n';
        if (c == '\0' && !in->zero)
            in->zero = in->line + 1;
        if (c == '"' && !quoted && b->length == 0) {
            quoted = true;
        } else if (c == '"' && quoted) {
            int next = getc(in->file);
            if (next == '"')
                put(b, '"');
            else
                ungetc(next, in->file), quoted = false;
        } else if (c != '\r' || quoted) {
            put(b, (char)c);
        }
    }
    in->line += c == '\n';
    in->open = c == EOF && quoted;
    return c;
}

/* A row of *n fields, or NULL at the end of the file */
static char **read_row(reader *in, int *n)
{
    char **fields = NULL;
    buffer b = {0};
    int c = getc(in->file);
    *n = 0;
    in->torn = false;
    if (c == EOF)
        return NULL;
    ungetc(c, in->file);
    do {
        c = read_field(in, &b);
        fields = kb_realloc(fields, (size_t)*n + 1, sizeof *fields);
        fields[(*n)++] = kb_strdup(b.text);
    } while (c == ',');
    in->torn = c == EOF;
    free(b.text);
    return fields;
}

static void free_fields(char **fields, int n)
{
    for (int i = 0; i < n; i++)
        free(fields[i]);
    free(fields);
}

static int has_zero(const reader *in, kb_error *err)
{
    return kb_fail_at(err, in->path, in->zero, NULL, "mend or delete the line", "a NUL character");
}

/* A last row without its newline is dropped, but not one whose open quote took later lines in */
static int read_rows(kb_csv *t, reader *in, kb_error *err)
{
    int n, first = in->line + 1;
    for (char **fields; (fields = read_row(in, &n)); first = in->line + 1) {
        if (in->torn || in->zero || n != t->ncolumns)
            free_fields(fields, n);
        if (in->torn && in->open && in->line >= first)
            return kb_fail_at(err, in->path, first, NULL, "mend or delete the line",
                              "a quote that is never closed");
        if (in->torn)
            break;
        if (in->zero)
            return has_zero(in, err);
        if (n != t->ncolumns)
            return kb_fail_at(err, in->path, in->line, NULL, "mend or delete the line",
                              "%d fields where the header has %d", n, t->ncolumns);
        add_row(t, fields);
    }
    return KB_OK;
}

static int check_names(const kb_csv *t, const char *path, kb_error *err)
{
    if (t->ncolumns == 1 && strpbrk(t->names[0], ";\t"))
        return kb_fail_at(err, path, 1, NULL, "a table has commas between its fields",
                          "one column alone");
    for (int i = 0; i < t->ncolumns; i++)
        if (*t->names[i] && find_column(t, t->names[i]) < i)
            return kb_fail_at(err, path, 1, t->names[i], "mend or delete the line",
                              "column %d has the name of column %d:", i + 1,
                              find_column(t, t->names[i]) + 1);
    return KB_OK;
}

int kb_csv_read(kb_csv *t, const char *path, kb_error *err)
{
    *t = (kb_csv){0};
    reader in = {.path = path, .file = kb_file_open(path)};
    if (!in.file)
        return kb_fail(err, KB_INVALID, "%s: %s", path, strerror(errno));
    int code = KB_OK;
    t->names = read_row(&in, &t->ncolumns);
    if (!t->names || in.torn)
        code = kb_fail(err, KB_INVALID, "%s: no header line (delete the file)", path);
    else
        code = in.zero ? has_zero(&in, err) : check_names(t, path, err);
    code = code ? code : read_rows(t, &in, err);
    if (ferror(in.file))
        code = kb_fail(err, KB_INVALID, "%s: %s", path, strerror(errno));
    fclose(in.file);
    if (code)
        kb_csv_free(t);
    return code;
}
