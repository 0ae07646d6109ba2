/* SPDX-License-Identifier: MIT
 *
 * What a program sees of the solvers. One shared object is built for each mechanism
 * (build/mech/<name>/solvers.so); it exports kb_solvers().
 *
 * A job is n independent ODEs over one global step dt, each from a cold start, for one solver on
 * one engine.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"
#include "solvers/promise.h"
#include "solvers/states.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { KB_CONST_P, KB_CONST_V } kb_reactor;

/* how an ODE ended */
typedef enum {
    KB_ODE_OK = 0,
    KB_ODE_TOO_MANY,    /* substeps */
    KB_ODE_STEP_SMALL,  /* h below the smallest useful step */
    KB_ODE_NEWTON,      /* Newton or Krylov iteration failed */
    KB_ODE_NOT_FINITE,  /* the state itself was or became NaN or infinite */
    KB_ODE_BOUNDS,      /* T left its window, or the initial state is impossible */
    KB_ODE_NSTATUS
} kb_ode_status;
const char *kb_ode_status_name(int status); /* "ok", "too many substeps", ... */

/* per-ODE counters; attempted = accepted + rejected */
typedef struct {
    int32_t attempted, accepted, rejected, rhs, jac, lu, solve, status;
} kb_count;
/* the work that counts stand for, roughly as many right-hand sides as cost the same */
#define KB_COST(rhs, jac, lu, solve) ((rhs) + 2.0 * (jac) + (lu) + 0.3 * (solve))

typedef enum { KB_STATIC, KB_REFILL } kb_schedule;

/* One option of a solver: the table drives the command line, --help, the record and the docs. */
typedef enum { KB_REAL, KB_WHOLE } kb_option_kind;
typedef struct {
    const char *name, *help;
    double value, low, high; /* default; the range, whose ends belong to it */
    kb_option_kind kind;     /* KB_WHOLE: a whole number */
} kb_option;

typedef struct {
    const char *name;     /* "rodas4" */
    const char *engine;   /* a name of solvers/engines.def */
    const char *source;   /* paper and equations */
    const char *summary;  /* one line */
    int order;            /* of the propagated solution; 0: variable */
    double rtol, atol;    /* defaults (as in the source) */
    kb_promise promise;   /* of CVODE only that an inexact matrix is allowed */
    const kb_option *options; /* ends with name == NULL */
    int lanes;            /* ODEs side by side in one vector; 1 if none */
    int shares;           /* 1: several runs can share a job (kb_job.next) */
    int steps_own;        /* 1: reads kb_job.dts and begin, writes kb_result.next_h */
    size_t bytes_per_ode; /* working memory of one ODE */
} kb_solver_info;

typedef struct {
    long n;
    const double *states; /* n x (nsp + 2): T [K], p [Pa], Y [-]; row major */
    double dt;            /* [s] */
    kb_reactor reactor;
    double rtol, atol;
    const double *options; /* one value for each entry of the solver's table; NULL: defaults */
    kb_schedule schedule;
    int threads;          /* CPU threads; 0: all. GPU: threads of a block, 0: the engine's choice */
    long max_substeps;    /* attempted, one ODE; 0: 1,000,000 */
    const volatile int *stop; /* when it becomes non-zero the run ends early with KB_INTERRUPTED */
    /* NULL: the run does all ODEs. Else the number of the first that no run has taken, in memory of
     * several runs of this job, also in other processes: each takes ODEs until there is none, and
     * writes the results of these alone. For solvers that share. */
    long *next;
    /* NULL, or of solvers with steps_own one value for each ODE [n]: its dt [s], job.dt is the
     * longest; and the substep to begin with [s], 0: the method chooses it */
    const double *dts, *begin;
} kb_job;

/* ODEs first .. first + n - 1 of a GPU run: when their parts began [s since the run began], and
 * when all was done */
typedef struct {
    long first, n;
    double copy_in, kernel, copy_out, done;
} kb_slice;

/* The attempts of a run with the evaluations of the right-hand side in each: those of one ODE in
 * their sequence, those of different ODEs mixed */
typedef struct {
    int32_t ode, rhs;
} kb_attempt;
typedef struct {
    kb_attempt *attempt; /* allocated; the caller frees it */
    long n, room, most;  /* no more than `most` are kept: */
    int full;            /* 1: there were more */
} kb_trail;

