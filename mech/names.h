/* SPDX-License-Identifier: MIT
 *
 * Species by name: an index of a mechanism's list while it is read.
 */
#pragma once

#include "mech/mech.h"

/* open addressing; all zero: empty */
typedef struct {
    int *slots, nslots;
    int longest; /* name [bytes] */
} kb_names;

/* species `index` of m joins; those before it are in already */
void kb_names_add(kb_names *x, const kb_mech *m, int index);
/* index of the name of n bytes, or -1; case matters */
int kb_names_find(const kb_names *x, const kb_mech *m, const char *name, size_t n);

/* A name that is unknown but for its case: "did you mean OH?" into hint, else other into it */
void kb_names_hint(const kb_mech *m, const char *name, const char *other, char *hint, size_t size);
