/* SPDX-License-Identifier: MIT
 *
 * plugin_host: the process in which bench runs a plug-in (solvers/plugins.h).
 *
 *     plugin_host describe|run FD plugin.so solvers.so
 *
 * FD is shared memory with a kb_plugin_call. Exit codes: 0, KB_INVALID with the reason in
 * call->error, KB_INTERRUPTED.
 */
#include <dlfcn.h>
#include <omp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "solvers/plugins.h"

static int fail(kb_plugin_call *call, const char *why)
{
    snprintf(call->error, sizeof call->error, "%s", why);
    return KB_INVALID;
}

static const kb_plugin_list *load(kb_plugin_call *call, const char *file)
{
    void *object = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!object) {
        fail(call, dlerror());
        return NULL;
    }
    void *symbol = dlsym(object, "kb_plugin_get");
    if (!symbol) {
        fail(call, "no symbol kb_plugin_get (solvers/plugin_api.h)");
        return NULL;
    }
    const kb_plugin_list *(*get)(void);
    memcpy(&get, &symbol, sizeof get);
    const kb_plugin_list *list = get();
    if (!list || list->version != KB_PLUGIN_VERSION || list->nsolvers < 1 ||
        list->nsolvers > KB_PLUGIN_SOLVERS) {
        fail(call, "not of this version of the interface, or without solvers (solvers/"
                   "plugin_api.h: build it again)");
        return NULL;
    }
    return list;
}

/* ---- what it is ---- */

static void copy_text(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from ? from : "");
}

static int describe_solver(const kb_plugin_solver *s, kb_plugin_description *d)
{
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    copy_text(d->name, sizeof d->name, s->name);
    copy_text(d->summary, sizeof d->summary, s->summary);
    copy_text(d->source, sizeof d->source, s->source);
    d->rtol = s->rtol;
    d->atol = s->atol;
    d->on_gpu = s->on_gpu != 0;
    for (const kb_plugin_option *o = s->options; o && o->name; o++) {
        if (d->noptions == KB_PLUGIN_OPTIONS)
            return -1;
        copy_text(d->option[d->noptions].name, sizeof d->option->name, o->name);
        copy_text(d->option[d->noptions].help, sizeof d->option->help, o->help);
        d->option[d->noptions++].value = o->value;
    }
    return *d->name && !d->name[strspn(d->name, good)] && s->rtol > 0 && s->atol > 0 &&
                   (s->integrate || s->integrate_batch) ? 0 : -1;
}

static int describe(kb_plugin_call *call, const kb_plugin_list *list)
{
    for (int i = 0; i < list->nsolvers; i++)
        if (describe_solver(&list->solvers[i], &call->solver[i]))
            return fail(call, "a solver needs a name of letters, digits, - and _, tolerances, "
                              "integrate or integrate_batch, and at most 16 options");
    call->nsolvers = list->nsolvers;
    return KB_OK;
}

/* ---- a run ---- */

typedef struct {
    const kb_plugin_solver *solver;
    const kb_plugin_odes *odes;
    kb_plugin_job job;
    kb_reactor reactor;
    double *y;
    kb_count *count;
    long *spoiled; /* 1 + an ODE whose solver wrote beyond y; 0: none */
} task;

/* ---- memory for a plug-in ---- */

/* FENCE: bytes beyond it that are looked at; GUARD: bytes beyond them without access */
enum { FENCE = 512, PATTERN = 0xa5, GUARD = 1 << 20 };

/* Memory between bytes of a pattern, and these between pages without access: a write just beyond it
 * is seen afterwards, one up to GUARD beyond it is a crash */
typedef struct {
    void *at;
    size_t size;
    unsigned char *first, *end; /* of the pages with access */
} fenced;

