/* SPDX-License-Identifier: MIT
 *
 * Tables of doubles, as mech/tables/large.h has tables of indices.
 */
#pragma once

#include "mech/tables/large.h"

/* the numbers of an initializer, four a line */
void kb_write_reals(FILE *f, const kb_reals *a);
/* as kb_large_put, of doubles */
void kb_large_put_reals(kb_large *l, FILE *f, const char *name, const kb_reals *a);
