/* SPDX-License-Identifier: MIT
 *
 * The mechanism that states were made for, as recorded in the .json beside them. The number of
 * columns alone does not tell it: a mechanism and its one-way twin have the same.
 */
#ifndef KB_ORIGIN_H
#define KB_ORIGIN_H

#include "base/error.h"

/* The record beside the states at path (.npy) against a mechanism. KB_OK: it is this one.
 * KB_NOTHING: there is no record, or it is of other bytes, with a note that says so. KB_INVALID:
 * another mechanism, or a .json that cannot be read. states_sha256 is that of the .npy. */
int kb_origin_check(const char *path, const char *states_sha256, const char *mech,
                    const char *mech_sha256, kb_error *err);

#endif
