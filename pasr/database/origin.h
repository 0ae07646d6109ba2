/* SPDX-License-Identifier: MIT
 *
 * The mechanism that states were made for, as recorded in the .json beside them. The number of
 * columns alone does not tell it: a mechanism and its one-way form have the same.
 */
#pragma once

#include <jansson.h>

#include "base/error.h"

#define KB_ORIGIN_SAME "mechanism" /* said: the species of the mechanism, in its order */

typedef struct {
    const char *path, *states_sha256; /* of the .npy */
    const char *mech, *mech_sha256;   /* that it is wanted for */
    int nspecies;
    const char *const *species;
    const char *said; /* names of the columns, if the user gave them: KB_ORIGIN_SAME, a list
                       * H2,O2,N2 or a file of names; NULL otherwise */
} kb_origin;

/* The record beside the states against a mechanism. KB_OK: it is this one, or there was no record
 * and said names the species of the mechanism in its order; that is then recorded, if the folder
 * can be written, so that it is asked for once. KB_INVALID: another mechanism; no record, or one
 * of other states, and nothing said or something else; a .json that cannot be read. */
int kb_origin_check(const kb_origin *o, kb_error *err);

/* Adds to a record what the mechanism was read with beside its file (QSS=, PHASE=, IDEAL=: KB_QSS
 * and so on in the environment), as "qss", "phase" and "ideal"; those that were not given are taken
 * out. */
void kb_origin_reading(json_t *record);
/* Sets these in the environment to what a record says, but for those that are set already. */
void kb_origin_read_as(const json_t *record);
/* is the key one of these? */
int kb_origin_is_reading(const char *key);
