/* SPDX-License-Identifier: MIT
 *
 * Rank 0's solvers, and what the other ranks do meanwhile.
 */
#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/owned.h"
#include "drivers/ranks/cost.h"
#include "drivers/ranks/mpi/job.h"
#include "drivers/ranks/mpi/world.h"
#include "solvers/engine_names.h"

enum { KNOWN = 8 };                     /* batches */
enum { PARTS_CPU = 32, PARTS_GPU = 4 }; /* chunks of a rank, dynamic */

static kb_ranks here;
static job_world world;
static int may_stop; /* MPI may be called by two threads */

/* ---- start ---- */

/* entries of a folder whose names are `prefix` and then begin with a digit */
static int count_numbered(const char *path, const char *prefix)
{
    int n = 0;
    size_t length = strlen(prefix);
    DIR *folder = opendir(path);
    for (struct dirent *e; folder && (e = readdir(folder));)
        n += !strncmp(e->d_name, prefix, length) && strchr("0123456789", e->d_name[length]) &&
             e->d_name[length];
    if (folder)
        closedir(folder);
    return n;
}

/* GPUs of this host: CUDA_VISIBLE_DEVICES, or what the driver lists, by their PCI address or, in a
 * container without these, as files */
static int count_gpus(const char *visible)
{
    int n = 0;
    if (visible) {
        for (const char *p = visible; *p; p++)
            n += *p == ',';
        return *visible ? n + 1 : 0;
    }
    n = count_numbered("/proc/driver/nvidia/gpus", "");
    return n ? n : count_numbered("/dev", "nvidia");
}

/* the rank's GPU becomes its only one */
static int choose_gpu(int local)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    int n = count_gpus(visible);
    char number[64];
    if (n < 2)
        return n;
    const char *word = visible;
    for (int k = 0; visible && k < local % n; k++)
        word = strchr(word, ',') + 1;
    if (visible)
        snprintf(number, sizeof number, "%.*s", (int)strcspn(word, ","), word);
    else
        snprintf(number, sizeof number, "%d", local % n);
    setenv("CUDA_VISIBLE_DEVICES", number, 1);
    return n;
}

/* May MPI be called by two threads? KB_RANKS_ONE_THREAD=1, for tests: it is not asked for. */
static int thread_level(void)
{
    return getenv("KB_RANKS_ONE_THREAD") ? MPI_THREAD_FUNNELED : MPI_THREAD_MULTIPLE;
}

/* The ranks of this host, and which of them this is. KB_RANKS_HOSTS=n, for tests: as if they were
 * on n hosts. */
static MPI_Comm my_host(int rank, int *local)
{
    MPI_Comm host, part;
    const char *hosts = getenv("KB_RANKS_HOSTS");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, local);
    if (!hosts || atoi(hosts) < 2)
        return host;
    MPI_Comm_split(host, rank % atoi(hosts), rank, &part);
    MPI_Comm_free(&host);
    return part;
}

