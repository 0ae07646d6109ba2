/* SPDX-License-Identifier: MIT
 *
 * A batch in parts, on one rank of several.
 */
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "base/owned.h"
#include "drivers/ranks/mpi/job.h"
#include "solvers/engine_names.h"

#define MANY 10000 /* ODEs; fewer are copied sooner than threads are started */
#define COPIERS 16 /* threads that fill the memory's bandwidth */

/* Runs the solver on the part; adds to the report. next: of a job that is shared, or NULL. Returns
 * how many ODEs. */
static long solve(job_world *w, const job_header *h, const job_share *p, long *next, job_report *r)
{
    if (p->n == 0 || r->code)
        return 0;
    const kb_solver *solver = w->solvers->solvers[h->solver];
    kb_error err = {0};
    kb_job job = {.n = p->n,
                  .states = p->states,
                  .dt = h->dt,
                  .reactor = (kb_reactor)h->reactor,
                  .rtol = h->rtol,
                  .atol = h->atol,
                  .options = h->has_options ? h->options : NULL,
                  .schedule = (kb_schedule)h->schedule,
                  .threads = h->threads,
                  .max_substeps = h->max_substeps,
                  .stop = w->stop_here ? w->stop_here : &w->stop,
                  .next = next};
    kb_result result = {.y = p->y, .count = p->count};
    double begin = MPI_Wtime();
    r->code = solver->run(solver, &job, &result, &err);
    double time = MPI_Wtime() - begin;
    if (r->code)
        memcpy(r->text, err.text, sizeof r->text - 1);
    r->lane_use += result.total * result.lane_use;
    r->busy += result.total;
    r->setup += time - result.total;
    r->lanes = result.lanes;
    r->threads = result.threads;
    r->resident = result.resident;
    r->slices += result.slices;
    return next ? result.taken : p->n;
}

/* room for n ODEs, kept until another job needs more */
static job_share room_for(job_world *w, int slot, long n)
{
    const kb_solvers *s = w->solvers;
    job_share *p = &w->kept[slot];
    size_t nsp = (size_t)s->nsp, room = (size_t)(n > 0 ? n : 1);
    if (p->room < (long)room) {
        s->memory_free(p->states);
        s->memory_free(p->y);
        s->memory_free(p->count);
        *p = (job_share){.room = (long)room,
                         .states = kb_solvers_alloc(s, room * (nsp + 2), sizeof(double)),
                         .y = kb_solvers_alloc(s, room * (nsp + 1), sizeof(double)),
                         .count = kb_solvers_alloc(s, room, sizeof(kb_count))};
    }
    p->n = n;
    return *p;
}

/* threads that copy n ODEs of a job: those that it computes with */
static int copiers(const job_world *w, const job_header *h, long n)
{
    int gpu = kb_on_gpu(w->solvers->solvers[h->solver]->info.engine);
    int most = !gpu && h->threads > 0 ? h->threads : omp_get_max_threads();
    return n <= MANY ? 1 : most < COPIERS ? most : COPIERS;
}

static void copy_rows(double *to, const double *from, size_t width)
{
    memcpy(to, from, width * sizeof *to);
}

/* Time in place [s], when all ranks are done: of the last, without what its solver does before its
 * own time begins, as allocating (the time of one rank does not have that either) */
