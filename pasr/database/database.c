/* SPDX-License-Identifier: MIT */
#include "pasr/database/database.h"

#include <errno.h>
#include <math.h>
#include <sha2.h>
#include <string.h>

int kb_sha256_file(const char *path, char *out, kb_error *err)
{
    if (SHA256File(path, out))
        return KB_OK;
    out[0] = '\0';
    return kb_fail(err, KB_INVALID, "%s: cannot read: %s", path, strerror(errno));
}

/* row: T [K], p [Pa], Y [columns - 2] */
static int check_row(const char *path, long i, const double *row, int columns, kb_error *err)
{
    double sum = 0;
    for (int j = 0; j < columns; j++) {
        if (!isfinite(row[j]))
            return kb_fail(err, KB_INVALID, "%s: row %ld, column %d is %g, expected a finite "
                           "number (rows and columns count from 0)", path, i, j, row[j]);
        sum += j >= 2 ? row[j] : 0;
    }
    if (!(row[0] >= KB_T_MIN && row[0] <= KB_T_MAX))
        return kb_fail(err, KB_INVALID, "%s: row %ld, column 0: T = %g K, expected %g to %g K",
                       path, i, row[0], KB_T_MIN, KB_T_MAX);
    if (!(row[1] > 0))
        return kb_fail(err, KB_INVALID, "%s: row %ld, column 1: p = %g Pa, expected p > 0", path,
                       i, row[1]);
    if (!(fabs(sum - 1) <= KB_SUM_TOLERANCE))
        return kb_fail(err, KB_INVALID, "%s: row %ld, columns 2 to %d: the mass fractions add up "
                       "to %.9g, expected 1 within %g", path, i, columns - 1, sum,
                       KB_SUM_TOLERANCE);
    return KB_OK;
}

static int check_all(const kb_database *db, const char *path, int nsp, kb_error *err)
{
    if (nsp > 0 && db->columns != nsp + 2)
        return kb_fail(err, KB_INVALID, "%s: %d columns, expected %d (T, p and %d species): is it "
                       "for another mechanism?", path, db->columns, nsp + 2, nsp);
    if (db->columns < 3)
        return kb_fail(err, KB_INVALID, "%s: %d columns, expected T, p and at least one species",
                       path, db->columns);
    if (db->n < 1)
        return kb_fail(err, KB_INVALID, "%s: no states (0 rows)", path);
    int code = KB_OK;
    for (long i = 0; i < db->n && !code; i++)
        code = check_row(path, i, db->states + i * db->columns, db->columns, err);
    return code;
}

int kb_database_read(kb_database *db, const char *path, int nsp, kb_error *err)
{
    memset(db, 0, sizeof *db);
    int code = kb_npy_read(path, &db->n, &db->columns, &db->states, err);
    if (!code)
        code = check_all(db, path, nsp, err);
    if (!code)
        code = kb_sha256_file(path, db->sha256, err);
    if (code)
        kb_database_free(db);
    else
        db->path = kb_strdup(path);
    return code;
}

void kb_database_free(kb_database *db)
{
    free(db->states);
    free(db->path);
    memset(db, 0, sizeof *db);
}