static int fenced_open(fenced *f, size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t room = (size + 2 * FENCE + page - 1) / page * page;
    unsigned char *all =
        mmap(NULL, room + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + GUARD, room, PROT_READ | PROT_WRITE))
        return -1;
    f->first = all + GUARD;
    f->end = f->first + room;
    f->size = size;
    f->at = f->end - FENCE - (size + 15) / 16 * 16;
    memset(f->first, PATTERN, room);
    memset(f->at, 0, size);
    return 0;
}

static bool holds_pattern(const unsigned char *from, const unsigned char *to)
{
    while (from < to && *from == PATTERN)
        from++;
    return from >= to;
}

static bool fenced_whole(const fenced *f)
{
    const unsigned char *at = f->at;
    return holds_pattern(at - FENCE, at) && holds_pattern(at + f->size, f->end);
}

/* A copy that can be read and not written; NULL without memory */
static const double *read_only(const double *from, size_t count)
{
    fenced f;
    if (fenced_open(&f, count * sizeof *from))
        return NULL;
    memcpy(f.at, from, count * sizeof *from);
    return mprotect(f.first, (size_t)(f.end - f.first), PROT_READ) ? NULL : f.at;
}

/* ---- its solvers ---- */

static kb_count count_of(const kb_plugin_work *w, int status)
{
    return (kb_count){w->attempted, w->accepted, w->rejected, w->rhs, w->jac, w->lu, w->solve,
                      status};
}

static void integrate_one(const task *t, void *self, kb_plugin_ode *ode, const fenced *own, long i)
{
    kb_plugin_work work = {0};
    double *y = own->at;
    int status = t->odes->load(ode, t->reactor, t->job.states + i * (t->job.species + 2), y);
    if (!status)
        status = t->solver->integrate(self, &t->job, ode, y, &work);
    t->count[i] = count_of(&work, status);
    memcpy(t->y + i * ode->unknowns, y, own->size);
    if (!fenced_whole(own))
#pragma omp atomic write
        *t->spoiled = i + 1;
}

