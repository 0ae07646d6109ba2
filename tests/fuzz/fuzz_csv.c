/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: tables, which come back from what is written of them; and tables of states.
 */
#include "tests/fuzz/files.h"

#include "base/csv.h"
#include "pasr/generators/import.h"

static void read_again(const kb_csv *t)
{
    char path[128];
    kb_csv again;
    kb_error err = {0};
    if (kb_csv_write(t, fuzz_path("b.csv", path), &err) || kb_csv_read(&again, path, &err) ||
        again.nrows != t->nrows || again.ncolumns != t->ncolumns)
        abort();
    for (long row = 0; row < t->nrows; row++)
        for (int i = 0; i < t->ncolumns; i++)
            if (strcmp(t->rows[row][i], again.rows[row][i]))
                abort();
    kb_csv_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int file;
    char path[128];
    kb_error err = {0};
    kb_csv t;
    kb_import_table states;
    fuzz_file(&file, "a.csv", data, size);
    int code = kb_csv_read(&t, fuzz_path("a.csv", path), &err);
    fuzz_said(code, &err);
    if (!code && size % 16 == 0)
        read_again(&t);
    kb_csv_free(&t);
    err = (kb_error){0};
    fuzz_said(kb_import_csv(&states, path, &err), &err);
    kb_import_table_free(&states);
    return 0;
}
