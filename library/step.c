/* SPDX-License-Identifier: MIT
 *
 * A step of a flow code: checks of its members, and states by enthalpy, or by density and energy.
 */
#include <math.h>
#include <string.h>

#include "library/inside.h"
#include "mech/mech.h"
#include "solvers/forced_job.h"

#define SHORTEST 1e-6 /* dt, as a part of the longest */

double kb_longest(long n, const double *dt)
{
    double most = 0;
    for (long i = 0; i < n; i++)
        most = fmax(most, dt[i]);
    return most;
}

static int check_arrays(const kb_integrator *it, const char *name, double *const *arrays)
{
    for (int k = 0; arrays && k < it->solvers->nsp; k++)
        if (!arrays[k])
            return kb_fail_with(KB_ERROR_ARGUMENT, "%s[%d], of %s, is NULL", name, k,
                                it->solvers->species[k]);
    return KB_SUCCESS;
}

/* each finite and at least 0, or above it */
static int check_times(long n, const char *name, const double *time, bool above)
{
    for (long i = 0; time && i < n; i++)
        if (!(above ? time[i] > 0 : time[i] >= 0) || !isfinite(time[i]))
            return kb_fail_with(KB_ERROR_ARGUMENT, "%s[%ld] = %g s, expected %s", name, i, time[i],
                                above ? "more than 0" : "0 or more");
    return KB_SUCCESS;
}

/* ODEs of a call end at once: one with a shorter dt begins later, on the clock of the longest */
static int check_shortest(long n, const double *dt)
{
    double longest = kb_longest(n, dt);
    for (long i = 0; i < n; i++)
        if (dt[i] < SHORTEST * longest)
            return kb_fail_with(KB_ERROR_ARGUMENT, "dt[%ld] = %g s in a call with one of %g s, "
                                "expected %g of that at least", i, dt[i], longest, SHORTEST);
    return KB_SUCCESS;
}

static int check_members(const kb_flow_step *s)
{
    if (!s->density != !s->energy)
        return kb_fail_with(KB_ERROR_ARGUMENT, "%s without %s", s->density ? "density" : "energy",
                            s->density ? "energy" : "density");
    if (s->enthalpy && s->energy)
        return kb_fail_with(KB_ERROR_ARGUMENT, "enthalpy and energy: expected one of them");
    if (s->RR && s->RR_arrays)
        return kb_fail_with(KB_ERROR_ARGUMENT, "RR and RR_arrays: expected one of them");
    if (s->keep != 0 && s->keep != 1)
        return kb_fail_with(KB_ERROR_ARGUMENT, "keep = %d, expected 0 or 1", s->keep);
    return KB_SUCCESS;
}

static int check_forcing(const kb_integrator *it, long n, const kb_flow_step *s)
{
    const kb_solver_info *info = &it->solver->info;
    int nsp = it->solvers->nsp, apart = it->layout == KB_SPECIES_MAJOR;
    if (!s->forcing_T != !s->forcing_Y)
        return kb_fail_with(KB_ERROR_ARGUMENT, "forcing_T and forcing_Y: expected both");
    if (s->forcing_T && !kb_takes_forcing(info->engine))
        return kb_fail_with(KB_ERROR_DEVICE, "%s on %s takes no forcing: engines ...-forced do",
                            info->name, info->engine);
    for (long i = 0; s->forcing_T && i < n; i++) {
        double sum;
        bool holds = kb_forcing_adds_up(nsp, s->forcing_Y + (apart ? i : i * nsp), apart ? n : 1,
                                        &sum);
        if (!isfinite(s->forcing_T[i]) || !holds)
            return kb_fail_with(KB_ERROR_ARGUMENT, "forcing of ODE %ld: T %g K/s, a sum of Y of %g "
                                "1/s, expected a finite number and 0", i, s->forcing_T[i], sum);
    }
    return KB_SUCCESS;
}

double *kb_forced_rows(const kb_integrator *it, long n, const double *states,
                       const kb_flow_step *s)
{
    int nsp = it->solvers->nsp, columns = 2 * nsp + 3;
    double *rows = it->solvers->memory_new((size_t)n * (size_t)columns * sizeof *rows);
    for (long i = 0; rows && i < n; i++)
        memcpy(rows + i * columns, states + i * (nsp + 2), (size_t)(nsp + 2) * sizeof *rows);
    if (rows)
        kb_gather(it, n, s->forcing_T, s->forcing_Y, rows + nsp + 2, columns);
    return rows;
}

int kb_check_step(const kb_integrator *it, long n, const kb_flow_step *s)
{
    const kb_solver_info *info = &it->solver->info;
    int code = check_members(s);
    code = code ? code : check_arrays(it, "Y_arrays", s->Y_arrays);
    code = code ? code : check_arrays(it, "RR_arrays", s->RR_arrays);
    code = code ? code : check_times(n, "dt", s->dt, true);
    code = code || !s->dt ? code : check_shortest(n, s->dt);
    code = code ? code : check_times(n, "substep", s->substep, false);
    code = code ? code : check_forcing(it, n, s);
    if (code)
        return code;
    if ((s->dt || s->substep || s->next_substep) && !info->steps_own)
        return kb_fail_with(KB_ERROR_DEVICE,
                            "%s on %s has one dt for all ODEs and begins with a "
                            "substep of its own: dt, substep and next_substep are of engines of "
                            "the CPU",
                            info->name, info->engine);
    if (s->substep && info->promise.fixed)
        return kb_fail_with(KB_ERROR_ARGUMENT,
                            "%s has equal substeps: it begins with no other "
                            "substep",
                            info->name);
    return KB_SUCCESS;
}

double kb_row_density(const kb_integrator *it, const double *row)
{
    double moles = 0;
    for (int k = 0; k < it->solvers->nsp; k++)
        moles += row[2 + k] / it->solvers->W[k];
    return row[1] / (KB_R * row[0] * moles);
}

int kb_states_found(const kb_integrator *it, long n, double *rows, double *y,
                    const kb_flow_step *step, long from)
{
    int nsp = it->solvers->nsp;
    const double *energy = (step->enthalpy ? step->enthalpy : step->energy) + from;
    double R[KB_FOUND_AT_ONCE];
    kb_error err = {0};
    kb_gas_states gas = {n, y, energy, step->energy ? KB_CONST_V : KB_CONST_P, NULL, NULL, R};
    for (long i = 0; i < n; i++) {
        y[i * (nsp + 1)] = rows[i * (nsp + 2)];
        memcpy(y + i * (nsp + 1) + 1, rows + i * (nsp + 2) + 2, (size_t)nsp * sizeof *y);
    }
    if (it->solvers->gas(it->solvers, KB_SINGLE_ENGINE, &gas, &err))
        return kb_fail_as(&err);
    for (long i = 0; i < n; i++) {
        double *row = rows + i * (nsp + 2), T = y[i * (nsp + 1)];
        row[0] = !isfinite(energy[i]) ? NAN : T > 0 ? T : KB_T_REFUSED;
        if (step->density)
            row[1] = step->density[from + i] * R[i] * row[0];
    }
    return KB_SUCCESS;
}
