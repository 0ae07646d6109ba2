/* SPDX-License-Identifier: MIT
 *
 * The engines cpu-scalar (KB_LANES 1) and cpu-simd (KB_LANES > 1) for one method: OpenMP threads
 * that take ODEs from one queue. Exports the kb_solver KB_SOLVER.
 */
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/float_environment.h"
#include "base/thread_room.h"
#include "solvers/engines/engine.h"
#include "solvers/engines/trail.h"

typedef struct {
    long *next, n; /* *next: the first ODE that nobody has taken */
    const volatile int *stop;
    long taken, lane_attempts, vector_attempts;
} queue;

/* ODEs that a thread has taken and no lane has: numbers that follow one another, and those that the
 * first pass leaves */
typedef struct {
    long first, end, id[2 * KB_LANES];
    int n;
    long taken;
    pass_work *pass; /* NULL: there is no first pass */
} supply;

/* A thread takes some vectors at once as long as many are left: where others write the counter too,
 * taking lasts as long as the first pass over a vector of few species. At the end it takes no more
 * than it needs, so that none has work left when others wait. */
enum { MOST_TAKEN = 32, MANY = 512 };

static void take(queue *q, int needed, supply *s)
{
    /* when this thread took the last time: another look would have to wait for the others */
    long taken = s->end ? s->end : __atomic_load_n(q->next, __ATOMIC_RELAXED);
    long vectors = (q->n - taken) / (MANY * KB_LANES);
    long most = KB_LANES * (vectors < MOST_TAKEN ? vectors : MOST_TAKEN);
    most = most < needed ? needed : most;
    s->first = __atomic_fetch_add(q->next, most, __ATOMIC_RELAXED);
    s->end = s->first + most < q->n ? s->first + most : q->n;
    s->taken += s->end > s->first ? s->end - s->first : 0;
}

/* With refill, a lane that is free takes the next ODE at once, or all lanes do when all are free:
 * those that begin together have attempts of like length and need a Jacobian or factors at the same
 * time. A thread tries both ways in turn, for rounds of some ODEs, and keeps the one that costs
 * less; where nearly all lanes are in use when they begin together, it does not try the other. What
 * comes of an ODE does not depend on it (docs/engines.md). With even attempts no lane computes what
 * another needs alone, and at once is best. */
enum { TOGETHER, AT_ONCE, WAYS };
enum { FIRST_ROUND = 2 * KB_LANES, TRIAL = 3 * KB_LANES, ROUND = 16 * KB_LANES }; /* ODEs */
enum { FIRST_TRIALS = 4, FIRST_PAUSE = 4, LONGEST_PAUSE = 64 };
#define NEARLY_ALL 0.9

#ifdef KB_EVEN_ATTEMPTS
enum { EVEN_ATTEMPTS = 1 };
#else
enum { EVEN_ATTEMPTS = 0 };
#endif

/* a thread has one vector of lanes, or with the option `float` two, whose attempts go together */
#ifdef KB_FLOAT_STEP
enum { MOST_VECTORS = FLOAT_VECTORS };
#else
enum { MOST_VECTORS = 1 };
#endif

#ifdef KB_FORCED
/* the forcing of a thread's vectors [MOST_VECTORS][N] and of the first pass [N] */
static _Thread_local lane *forcing;
#endif

typedef struct {
    const kb_ode *ode[MOST_VECTORS]; /* those of the thread; NULL: none, and of one lane */
    int way, trials;         /* that of this round; rounds by turns until they are compared */
    int begun, size, left;   /* whether this round has begun; its ODEs, those that have not ended */
    double cost[WAYS];       /* processor time of a unit of work, of the last rounds */
    double time, work, done; /* at the beginning of the round; done: work of all that ended */
    long vectors, lanes;     /* attempts of the round */
    int rounds, pause;       /* since the last trial; as many until the next */
} refill_rule;

static double thread_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* what lane l took for its ODE */
static double work_of(const kb_ode *o, int l)
{
    return KB_COST(lane_get(o->rhs, l), lane_get(o->jac, l), lane_get(o->lu, l),
                   lane_get(o->solve, l));
}

static double work_until_now(const refill_rule *r)
{
    double work = r->done;
    for (int k = 0; k < MOST_VECTORS && r->ode[k]; k++)
        for (int l = 0; l < KB_LANES; l++)
            if (mask_get(r->ode[k]->active, l))
                work += work_of(r->ode[k], l);
    return work;
}

static void begin_round(refill_rule *r)
{
    r->begun = 1;
    r->left = r->size;
    r->vectors = r->lanes = 0;
    r->time = thread_time();
    r->work = work_until_now(r);
}

