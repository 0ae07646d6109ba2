/* SPDX-License-Identifier: MIT
 *
 * Columns of whole numbers kept beside a database, one for each state: orders and measured costs.
 * <name>.<what>.npy (int64, shape (n,)) with <name>.<what>.json, which names the database by its
 * sha256 and says what the numbers are.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "pasr/database/database.h"

/* values [db->n] and what the file says about them (caller frees; about may be NULL). KB_NOTHING
 * with a message when there is none for these states; KB_INVALID when it is damaged. */
int kb_column_read(const kb_database *db, const char *what, int64_t *values, char **about,
                   kb_error *err);
int kb_column_write(const kb_database *db, const char *what, const int64_t *values,
                    const char *about, kb_error *err);

/* May files be made in the database's folder? */
bool kb_column_writable(const kb_database *db);

/* "<folder>/<name>.<what>.npy"; caller frees */
char *kb_column_path(const kb_database *db, const char *what);
