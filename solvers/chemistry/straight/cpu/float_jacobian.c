/* SPDX-License-Identifier: MIT
 *
 * jac_rhs into a matrix of floats, for a vector of KB_LANES doubles. All but the entries is as in
 * lines.c.
 */
#include "solvers/portable/lines.h"

#if KB_LINED

#define KB_FLOAT_MATRIX
#include "solvers/chemistry/straight/cpu/columns.h"

void lines_float_jacobian(kb_reactor reactor, lane fixed, const lane *y, lane *dy, void *A,
                          int vector, kb_jacobian *w)
{
    jac_rhs(reactor, fixed, y, dy, (jac_number *)A + vector, &w->k, &w->s);
}

#endif
