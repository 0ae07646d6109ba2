/* SPDX-License-Identifier: MIT
 *
 * Writing of CSV: every write reaches the disk or leaves what was there.
 */
#include "base/csv.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/owned.h"

void kb_csv_put(FILE *to, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, to);
        return;
    }
    putc('"', to);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', to);
        putc(*text, to);
    }
    putc('"', to);
}

static void put_row(FILE *to, char *const *fields, int n)
{
    for (int i = 0; i < n; i++) {
        kb_csv_put(to, fields[i]);
        putc(i + 1 < n ? ',' : '\n', to);
    }
}

/* first and then rows as text; caller frees */
static char *text_of(char *const *first, char **const *rows, long nrows, int n, size_t *length)
{
    char *text;
    FILE *to = kb_open_text(&text, length);
    put_row(to, first, n);
    for (long r = 0; r < nrows; r++)
        put_row(to, rows[r], n);
    kb_close_text(to);
    return text;
}

int kb_csv_write(const kb_csv *t, const char *path, kb_error *err)
{
    size_t n;
    kb_owned char *text = text_of(t->names, t->rows, t->nrows, t->ncolumns, &n);
    return kb_file_write(path, text, n, NULL, 0, err);
}

int kb_csv_append_line(const char *path, char *const *fields, int n, kb_error *err)
{
    size_t length;
    kb_owned char *text = text_of(fields, NULL, 0, n, &length);
    return kb_file_append(path, text, length, err);
}
