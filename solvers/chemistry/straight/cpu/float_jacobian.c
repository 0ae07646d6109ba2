/* SPDX-License-Identifier: MIT
 *
 * jac_rhs into a matrix of floats, for a vector of KB_LANES doubles. All but the entries is as in
 * lines.c.
 */
#include "solvers/portable/lines.h"

#define KB_FLOAT_MATRIX
#if KB_LINED
#include "solvers/chemistry/straight/cpu/columns.h"
#else
#include "solvers/chemistry/jacobian.h"
#endif

void lines_float_jacobian(kb_reactor reactor, lane fixed, const lane *y, lane *dy, void *A,
                          int vector, kb_jacobian *w)
{
    jac_rhs(reactor, fixed, y, dy, (jac_number *)A + vector, &w->k, &w->s);
}
