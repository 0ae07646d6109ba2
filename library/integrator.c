/* SPDX-License-Identifier: MIT
 *
 * Integrators: a solver with its settings, and the memory of its calls.
 */
#include <math.h>
#include <omp.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "base/thread_room.h"
#include "library/inside.h"
#include "solvers/auto.h"
#include "solvers/engine_names.h"

/* ---- memory of a call ---- */

static void *new_memory(const kb_integrator *it, size_t size)
{
    return it->on_gpu ? it->solvers->memory_new(size) : malloc(size);
}

static void free_memory(const kb_integrator *it, void *memory)
{
    if (it->on_gpu && memory)
        it->solvers->memory_free(memory);
    else
        free(memory);
}

void kb_scratch_free(const kb_integrator *it, kb_scratch_memory *s)
{
    if (!s)
        return;
    free_memory(it, s->states);
    free_memory(it, s->y);
    free_memory(it, s->count);
    free(s);
}

static kb_scratch_memory *new_scratch(const kb_integrator *it, long n)
{
    size_t nsp = (size_t)it->solvers->nsp, count = (size_t)n;
    kb_scratch_memory *s = calloc(1, sizeof *s);
    if (!s || count > SIZE_MAX / 2 / sizeof(double) / (nsp + 2)) {
        free(s);
        return NULL;
    }
    s->n = n;
    s->states = new_memory(it, count * (nsp + 2) * sizeof *s->states);
    s->y = new_memory(it, count * (nsp + 1) * sizeof *s->y);
    s->count = new_memory(it, count * sizeof *s->count);
    if (s->states && s->y && s->count)
        return s;
    kb_scratch_free(it, s);
    return NULL;
}

kb_scratch_memory *kb_scratch_take(kb_integrator *it, long n)
{
    pthread_mutex_lock(&it->lock);
    kb_scratch_memory *s = it->unused;
    if (s)
        it->unused = s->next;
    pthread_mutex_unlock(&it->lock);
    if (s && s->n >= n)
        return s;
    kb_scratch_free(it, s);
    s = new_scratch(it, n);
    if (!s)
        kb_fail_with(KB_ERROR_MEMORY, "no memory for %ld states of %d species", n,
                     it->solvers->nsp);
    return s;
}

void kb_scratch_return(kb_integrator *it, kb_scratch_memory *s)
{
    pthread_mutex_lock(&it->lock);
    s->next = it->unused;
    it->unused = s;
    pthread_mutex_unlock(&it->lock);
}

/* ---- settings ---- */

#define WORTH_A_THREAD 2e-5 /* [s] of work: starting it takes some of that */

/* GNU OpenMP's threads are not there after a fork, and it would wait for them for ever */
static bool in_child;

static void after_fork(void)
{
    in_child = true;
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, after_fork);
}

int kb_threads_of(const kb_integrator *it)
{
    if (in_child)
        return 1;
    if (it->threads > 0)
        return it->threads;
    return omp_in_parallel() ? 1 : omp_get_max_threads();
}

static void *pass_gate(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Threads that can be started: starts and ends `more`, or, if there is no room for as many, half of
 * what there is room for: they need memory, too */
static int try_threads(int more)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t *thread = malloc((size_t)more * sizeof *thread);
    int n = 0;
    pthread_mutex_lock(&gate);
    while (thread && n < more && !pthread_create(&thread[n], NULL, pass_gate, &gate))
        n++;
    pthread_mutex_unlock(&gate);
    for (int k = 0; k < n; k++)
        pthread_join(thread[k], NULL);
    free(thread);
    return n < more ? n / 2 : n;
}

int kb_threads_there(int threads)
{
    static _Thread_local int here = 1; /* of the last call of this thread: OpenMP keeps them */
    kb_error err = {0};
    if (threads == 1)
        return 1;
    if (threads > here)
        threads = here + try_threads(threads - here);
    while (threads > 1 && kb_thread_room(threads, &err)) /* as the engines ask */
        threads /= 2;
    return here = threads;
}

/* A thread has a vector of lanes at least, and WORTH_A_THREAD of work if nobody asked for it */
int kb_threads_for(const kb_integrator *it, long n)
{
    int lanes = it->solver->info.lanes, most = kb_threads_of(it);
    double vectors = ceil((double)n / (lanes > 1 ? lanes : 1)), cost;
    __atomic_load(&it->cost, &cost, __ATOMIC_RELAXED);
    if (!it->threads && cost > 0)
        vectors = fmin(vectors, ceil((double)n * cost / WORTH_A_THREAD));
    return kb_threads_there(vectors < most ? (int)vectors : most);
}