static int start(kb_error *err)
{
    int level, local, first;
    if (MPI_Init_thread(NULL, NULL, thread_level(), &level))
        return kb_fail(err, KB_INVALID, "MPI does not start");
    MPI_Comm_rank(MPI_COMM_WORLD, &here.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &here.ranks);
    shared_start(&world.shared, my_host(here.rank, &local));
    MPI_Comm_rank(world.shared.host, &first);
    first = first == 0;
    MPI_Allreduce(&first, &here.hosts, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    may_stop = level >= MPI_THREAD_MULTIPLE;
    here.world.rank = here.rank;
    here.world.ranks = here.ranks;
    int gpus = choose_gpu(local);
    if (here.rank == 0 && here.ranks > 1) {
        fprintf(stderr, "%d ranks on %d host%s", here.ranks, here.hosts,
                here.hosts == 1 ? "" : "s");
        if (gpus)
            fprintf(stderr, ", each with GPU (rank on its host) modulo %d", gpus);
        fprintf(stderr, "%s\n",
                may_stop ? ""
                         : "; this MPI has no threads: a time limit ends a "
                           "run between chunks only");
    }
    return KB_OK;
}

static void use_solvers(const kb_solvers *s)
{
    world.solvers = s;
    if (!s || world.state)
        return;
    world.shared.lock = s->memory_lock;
    MPI_Type_contiguous(s->nsp + 2, MPI_DOUBLE, &world.state);
    MPI_Type_contiguous(s->nsp + 1, MPI_DOUBLE, &world.result);
    MPI_Type_contiguous(sizeof(kb_count), MPI_BYTE, &world.count);
    MPI_Type_commit(&world.state);
    MPI_Type_commit(&world.result);
    MPI_Type_commit(&world.count);
}

/* ---- the others ---- */

static void nap(long us) { nanosleep(&(struct timespec){0, us * 1000}, NULL); }

/* beside a job: does rank 0 say stop? (TAG_STOP; 1: stop, 0: the job has ended) */
static void *listen(void *unused)
{
    int waiting = 0, word = 1;
    (void)unused;
    while (word) {
        while (!MPI_Iprobe(0, TAG_STOP, MPI_COMM_WORLD, &waiting, MPI_STATUS_IGNORE) && !waiting)
            nap(2000);
        MPI_Recv(&word, 1, MPI_INT, 0, TAG_STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        world.stop |= word;
    }
    return NULL;
}

static void serve_job(const job_header *h)
{
    job_report r = {0};
    pthread_t listener;
    world.stop = 0; /* before the listener, which may hear of a stop at once */
    int listening = may_stop && !pthread_create(&listener, NULL, listen, NULL);
    job_reach(&world, h, NULL, NULL);
    if (h->deal == KB_DEAL_DYNAMIC)
        job_queued(&world, h, NULL, &r);
    else
        job_dealt(&world, h, NULL, NULL, &r);
    MPI_Gather(&r, sizeof r, MPI_BYTE, NULL, 0, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (listening)
        pthread_join(listener, NULL);
    else if (may_stop) /* there was no thread for it: what rank 0 has said is not for later jobs */
        listen(NULL);
}

static int options_of(const kb_solver_info *info)
{
    int n = 0;
    while (info->options && info->options[n].name)
        n++;
    return n;
}

static uint64_t mark_text(uint64_t mark, const char *text)
{
    do
        mark = (mark ^ (unsigned char)*text) * 0x100000001b3; /* FNV-1a, with the end */
    while (*text++);
    return mark;
}

/* of the mechanism and of all that a job names by its number; 0: there are no solvers */
static uint64_t mark_of(const kb_solvers *s)
{
    if (!s)
        return 0;
    uint64_t mark = mark_text(0xcbf29ce484222325, s->sha256);
    for (int i = 0; i < s->nsolvers; i++) {
        const kb_solver_info *info = &s->solvers[i]->info;
        mark = mark_text(mark_text(mark, info->name), info->engine);
        for (int k = 0; k < options_of(info); k++)
            mark = mark_text(mark, info->options[k].name);
    }
    return mark | 1;
}

/* sleeps between jobs: rank 0 may need the cores for what it does alone */
static int serve(const kb_solvers *s)
{
    int code = KB_OK;
    use_solvers(s);
    for (;;) {
        int waiting = 0;
        job_header h;
        while (!MPI_Iprobe(0, TAG_JOB, MPI_COMM_WORLD, &waiting, MPI_STATUS_IGNORE) && !waiting)
            nap(200);
        MPI_Recv(&h, sizeof h, MPI_BYTE, 0, TAG_JOB, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (h.kind == JOB_MARK) {
            uint64_t mark = mark_of(s);
            MPI_Send(&mark, 1, MPI_UINT64_T, 0, TAG_MARK, MPI_COMM_WORLD);
            code = s ? KB_OK : KB_INVALID;
        } else if (h.kind == JOB_END || !s) {
            return code;
        } else if (h.kind == JOB_FORGET) {
            shared_forget(&world.shared, h.forget);
        } else {
            serve_job(&h);
        }
    }
}

/* ---- rank 0 ---- */

typedef struct {
    kb_solver solver; /* first: run() finds the rest by it */
    int number;
    kb_deal deal;
    /* what runs of the last few batches measured, found by the mark of their states */
    struct {
        uint64_t mark;
        double *cost;
    } known[KNOWN];
    int next; /* is replaced by the next new one */
    double *predicted;
} spread;

static void tell_all(const job_header *h)
{
    for (int r = 1; r < here.ranks; r++)
        MPI_Send(h, sizeof *h, MPI_BYTE, r, TAG_JOB, MPI_COMM_WORLD);
}

typedef struct {
    const job_header *h;
    const volatile int *stop;
    volatile int done;
} watch;

/* to those that listen */
static void say(int word)
{
    for (int r = 1; r < here.ranks; r++)
        MPI_Send(&word, 1, MPI_INT, r, TAG_STOP, MPI_COMM_WORLD);
}

/* beside a job on rank 0: answers ranks that ask for chunks, and hands a stop on */
static void *watch_stop(void *data)
{
    watch *w = data;
    int told = 0;
    while (!w->done) {
        if (!told && w->stop && *w->stop) {
            say(1);
            told = 1;
        }
        job_answer(&world, w->h);
        nap(world.asking > 0 ? 100 : 1000);
    }
    return NULL;
}

static void predict(const spread *s, const kb_job *job, double *cost)
{
    enum { SOME = 1024 };
    long width = world.solvers->nsp + 2;
#pragma omp parallel for schedule(dynamic)
    for (long at = 0; at < job->n; at += SOME)
        kb_deal_cost(world.solvers, &s->solver.info, job, job->states + at * width,
                     at + SOME < job->n ? SOME : job->n - at, cost + at);
}

static const double *costs_of(spread *s, const kb_job *job, uint64_t mark)
{
    if (s->deal != KB_DEAL_COST)
        return NULL;
    for (int k = 0; k < KNOWN; k++)
        if (s->known[k].cost && s->known[k].mark == mark)
            return s->known[k].cost;
    s->predicted = kb_realloc(s->predicted, (size_t)job->n, sizeof *s->predicted);
    predict(s, job, s->predicted);
    return s->predicted;
}

static void keep_costs(spread *s, const kb_job *job, const kb_result *result, uint64_t mark)
{
    int k = 0;
    if (s->deal != KB_DEAL_COST)
        return;
    while (k < KNOWN && !(s->known[k].cost && s->known[k].mark == mark))
        k++;
    if (k == KNOWN) {
        k = s->next;
        s->next = (s->next + 1) % KNOWN;
        s->known[k].mark = mark;
        s->known[k].cost = kb_realloc(s->known[k].cost, (size_t)job->n, sizeof(double));
    }
    for (long i = 0; i < job->n; i++)
        s->known[k].cost[i] = result->count[i].rhs;
}

/* the reports of all ranks, as one result */
static int sum_up(const job_report *all, kb_result *result, kb_error *err)
{
    double sum = 0, most = 0, lanes = 0;
    result->ranks = here.ranks;
    result->hosts = here.hosts;
    result->bytes = result->slices = result->resident = 0;
    for (int r = 0; r < here.ranks; r++) {
        if (all[r].code)
            return kb_fail(err, all[r].code, "rank %d: %.480s", r,
                           *all[r].text ? all[r].text : "its solver gave no reason");
        sum += all[r].busy;
        most = fmax(most, all[r].busy);
        lanes += all[r].lane_use;
        result->bytes += all[r].bytes;
        result->resident += all[r].resident;
        result->slices += all[r].slices;
        result->lanes = all[r].lanes ? all[r].lanes : result->lanes;
        result->threads = all[r].threads ? all[r].threads : result->threads;
    }
    result->imbalance = sum > 0 ? most * here.ranks / sum : 1;
    result->lane_use = sum > 0 ? lanes / sum : 1;
    return KB_OK;
}

static job_header header_of(const spread *s, const kb_job *job, const kb_result *result)
{
    int gpu = kb_on_gpu(s->solver.info.engine), threads = job->threads;
    /* at the end of a chunk lanes and blocks wait for its longest ODE: chunks are many times as
     * large as what is integrated side by side */
    int lanes = s->solver.info.lanes > 0 ? s->solver.info.lanes : 1;
    long unit = gpu ? 65536 : (lanes > 1 ? 32L * lanes : 4) * (threads > 0 ? threads : 1);
    job_header h = {.solver = s->number,
                    .reactor = job->reactor,
                    .schedule = job->schedule,
                    .threads = threads,
                    .deal = s->deal,
                    .n = job->n,
                    .dt = job->dt,
                    .rtol = job->rtol,
                    .atol = job->atol,
                    .max_substeps = job->max_substeps};
    h.chunk = kb_deal_chunk(job->n, here.ranks, gpu ? PARTS_GPU : PARTS_CPU, unit);
    size_t n = (size_t)job->n, nsp = (size_t)world.solvers->nsp;
    h.states = shared_find(&world.shared, job->states, n * (nsp + 2) * sizeof(double));
    h.y = shared_find(&world.shared, result->y, n * (nsp + 1) * sizeof(double));
    h.count = shared_find(&world.shared, result->count, n * sizeof(kb_count));
    h.next = shared_find(&world.shared, world.next, sizeof *world.next);
    h.has_options = job->options && options_of(&s->solver.info);
    for (int i = 0; h.has_options && i < options_of(&s->solver.info); i++)
        h.options[i] = job->options[i];
    return h;
}

static int run(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    spread *s = (spread *)self;
    if (options_of(&s->solver.info) > KB_JOB_OPTIONS)
        return kb_fail(err, KB_INVALID, "%s on %s has %d options; ranks take at most %d",
                       s->solver.info.name, s->solver.info.engine, options_of(&s->solver.info),
                       KB_JOB_OPTIONS);
    if (job->n > INT_MAX) /* messages of MPI count by int */
        return kb_fail(err, KB_INVALID, "ranks take %d ODEs at once at most, not %ld", INT_MAX,
                       job->n);
    job_header h = header_of(s, job, result);
    job_report mine = {0}, *all = kb_alloc((size_t)here.ranks, sizeof *all);
    watch w = {.h = &h, .stop = job->stop};
    pthread_t watcher;
    /* not timed: a flow code knows its cells */
    uint64_t mark = s->deal == KB_DEAL_COST
                        ? kb_deal_mark(job->states, job->n * (world.solvers->nsp + 2), job->dt)
                        : 0;
    tell_all(&h);
    world.served = may_stop && !pthread_create(&watcher, NULL, watch_stop, &w);
    world.stop_here = job->stop;
    job_reach(&world, &h, job, result);
    double begin = MPI_Wtime();
    const double *cost = costs_of(s, job, mark);
    double predicted = MPI_Wtime() - begin;
    if (s->deal == KB_DEAL_DYNAMIC)
        job_queued(&world, &h, result, &mine);
    else
        job_dealt(&world, &h, result, cost, &mine);
    result->total += predicted;
    result->copy_in += predicted;
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0, MPI_COMM_WORLD);
    w.done = 1;
    if (world.served)
        pthread_join(watcher, NULL);
    if (may_stop)
        say(0);
    int code = sum_up(all, result, err);
    if (!code)
        keep_costs(s, job, result, mark);
    free(all);
    return code;
}

static int agree(const kb_solvers *s, kb_error *err)
{
    job_header h = {.kind = JOB_MARK};
    int code = KB_OK;
    tell_all(&h);
    for (int r = 1; r < here.ranks; r++) {
        uint64_t mark;
        MPI_Recv(&mark, 1, MPI_UINT64_T, r, TAG_MARK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!code && mark != mark_of(s))
            code = kb_fail(err, KB_INVALID, "rank %d has %s (each host needs the same build, and "
                           "each rank the same options)", r,
                           mark ? "other solvers than rank 0" : "no solvers");
    }
    return code;
}

/* Memory that the ranks of this host reach, page-locked where there is a GPU; of the solvers where
 * the system gives none. */
static void *memory_new(size_t size)
{
    void *memory = shared_new(&world.shared, size);
    return memory ? memory : world.solvers->memory_new(size);
}

static void memory_free(void *memory)
{
    job_header h = {.kind = JOB_FORGET, .forget = shared_free(&world.shared, memory)};
    if (h.forget)
        tell_all(&h);
    else
        world.solvers->memory_free(memory);
}

static kb_solvers *wrapped; /* what wrap has made */

static const kb_solvers *wrap(const kb_solvers *s, kb_deal deal)
{
    kb_solvers *all = kb_alloc(1, sizeof *all);
    const kb_solver **list = kb_alloc((size_t)s->nsolvers, sizeof *list);
    use_solvers(s);
    if (!world.next)
        world.next = shared_new(&world.shared, sizeof *world.next);
    if (!world.next)
        world.next = kb_alloc(1, sizeof *world.next);
    for (int i = 0; i < s->nsolvers; i++) {
        spread *one = kb_alloc(1, sizeof *one);
        one->solver = *s->solvers[i];
        one->solver.run = run;
        one->solver.open = NULL; /* states go between ranks in each step */
        one->number = i;
        one->deal = deal;
        list[i] = &one->solver;
    }
    *all = *s;
    all->solvers = list;
    all->memory_new = memory_new;
    all->memory_free = memory_free;
    return wrapped = all;
}

static void unwrap(void)
{
    for (int i = 0; i < wrapped->nsolvers; i++) {
        kb_owned spread *one = (spread *)wrapped->solvers[i];
        for (int k = 0; k < KNOWN; k++)
            free(one->known[k].cost);
        free(one->predicted);
    }
    free((void *)wrapped->solvers);
    free(wrapped);
}

static void end(void)
{
    job_header h = {.kind = JOB_END};
    if (here.rank == 0 && !here.alike)
        tell_all(&h);
    if (wrapped)
        unwrap();
    shared_end(&world.shared);
    if (world.state) {
        MPI_Type_free(&world.state);
        MPI_Type_free(&world.result);
        MPI_Type_free(&world.count);
    }
    MPI_Finalize();
}

__attribute__((visibility("default"))) kb_ranks *kb_ranks_get(void);
kb_ranks *kb_ranks_get(void)
{
    here.version = KB_RANKS_VERSION;
    here.start = start;
    here.agree = agree;
    here.wrap = wrap;
    here.serve = serve;
    here.end = end;
    ranks_world(&here.world);
    return &here;
}
