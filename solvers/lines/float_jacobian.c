/* SPDX-License-Identifier: MIT
 *
 * jac_rhs into a matrix of floats (KB_FLOAT_MATRIX), for a vector of KB_LANES doubles. All but the
 * entries is as in lines.c.
 */
#include "solvers/chemistry/jacobian.h"

#if KB_LINED

#include "solvers/lines/columns.h"

void lines_float_jacobian(kb_reactor reactor, lane fixed, const lane *y, lane *dy, void *A,
                          int vector, kb_jacobian *w)
{
    jac_rhs(reactor, fixed, y, dy, (jac_number *)A + vector, &w->k, &w->s);
}

#endif