typedef struct {
    double *y;       /* n x (nsp + 1): T, Y at dt; written whatever the status */
    kb_count *count; /* n */
    /* times [s]; a CPU engine leaves the copies 0. GPU: how long each part was under way; total is
     * less than their sum where parts of two slices overlap, and includes packing the slices */
    double total, copy_in, kernel, copy_out;
    double lane_use; /* active lane-attempts / all lane-attempts, 1 for one lane */
    int lanes, threads; /* as used */
    long slices;     /* GPU: into how many the batch was cut; 0 on a CPU */
    long resident;   /* ODEs that are worked on at once, if there are as many */
    long taken;      /* of a job that is shared: ODEs that this run did */
    /* the caller's, with room for most_slices, or NULL: the first slices of a GPU */
    kb_slice *timeline;
    long most_slices;
    kb_trail *trail; /* the caller's, or NULL; the CPU engines of our methods add their attempts */
    /* the caller's [n], or NULL; of solvers with steps_own: the substep that each ODE would take
     * next [s], as if none had been shortened to end at dt; 0: it failed. May be kb_job.begin */
    double *next_h;
    /* over MPI ranks (drivers/ranks); 0 without: largest busy time of a rank over their mean, bytes
     * between ranks */
    int ranks, hosts;
    double imbalance, bytes;
} kb_result;

typedef struct kb_solver {
    kb_solver_info info;
    /* of engines whose tables are read at run time (solvers/run_time.h): the tables, and
     * info.bytes_per_ode with those that this thread uses */
    const void *tables;
    size_t (*bytes)(void);
    /* KB_OK also when single ODEs failed (their status says so); KB_NOTHING with a message when the
     * engine is not there (no GPU); KB_INTERRUPTED when *job->stop was set. */
    int (*run)(const struct kb_solver *self, const kb_job *job, kb_result *result, kb_error *err);
    /* Many jobs with states, y and count in memory that the device reaches (cudaMalloc,
     * cudaMallocManaged); NULL: not on this engine. open makes what passes need: jobs of at most
     * shape->n ODEs and with its options, reactor, schedule and threads (its states may be NULL).
     * pass does one of them, after all that the device was given before, and is done with its
     * arrays when it returns. close also after a failure; run may be NULL. Return as run. */
    int (*open)(const struct kb_solver *self, const kb_job *shape, void **run, kb_error *err);
    int (*pass)(void *run, const kb_job *job, kb_result *result, kb_error *err);
    void (*close)(void *run);
} kb_solver;

/* One evaluation on one engine's lanes: for tests, validation and micro-benchmarks. y [n x
 * (nsp+1)], p [n]. dy [n x (nsp+1)] = d(T, Y)/dt [K/s, 1/s]. J, if not NULL, [n x (nsp+1) x
 * (nsp+1)] dense mass-form Jacobian, row major J[i][j] = d dy_i / d y_j at constant p (reactor
 * const p) or constant rho. For KB_CONST_V p is that of the state (T, rho, Y). wdot, if not NULL,
 * [n x nsp] in kmol/(m^3 s). x, if not NULL: x [n x (nsp+1)] = (I - gamma J)^-1 dy by the sparse
 * LU, gamma in s. */
typedef struct {
    long n;
    const double *y, *p;
    kb_reactor reactor;
    double gamma;
    double *dy, *wdot, *J, *x;
    /* NULL, or what each state must be within (states.h): KB_INVALID at the first vector of lanes
     * that has another, for which and beyond which nothing is written */
    const kb_state_limits *limits;
} kb_evaluation;

/* The ideal gas of n mixtures y [n x (nsp+1)] = (T, Y): each of h [J/kg], cp and R [J/(kg K)] may
 * be NULL or [n]. energy, if not NULL, [n]: T is found, from that in y on, at which the enthalpy
 * (KB_CONST_P) or the internal energy (KB_CONST_V) is energy [J/kg]; NAN where none is within
 * KB_T_MIN and KB_T_MAX. */
typedef struct {
    long n;
    double *y;
    const double *energy;
    kb_reactor reactor;
    double *h, *cp, *R;
} kb_gas_states;

typedef struct {
    const char *part; /* "rates", "rates+J", "LU", "solve" */
    double seconds;   /* of processor time for one ODE on one core: one sample */
} kb_micro;

/* n states in the memory of a GPU: T, p [n], Y [n x nsp], or [nsp x n] by species. Failed ODEs keep
 * theirs; p becomes that at constant volume. status, count [n]: NULL, or written. */
