/* SPDX-License-Identifier: MIT
 *
 * The forcing of a run (solvers/forced_job.h): a .npy with one row F_T [K/s], F_Y [1/s] for each
 * state of the database, in its order.
 */
#pragma once

#include "pasr/database/database.h"
#include "solvers/forced_job.h"

/* rows: the states of db with the forcing of each behind it, columns 2 nsp + 3, and a sha256 of
 * both. So what takes rows of states for a run takes their forcing with them, and equal states with
 * another forcing are not the same. Error, with row and column: another shape, a number that is not
 * finite, or fractions whose forcing does not add up to 0 (kb_forcing_adds_up). */
int kb_forcing_read(kb_database *rows, const kb_database *db, const char *path, kb_error *err);