static void end_round(refill_rule *r)
{
    double cost = (thread_time() - r->time) / (work_until_now(r) - r->work + 1e-30);
    r->cost[r->way] = r->cost[r->way] > 0 ? 0.5 * (r->cost[r->way] + cost) : cost;
    r->begun = 0;
    r->size = ROUND;
    if (r->way == TOGETHER && r->lanes > NEARLY_ALL * KB_LANES * r->vectors)
        return;
    if (!r->trials && ++r->rounds >= r->pause) {
        r->trials = 2;
        r->cost[TOGETHER] = r->cost[AT_ONCE] = 0; /* those of other ODEs */
        r->rounds = 0;
        r->pause = r->pause < LONGEST_PAUSE ? 2 * r->pause : LONGEST_PAUSE;
    } else if (!r->trials || !--r->trials) {
        r->way = r->cost[AT_ONCE] < r->cost[TOGETHER];
        return;
    }
    r->way = !r->way;
    r->size = TRIAL;
}

/* puts ODE k on lane l; an ODE with a shorter dt begins later, so that all end at run->dt */
static void load(const kb_run *run, const kb_batch *batch, long k, int l, kb_ode *o, lane *y)
{
    load_lane(run, batch, k, l, o, y);
    if (batch->dts)
        lane_put(&o->t, l, run->dt - batch->dts[k]);
}

/* the substeps to begin with, where the caller gave one, in place of the method's */
static void begin(const kb_run *run, const kb_batch *batch, const long *id, mask starting,
                  kb_ode *o)
{
    for (int l = 0; l < KB_LANES; l++)
        if (mask_get(starting, l) && batch->begin[id[l]] > 0)
            lane_put(&o->h, l, fmin(batch->begin[id[l]], run->dt - lane_get(o->t, l)));
}

/* writes ODE k on lane l out; h: its substep before the last attempt, which may have been shortened
 * to end at dt */
static void retire(const kb_batch *batch, long k, int l, kb_ode *o, const lane *y, double h)
{
    retire_lane(batch, k, l, o, y);
    if (batch->next_h)
        batch->next_h[k] = batch->count[k].status ? 0 : fmax(lane_get(o->h, l), h);
}

/* The first pass over n ODEs from `first` on, which ends some; the others are supplied, and keep
 * what was evaluated for them in their counters. Idle lanes have the first ODE. Not inlined: the
 * loop of attempts is the same code with and without it. */
__attribute__((noinline)) static void pass(const kb_run *run, const kb_batch *batch, long first,
                                           int n, supply *s, refill_rule *rule)
{
    kb_ode o = {0};
    pass_work *w = s->pass;
#ifdef KB_FORCED
    o.forcing = forcing + MOST_VECTORS * N;
#endif
    for (int l = 0; l < KB_LANES; l++)
        load(run, batch, l < n ? first + l : first, l, &o, w->y);
    lane dt = run->dt - o.t;
    mask done = pass_step(run, &o, w, o.status == 0.0);
    for (int l = 0; l < n; l++)
        if (mask_get(done, l)) {
            rule->done += work_of(&o, l);
            retire(batch, first + l, l, &o, w->y, lane_get(dt, l));
        } else {
            batch->count[first + l].rhs = (int32_t)lane_get(o.rhs, l);
            s->id[s->n++] = first + l;
        }
}

/* supplies `needed` ODEs; fewer at the end */
static void fill(const kb_run *run, const kb_batch *batch, queue *q, int needed, supply *s,
                 refill_rule *rule)
{
    while (s->n < needed && !(q->stop && *q->stop)) {
        int most = s->pass ? KB_LANES : needed - s->n;
        if (s->first >= s->end)
            take(q, most, s);
        if (s->first >= s->end)
            return;
        int n = s->end - s->first < most ? (int)(s->end - s->first) : most;
        if (s->pass)
            pass(run, batch, s->first, n, s, rule);
        for (int k = 0; k < n && !s->pass; k++)
            s->id[s->n++] = s->first + k;
        s->first += n;
    }
}

/* loads free lanes by the schedule; returns the new ones */
static mask load_lanes(const kb_run *run, const kb_batch *batch, queue *q, supply *s,
                       refill_rule *rule, long *id, kb_ode *o, lane *y)
{
    mask starting = mask_none();
    int idle = 0, k = 0;
    for (int l = 0; l < KB_LANES; l++)
        idle += !mask_get(o->active, l);
    if (idle < (batch->refill && rule->way == AT_ONCE ? 1 : KB_LANES) || !idle)
        return starting;
    fill(run, batch, q, idle, s, rule);
    for (int l = 0; l < KB_LANES && k < s->n; l++) {
        if (mask_get(o->active, l))
            continue;
        id[l] = s->id[k++];
        load(run, batch, id[l], l, o, y);
        if (s->pass) /* what it evaluated counts */
            lane_put(&o->rhs, l, batch->count[id[l]].rhs);
        mask_put(&starting, l, 1);
    }
    s->n -= k;
    memmove(s->id, s->id + k, (size_t)s->n * sizeof *s->id);
    if (KB_LANES > 1 && batch->refill && !EVEN_ATTEMPTS && !rule->begun)
        begin_round(rule);
    return starting;
}

