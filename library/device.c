/* SPDX-License-Identifier: MIT
 *
 * States in the memory of a GPU.
 */
#include "library/parts.h"

int kb_integrate_device(kb_integrator *it, long n, double *T, double *p, double *Y, double dt,
                        int *status, kb_work *work, void *stream)
{
    (void)status, (void)work, (void)stream;
    int code = kb_check_arrays(it, n, T, p, Y);
    code = code ? code : kb_check_dt(dt);
    if (code || n == 0)
        return code;
    if (!it->on_gpu)
        return kb_fail_with(KB_ERROR_DEVICE, "%s on %s takes arrays of the host: a GPU engine is "
                            "needed for device pointers", it->solver->info.name,
                            it->solver->info.engine);
    return kb_fail_with(KB_ERROR_DEVICE, "device pointers are not supported");
}
