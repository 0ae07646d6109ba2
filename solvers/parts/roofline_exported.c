/* SPDX-License-Identifier: MIT
 *
 * The one exported symbol of a mechanism's roofline.so.
 */
#include "base/processor_needs.h"
#include "solvers/portable/lane.h" /* KB_TABLE */
#include "constants.h"
#include "solvers/parts/roofline.h"

/* KB_PART_ENGINES(PART): the GPU engines of this build, given by make from engines.def */
#define PART(name) extern const kb_part_engine name;
KB_PART_ENGINES(PART)
#undef PART
void kb_roofline_count(const double *state, kb_part_work *work);
#if STRAIGHT_FITS
void kb_roofline_count_straight(const double *state, kb_part_work *work);
#define COUNT_STRAIGHT kb_roofline_count_straight
#else
#define COUNT_STRAIGHT NULL
#endif
double kb_roofline_core(void);
#ifdef KB_CUDA
int kb_roofline_device(kb_limits *limits, kb_error *err);
#define DEVICE kb_roofline_device
#else
#define DEVICE NULL
#endif

static const kb_part_engine *const engines[] = {
#define PART(name) &name,
    KB_PART_ENGINES(PART)
#undef PART
        NULL};

const kb_roofline *kb_roofline_get(void)
{
    static const kb_roofline all = {.version = KB_ROOFLINE_VERSION,
                                    .mech = KB_MECH_NAME,
                                    .sha256 = KB_MECH_SHA256,
                                    .nsp = NSP,
                                    .nengines = sizeof engines / sizeof *engines - 1,
                                    .engines = engines,
                                    .count = kb_roofline_count,
                                    .count_straight = COUNT_STRAIGHT,
                                    .core = kb_roofline_core,
                                    .device = DEVICE};
    return &all;
}
