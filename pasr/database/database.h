/* SPDX-License-Identifier: MIT
 *
 * Databases of states: <name>.npy (float64, C order, shape (n, nsp + 2): T [K], p [Pa], Y) with
 * <name>.json beside it (the recipe: generator, parameters, seed, mechanism, sha256, species,
 * statistics).
 */
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "solvers/states.h"

typedef struct {
    long n;
    int columns;          /* nsp + 2 */
    double *states;       /* n x columns */
    long repaired;        /* states that a repair has changed */
    char sha256[65];      /* of the states: of the bytes of their .npy */
    char file_sha256[65]; /* of the file; another one where states were repaired */
    char *path;
} kb_database;

/* An array as .npy, C order, 8-byte numbers. type: "<f8" (double) or "<i8" (int64_t). */
#define KB_NPY_DIMS 3
typedef struct {
    int ndim;
    long shape[KB_NPY_DIMS];
    void *data;
} kb_npy;
/* An array of least to most dimensions; a->data is allocated. Errors: missing, truncated, another
 * type, order or number of dimensions, with what was found and what was expected. */
int kb_npy_load(const char *path, const char *type, int least, int most, kb_npy *a, kb_error *err);
int kb_npy_save(const char *path, const char *type, const kb_npy *a, kb_error *err);

/* Any 2-d float64 .npy array, C order. Errors: missing, truncated, other dtype or order, with
 * what was found and what was expected. */
int kb_npy_read(const char *path, long *rows, int *columns, double **data, kb_error *err);
/* Written to a temporary name and renamed, so that no half file is ever left under the name. */
int kb_npy_write(const char *path, long rows, int columns, const double *data, kb_error *err);

/* sha256 [65] of the file that kb_npy_write makes of the same */
void kb_npy_sha256(long rows, int columns, const double *data, char *out);

/* Checks states [n x columns]: finite, T in 50-6000 K, p in 1-1e9 Pa, Y >= -1e-9,
 * |sum Y - 1| <= 1e-6; a message names the first bad row and column, and path. repaired: if not
 * NULL, fractions that are off by noise (Y >= -1e-3, |sum Y - 1| <= 1e-2) become right instead:
 * those below 0 are set to 0, then the sum is scaled to 1; *repaired counts such states. */
int kb_states_check(const char *path, long n, int columns, double *states, long *repaired,
                    kb_error *err);
/* Reads a database for a mechanism of nsp species (0: any) and checks it, with repair or without */
int kb_database_read(kb_database *db, const char *path, int nsp, bool repair, kb_error *err);
void kb_database_free(kb_database *db);

/* sha256 of a file in hexadecimal, out [65]: as it was if the file cannot be read */
int kb_sha256_file(const char *path, char *out, kb_error *err);
