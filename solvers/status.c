/* SPDX-License-Identifier: MIT */
#include "solvers/solver.h"

const char *kb_ode_status_name(int status)
{
    static const char *const names[KB_ODE_NSTATUS] = {
        "ok", "too many substeps", "step too small", "Newton failure", "not finite",
        "out of bounds"};
    return status >= 0 && status < KB_ODE_NSTATUS ? names[status] : "unknown status";
}
