/* SPDX-License-Identifier: MIT
 *
 * States as CSV (RFC 4180): names may be quoted, numbers not.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/owned.h"
#include "pasr/generators/import.h"

/* One field at *at, unquoted in place; *at moves behind its comma, or becomes NULL at the end. */
static char *next_field(char **at)
{
    char *start = *at, *to = *at, *from = *at;
    if (*from == '"') {
        for (from++; *from && (*from != '"' || from[1] == '"'); from++) {
            from += *from == '"';
            *to++ = *from;
        }
        from += *from == '"';
    }
    while (*from && *from != ',')
        *to++ = *from++;
    *at = *from ? from + 1 : NULL;
    *to = '\0';
    size_t n = strlen(start + strspn(start, " \t"));
    start += strspn(start, " \t");
    while (n > 0 && strchr(" \t", start[n - 1]))
        start[--n] = '\0';
    return start;
}

/* Names as SolutionArray.save of Cantera writes them, where there are some, become ours */
static void rename_cantera(kb_import_table *t)
{
    const char *kind = NULL;
    for (int j = 0; j < t->columns && !kind; j++)
        if (!strncmp(t->names[j], "Y_", 2) || !strncmp(t->names[j], "X_", 2))
            kind = t->names[j];
    if (!kind)
        return;
    char start = *kind;
    t->fractions = start == 'X' ? "mole" : "mass";
    t->any_gas = true;
    for (int j = 0; j < t->columns; j++) {
        kb_owned char *name = t->names[j];
        t->names[j] = kb_strdup(*name == start && name[1] == '_' ? name + 2
                                : !strcmp(name, "T")             ? "T"
                                : !strcmp(name, "P")             ? "p"
                                : !strcmp(name, "D")             ? "density"
                                                                 : "");
    }
}

/* the line that is read; 0: one that an int cannot count */
static int line_number(const kb_import_table *t)
{
    return t->columns == 0 ? 1 : t->rows < 1000000000 ? (int)t->rows + 2 : 0;
}

static int read_header(kb_import_table *t, char *line, kb_error *err)
{
    for (char *at = line; at;) {
        const char *name = next_field(&at);
        for (int j = 0; j < t->columns; j++)
            if (!strcmp(t->names[j], name))
                return kb_fail_at(err, t->path, 1, name, NULL, "column %d has the name of "
                                  "column %d", t->columns, j);
        kb_import_column(t, name, strlen(name));
    }
    rename_cantera(t);
    return KB_OK;
}

static int read_row(kb_import_table *t, char *line, kb_error *err)
{
    double *row = t->data + (size_t)t->rows * (size_t)t->columns;
    int n = 0, number = line_number(t);
    for (char *at = line; at; n++) {
        char *end, *text = next_field(&at);
        if (n == t->columns)
            return kb_fail_at(err, t->path, number, text, NULL, "more fields than the header's %d",
                              t->columns);
        row[n] = strtod(text, &end);
        if (end == text || *end)
            return kb_fail_at(err, t->path, number, text, "expected a number",
                              "column '%s' of row %ld", t->names[n], t->rows);
    }
    if (n < t->columns)
        return kb_fail_at(err, t->path, number, NULL, "is the file truncated?",
                          "%d fields, expected %d as in the header", n, t->columns);
    return KB_OK;
}

/* room for one more row, doubling */
static void grow(kb_import_table *t, long *room)
{
    if (t->rows < *room)
        return;
    *room = *room ? 2 * *room : 256;
    t->data = kb_realloc(t->data, (size_t)*room * (size_t)t->columns, sizeof *t->data);
}

/* Takes the end off a line of n bytes. What would hide the rest of it is refused. */
static int cut_end(const kb_import_table *t, char *line, ssize_t n, kb_error *err)
{
    n -= n > 0 && line[n - 1] == '\n';
    n -= n > 0 && line[n - 1] == '\r';
    line[n] = '\0';
    if ((ssize_t)strlen(line) < n)
        return kb_fail_at(err, t->path, line_number(t), NULL, "expected plain text; UTF-16 is not",
                          "a zero byte after '%s'", line);
    if (strchr(line, '\r'))
        return kb_fail_at(err, t->path, line_number(t), NULL, "lines end with a line feed",
                          "a carriage return within the line");
    return KB_OK;
}

static int read_lines(kb_import_table *t, FILE *f, kb_error *err)
{
    kb_owned char *line = NULL;
    size_t size = 0;
    ssize_t length;
    long room = 0;
    bool blank = false;
    int code = KB_OK;
    while (!code && (length = getline(&line, &size, f)) >= 0) {
        code = cut_end(t, line, length, err);
        if (code)
            break;
        if (t->columns == 0) {
            code = read_header(t, line, err);
        } else if (!*line) {
            blank = true;
        } else if (blank) {
            code = kb_fail_at(err, t->path, line_number(t), NULL, "delete it",
                              "an empty line between states");
        } else {
            grow(t, &room);
            code = read_row(t, line, err);
            t->rows += !code;
        }
    }
    if (!code && (ferror(f) || t->columns == 0))
        code = kb_fail(err, KB_INVALID, "%s: %s", t->path,
                       t->columns == 0 ? "empty" : strerror(errno));
    return code;
}

int kb_import_csv(kb_import_table *t, const char *path, kb_error *err)
{
    *t = (kb_import_table){.path = path};
    FILE *f = kb_file_open(path);
    if (!f)
        return kb_fail(err, KB_INVALID, "%s: cannot open: %s", path, strerror(errno));
    int code = read_lines(t, f, err);
    fclose(f);
    return code;
}

int kb_import_column(kb_import_table *t, const char *name, size_t length)
{
    t->names = kb_realloc(t->names, (size_t)t->columns + 1, sizeof *t->names);
    t->names[t->columns] = kb_format("%.*s", (int)length, name);
    return t->columns++;
}

void kb_import_table_free(kb_import_table *t)
{
    for (int j = 0; j < t->columns && t->names; j++)
        free(t->names[j]);
    free(t->names);
    free(t->data);
    *t = (kb_import_table){0};
}
