/* SPDX-License-Identifier: MIT
 *
 * Rates and Jacobians of batches.
 */
#include <math.h>
#include <string.h>

#include "library/inside.h"

static const kb_state_limits limits = {KB_REPAIR_Y_MIN, KB_REPAIR_SUM};

void kb_gather(const kb_integrator *it, long n, const double *T, const double *Y, double *rows,
               int columns)
{
    int nsp = it->solvers->nsp;
    for (long i = 0; i < n; i++) {
        double *row = rows + i * columns;
        row[0] = T[i];
        if (it->layout == KB_ODE_MAJOR)
            memcpy(row + 1, Y + i * nsp, (size_t)nsp * sizeof *row);
        for (int k = 0; k < nsp && it->layout == KB_SPECIES_MAJOR; k++)
            row[1 + k] = Y[k * n + i];
    }
}

/* y [n x (nsp + 1)] */
static int check_states(const kb_integrator *it, long n, const double *y, const double *p)
{
    int nsp = it->solvers->nsp;
    for (long i = 0; i < n; i++, y += nsp + 1)
        if (!kb_state_possible(y[0], p[i], y + 1, nsp, &limits))
            return kb_fail_with(KB_ERROR_ARGUMENT, "state %ld is impossible: T = %g K, p = %g Pa "
                                "(expected %g to %g K, %g to %g Pa, Y at least %g that add up to 1 "
                                "within %g)", i, y[0], p[i], KB_T_MIN, KB_T_MAX, KB_P_MIN, KB_P_MAX,
                                limits.least, limits.sum);
    return KB_SUCCESS;
}

/* The engine looks at all states of a vector at once; what it refuses is looked at here once more,
 * for the message */
static int evaluate(const kb_integrator *it, kb_evaluation *e)
{
    kb_error err = {0};
    e->limits = &limits;
    if (!it->solvers->evaluate(it->solvers, KB_SINGLE_ENGINE, e, &err))
        return KB_SUCCESS;
    int code = check_states(it, e->n, e->y, e->p);
    return code ? code : kb_fail_as(&err);
}

static void scatter(const kb_integrator *it, long n, const double *from, int columns, int first,
                    double *to)
{
    int nsp = it->solvers->nsp;
    if (to && it->layout == KB_ODE_MAJOR)
        for (long i = 0; i < n; i++)
            memcpy(to + i * nsp, from + i * columns + first, (size_t)nsp * sizeof *to);
    for (long i = 0; to && it->layout == KB_SPECIES_MAJOR && i < n; i++)
        for (int k = 0; k < nsp; k++)
            to[k * n + i] = from[i * columns + first + k];
}

/* scratch with the states in y; NULL: *code is an error, or there are none */
static kb_scratch_memory *take_states(kb_integrator *it, long n, const double *T, const double *Y,
                                      int *code)
{
    kb_scratch_memory *s = *code || n == 0 ? NULL : kb_scratch_take(it, n);
    if (s)
        kb_gather(it, n, T, Y, s->y, it->solvers->nsp + 1);
    else if (!*code && n > 0)
        *code = KB_ERROR_MEMORY;
    return s;
}

int kb_rates(kb_integrator *it, long n, const double *T, const double *p, const double *Y,
             double *dTdt, double *dYdt, double *wdot)
{
    KB_HOLD_CALLER();
    int code = kb_check_arrays(it, n, T, p, Y), nsp = code ? 0 : it->solvers->nsp;
    kb_scratch_memory *s = take_states(it, n, T, Y, &code);
    if (!s)
        return code;
    double *molar = wdot ? malloc((size_t)n * (size_t)nsp * sizeof *molar) : NULL;
    kb_evaluation e = {.n = n, .y = s->y, .p = p, .reactor = it->reactor, .dy = s->states,
                       .wdot = molar};
    code = molar || !wdot ? evaluate(it, &e)
                          : kb_fail_with(KB_ERROR_MEMORY, "no memory for the rates of %ld states",
                                         n);
    for (long i = 0; !code && dTdt && i < n; i++)
        dTdt[i] = s->states[i * (nsp + 1)];
    if (!code) {
        scatter(it, n, s->states, nsp + 1, 1, dYdt);
        scatter(it, n, molar, nsp, 0, wdot);
    }
    free(molar);
    kb_scratch_return(it, s);
    return code;
}

