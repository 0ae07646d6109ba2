/* SPDX-License-Identifier: MIT
 *
 * States in the memory of a GPU.
 */
#include "library/inside.h"

int kb_integrate_device(kb_integrator *it, long n, double *T, double *p, double *Y, double dt,
                        int *status, kb_work *work, void *stream)
{
    KB_HOLD_CALLER();
    int code = kb_check_arrays(it, n, T, p, Y);
    code = code ? code : kb_check_dt(dt);
    if (code || n == 0)
        return code;
    code = kb_choose_integrator(&it, n, dt, true);
    if (code)
        return code;
    if (!it->on_gpu || !it->solvers->run_on_device)
        return kb_fail_with(KB_ERROR_DEVICE, "%s on %s takes arrays of the host: a GPU engine is "
                            "needed for device pointers", it->solver->info.name,
                            it->solver->info.engine);
    kb_error err = {0};
    kb_job job = kb_job_of(it, n, dt);
    kb_device_states states = {.T = T, .p = p, .Y = Y, .by_species = it->layout == KB_SPECIES_MAJOR,
                               .limits = it->limits, .repair = it->repair, .status = status,
                               .count = (kb_count *)work, .stream = stream,
                               .nsp = it->solvers->nsp, .W = it->solvers->W};
    if (it->solvers->run_on_device(it->solver, &job, &states, &err))
        return kb_fail_as(&err);
    if (states.failed)
        return kb_fail_with(KB_ERROR_ODES, "%ld of %ld ODEs failed", states.failed, n);
    return KB_SUCCESS;
}
