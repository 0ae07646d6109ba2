/* SPDX-License-Identifier: MIT */
#include "drivers/bench/forcing.h"

#include <math.h>
#include <string.h>

static int check_row(const char *path, long i, const double *F, int columns, kb_error *err)
{
    double sum;
    for (int j = 0; j < columns; j++)
        if (!isfinite(F[j]))
            return kb_fail(err, KB_INVALID, "%s: row %ld, column %d: %g, expected a finite number "
                           "(rows and columns count from 0)", path, i, j, F[j]);
    if (kb_forcing_adds_up(columns - 1, F + 1, 1, &sum))
        return KB_OK;
    return kb_fail(err, KB_INVALID, "%s: row %ld, columns 1 to %d: the forcing of the mass "
                   "fractions adds up to %g 1/s, expected 0 within %g of the largest and "
                   "%g 1/s: their sum would not stay 1", path, i, columns - 1, sum, KB_FORCING_SUM,
                   KB_FORCING_NOISE);
}

static int check(const kb_database *db, const char *path, long n, int columns, const double *F,
                 kb_error *err)
{
    if (n != db->n || columns != db->columns - 1)
        return kb_fail(err, KB_INVALID, "%s: %ld rows of %d columns, expected %ld of %d: T and the "
                       "species, for each state of %s", path, n, columns, db->n, db->columns - 1,
                       db->path);
    int code = KB_OK;
    for (long i = 0; i < n && !code; i++)
        code = check_row(path, i, F + i * columns, columns, err);
    return code;
}

int kb_forcing_read(kb_database *rows, const kb_database *db, const char *path, kb_error *err)
{
    double *F = NULL;
    long n = 0;
    int columns = 0, code = kb_npy_read(path, &n, &columns, &F, err);
    code = code ? code : check(db, path, n, columns, F, err);
    *rows = (kb_database){0};
    if (!code) {
        rows->n = n;
        rows->columns = db->columns + columns;
        rows->path = kb_strdup(db->path);
        rows->states = kb_alloc((size_t)n * (size_t)rows->columns, sizeof *F);
        for (long i = 0; i < n; i++) {
            double *row = rows->states + i * rows->columns;
            memcpy(row, db->states + i * db->columns, (size_t)db->columns * sizeof *row);
            memcpy(row + db->columns, F + i * columns, (size_t)columns * sizeof *row);
        }
        kb_npy_sha256(n, rows->columns, rows->states, rows->sha256);
    }
    free(F);
    return code;
}
