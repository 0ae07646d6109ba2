/* SPDX-License-Identifier: MIT
 *
 * The one exported symbol of a mechanism's solvers.so: everything that was compiled for it.
 */
#include <stdlib.h>
#include <string.h>
#include "base/processor_needs.h"
#include "solvers/portable/lane.h" /* KB_TABLE */
#include "constants.h"
#include "solvers/cvode/cvode.h"
#include "solvers/engine_names.h"
#include "solvers/plugin_ode.h"

/* the solvers of this build: written by make from methods.def and engines.def */
#define SOLVER(name) extern const kb_solver name;
#include "solvers.def"
#undef SOLVER

static const kb_solver *solvers[] = {
    &kb_cvode, &kb_cvode_klu, &kb_cvode_dense, &kb_cvode_paper,
#define SOLVER(name) &name,
#include "solvers.def"
#undef SOLVER
};

int kb_evaluate_scalar(const kb_evaluation *e), kb_evaluate_simd(const kb_evaluation *e);
int kb_micro_scalar(const double *states, long n, kb_micro *parts);
int kb_micro_simd(const double *states, long n, kb_micro *parts);

static int evaluate(const char *engine, const kb_evaluation *e, kb_error *err)
{
    int scalar = !strcmp(engine, kb_engine_name[ENGINE_scalar]);
    if (scalar || !strcmp(engine, kb_engine_name[ENGINE_simd])) {
        int code = scalar ? kb_evaluate_scalar(e) : kb_evaluate_simd(e);
        return code ? kb_fail(err, code, "no evaluations on %s: no memory, or a state beyond "
                              "its limits", engine) : KB_OK;
    }
    return kb_fail(err, KB_INVALID, "no single evaluations on engine '%s' (%s, %s)", engine,
                   kb_engine_name[ENGINE_scalar], kb_engine_name[ENGINE_simd]);
}

static int micro(const char *engine, const double *states, long n, kb_micro *parts)
{
    if (!strcmp(engine, kb_engine_name[ENGINE_scalar]))
        return kb_micro_scalar(states, n, parts);
    return strcmp(engine, kb_engine_name[ENGINE_simd]) ? 0 : kb_micro_simd(states, n, parts);
}

#ifdef KB_CUDA
void *kb_memory_new(size_t size);
void kb_memory_free(void *memory);
void kb_memory_lock(void *memory, size_t size);
int kb_run_on_device(const kb_solver *solver, const kb_job *job, kb_device_states *states,
                     kb_error *err);
int kb_chain_on_device(const kb_solver *solver, const kb_job *job, int steps, int nsp,
                       const double *W, kb_result *result, kb_error *err);
int kb_gpu_available(kb_error *err);
#else
#define kb_chain_on_device NULL
#define kb_run_on_device NULL
#define kb_gpu_available NULL
#define kb_memory_new malloc
#define kb_memory_free free
#define kb_memory_lock NULL
#endif

static const char *const species[] = {KB_SPECIES_NAMES};

/* leaves out those that this mechanism cannot have; returns how many are left */
static int keep_possible(void)
{
    int n = 0;
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++)
        if (solvers[i] && solvers[i]->info.name)
            solvers[n++] = solvers[i];
    for (size_t i = (size_t)n; i < sizeof solvers / sizeof *solvers; i++)
        solvers[i] = NULL;
    return n;
}

const kb_solvers *kb_solvers_get(void)
{
    static kb_solvers all = {
        .version = KB_SOLVERS_VERSION, .mech = KB_MECH_NAME, .sha256 = KB_MECH_SHA256,
        .compiler = "gcc " __VERSION__, .flags = KB_FLAGS, .nsp = NSP, .nrxn = NENTRY,
        .data_from = KB_DATA_FROM, .data_to = KB_DATA_TO,
        .species = species, .W = kb_W, .solvers = solvers, .evaluate = evaluate, .micro = micro,
        .trajectory = kb_cvode_trajectory,
        .memory_new = kb_memory_new, .memory_free = kb_memory_free,
        .memory_lock = kb_memory_lock,
        .run_on_device = kb_run_on_device, .chain_on_device = kb_chain_on_device,
        .gpu_available = kb_gpu_available,
        .odes = &kb_plugin_odes_here};
    all.nsolvers = keep_possible();
    return &all;
}
