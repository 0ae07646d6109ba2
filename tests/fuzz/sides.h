/* SPDX-License-Identifier: MIT
 *
 * A folder of a run for the readers of results: cells.csv, samples.csv and another file from one
 * input, in which a byte of 1 stands between two of them.
 */
#pragma once

#include "tests/fuzz/files.h"

#include "drivers/compare/side.h"

/* The folder's path; third: name of the third file, or NULL */
static inline const char *fuzz_run(const uint8_t *data, size_t size, const char *third)
{
    static int files[3];
    static char path[128];
    const char *const names[] = {"cells.csv", "samples.csv", third};
    for (int i = 0; i < 3 && names[i]; i++) {
        const uint8_t *end = i < 2 ? memchr(data, 1, size) : NULL;
        size_t n = end ? (size_t)(end - data) : size;
        fuzz_file(&files[i], names[i], data, n);
        n += end != NULL;
        data += n;
        size -= n;
    }
    return fuzz_path("", path);
}
