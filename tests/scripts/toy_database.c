/* SPDX-License-Identifier: MIT
 *
 * toy_database FILE.npy N [TILE]: N states of the toy mechanism, T from 500 K upwards, Y = (1, 0);
 * with TILE rounds of TILE of the 300 states, each round starting three states further on.
 * toy_database FILE:  prints the rows and columns of FILE.
 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "pasr/database/database.h"

#define ZEROS "0000000000000000000000000000000000000000000000000000000000000000" /* toy_solvers.c */

int main(int argc, char **argv)
{
    kb_error err;
    int columns = 4;
    double *data;
    long n = argc > 2 ? atol(argv[2]) : 0, tile = argc > 3 ? atol(argv[3]) : n;
    if (argc < 3) {
        if (kb_npy_read(argv[1], &n, &columns, &data, &err))
            return kb_report("toy_database", &err);
        printf("%ld %d\n", n, columns);
        free(data);
        return KB_OK;
    }
    data = kb_alloc((size_t)n, 4 * sizeof *data);
    for (long i = 0; i < n; i++) {
        long state = (i + i / tile * 3) % tile;
        data[4 * i] = 500 + 1000 * (double)state / (tile < n ? 300 : (double)n);
        data[4 * i + 1] = 101325;
        data[4 * i + 2] = 1;
    }
    char *json = kb_format("%.*s.json", (int)strlen(argv[1]) - 4, argv[1]);
    int code = kb_npy_write(argv[1], n, 4, data, &err);
    code = code ? code : kb_file_write_text(json, "{\"mech\": \"toy\", \"mech_sha256\": \"" ZEROS
                                            "\"}\n", &err);
    free(json);
    free(data);
    return code ? kb_report("toy_database", &err) : KB_OK;
}
