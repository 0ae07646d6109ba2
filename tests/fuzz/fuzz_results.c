/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: the tables that bench reads again. The first byte says which.
 */
#include "tests/fuzz/files.h"

#include <math.h>

#include "drivers/bench/rows.h"
#include "rows/columns.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const kb_columns *const tables[] = {&kb_cells_columns, &kb_samples_columns,
                                               &kb_divergence_columns, &kb_timeline_columns};
    static int file;
    char path[128];
    kb_error err = {0};
    kb_csv t;
    if (size < 1)
        return 0;
    const kb_columns *columns = tables[data[0] % 4];
    fuzz_file(&file, "a.csv", data + 1, size - 1);
    kb_columns_start(&t, columns);
    int code = kb_columns_read(&t, columns, fuzz_path("a.csv", path), &err);
    fuzz_said(code, &err);
    for (long row = 0; row < t.nrows && !code && columns == &kb_samples_columns; row++) {
        kb_sample s = kb_sample_of_row(&t, row);
        if (!isfinite(s.time) || s.time < 0 || !isfinite(s.kernel))
            abort();
    }
    kb_csv_free(&t);
    return 0;
}
