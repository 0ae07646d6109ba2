/* SPDX-License-Identifier: MIT */
#include "rows/columns.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define WIDTH 100 /* columns of a line of markdown */

#define COLUMN(name, unit, value, meaning) {#name, unit, #value, meaning},

static const kb_column which[] = {
#include "rows/columns_which.def"
};
static const kb_column cells[] = {
#include "rows/columns_cells.def"
};
static const kb_column samples[] = {
#include "rows/columns_samples.def"
};
static const kb_column divergence[] = {
#include "rows/columns_divergence.def"
};
static const kb_column timeline[] = {
#include "rows/columns_timeline.def"
};

#define TABLE(file, columns) {file, columns, sizeof(columns) / sizeof *(columns)}

const kb_columns kb_which_columns = TABLE("", which);
const kb_columns kb_cells_columns = TABLE("cells.csv", cells);
const kb_columns kb_samples_columns = TABLE("samples.csv", samples);
const kb_columns kb_divergence_columns = TABLE("divergence.csv", divergence);
const kb_columns kb_timeline_columns = TABLE("timeline.csv", timeline);

void kb_columns_start(kb_csv *t, const kb_columns *columns)
{
    *t = (kb_csv){.ncolumns = columns->count};
    t->names = kb_alloc((size_t)t->ncolumns, sizeof *t->names);
    for (int i = 0; i < t->ncolumns; i++)
        t->names[i] = kb_strdup(columns->column[i].name);
}

/* Index of the first column that differs, -1: none */
static int differs(const kb_csv *t, const kb_columns *columns)
{
    for (int i = 0; i < t->ncolumns || i < columns->count; i++)
        if (i >= t->ncolumns || i >= columns->count ||
            strcmp(t->names[i], columns->column[i].name))
            return i;
    return -1;
}

static bool begins(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

/* What is wrong with a field, NULL: nothing. An error is infinite where the reference failed. */
static const char *fault(const kb_column *c, const char *text)
{
    if (!strcmp(c->name, "key"))
        return strspn(text, "0123456789abcdef") == 16 && strlen(text) == 16
                   ? NULL : "not 16 hexadecimal digits";
    if (begins(c->value, "TEXT("))
        return NULL;
    bool measured = begins(c->value, "MEASURED("), needed = measured || begins(c->value, "EXACT(");
    char *end;
    double x = strtod(text, &end);
    if (!*text)
        return needed ? "empty" : NULL;
    if (*end || isnan(x) || (isinf(x) && !begins(c->name, "err_")))
        return "not a number";
    return measured && x < 0 ? "negative" : NULL;
}

static int check_numbers(const kb_csv *t, const kb_columns *columns, const char *path,
                         kb_error *err)
{
    for (long row = 0; row < t->nrows; row++)
        for (int i = 0; i < columns->count; i++)
            if (fault(&columns->column[i], t->rows[row][i]))
                return kb_fail_at(err, path, (int)row + 2, t->rows[row][i],
                                  "mend or delete the line", "%s is %s:", columns->column[i].name,
                                  fault(&columns->column[i], t->rows[row][i]));
    return KB_OK;
}

int kb_columns_read(kb_csv *t, const kb_columns *columns, const char *path, kb_error *err)
{
    kb_csv found;
    if (access(path, F_OK))
        return KB_OK;
    if (kb_csv_read(&found, path, err))
        return KB_INVALID;
    kb_csv_free(t);
    *t = found;
    int i = differs(t, columns);
    if (i < 0)
        return check_numbers(t, columns, path, err);
    return kb_fail_at(err, path, 1, i < t->ncolumns ? t->names[i] : NULL, "give another --out",
                      "other columns than this program writes: column %d is not %s", i + 1,
                      i < columns->count ? columns->column[i].name : "one of them");
}

/* One entry of a markdown list, wrapped between words */
static void print_entry(const kb_column *c, FILE *to)
{
    char *text = kb_format("- `%s`%s%s%s: %s", c->name, *c->unit ? " [" : "", c->unit,
                           *c->unit ? "]" : "", c->meaning);
    int at = 0;
    for (const char *p = text; *p; p += strspn(p, " ")) {
        int length = (int)strcspn(p, " ");
        bool fits = at + 1 + length <= WIDTH;
        fprintf(to, "%s%.*s", at == 0 ? "" : fits ? " " : "\n  ", length, p);
        at = (at == 0 ? 0 : fits ? at + 1 : 2) + length;
        p += length;
    }
    fputc('\n', to);
    free(text);
}

static void print_file(const kb_columns *columns, FILE *to)
{
    fprintf(to, "\n### Columns of %s\n\n", columns->file);
    for (int i = 0; i < columns->count; i++) {
        const kb_column *c = &columns->column[i];
        if (strcmp(c->name, which[0].name)) {
            print_entry(c, to);
            continue;
        }
        i += kb_which_columns.count - 1;
        fprintf(to, "- `%s` to `%s`: which cell, as above\n", c->name, columns->column[i].name);
    }
}

void kb_columns_print(FILE *to)
{
    fprintf(to, "### Columns that say which cell, in each file\n\n");
    for (int i = 0; i < kb_which_columns.count; i++)
        print_entry(&which[i], to);
    print_file(&kb_cells_columns, to);
    print_file(&kb_samples_columns, to);
    print_file(&kb_divergence_columns, to);
    print_file(&kb_timeline_columns, to);
}
