/* SPDX-License-Identifier: MIT
 *
 * accelerint-NAME on a GPU: an integrator of accelerInt (Curtis, Niemeyer, Sung, Combust. Flame 179
 * (2017) 312; github.com/SLACKHA/accelerInt) on the rates and the Jacobian that pyJac writes, one
 * ODE a thread. What is timed is what accelerInt's solver_main.cu times: copies on the host, to the
 * device and back, and the kernel. KB_SOLVER is the name; compiled by drivers/peers/build.
 */
/* accelerInt's files are compiled with these, for the counted ones below */
#undef dydt
#undef eval_jacob
#include <gpu_memory.cuh>
#include <header.cuh>

#include <dydt.cuh>
#ifndef KB_RATES_ONLY
#include <jacob.cuh>
#endif
#include <mass_mole.cuh>
#include <solver.cuh>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <omp.h>
#include <vector>

#include "solvers/plugins/accelerint/states.h"

__constant__ double kb_accelerint_atol, kb_accelerint_rtol;
/* of each ODE; the steps are counted by the integrators themselves, not by rkc */
__device__ int integrator_steps[DIVERGENCE_TEST];
__device__ int rhs_count[DIVERGENCE_TEST], jac_count[DIVERGENCE_TEST];

/* the integrators call these in place of dydt and eval_jacob */
__device__ void kb_dydt(const double t, const double p, const double *__restrict__ y,
                        double *__restrict__ dy, const mechanism_memory *__restrict__ memory)
{
    rhs_count[T_ID]++;
    dydt(t, p, y, dy, memory);
}

#ifndef KB_RATES_ONLY
__device__ void kb_eval_jacob(const double t, const double p, const double *__restrict__ y,
                              double *__restrict__ jac, const mechanism_memory *__restrict__ memory)
{
    jac_count[T_ID]++;
    eval_jacob(t, p, y, jac, memory);
}
#endif

/* a batch: states by columns, as accelerInt has them, species in pyJac's order without the last */
struct batch {
    long n;
    int padded; /* ODEs of a launch */
    solver_memory *solver, *solver_on_device;
    mechanism_memory *mech, *mech_on_device;
    std::vector<double> y, pressure, moved; /* moved: on its way to the device and back */
    std::vector<int> result, steps, rhs, jac;
};

static int refuse(const char *why)
{
    fprintf(stderr, "accelerint: %s\n", why);
    return 1;
}

static int check(const kb_plugin_job *job)
{
    if (job->species != NSP)
        return refuse("pyJac's mechanism has another number of species");
    if (job->constant_volume)
        return refuse("pyJac's code is for constant pressure");
    if (job->n > DIVERGENCE_TEST)
        return refuse("at most 2097152 ODEs");
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || !devices)
        return refuse("there is no GPU");
    return 0;
}

/* as many ODEs as 0.8 of the free memory holds, in whole blocks */
static int launch_size(long n)
{
    size_t each = required_mechanism_size() + required_solver_size(), available = 0, all = 0;
    cudaErrorCheck(cudaMemGetInfo(&available, &all));
    double most = floor(0.8 * (double)available / (double)each);
    double blocks = ceil(fmin((double)n, most) / TARGET_BLOCK_SIZE);
    return (int)blocks * TARGET_BLOCK_SIZE;
}

static void launch(batch *b, int n, double dt)
{
    intDriver<<<b->padded / TARGET_BLOCK_SIZE, TARGET_BLOCK_SIZE, SHARED_SIZE>>>(
        n, 0, dt, b->mech->var, b->mech->y, b->mech_on_device, b->solver_on_device);
}

static void load(batch *b, const kb_plugin_job *job)
{
    b->y.resize((size_t)b->n * NSP);
    b->pressure.resize((size_t)b->n);
#pragma omp parallel for
    for (long i = 0; i < b->n; i++)
        take_state(job, i, b->y.data(), b->pressure.data());
}