static double clock_of(clockid_t clock)
{
    struct timespec t = {0};
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* [s] of this process and of the processes that it has started */
static double processor_time(void)
{
    char path[64];
    int child;
    clockid_t clock;
    double sum = clock_of(CLOCK_PROCESS_CPUTIME_ID);
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *children = fopen(path, "r");
    while (children && fscanf(children, "%d", &child) == 1)
        if (!clock_getcpuclockid(child, &clock))
            sum += clock_of(clock);
    if (children)
        fclose(children);
    return sum;
}

/* Returns the seconds of the loop, without what threads prepare; below 0: a thread could not.
 * call->threads becomes as many as OpenMP gave */
static double integrate_all(const task *t, kb_plugin_call *call)
{
    double begin = 0, end = 0;
    int missing = 0;
#pragma omp parallel num_threads(t->job.threads)
    {
        kb_plugin_ode *ode = t->odes->make();
        fenced y = {0};
        int bad = fenced_open(&y, (size_t)(t->job.species + 1) * sizeof(double));
        void *self = ode && t->solver->start ? t->solver->start(&t->job, ode) : NULL;
        if (bad || !ode || (t->solver->start && !self))
#pragma omp atomic
            missing++;
#pragma omp barrier
#pragma omp master
        {
            call->threads = omp_get_num_threads();
            call->cpu = -processor_time();
            begin = omp_get_wtime();
        }
#pragma omp for schedule(dynamic, 1)
        for (long i = 0; i < t->job.n; i++)
            if (!missing && !*t->job.stop)
                integrate_one(t, self, ode, &y, i);
#pragma omp master
        {
            end = omp_get_wtime();
            call->cpu += processor_time();
        }
        if (t->solver->finish && self)
            t->solver->finish(self);
        t->odes->end(ode);
    }
    return missing ? -1 : end - begin;
}

static int integrate_batch(const task *t, kb_plugin_call *call)
{
    size_t n = (size_t)t->job.n, unknowns = (size_t)t->job.species + 1;
    fenced y, works, states;
    if (fenced_open(&y, n * unknowns * sizeof(double)) ||
        fenced_open(&works, n * sizeof(kb_plugin_work)) ||
        fenced_open(&states, n * sizeof(int32_t)))
        return fail(call, "memory is out");
    const kb_plugin_work *work = works.at;
    const int32_t *status = states.at;
    void *self = t->solver->start ? t->solver->start(&t->job, NULL) : NULL;
    if (t->solver->start && !self)
        return fail(call, "start() failed");
    double begin = omp_get_wtime();
    call->cpu = -processor_time();
    int code = t->solver->integrate_batch(self, &t->job, y.at, works.at, states.at, call->error,
                                          sizeof call->error);
    call->total = omp_get_wtime() - begin;
    call->cpu += processor_time();
    if (t->solver->finish)
        t->solver->finish(self);
    memcpy(t->y, y.at, y.size);
    for (size_t i = 0; i < n; i++)
        t->count[i] = count_of(&work[i], status[i]);
    if (!fenced_whole(&y) || !fenced_whole(&works) || !fenced_whole(&states))
        return fail(call, "it wrote outside y, work or status of its batch");
    if (code && !*call->error)
        fail(call, "integrate_batch failed without a reason");
    return code ? KB_INVALID : KB_OK;
}

static int run_plugin_host(kb_plugin_call *call, const kb_plugin_list *list, const char *mech)
{
    kb_error err = {0};
    const kb_solvers *solvers = kb_solvers_open(mech, &err);
    if (!solvers)
        return fail(call, err.text);
    long spoiled = 0;
    const double *states = read_only(kb_plugin_states(call), (size_t)(call->n * (call->nsp + 2)));
    if (!states)
        return fail(call, "memory is out");
    task t = {.solver = &list->solvers[call->which], .odes = solvers->odes, .spoiled = &spoiled,
              .reactor = (kb_reactor)call->reactor, .y = kb_plugin_y(call),
              .count = kb_plugin_counts(call)};
    t.job = (kb_plugin_job){.n = call->n, .states = states, .dt = call->dt,
                            .rtol = call->rtol, .atol = call->atol,
                            .constant_volume = call->reactor == KB_CONST_V,
                            .threads = call->threads, .max_substeps = call->max_substeps,
                            .options = call->options, .species = call->nsp, .stop = &call->stop};
    if (!t.solver->integrate)
        return integrate_batch(&t, call);
    if (!t.odes)
        return fail(call, "these solvers have no rates for plug-ins");
    call->total = integrate_all(&t, call);
    if (spoiled) {
        snprintf(call->error, sizeof call->error, "it wrote outside the y of ODE %ld", spoiled - 1);
        return KB_INVALID;
    }
    return call->total < 0 ? fail(call, "start() failed, or memory is out") : KB_OK;
}

/* bench is gone: so is all that the plug-in has started */
static void end_group(int signal)
{
    (void)signal;
    kill(0, SIGKILL);
}

int main(int argc, char **argv)
{
    struct stat s;
    if (argc < 5 || fstat(atoi(argv[2]), &s) || s.st_size < (off_t)sizeof(kb_plugin_call)) {
        fprintf(stderr, "plugin_host: bench starts this program\n");
        return KB_INVALID;
    }
    signal(SIGTERM, end_group);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    /* a BLAS of its own threads lets them spin, and their processor time is the plug-in's */
    setenv("OPENBLAS_NUM_THREADS", "1", 0);
    kb_plugin_call *call = mmap(NULL, (size_t)s.st_size, PROT_READ | PROT_WRITE, MAP_SHARED,
                                atoi(argv[2]), 0);
    if (call == MAP_FAILED)
        return KB_INVALID;
    const kb_plugin_list *list = load(call, argv[3]);
    int code = !list                    ? KB_INVALID
               : strcmp(argv[1], "run") ? describe(call, list)
                                        : run_plugin_host(call, list, argv[4]);
    call->finished = 1;
    return !code && call->stop ? KB_INTERRUPTED : code;
}
