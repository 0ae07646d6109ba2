/* SPDX-License-Identifier: MIT
 *
 * team_run.c for methods that together call every function of the problem, in one file, since a
 * compiler takes seconds for the straight-line code of a mechanism. Exports run_METHOD of each.
 */
#include <pthread.h>
#include <stdlib.h>
#include "solvers/methods/rkc.h"
#include "solvers/methods/exp4.h"
#define KB_METHOD radau2a
#include "solvers/engines/engine.h"
#include "tests/team/team_run.h"

#define RUN(name) extern "C" void name(const team_job *job, double *y, kb_count *count)

#define KB_METHOD_OPTIONS RADAU2A_OPTIONS
#define KB_TEAM_RUN run_radau2a
namespace radau2a {
RUN(run_radau2a);
#include "tests/team/team_run.c"
}
#undef KB_METHOD
#undef KB_METHOD_OPTIONS
#undef KB_TEAM_RUN
#define KB_METHOD rkc
#define KB_METHOD_OPTIONS RKC_OPTIONS
#define KB_TEAM_RUN run_rkc
namespace rkc {
RUN(run_rkc);
#include "tests/team/team_run.c"
}
#undef KB_METHOD
#undef KB_METHOD_OPTIONS
#undef KB_TEAM_RUN
#define KB_METHOD exp4
#define KB_METHOD_OPTIONS EXP4_OPTIONS
#define KB_TEAM_RUN run_exp4
namespace exp4 {
RUN(run_exp4);
#include "tests/team/team_run.c"
}
