/* SPDX-License-Identifier: MIT
 *
 * Tables of numbers beside those of indices (mech/tables/large.h).
 */
#pragma once

#include "mech/tables/large.h"

/* as kb_large_put, of doubles */
void kb_large_put_reals(kb_large *l, FILE *f, const char *name, const kb_reals *a);
