/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "mech/mech.h"

/* KB_INVALID with a message on a reaction that is there twice and not marked on both lines, or on a
 * mark without a second marked reaction of the same change of species. */
int kb_check_duplicates(kb_mech *m, kb_error *err);

/* Same reactants and same products, in this direction; third bodies are not compared */
bool kb_same_reaction(const kb_reaction *a, const kb_reaction *b);
/* ... or exchanged, where one of the two is reversible */
bool kb_same_either_way(const kb_reaction *a, const kb_reaction *b);

/* A reaction of a list with a number that reactions have in common which are the same either way */
typedef struct {
    uint32_t print;
    int reaction;
} kb_fingerprint;

/* of the n reactions r, sorted by the number, then by place; the caller frees them */
kb_fingerprint *kb_fingerprints(const kb_reaction *r, int n);