typedef struct {
    double *T, *p, *Y;
    int by_species;
    kb_state_limits limits; /* what they are checked against */
    int repair;             /* their fractions first */
    int *status;
    kb_count *count;
    void *stream; /* a cudaStream_t: what was put on it before is waited for */
    int nsp;
    const double *W; /* on the host */
    long failed;     /* is written: ODEs */
} kb_device_states;

typedef struct kb_solvers kb_solvers;
struct kb_solvers {
    int version; /* KB_SOLVERS_VERSION */
    const char *mech, *sha256, *compiler, *flags;
    int nsp, nrxn; /* nrxn: reaction entries of the mechanism */
    const char *const *species;
    const double *W; /* [kg/kmol] */
    int nsolvers;
    const kb_solver *const *solvers;
    /* engine: "cpu-scalar" or "cpu-simd" */
    int (*evaluate)(const kb_solvers *self, const char *engine, const kb_evaluation *e,
                    kb_error *err);
    int (*gas)(const kb_solvers *self, const char *engine, const kb_gas_states *states,
               kb_error *err);
    /* One sample of each part over the states; parts: room for 8; returns how many were written */
    int (*micro)(const kb_solvers *self, const char *engine, const double *states, long n,
                 kb_micro *parts);
    /* One reactor in time by CVODE without restarts: y at the m ascending times t [m], out
     * [m x (nsp+1)]; state [nsp+2]: T, p, Y. */
    int (*trajectory)(const kb_solvers *self, const double *state, kb_reactor reactor,
                      double rtol, double atol, long m, const double *t, double *out,
                      kb_error *err);
    /* Memory for the states, results and counts of jobs: page-locked where there is a GPU, whose
     * engines then copy without packing. NULL when there is none left. Freed by memory_free. */
    void *(*memory_new)(size_t size);
    void (*memory_free)(void *memory);
    /* Page-locks memory of the caller, for the same end, where it can; size 0: undoes it. NULL
     * without CUDA. */
    void (*memory_lock)(void *memory, size_t size);
    /* The job of a GPU solver on states of the device, in place (job->states is not read); NULL
     * without CUDA. Returns as kb_solver.run. */
    int (*run_on_device)(const kb_solver *solver, const kb_job *job, kb_device_states *states,
                         kb_error *err);
    /* The job `steps` times, each from the result of the one before and started cold, on a solver
     * that has passes: the states stay on the device, result (of zeros but for y, count and
     * timeline) as after kb_chain_run (drivers/bench/chain.h). NULL without CUDA. */
    int (*chain_on_device)(const kb_solver *solver, const kb_job *job, int steps, int nsp,
                           const double *W, kb_result *result, kb_error *err);
    /* KB_OK; KB_NOTHING and why there is no GPU to run on. NULL: built without CUDA */
    int (*gpu_available)(kb_error *err);
    const struct kb_plugin_odes *odes; /* for plug-ins (solvers/plugin_ode.h); NULL: none */
    double data_from, data_to; /* every species has thermo data between [K] */
    const void *tables;        /* as kb_solver.tables */
    void (*close)(const kb_solvers *self); /* NULL: they stay until the program ends */
};

#define KB_SOLVERS_VERSION 16
const kb_solvers *kb_solvers_get(void); /* the one exported symbol */

/* Loading (solvers/load.c): opens build/mech/<name>/solvers.so or a path that ends in .so; or reads
 * a mechanism, "[name=]file.yaml" or "[name=]mech.inp,therm.dat", for the engines of
 * build/any/solvers.so, or of the file that KB_ANY names in the environment */
const kb_solvers *kb_solvers_open(const char *path, kb_error *err);
/* whether it reads a mechanism; and that with the engines of another file */
bool kb_is_mechanism_file(const char *path);
const kb_solvers *kb_solvers_read(const char *engines, const char *path, kb_error *err);
/* n items of the solvers' memory, all 0; the program ends where there is none, as with kb_alloc */
void *kb_solvers_alloc(const kb_solvers *s, size_t n, size_t size);
/* Of n states that are rows of nsp + 2 numbers, as in kb_job: how many have a T beyond the thermo
 * data of a species, where cp goes on as a straight line (mech/thermo/thermo.h) */
long kb_states_beyond(const kb_solvers *s, const double *states, long n);
/* s and n solvers more of the same mechanism */
const kb_solvers *kb_solvers_with(const kb_solvers *s, const kb_solver *const *more, int n);
/* NULL if there is none of that name on that engine; of a mechanism that was read cpu-simd stands
 * for cpu-simd-any, and so on */
const kb_solver *kb_solver_find(const kb_solvers *s, const char *name, const char *engine);

#ifdef __cplusplus
}
#endif