int kb_jacobian(kb_integrator *it, long n, const double *T, const double *p, const double *Y,
                double *J)
{
    KB_HOLD_CALLER();
    int code = kb_check_arrays(it, n, T, p, Y);
    if (!code && n > 0 && !J)
        code = kb_fail_with(KB_ERROR_ARGUMENT, "J is NULL");
    kb_scratch_memory *s = take_states(it, n, T, Y, &code);
    if (!s)
        return code;
    kb_evaluation e = {.n = n, .y = s->y, .p = p, .reactor = it->reactor, .J = J};
    code = evaluate(it, &e);
    kb_scratch_return(it, s);
    return code;
}

/* ---- the gas ---- */

int kb_properties(kb_integrator *it, long n, const double *T, const double *p, const double *Y,
                  double *density, double *enthalpy, double *cp)
{
    KB_HOLD_CALLER();
    int code = kb_check_arrays(it, n, T, p, Y);
    kb_error err = {0};
    kb_scratch_memory *s = take_states(it, n, T, Y, &code);
    if (!s)
        return code;
    code = check_states(it, n, s->y, p);
    kb_gas_states gas = {.n = n, .y = s->y, .h = enthalpy, .cp = cp, .R = s->states};
    if (!code && it->solvers->gas(it->solvers, KB_SINGLE_ENGINE, &gas, &err))
        code = kb_fail_as(&err);
    for (long i = 0; i < n && !code && density; i++)
        density[i] = p[i] / (s->states[i] * T[i]);
    kb_scratch_return(it, s);
    return code;
}

static int temperature(const kb_integrator *it, const kb_gas_states *gas, double *T)
{
    kb_error err = {0};
    int nsp = it->solvers->nsp;
    for (long i = 0; i < gas->n; i++)
        if (!kb_fractions_possible(gas->y + i * (nsp + 1) + 1, nsp, &limits))
            return kb_fail_with(KB_ERROR_ARGUMENT,
                                "state %ld is impossible: expected Y at least "
                                "%g that add up to 1 within %g",
                                i, limits.least, limits.sum);
    if (it->solvers->gas(it->solvers, KB_SINGLE_ENGINE, gas, &err))
        return kb_fail_as(&err);
    for (long i = 0; i < gas->n; i++)
        if (!isfinite(gas->energy[i]) || !(gas->y[i * (nsp + 1)] > 0))
            return kb_fail_with(KB_ERROR_ARGUMENT,
                                "state %ld: no T from %g to %g K has %s = %g "
                                "J/kg",
                                i, KB_T_MIN, KB_T_MAX,
                                gas->reactor == KB_CONST_V ? "energy" : "enthalpy", gas->energy[i]);
    for (long i = 0; i < gas->n; i++)
        T[i] = gas->y[i * (nsp + 1)];
    return KB_SUCCESS;
}

int kb_temperature(kb_integrator *it, int reactor, long n, const double *energy, const double *Y,
                   double *T)
{
    KB_HOLD_CALLER();
    int code = kb_check_arrays(it, n, T, T, Y);
    if (!code && n > 0 && !energy)
        code = kb_fail_with(KB_ERROR_ARGUMENT, "energy is NULL");
    if (!code && reactor != KB_CONSTANT_PRESSURE && reactor != KB_CONSTANT_VOLUME)
        code = kb_fail_with(KB_ERROR_ARGUMENT,
                            "reactor %d, expected KB_CONSTANT_PRESSURE or "
                            "KB_CONSTANT_VOLUME",
                            reactor);
    kb_scratch_memory *s = take_states(it, n, T, Y, &code);
    if (!s)
        return code;
    kb_gas_states gas = {.n = n, .y = s->y, .energy = energy,
                         .reactor = reactor == KB_CONSTANT_VOLUME ? KB_CONST_V : KB_CONST_P};
    code = temperature(it, &gas, T);
    kb_scratch_return(it, s);
    return code;
}