static void park_idle(kb_ode *o, lane *y)
{
    int from = 0;
    while (!mask_get(o->active, from))
        from++;
    for (int l = 0; l < KB_LANES; l++)
        if (!mask_get(o->active, l))
            park_lane(l, from, o, y);
}

/* h: substeps before the last attempt */
static void retire_lanes(const kb_run *run, const kb_batch *batch, refill_rule *rule,
                         const long *id, kb_ode *o, const lane *y, lane h)
{
    mask done = o->active & ((o->status != 0.0) | not_(o->t < run->dt));
    if (!lane_any(done))
        return;
    for (int l = 0; l < KB_LANES; l++)
        if (mask_get(done, l)) {
            rule->done += work_of(o, l);
            rule->left--;
            retire(batch, id[l], l, o, y, lane_get(h, l));
        }
    if (rule->begun && rule->left <= 0)
        end_round(rule);
}

typedef struct {
    kb_ode o, before; /* before: as it began the attempt, where attempts are noted */
    int noted;
    kb_scalar h; /* before the attempt */
    METHOD_persistent persistent;
    METHOD_work *w;
    long id[KB_LANES];
} vector;

/* gives a vector ODEs; returns 0 when it has none and the queue is empty */
static int ready(const kb_run *run, const kb_batch *batch, queue *q, supply *s, refill_rule *rule,
                 vector *v)
{
    mask starting;
    do {
        starting = load_lanes(run, batch, q, s, rule, v->id, &v->o, v->w->y);
        /* impossible states end here */
        retire_lanes(run, batch, rule, v->id, &v->o, v->w->y, splat(0));
    } while (!lane_any(v->o.active) && lane_any(starting));
    if (!lane_any(v->o.active))
        return 0;
    park_idle(&v->o, v->w->y);
    if (v->noted)
        v->before = v->o;
    if (lane_any(starting))
        METHOD_init(run, &v->o, &v->persistent, v->w, starting);
    if (batch->begin && lane_any(starting))
        begin(run, batch, v->id, starting, &v->o);
    v->h = v->o.h;
    return 1;
}

static void attempt(const kb_run *run, vector *v)
{
#ifdef KB_FLOAT_STEP
    if (run->floats) {
        kb_ode *o[MOST_VECTORS];
        METHOD_persistent *persistent[MOST_VECTORS];
        METHOD_work *w[MOST_VECTORS];
        for (int k = 0; k < MOST_VECTORS; k++) {
            o[k] = &v[k].o;
            persistent[k] = &v[k].persistent;
            w[k] = v[k].w;
        }
        KB_FLOAT_STEP(run, o, persistent, w);
        return;
    }
#endif
    METHOD_step(run, &v->o, &v->persistent, v->w);
}

static int lanes_in_use(const kb_ode *o)
{
    int on = 0;
    for (int l = 0; l < KB_LANES; l++)
        on += mask_get(o->active, l);
    return on;
}

/* One thread: flat loop of attempts until the queue is empty and its lanes are done. trail: where
 * these are kept, or NULL */
static void drive(const kb_run *run, const kb_batch *batch, queue *q, METHOD_work *w,
                  pass_work *pass, void *dropped, kb_trail *trail)
{
    int n = run->floats ? MOST_VECTORS : 1;
    long vectors = 0, lanes = 0;
    vector v[MOST_VECTORS];
    supply s = {.pass = pass};
    refill_rule rule = {.way = EVEN_ATTEMPTS ? AT_ONCE : TOGETHER, .size = FIRST_ROUND,
                        .trials = FIRST_TRIALS, .pause = FIRST_PAUSE};
    memset(v, 0, sizeof v);
    for (int k = 0; k < n; k++) {
        v[k].w = &w[k];
        v[k].noted = trail != NULL;
        v[k].o.scratch = dropped;
#ifdef KB_FORCED
        v[k].o.forcing = forcing + k * N;
#endif
        if (KB_LANES > 1) /* one lane is kept in registers, since nothing points to it */
            rule.ode[k] = &v[k].o;
    }
    while (!(q->stop && *q->stop)) {
        int busy = 0;
        for (int k = 0; k < n; k++)
            busy += ready(run, batch, q, &s, &rule, &v[k]);
        if (!busy)
            break;
        attempt(run, v);
        for (int k = 0; k < n; k++) {
            int on = lanes_in_use(&v[k].o);
            if (!on)
                continue;
            vectors++;
            lanes += on;
            rule.vectors++;
            rule.lanes += on;
            if (trail)
                trail_note(trail, v[k].id, &v[k].o, &v[k].before);
            retire_lanes(run, batch, &rule, v[k].id, &v[k].o, v[k].w->y, v[k].h);
        }
    }
    __atomic_fetch_add(&q->vector_attempts, vectors, __ATOMIC_RELAXED);
    __atomic_fetch_add(&q->lane_attempts, lanes, __ATOMIC_RELAXED);
    __atomic_fetch_add(&q->taken, s.taken, __ATOMIC_RELAXED);
}