int kb_check_arrays(const kb_integrator *it, long n, const void *T, const void *p, const void *Y)
{
    if (!it)
        return kb_fail_with(KB_ERROR_ARGUMENT, "the integrator is NULL");
    if (n < 0)
        return kb_fail_with(KB_ERROR_ARGUMENT, "n = %ld ODEs, expected 0 or more", n);
    if (n > 0 && (!T || !p || !Y))
        return kb_fail_with(KB_ERROR_ARGUMENT, "%s is NULL", !T ? "T" : !p ? "p" : "Y");
    return KB_SUCCESS;
}

int kb_check_dt(double dt)
{
    if (dt > 0 && isfinite(dt))
        return KB_SUCCESS;
    return kb_fail_with(KB_ERROR_ARGUMENT, "dt = %g s, expected more than 0", dt);
}

static const kb_solver *find_solver(const kb_solvers *s, const char *name, const char *engine)
{
    if (engine)
        return kb_solver_find(s, name, engine);
    const kb_solver *found = kb_solver_find(s, name, "cpu-simd");
    return found ? found : kb_solver_find(s, name, "cpu-scalar");
}

/* does an earlier solver have the method of solver i? */
static bool repeats(const kb_solvers *s, int i)
{
    for (int k = 0; k < i; k++)
        if (!strcmp(s->solvers[k]->info.name, s->solvers[i]->info.name))
            return true;
    return false;
}

/* what there is instead: the engines of that method, or the methods */
static int no_solver(const kb_solvers *s, const char *name, const char *engine)
{
    char list[512] = "";
    bool known = false;
    for (int i = 0; i < s->nsolvers; i++)
        known |= !strcmp(s->solvers[i]->info.name, name);
    for (int i = 0; i < s->nsolvers; i++) {
        const kb_solver_info *info = &s->solvers[i]->info;
        const char *word = known ? info->engine : info->name;
        size_t n = strlen(list);
        if (known ? !strcmp(info->name, name) : !repeats(s, i))
            snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "", word);
    }
    if (known)
        return kb_fail_with(KB_ERROR_DEVICE, "%s is not on engine '%s' in these solvers of %s "
                            "(it is on %s)", name, engine ? engine : "cpu", s->mech, list);
    return kb_fail_with(KB_ERROR_ARGUMENT, "there is no method '%s' (there are %s)", name, list);
}

/* choice, by the text of the method; allocates */
static int choose(kb_integrator *it, const char *method)
{
    kb_error err = {0};
    jmp_buf no_memory;
    if (setjmp(no_memory)) {
        kb_no_memory = NULL;
        return kb_fail_with(KB_ERROR_MEMORY, "no memory for an integrator");
    }
    kb_no_memory = &no_memory;
    int code = kb_solver_options(&it->solver->info, method, &it->choice, &err);
    kb_no_memory = NULL;
    return code ? kb_fail_as(&err) : KB_SUCCESS;
}

static int fill(kb_integrator *it, const char *method, const char *engine)
{
    char name[64];
    if (kb_is_auto(method))
        return kb_automatic_create(it, method, engine);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(method, ":"), method);
    it->solver = find_solver(it->solvers, name, engine);
    if (!it->solver)
        return no_solver(it->solvers, name, engine);
    const kb_solver_info *info = &it->solver->info;
    if (it->choice.rtol == 0)
        it->choice.rtol = info->rtol;
    if (it->choice.atol == 0)
        it->choice.atol = info->atol;
    it->on_gpu = kb_on_gpu(info->engine);
    it->refill = 1;
    return choose(it, method);
}

/* Results that the tolerances allow are states of the next call */
static kb_state_limits limits_of(const kb_choice *c)
{
    double slack = 10 * (c->rtol + c->atol);
    kb_state_limits limits = {fmax(KB_REPAIR_Y_MIN, fmin(KB_Y_MIN, -slack)),
                              fmin(KB_REPAIR_SUM, fmax(KB_SUM_TOLERANCE, slack))};
    return limits;
}

