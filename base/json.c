/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/owned.h"

json_t *kb_json_read(const char *path, const char *hint, kb_error *err)
{
    json_error_t why;
    FILE *f = kb_file_open(path);
    json_t *value = f ? json_loadf(f, JSON_REJECT_DUPLICATES, &why) : NULL;
    if (!f || ferror(f))
        kb_fail_at(err, path, 0, NULL, hint, "cannot be read: %s", strerror(errno));
    else if (!value)
        kb_fail_at(err, path, why.line, NULL, hint, "%s", why.text);
    if (f)
        fclose(f);
    return value;
}

json_t *kb_json_number(double x) { return isfinite(x) ? json_real(x) : json_null(); }

static json_t *field(const char *text)
{
    char *end;
    double x = strtod(text, &end);
    if (!*text)
        return json_null();
    return *end || !isfinite(x) ? json_string(text) : json_real(x);
}

json_t *kb_json_rows(const kb_csv *t)
{
    json_t *rows = json_array();
    for (long i = 0; i < t->nrows; i++) {
        json_t *row = json_object();
        for (int k = 0; k < t->ncolumns; k++)
            json_object_set_new(row, t->names[k], field(t->rows[i][k]));
        json_array_append_new(rows, row);
    }
    return rows;
}

int kb_json_write(const char *path, const json_t *value, int digits, kb_error *err)
{
    kb_owned char *raw = json_dumps(value, JSON_INDENT(2) | JSON_REAL_PRECISION(digits));
    if (!raw)
        return kb_fail(err, KB_INVALID, "%s: not written: no JSON (a number that is not finite, or "
                       "no memory)", path);
    kb_owned char *text = kb_format("%s\n", raw);
    return kb_file_write_text(path, text, err);
}

int kb_json_print(FILE *to, const json_t *value, int digits, kb_error *err)
{
    int failed = json_dumpf(value, to, JSON_INDENT(2) | JSON_REAL_PRECISION(digits));
    return failed || fputc('\n', to) == EOF || fflush(to)
               ? kb_fail(err, KB_INVALID, "the JSON cannot be written (a full disk, or a number "
                         "that is not finite)") : KB_OK;
}
