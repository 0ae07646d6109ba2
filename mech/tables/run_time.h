/* SPDX-License-Identifier: MIT
 *
 * The sizes and tables of a mechanism as engines read them that are compiled for none: mechc prints
 * a header in which each name of constants.h stands for a member of *kb_rt.
 */
#pragma once

#include "mech/tables/tables.h"

typedef struct {
#define KB_SIZE(name, value) int name;
#define KB_INTS(name, comment) const int *name;
#define KB_REALS(name, comment) const double *name;
    KB_SIZE_LIST(KB_SIZE)
    KB_TABLE_LIST(KB_INTS, KB_REALS)
#undef KB_SIZE
#undef KB_INTS
#undef KB_REALS
    double data_from, data_to;
} kb_run_time_tables;

/* those of t, sorted and of one thread, which has to stay */
static inline kb_run_time_tables kb_run_time_of(const kb_tables *t)
{
#define KB_SIZE(name, value) .name = value,
#define KB_TABLE_OF(name, comment) .name = t->name.v,
    return (kb_run_time_tables){KB_SIZE_LIST(KB_SIZE) KB_TABLE_LIST(KB_TABLE_OF, KB_TABLE_OF)
                                    .data_from = t->data_from, .data_to = t->data_to};
#undef KB_SIZE
#undef KB_TABLE_OF
}
