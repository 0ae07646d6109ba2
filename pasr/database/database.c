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
    return kb_fail(err, KB_INVALID, "%s: cannot read: %s", path, strerror(errno));
}

static int bad(const char *path, long row, int column, kb_error *err, const char *what, double x,
               const char *expected)
{
    return kb_fail(err, KB_INVALID, "%s: row %ld, column %d: %s%g, expected %s (rows and columns "
                   "count from 0)", path, row, column, what, x, expected);
}

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define REPAIR "; --repair (make: REPAIR=1) mends what is noise"

/* why the row is impossible: T [K], p [Pa], Y [columns - 2] */
static int impossible(const char *path, long i, const double *row, int columns, kb_error *err)
{
    double sum = 0;
    for (int j = 0; j < columns; j++) {
        if (!isfinite(row[j]))
            return bad(path, i, j, err, "", row[j], "a finite number");
        if (j >= 2 && row[j] < KB_Y_MIN)
            return bad(path, i, j, err, "Y = ", row[j], "at least " TEXT(KB_Y_MIN) REPAIR);
        sum += j >= 2 ? row[j] : 0;
    }
    if (row[0] < KB_T_MIN || row[0] > KB_T_MAX)
        return bad(path, i, 0, err, "T = ", row[0], TEXT(KB_T_MIN) " to " TEXT(KB_T_MAX) " K");
    if (row[1] < KB_P_MIN || row[1] > KB_P_MAX)
        return bad(path, i, 1, err, "p = ", row[1], TEXT(KB_P_MIN) " to " TEXT(KB_P_MAX) " Pa");
    return kb_fail(err, KB_INVALID, "%s: row %ld, columns 2 to %d: the mass fractions add up to "
                   "%.9g, expected 1 within %g" REPAIR, path, i, columns - 1, sum,
                   KB_SUM_TOLERANCE);
}

static int check_row(const char *path, long i, const double *row, int columns, kb_error *err)
{
    static const kb_state_limits limits = {KB_Y_MIN, KB_SUM_TOLERANCE};
    if (kb_state_possible(row[0], row[1], row + 2, columns - 2, &limits))
        return KB_OK;
    return impossible(path, i, row, columns, err);
}

int kb_states_check(const char *path, long n, int columns, double *states, long *repaired,
                    kb_error *err)
{
    int code = KB_OK;
    for (long i = 0; i < n && !code; i++) {
        double *row = states + i * columns;
        code = check_row(path, i, row, columns, err);
        if (!code || !repaired)
            continue;
        kb_fractions_repair(row + 2, columns - 2);
        code = check_row(path, i, row, columns, err);
        *repaired += !code;
    }
    return code;
}

static int check_shape(const kb_database *db, const char *path, int nsp, kb_error *err)
{
    if (nsp > 0 && db->columns != nsp + 2)
        return kb_fail(err, KB_INVALID, "%s: %d columns, expected %d (T, p and %d species): is it "
                       "for another mechanism?", path, db->columns, nsp + 2, nsp);
    if (db->columns < 3)
        return kb_fail(err, KB_INVALID, "%s: %d columns, expected T, p and at least one species",
                       path, db->columns);
    if (db->n < 1)
        return kb_fail(err, KB_INVALID, "%s: no states (0 rows)", path);
    return KB_OK;
}

int kb_database_read(kb_database *db, const char *path, int nsp, bool repair, kb_error *err)
{
    memset(db, 0, sizeof *db);
    int code = kb_npy_read(path, &db->n, &db->columns, &db->states, err);
    code = code ? code : check_shape(db, path, nsp, err);
    code = code ? code : kb_states_check(path, db->n, db->columns, db->states,
                                         repair ? &db->repaired : NULL, err);
    code = code ? code : kb_sha256_file(path, db->file_sha256, err);
    if (code) {
        kb_database_free(db);
        return code;
    }
    memcpy(db->sha256, db->file_sha256, sizeof db->sha256);
    if (db->repaired)
        kb_npy_sha256(db->n, db->columns, db->states, db->sha256);
    db->path = kb_strdup(path);
    return KB_OK;
}

void kb_database_free(kb_database *db)
{
    free(db->states);
    free(db->path);
    memset(db, 0, sizeof *db);
}