/* device memory, states and, by a launch without ODEs, the code of the kernel */
static void *start(const kb_plugin_job *job, kb_plugin_ode *)
{
    if (check(job))
        return nullptr;
    batch *b = new batch;
    b->n = job->n;
    cudaErrorCheck(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
    b->padded = launch_size(b->n);
    b->solver = new solver_memory;
    b->mech = new mechanism_memory;
    initialize_gpu_memory(b->padded, &b->mech, &b->mech_on_device);
    initialize_solver(b->padded, &b->solver, &b->solver_on_device);
    cudaErrorCheck(cudaMemcpyToSymbol(kb_accelerint_atol, &job->atol, sizeof job->atol));
    cudaErrorCheck(cudaMemcpyToSymbol(kb_accelerint_rtol, &job->rtol, sizeof job->rtol));
    for (std::vector<int> *v : {&b->result, &b->steps, &b->rhs, &b->jac})
        v->resize((size_t)b->n);
    b->moved.resize((size_t)b->padded * NSP);
    load(b, job);
    launch(b, 0, job->dt);
    cudaErrorCheck(cudaDeviceSynchronize());
    return b;
}

static void finish(void *self)
{
    batch *b = static_cast<batch *>(self);
    cleanup_solver(&b->solver, &b->solver_on_device);
    free_gpu_memory(&b->mech, &b->mech_on_device);
    delete b->solver;
    delete b->mech;
    delete b;
}

/* counts of the `n` ODEs of a launch; the counters go on over launches and begin at 0 again */
static void take_counts(batch *b, long from, int n)
{
    static const std::vector<int> zero(DIVERGENCE_TEST);
    size_t size = (size_t)n * sizeof(int);
    cudaErrorCheck(cudaMemcpyFromSymbol(&b->steps[from], integrator_steps, size));
    cudaErrorCheck(cudaMemcpyFromSymbol(&b->rhs[from], rhs_count, size));
    cudaErrorCheck(cudaMemcpyFromSymbol(&b->jac[from], jac_count, size));
    if (from + n == b->n)
        return;
    cudaErrorCheck(cudaMemcpyToSymbol(integrator_steps, zero.data(), size));
    cudaErrorCheck(cudaMemcpyToSymbol(rhs_count, zero.data(), size));
    cudaErrorCheck(cudaMemcpyToSymbol(jac_count, zero.data(), size));
}

/* a launch, as in solver_main.cu */
static void integrate_launch(batch *b, double dt, long from, int n)
{
    size_t pitch = (size_t)b->padded * sizeof(double), width = (size_t)n * sizeof(double);
    cudaErrorCheck(cudaMemcpy(b->mech->var, &b->pressure[from], width, cudaMemcpyHostToDevice));
    for (int k = 0; k < NSP; k++)
        memcpy(&b->moved[(size_t)k * b->padded], &b->y[from + k * b->n], width);
    cudaErrorCheck(cudaMemcpy2D(b->mech->y, pitch, b->moved.data(), pitch, width, NSP,
                                cudaMemcpyHostToDevice));
    launch(b, n, dt);
    cudaErrorCheck(cudaMemcpy(&b->result[from], b->solver->result, (size_t)n * sizeof(int),
                              cudaMemcpyDeviceToHost));
    cudaErrorCheck(cudaMemcpy2D(b->moved.data(), pitch, b->mech->y, pitch, width, NSP,
                                cudaMemcpyDeviceToHost));
    for (int k = 0; k < NSP; k++)
        memcpy(&b->y[from + k * b->n], &b->moved[(size_t)k * b->padded], width);
    take_counts(b, from, n);
}

static int integrate_batch(void *self, const kb_plugin_job *job, double *y, kb_plugin_work *work,
                           int32_t *status, char *, int)
{
    batch *b = static_cast<batch *>(self);
    for (long from = 0; from < b->n; from += b->padded)
        integrate_launch(b, job->dt, from, (int)fmin(b->n - from, b->padded));
#pragma omp parallel for
    for (long i = 0; i < b->n; i++) {
        give_state(b->y.data(), b->n, i, y + i * (NSP + 1));
        status[i] = b->result[i] ? status_of_code(b->result[i])
                                 : status_of_solution(y + i * (NSP + 1));
        work[i].attempted = work[i].accepted = b->steps[i];
        work[i].rhs = b->rhs[i];
        work[i].jac = b->jac[i];
    }
    return 0;
}

const kb_plugin_list *kb_plugin_get(void)
{
    static const kb_plugin_solver solver = {
        "accelerint-" KB_SOLVER, "accelerInt's " KB_SOLVER " on pyJac's rates and Jacobian",
        "Curtis et al., Combust. Flame 179 (2017) 312; github.com/SLACKHA/accelerInt", 1e-6, 1e-10,
        1, nullptr, start, finish, nullptr, integrate_batch};
    static const kb_plugin_list list = {KB_PLUGIN_VERSION, 1, &solver};
    return &list;
}