static double time_in_place(double handed, const job_report *r)
{
    double own = MPI_Wtime() - handed - r->setup, longest;
    MPI_Allreduce(&own, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return longest;
}

/* the times of a job at rank 0: handed out, done, collected */
static void set_times(kb_result *result, double begin, double handed, double in_place, double done)
{
    result->copy_in = handed - begin;
    result->kernel = in_place;
    result->copy_out = MPI_Wtime() - done;
    result->total = result->copy_in + result->kernel + result->copy_out;
}

/* ---- the arrays of a job ---- */

void job_reach(job_world *w, const job_header *h, const kb_job *job, const kb_result *result)
{
    w->whole = (job_share){.n = h->n};
    if (job) {
        w->whole.states = (double *)job->states;
        w->whole.y = result->y;
        w->whole.count = result->count;
    } else if (w->shared.near) {
        w->whole.states = shared_reach(&w->shared, &h->states);
        w->whole.y = shared_reach(&w->shared, &h->y);
        w->whole.count = shared_reach(&w->shared, &h->count);
        w->next = shared_reach(&w->shared, &h->next);
    }
    /* either all that are near rank 0 reach its arrays, or none uses them */
    int all, reached = !w->shared.near ||
                       (w->whole.states && w->whole.y && w->whole.count && w->next);
    if (job)
        reached = h->states.block.number && h->y.block.number && h->count.block.number &&
                  h->next.block.number;
    MPI_Allreduce(&reached, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (job && reached && !all && !w->told)
        fprintf(stderr,
                "note: ranks of this host cannot open the memory of rank 0 "
                "(/proc/%ld/fd): messages instead\n",
                w->shared.pid);
    w->told |= reached && !all;
    w->by_messages = !all;
    if (!all && !job)
        w->whole.states = NULL;
}

/* n ODEs of a share from `first` on */
static job_share rows_of(const job_world *w, const job_share *all, long first, long n)
{
    long nsp = w->solvers->nsp;
    return (job_share){.n = n,
                       .states = all->states + first * (nsp + 2),
                       .y = all->y + first * (nsp + 1),
                       .count = all->count + first};
}

/* states of the ODEs of a list, from all to part */
static void gather(const job_world *w, const job_header *h, const job_share *all, const long *list,
                   const job_share *part)
{
    size_t width = (size_t)w->solvers->nsp + 2;
#pragma omp parallel for num_threads(copiers(w, h, part->n))
    for (long i = 0; i < part->n; i++)
        copy_rows(part->states + (size_t)i * width, all->states + (size_t)list[i] * width, width);
}

/* and their results back */
static void scatter(const job_world *w, const job_header *h, const job_share *part,
                    const long *list, const job_share *all)
{
    size_t width = (size_t)w->solvers->nsp + 1;
#pragma omp parallel for num_threads(copiers(w, h, part->n))
    for (long i = 0; i < part->n; i++) {
        copy_rows(all->y + (size_t)list[i] * width, part->y + (size_t)i * width, width);
        all->count[list[i]] = part->count[i];
    }
}

/* does rank 0 send messages to that one? */
static int is_far(const job_world *w, int rank)
{
    return rank > 0 && (w->by_messages || !w->shared.all_near[rank]);
}

/* ---- fixed parts ---- */

/* what rank 0 knows of all; static has no order */
typedef struct {
    long *order, *first;
    int *part;        /* [ranks x 2]: how many ODEs, and which is the first */
    int *many, *at;   /* ODEs of each rank; */
    int *sent;        /* of them by messages */
    job_share packed; /* these, side by side: part of the arrays of a static job */
} root_side;

static void open_root(root_side *root, job_world *w, const job_header *h, const double *cost,
                      int ranks)
{
    int deal_static = h->deal == KB_DEAL_STATIC, far = 0;
    root->order = deal_static ? NULL : kb_alloc((size_t)h->n, sizeof *root->order);
    root->first = kb_alloc((size_t)ranks + 1, sizeof *root->first);
    root->part = kb_alloc((size_t)ranks, 2 * sizeof *root->part);
    root->many = kb_alloc((size_t)ranks, sizeof *root->many);
    root->sent = kb_alloc((size_t)ranks, sizeof *root->sent);
    root->at = kb_alloc((size_t)ranks, sizeof *root->at);
    kb_deal_out((kb_deal)h->deal, h->n, ranks, cost, root->order, root->first);
    for (int r = 0; r < ranks; r++) {
        root->part[2 * r] = root->many[r] = (int)(root->first[r + 1] - root->first[r]);
        root->part[2 * r + 1] = root->at[r] = (int)root->first[r];
        root->sent[r] = is_far(w, r) ? root->many[r] : 0;
        far |= is_far(w, r);
    }
    root->packed = deal_static ? w->whole : far ? room_for(w, KEPT_ROOT, h->n) : (job_share){0};
    for (int r = 1; r < ranks && far && !deal_static; r++) {
        job_share part = rows_of(w, &root->packed, root->first[r], root->sent[r]);
        gather(w, h, &w->whole, root->order + root->first[r], &part);
    }
}

static void close_root(root_side *root)
{
    free(root->order);
    free(root->first);
    free(root->part);
    free(root->many);
    free(root->sent);
    free(root->at);
}

/* which ODEs a rank has, but for static; NULL there */
static const long *list_of(job_world *w, const job_header *h, const root_side *root, int n)
{
    if (h->deal == KB_DEAL_STATIC)
        return NULL;
    if (w->list_room < n) {
        w->list = kb_realloc(w->list, (size_t)n, sizeof *w->list);
        w->list_room = n;
    }
    MPI_Scatterv(root->order, root->many, root->at, MPI_LONG, w->list, n, MPI_LONG, 0,
                 MPI_COMM_WORLD);
    return w->list;
}

/* the rank's part, without its states where they come by messages */
static job_share part_of(job_world *w, const job_header *h, const int mine[2], const long *list)
{
    if (w->whole.states && !list)
        return rows_of(w, &w->whole, mine[1], mine[0]);
    job_share part = room_for(w, KEPT_PART, mine[0]);
    if (w->whole.states)
        gather(w, h, &w->whole, list, &part);
    return part;
}

/* results by messages to rank 0, and those of all to their places */
static void collect_parts(job_world *w, const job_header *h, const root_side *root,
                          const job_share *part, const long *list, int sent)
{
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (w->whole.states && list)
        scatter(w, h, part, list, &w->whole);
    MPI_Gatherv(rank ? part->y : MPI_IN_PLACE, sent, w->result, root->packed.y, root->sent,
                root->at, w->result, 0, MPI_COMM_WORLD);
    MPI_Gatherv(rank ? (void *)part->count : MPI_IN_PLACE, sent, w->count, root->packed.count,
                root->sent, root->at, w->count, 0, MPI_COMM_WORLD);
    for (int r = 1; root->packed.y && r < ranks && list; r++) {
        job_share far = rows_of(w, &root->packed, root->first[r], root->sent[r]);
        scatter(w, h, &far, root->order + root->first[r], &w->whole);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* what others wrote into rank 0's arrays is there */
}

void job_dealt(job_world *w, const job_header *h, kb_result *result, const double *cost,
               job_report *r)
{
    int rank, ranks, mine[2];
    root_side root = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    if (rank == 0)
        open_root(&root, w, h, cost, ranks);
    MPI_Scatter(root.part, 2, MPI_INT, mine, 2, MPI_INT, 0, MPI_COMM_WORLD);
    const long *list = list_of(w, h, &root, mine[0]);
    job_share part = part_of(w, h, mine, list);
    int sent = w->whole.states ? 0 : mine[0];
    MPI_Scatterv(root.packed.states, root.sent, root.at, w->state,
                 rank ? part.states : MPI_IN_PLACE, sent, w->state, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    double handed = MPI_Wtime();
    solve(w, h, &part, NULL, r);
    double in_place = time_in_place(handed, r), done = MPI_Wtime();
    collect_parts(w, h, &root, &part, list, sent);
    long row = (2 * w->solvers->nsp + 3) * (long)sizeof(double) + (long)sizeof(kb_count);
    r->bytes = rank ? mine[0] * row : 0;
    if (rank == 0) {
        set_times(result, begin, handed, in_place, done);
        close_root(&root);
    }
}

/* ---- a queue ---- */

/* The counter is of ODEs. Lanes of CPU ranks on rank 0's host take from it themselves, so that none
 * waits before the end of the batch; GPUs take chunks, and ranks that do not reach it ask rank 0
 * for these. By messages to and fro: not every MPI has one-sided ones between hosts (Open MPI 4.1
 * over TCP has none). */

static long take(job_world *w, const job_header *h)
{
    return __atomic_fetch_add(w->next, h->chunk, __ATOMIC_RELAXED);
}

void job_answer(job_world *w, const job_header *h)
{
    int waiting;
    MPI_Status from;
    while (__atomic_load_n(&w->asking, __ATOMIC_ACQUIRE) > 0 &&
           !MPI_Iprobe(MPI_ANY_SOURCE, TAG_ASK, MPI_COMM_WORLD, &waiting, &from) && waiting) {
        MPI_Recv(NULL, 0, MPI_BYTE, from.MPI_SOURCE, TAG_ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        long first = take(w, h);
        MPI_Send(&first, 1, MPI_LONG, from.MPI_SOURCE, TAG_CHUNK, MPI_COMM_WORLD);
        if (first >= h->n)
            __atomic_fetch_sub(&w->asking, 1, __ATOMIC_RELEASE);
    }
}

/* the question, and the answer that comes while the chunk before is computed */
static MPI_Request ask(long *first)
{
    MPI_Request answer;
    MPI_Irecv(first, 1, MPI_LONG, 0, TAG_CHUNK, MPI_COMM_WORLD, &answer);
    MPI_Send(NULL, 0, MPI_BYTE, 0, TAG_ASK, MPI_COMM_WORLD);
    return answer;
}

/* the ODEs of the chunk that begins there */
static long chunk_at(const job_header *h, long first)
{
    return first >= h->n ? 0 : first + h->chunk < h->n ? h->chunk : h->n - first;
}

/* Asks rank 0 for chunks until there is none. Their results lie side by side in `done`, where they
 * begin in chunks. Returns how many ODEs. */
static long work_far(job_world *w, const job_header *h, const job_share *all, job_share *done,
                     long *chunks, int *nchunks, job_report *r)
{
    long next;
    MPI_Request answer = ask(&next);
    for (;;) {
        MPI_Wait(&answer, MPI_STATUS_IGNORE);
        long first = next, n = chunk_at(h, first);
        if (!n)
            return done->n;
        answer = ask(&next);
        job_share part = rows_of(w, all, first, n), place = rows_of(w, done, done->n, n);
        part.y = place.y;
        part.count = place.count;
        solve(w, h, &part, NULL, r);
        chunks[(*nchunks)++] = first;
        done->n += n;
    }
}

/* Takes from the counter until nothing is left; the results go to their places. Returns how many
 * ODEs. */
static long work_near(job_world *w, const job_header *h, job_report *r)
{
    int answers = w->asking > 0 && !w->served; /* between chunks */
    long sum = 0;
    if (w->solvers->solvers[h->solver]->info.shares && !answers)
        return solve(w, h, &w->whole, w->next, r);
    for (long first = take(w, h), n; (n = chunk_at(h, first)); first = take(w, h)) {
        job_share part = rows_of(w, &w->whole, first, n);
        sum += solve(w, h, &part, NULL, r);
        if (answers)
            job_answer(w, h);
    }
    while (answers && w->asking > 0)
        job_answer(w, h);
    return sum;
}

/* results of all ranks, side by side, to their places */
static void place(const job_world *w, const job_header *h, const job_share *all, const long *chunks,
                  int nchunks, kb_result *result)
{
    long width = w->solvers->nsp + 1, from = 0;
    for (int k = 0; k < nchunks; k++) {
        long at = chunks[k], n = chunk_at(h, at);
        memcpy(result->y + at * width, all->y + from * width, (size_t)(n * width) * sizeof *all->y);
        memcpy(result->count + at, all->count + from, (size_t)n * sizeof *all->count);
        from += n;
    }
}

/* counts of all ranks at rank 0, and where theirs begin; returns the sum */
static int gather_counts(int mine, int ranks, int *many, int *at)
{
    int sum = 0;
    MPI_Gather(&mine, 1, MPI_INT, many, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int r = 0; many && r < ranks; r++) {
        at[r] = sum;
        sum += many[r];
    }
    return sum;
}

static void collect(job_world *w, const job_header *h, job_share *done, const long *chunks,
                    int nchunks, kb_result *result)
{
    int ranks, rank, *many = NULL, *at = NULL, total, sent;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    job_share all = {0};
    long *list = NULL;
    if (rank == 0) {
        many = kb_alloc((size_t)ranks, sizeof *many);
        at = kb_alloc((size_t)ranks, sizeof *at);
        list = kb_alloc((size_t)(h->n / h->chunk + 1), sizeof *list);
    }
    total = gather_counts(nchunks, ranks, many, at);
    MPI_Gatherv(chunks, nchunks, MPI_LONG, list, many, at, MPI_LONG, 0, MPI_COMM_WORLD);
    sent = gather_counts((int)done->n, ranks, many, at);
    if (rank == 0)
        all = room_for(w, KEPT_ROOT, sent);
    MPI_Gatherv(done->y, (int)done->n, w->result, all.y, many, at, w->result, 0, MPI_COMM_WORLD);
    MPI_Gatherv(done->count, (int)done->n, w->count, all.count, many, at, w->count, 0,
                MPI_COMM_WORLD);
    if (rank == 0)
        place(w, h, &all, list, total, result);
    free(many);
    free(at);
    free(list);
}

/* every rank has all states; returns them */
static job_share hand_out_all(job_world *w, const job_header *h)
{
    MPI_Comm to = w->by_messages ? MPI_COMM_WORLD : w->shared.far;
    job_share all = w->whole.states ? w->whole : room_for(w, KEPT_PART, h->n);
    if (to != MPI_COMM_NULL)
        MPI_Bcast(all.states, (int)h->n, w->state, 0, to);
    MPI_Barrier(MPI_COMM_WORLD);
    return all;
}

/* rank 0: all ODEs are there to be taken */
static void open_queue(job_world *w, int ranks)
{
    int far = 0;
    for (int r = 1; r < ranks; r++)
        far += is_far(w, r);
    *w->next = 0;
    __atomic_store_n(&w->asking, far, __ATOMIC_RELEASE);
}

void job_queued(job_world *w, const job_header *h, kb_result *result, job_report *r)
{
    int rank, ranks, nchunks = 0;
    long nsp = w->solvers->nsp;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    job_share done = w->whole.states ? (job_share){0} : room_for(w, KEPT_ROOT, h->n);
    kb_owned long *chunks = kb_alloc((size_t)(h->n / h->chunk + 2), sizeof *chunks);
    done.n = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    if (rank == 0)
        open_queue(w, ranks);
    job_share states = hand_out_all(w, h);
    double handed = MPI_Wtime();
    long mine = w->whole.states ? work_near(w, h, r)
                                : work_far(w, h, &states, &done, chunks, &nchunks, r);
    double in_place = time_in_place(handed, r), finished = MPI_Wtime();
    collect(w, h, &done, chunks, nchunks, result);
    long moved = w->whole.states ? mine : h->n;
    r->bytes = rank ? moved * (nsp + 2) * (long)sizeof(double) +
                          mine * ((nsp + 1) * (long)sizeof(double) + (long)sizeof(kb_count))
                    : 0;
    if (rank == 0)
        set_times(result, begin, handed, in_place, finished);
}
