/* SPDX-License-Identifier: MIT
 *
 * Databases of states: <name>.npy (float64, C order, shape (n, nsp + 2): T [K], p [Pa], Y) with
 * <name>.json beside it (the recipe: generator, parameters, seed, mechanism, sha256, species,
 * statistics).
 */
#ifndef KB_DATABASE_H
#define KB_DATABASE_H

#include "base/error.h"

/* what each state must fulfil */
#define KB_T_MIN 50.0 /* [K] */
#define KB_T_MAX 6000.0
#define KB_SUM_TOLERANCE 1e-6 /* of |sum Y - 1| */

typedef struct {
    long n;
    int columns;     /* nsp + 2 */
    double *states;  /* n x columns */
    char sha256[65]; /* of the .npy file's bytes */
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

/* Reads and checks a database for a mechanism of nsp species (0: any): shape, finite, T in
 * 50-6000 K, p > 0, |sum Y - 1| <= 1e-6; a message names the first bad row and column. */
int kb_database_read(kb_database *db, const char *path, int nsp, kb_error *err);
void kb_database_free(kb_database *db);

/* sha256 of a file in hexadecimal, out [65] */
int kb_sha256_file(const char *path, char *out, kb_error *err);

#endif