static const kb_option options[] = KB_METHOD_OPTIONS;
_Static_assert(sizeof options / sizeof *options <= KB_MAX_OPTIONS + 1,
               "kb_run.opt is too short");

/* a thread's drop_work, NULL: no memory */
static void *new_dropped(void)
{
#if KB_DROP_FACTORS
    return drop_new();
#else
    return NULL;
#endif
}

static int run_batch(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    if (kb_thread_room(job->threads ? job->threads : omp_get_max_threads(), err))
        return KB_INVALID;
    kb_run run = run_of(job, options, sizeof options / sizeof *options - 1);
    if (run.floats && run.drop > 0)
        return kb_fail(err, KB_INVALID, "%s: float=1 and drop=%g exclude each other",
                       self->info.name, run.drop);
    kb_batch batch = {job->n, job->states, result->y, result->count, job->schedule == KB_REFILL,
                      job->dts, job->begin, result->next_h};
#ifdef KB_FORCED
    batch.columns = columns_of(job);
#endif
    long own = 0;
    queue q = {.next = job->next ? job->next : &own, .n = job->n, .stop = job->stop};
    int threads = job->threads ? job->threads : omp_get_max_threads(), failed = 0, used = 0;
    kb_trail *trails = trails_of(result->trail, threads);
    double start = omp_get_wtime();
#pragma omp parallel num_threads(threads) reduction(+ : failed, used)
    {
        KB_HOLD_ENVIRONMENT();
        kb_use_tables(self->tables);
        used = 1; /* OpenMP may give fewer than were asked for */
        METHOD_work *w = KB_NEW_WORK(METHOD_work, run.floats ? MOST_VECTORS : 1);
        pass_work *early = run.pass ? KB_NEW_WORK(pass_work, 1) : NULL;
        void *dropped = run.drop > 0 ? new_dropped() : NULL;
#ifdef KB_FORCED
        forcing = kb_work_memory((MOST_VECTORS + 1) * (size_t)N * sizeof *forcing);
        if (!forcing) {
            free(w);
            w = NULL;
        }
#endif
        if (w && (early || !run.pass) && (dropped || !(run.drop > 0)))
            drive(&run, &batch, &q, w, early, dropped,
                  trails ? trails + omp_get_thread_num() : NULL);
        else
            failed++;
#ifdef KB_FORCED
        free(forcing);
#endif
        free(early);
        free(dropped);
        free(w);
    }
    result->total = result->kernel = omp_get_wtime() - start;
    trails_end(result->trail, trails, threads);
    result->copy_in = result->copy_out = 0;
    result->lanes = KB_LANES;
    result->threads = used;
    result->resident = (long)used * KB_LANES * (run.floats ? MOST_VECTORS : 1);
    result->taken = q.taken;
    result->lane_use = q.vector_attempts ? (double)q.lane_attempts / q.vector_attempts / KB_LANES
                                         : 1;
    if (failed)
        return kb_fail(err, KB_INVALID, "no memory for %d of %d threads of %s", failed, used,
                       self->info.name);
    if (job->stop && *job->stop)
        return kb_fail(err, KB_INTERRUPTED, "interrupted");
    return KB_OK;
}

#ifdef KB_RUN_TIME
static size_t bytes_per_ode(void) { return KB_WORK_SIZE(METHOD_work) / KB_LANES; }
#define BYTES .bytes = bytes_per_ode
#else
#define BYTES .info.bytes_per_ode = sizeof(METHOD_work) / KB_LANES
#endif

const kb_solver KB_SOLVER = {
    .info = {.name = KB_TEXT(KB_METHOD), .engine = KB_ENGINE, .options = options,
             .lanes = KB_LANES, .shares = 1, .steps_own = 1,
             KB_METHOD_INFO},
    .run = run_batch, BYTES};
