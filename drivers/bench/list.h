/* SPDX-License-Identifier: MIT */
#ifndef KB_LIST_H
#define KB_LIST_H

#include "solvers/solver.h"

/* Prints the solvers of a mechanism: engines, order, default tolerances, memory, options, source.
 * */
void kb_list_solvers(const kb_solvers *s);

#endif