int kb_integrator_create(const kb_mechanism *m, const char *method, const char *engine,
                         double rtol, double atol, int reactor, kb_integrator **out)
{
    KB_HOLD_CALLER();
    if (!out || !m || !method)
        return kb_fail_with(KB_ERROR_ARGUMENT, "kb_integrator_create: %s is NULL",
                            !out ? "out" : !m ? "the mechanism" : "the method");
    *out = NULL;
    if (reactor != KB_CONSTANT_PRESSURE && reactor != KB_CONSTANT_VOLUME)
        return kb_fail_with(KB_ERROR_ARGUMENT, "reactor %d, expected KB_CONSTANT_PRESSURE or "
                            "KB_CONSTANT_VOLUME", reactor);
    if (!(atol >= 0 && atol <= 1))
        return kb_fail_with(KB_ERROR_ARGUMENT, "atol = %g, expected more than 0 and 1 at most (0: "
                            "the method's own)", atol);
    kb_integrator *it = calloc(1, sizeof *it);
    if (!it)
        return kb_fail_with(KB_ERROR_MEMORY, "no memory for an integrator");
    it->solvers = m->solvers;
    it->reactor = reactor == KB_CONSTANT_VOLUME ? KB_CONST_V : KB_CONST_P;
    it->choice = (kb_choice){.rtol = rtol, .atol = atol};
    pthread_mutex_init(&it->lock, NULL);
    int code = fill(it, method, engine);
    it->limits = limits_of(&it->choice);
    if (code)
        kb_integrator_free(it);
    else
        *out = it;
    return code;
}

void kb_integrator_free(kb_integrator *it)
{
    if (!it)
        return;
    while (it->unused) {
        kb_scratch_memory *s = it->unused;
        it->unused = s->next;
        kb_scratch_free(it, s);
    }
    pthread_mutex_destroy(&it->lock);
    kb_automatic_free(it);
    free(it->choice.options);
    free(it->choice.text);
    free(it);
}

static int set_whole(int *place, const char *name, double value, int most)
{
    if (!(value >= 0 && value <= most) || value != floor(value))
        return kb_fail_with(KB_ERROR_ARGUMENT, "%s = %g, expected a whole number from 0 to %d",
                            name, value, most);
    *place = (int)value;
    return KB_SUCCESS;
}

static int set_option(kb_integrator *it, const char *name, double value)
{
    const kb_option *o = it->solver->info.options;
    for (int i = 0; o && o[i].name; i++) {
        if (strcmp(o[i].name, name) || !isfinite(value))
            continue;
        if (!kb_option_allows(&o[i], value))
            return kb_fail_with(KB_ERROR_ARGUMENT, "%s = %g, expected %s from %g to %g", name,
                                value, o[i].kind == KB_WHOLE ? "a whole number" : "a number",
                                o[i].low, o[i].high);
        kb_error err = {0};
        double before = it->choice.options[i];
        it->choice.options[i] = value;
        if (!kb_options_agree(&it->solver->info, it->choice.options, it->solver->info.name, &err))
            return KB_SUCCESS;
        it->choice.options[i] = before;
        return kb_fail_as(&err);
    }
    return kb_fail_with(KB_ERROR_ARGUMENT, "no setting '%s' = %g of %s on %s", name, value,
                        it->solver->info.name, it->solver->info.engine);
}

static int set(kb_integrator *it, const char *name, double value)
{
    if (!strcmp(name, "layout"))
        return set_whole(&it->layout, name, value, KB_SPECIES_MAJOR);
    if (!strcmp(name, "threads"))
        return set_whole(&it->threads, name, value, 4096);
    if (!strcmp(name, "block"))
        return set_whole(&it->block, name, value, 1024);
    if (!strcmp(name, "max_substeps"))
        return set_whole(&it->max_substeps, name, value, INT32_MAX);
    if (!strcmp(name, "repair"))
        return set_whole(&it->repair, name, value, 1);
    if (it->automatic) /* which has the schedule of its choice, too */
        return kb_fail_with(KB_ERROR_ARGUMENT, "no setting '%s' = %g of auto (it has layout, "
                            "threads, block, max_substeps, repair)", name, value);
    if (!strcmp(name, "refill"))
        return set_whole(&it->refill, name, value, 1);
    return set_option(it, name, value);
}

int kb_integrator_set(kb_integrator *it, const char *name, double value)
{
    KB_HOLD_CALLER();
    if (!it || !name)
        return kb_fail_with(KB_ERROR_ARGUMENT, "kb_integrator_set: an argument is NULL");
    int code = set(it, name, value);
    if (!code)
        kb_automatic_forget(it);
    return code;
}
