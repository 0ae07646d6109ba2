/* SPDX-License-Identifier: MIT
 *
 * The one exported symbol of a mechanism's solvers.so: everything that was compiled for it.
 */
#include <stdlib.h>
#include <string.h>
#include "solvers/portable/lane.h" /* KB_TABLE */
#include "constants.h"
#include "solvers/cvode/cvode.h"
#include "solvers/solver.h"

#define METHOD(name)                                                                              \
    extern const kb_solver kb_##name##_scalar, kb_##name##_simd;
#include "solvers/methods.def"
#undef METHOD
#ifdef KB_CUDA
#define METHOD(name)                                                                              \
    extern const kb_solver kb_##name##_gpu_thread, kb_##name##_gpu_warp, kb_##name##_gpu_block;
#include "solvers/methods.def"
#undef METHOD
#endif

/* the variants that were asked for: written by make */
#define VARIANT(solver) extern const kb_solver solver;
#include "variants.def"
#undef VARIANT

int kb_evaluate_scalar(const kb_evaluation *e), kb_evaluate_simd(const kb_evaluation *e);
int kb_micro_scalar(const double *states, long n, kb_micro *parts);
int kb_micro_simd(const double *states, long n, kb_micro *parts);

static int evaluate(const char *engine, const kb_evaluation *e, kb_error *err)
{
    if (!strcmp(engine, "cpu-scalar"))
        return kb_evaluate_scalar(e);
    if (!strcmp(engine, "cpu-simd"))
        return kb_evaluate_simd(e);
    return kb_fail(err, KB_INVALID, "no single evaluations on engine '%s' (cpu-scalar, cpu-simd)",
                   engine);
}

static int micro(const char *engine, const double *states, long n, kb_micro *parts)
{
    if (!strcmp(engine, "cpu-scalar"))
        return kb_micro_scalar(states, n, parts);
    return strcmp(engine, "cpu-simd") ? 0 : kb_micro_simd(states, n, parts);
}

static const kb_solver *const solvers[] = {
    &kb_cvode, &kb_cvode_klu, &kb_cvode_lapack,
#define METHOD(name) &kb_##name##_scalar, &kb_##name##_simd,
#include "solvers/methods.def"
#undef METHOD
#ifdef KB_CUDA
#define METHOD(name) &kb_##name##_gpu_thread, &kb_##name##_gpu_warp, &kb_##name##_gpu_block,
#include "solvers/methods.def"
#undef METHOD
#endif
#define VARIANT(solver) &solver,
#include "variants.def"
#undef VARIANT
};

#ifdef KB_CUDA
void *kb_memory_new(size_t size);
void kb_memory_free(void *memory);
#else
#define kb_memory_new malloc
#define kb_memory_free free
#endif

static const char *const species[] = {KB_SPECIES_NAMES};

const kb_solvers *kb_solvers_get(void)
{
    static const kb_solvers all = {
        .version = KB_SOLVERS_VERSION, .mech = KB_MECH_NAME, .sha256 = KB_MECH_SHA256,
        .compiler = "gcc " __VERSION__, .flags = KB_FLAGS, .nsp = NSP, .nrxn = NENTRY,
        .species = species, .W = kb_W, .nsolvers = sizeof solvers / sizeof *solvers,
        .solvers = solvers, .evaluate = evaluate, .micro = micro,
        .trajectory = kb_cvode_trajectory,
        .memory_new = kb_memory_new, .memory_free = kb_memory_free};
    return &all;
}
