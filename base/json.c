/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include <math.h>
#include <stdio.h>

#include "base/file.h"

json_t *kb_json_read(const char *path, const char *hint, kb_error *err)
{
    json_error_t why;
    json_t *value = json_load_file(path, JSON_REJECT_DUPLICATES, &why);
    if (!value)
        kb_fail_at(err, path, why.line, NULL, hint, "%s", why.text);
    return value;
}

json_t *kb_json_number(double x) { return isfinite(x) ? json_real(x) : json_null(); }

int kb_json_write(const char *path, const json_t *value, int digits, kb_error *err)
{
    char *raw = json_dumps(value, JSON_INDENT(2) | JSON_REAL_PRECISION(digits));
    if (!raw)
        return kb_fail(err, KB_INVALID, "%s: not written: no JSON (a number that is not finite, or "
                       "no memory)", path);
    char *text = kb_format("%s\n", raw);
    int code = kb_file_write_text(path, text, err);
    free(raw);
    free(text);
    return code;
}

int kb_json_print(FILE *to, const json_t *value, int digits, kb_error *err)
{
    int failed = json_dumpf(value, to, JSON_INDENT(2) | JSON_REAL_PRECISION(digits));
    return failed || fputc('\n', to) == EOF || fflush(to)
               ? kb_fail(err, KB_INVALID, "the JSON cannot be written (a full disk, or a number "
                         "that is not finite)") : KB_OK;
}
