/* SPDX-License-Identifier: MIT
 *
 * The one exported symbol of a mechanism's solvers.so: everything that was compiled for it.
 */
#include <stdlib.h>
#include <string.h>
#include "base/processor_needs.h"
#include "solvers/chemistry/gas.h"
#include "solvers/cvode/cvode.h"
#include "solvers/engine_names.h"
#include "solvers/plugin_ode.h"
#include "solvers/run_time.h"

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
int kb_gas_scalar(const kb_gas_states *states), kb_gas_simd(const kb_gas_states *states);
int kb_micro_scalar(const double *states, long n, kb_micro *parts);
int kb_micro_simd(const double *states, long n, kb_micro *parts);

static int is_scalar(const char *engine)
{
    return !strcmp(engine, kb_engine_name[ENGINE_scalar]) ||
           !strcmp(engine, kb_engine_name[ENGINE_scalar_any]);
}

static int is_simd(const char *engine)
{
    return !strcmp(engine, kb_engine_name[ENGINE_simd]) ||
           !strcmp(engine, kb_engine_name[ENGINE_simd_any]);
}

static int evaluate(const kb_solvers *self, const char *engine, const kb_evaluation *e,
                    kb_error *err)
{
    kb_use_tables(self->tables);
    int scalar = is_scalar(engine);
    if (scalar || is_simd(engine)) {
        int code = scalar ? kb_evaluate_scalar(e) : kb_evaluate_simd(e);
        return code ? kb_fail(err, code, "no evaluations on %s: no memory, or a state beyond "
                              "its limits", engine) : KB_OK;
    }
    return kb_fail(err, KB_INVALID, "no single evaluations on engine '%s' (%s, %s)", engine,
                   kb_engine_name[ENGINE_scalar], kb_engine_name[ENGINE_simd]);
}

static int gas(const kb_solvers *self, const char *engine, const kb_gas_states *states,
               kb_error *err)
{
    kb_use_tables(self->tables);
    if (is_scalar(engine) ? kb_gas_scalar(states) : kb_gas_simd(states))
        return kb_fail(err, KB_INVALID, "no memory for the gas of %ld states", states->n);
    return KB_OK;
}

static int micro(const kb_solvers *self, const char *engine, const double *states, long n,
                 kb_micro *parts)
{
    kb_use_tables(self->tables);
    if (is_scalar(engine))
        return kb_micro_scalar(states, n, parts);
    return is_simd(engine) ? kb_micro_simd(states, n, parts) : 0;
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

static kb_solvers all = {
    .version = KB_SOLVERS_VERSION, .compiler = "gcc " __VERSION__, .flags = KB_FLAGS,
    .solvers = solvers, .evaluate = evaluate, .gas = gas,
    .micro = micro, .trajectory = kb_cvode_trajectory,
    .memory_new = kb_memory_new, .memory_free = kb_memory_free, .memory_lock = kb_memory_lock,
    .run_on_device = kb_run_on_device, .chain_on_device = kb_chain_on_device,
    .gpu_available = kb_gpu_available};

#ifdef KB_RUN_TIME
static const kb_solvers *open_file(const char *file, const char *thermo, const char *name,
                                   kb_error *err)
{
    return kb_run_time_open(&all, file, thermo, name, err);
}

__attribute__((visibility("default"))) const kb_run_time *kb_run_time_get(void)
{
    static const kb_run_time get = {KB_RUN_TIME_VERSION, open_file, kb_run_time_likeness};
    all.nsolvers = keep_possible();
    return &get;
}
#else
static const char *const species[] = {KB_SPECIES_NAMES};

const kb_solvers *kb_solvers_get(void)
{
    all.mech = KB_MECH_NAME;
    all.sha256 = KB_MECH_SHA256;
    all.nsp = NSP;
    all.nrxn = NENTRY;
    all.species = species;
    all.W = kb_W;
    all.data_from = KB_DATA_FROM;
    all.data_to = KB_DATA_TO;
    all.odes = &kb_plugin_odes_here;
    all.nsolvers = keep_possible();
    return &all;
}
#endif
