/* SPDX-License-Identifier: MIT
 *
 * A batch in parts, on one rank of several.
 */
#include <omp.h>
#include <string.h>

#include "drivers/ranks/mpi/job.h"

#define MANY 10000 /* ODEs; fewer are copied sooner than threads are started */
#define COPIERS 16 /* threads that fill the memory's bandwidth */

void job_solve(job_world *w, const job_header *h, const job_share *p, job_report *r)
{
    if (p->n == 0 || r->code)
        return;
    const kb_solver *solver = w->solvers->solvers[h->solver];
    kb_error err = {0};
    kb_job job = {.n = p->n, .states = p->states, .dt = h->dt, .reactor = (kb_reactor)h->reactor,
                  .rtol = h->rtol, .atol = h->atol, .options = h->has_options ? h->options : NULL,
                  .schedule = (kb_schedule)h->schedule, .threads = h->threads,
                  .max_substeps = h->max_substeps,
                  .stop = w->stop_here ? w->stop_here : &w->stop};
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

/* threads that copy n ODEs; always as many, since another number is a new team */
static int copiers(long n)
{
    int most = omp_get_max_threads();
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

/* ---- memory that rank 0 shares ---- */

static size_t shared_size(const job_world *w, long n)
{
    size_t nsp = (size_t)w->solvers->nsp;
    return (size_t)n * ((2 * nsp + 3) * sizeof(double) + sizeof(kb_count));
}

/* ODEs from `first` on of the `all` that it holds */
static job_share shared_part(const job_world *w, long all, long first, long n)
{
    long nsp = w->solvers->nsp;
    double *states = (double *)(void *)w->shared.base, *y = states + all * (nsp + 2);
    return (job_share){.n = n, .states = states + first * (nsp + 2), .y = y + first * (nsp + 1),
                      .count = (kb_count *)(void *)(y + all * (nsp + 1)) + first};
}

static void copy_states(const job_world *w, double *to, const double *from, long n)
{
    size_t width = (size_t)w->solvers->nsp + 2;
#pragma omp parallel for num_threads(copiers(n))
    for (long i = 0; i < n; i++)
        copy_rows(to + (size_t)i * width, from + (size_t)i * width, width);
}

/* results of n ODEs of a part to their places from `at` on */
static void copy_results(const job_world *w, kb_result *to, long at, const job_share *from, long n)
{
    size_t width = (size_t)w->solvers->nsp + 1;
#pragma omp parallel for num_threads(copiers(n))
    for (long i = 0; i < n; i++) {
        copy_rows(to->y + (size_t)(at + i) * width, from->y + (size_t)i * width, width);
        to->count[at + i] = from->count[i];
    }
}

/* ---- fixed parts ---- */

/* all on rank 0: states and results in the order of the ranks. Of static they are the caller's
 * arrays. */
typedef struct {
    long *order, *first;
    int *part;     /* [ranks x 2]: how many ODEs, and which is the first */
    int *many, *at; /* of messages; many 0 where memory is shared */
    job_share all;
} root_side;

static int shares(const job_world *w, int rank)
{
    return w->shared.base && w->shared.all_near[rank];
}

static void hand_out_shared(const root_side *root, const job_world *w, const job_header *h,
                            int ranks)
{
    long width = w->solvers->nsp + 2;
    for (int r = 1; r < ranks; r++)
        if (shares(w, r)) {
            job_share p = shared_part(w, h->n, root->first[r], 0);
            copy_states(w, p.states, root->all.states + root->first[r] * width,
                        root->first[r + 1] - root->first[r]);
        }
}

static void open_root(root_side *root, job_world *w, const job_header *h, const kb_job *job,
                      const kb_result *result, const double *cost, int ranks)
{
    size_t width = (size_t)w->solvers->nsp + 2;
    root->order = kb_alloc((size_t)h->n, sizeof *root->order);
    root->first = kb_alloc((size_t)ranks + 1, sizeof *root->first);
    root->part = kb_alloc((size_t)ranks, 2 * sizeof *root->part);
    root->many = kb_alloc((size_t)ranks, sizeof *root->many);
    root->at = kb_alloc((size_t)ranks, sizeof *root->at);
    kb_deal_out((kb_deal)h->deal, h->n, ranks, cost, root->order, root->first);
    for (int r = 0; r < ranks; r++) {
        root->part[2 * r] = (int)(root->first[r + 1] - root->first[r]);
        root->part[2 * r + 1] = root->at[r] = (int)root->first[r];
        root->many[r] = r && shares(w, r) ? 0 : root->part[2 * r];
    }
    if (h->deal == KB_DEAL_STATIC) {
        root->all = (job_share){.n = h->n, .states = (double *)job->states, .y = result->y,
                               .count = result->count};
        hand_out_shared(root, w, h, ranks);
        return;
    }
    root->all = w->shared.base ? shared_part(w, h->n, 0, h->n) : room_for(w, KEPT_ROOT, h->n);
#pragma omp parallel for num_threads(copiers(h->n))
    for (long i = 0; i < h->n; i++)
        copy_rows(root->all.states + (size_t)i * width,
                  job->states + (size_t)root->order[i] * width, width);
}

static void collect_root(const root_side *root, const job_world *w, const job_header *h,
                         kb_result *result, int ranks)
{
    size_t width = (size_t)w->solvers->nsp + 1;
    for (int r = 1; r < ranks && h->deal == KB_DEAL_STATIC; r++)
        if (shares(w, r)) {
            job_share p = shared_part(w, h->n, root->first[r], 0);
            copy_results(w, result, root->first[r], &p, root->first[r + 1] - root->first[r]);
        }
    if (h->deal == KB_DEAL_STATIC)
        return;
#pragma omp parallel for num_threads(copiers(h->n))
    for (long i = 0; i < h->n; i++) {
        copy_rows(result->y + (size_t)root->order[i] * width,
                  root->all.y + (size_t)i * width, width);
        result->count[root->order[i]] = root->all.count[i];
    }
}

static void close_root(root_side *root)
{
    free(root->order);
    free(root->first);
    free(root->part);
    free(root->many);
    free(root->at);
}

/* the rank's part of all: on rank 0, and in shared memory, where it is already */
static job_share part_of(job_world *w, const job_header *h, const root_side *root, int rank,
                        const int part[2])
{
    if (rank > 0)
        return w->shared.base ? shared_part(w, h->n, part[1], part[0])
                              : room_for(w, KEPT_PART, part[0]);
    return (job_share){.n = part[0], .states = root->all.states, .y = root->all.y,
                      .count = root->all.count};
}

void job_dealt(job_world *w, const job_header *h, const kb_job *job, kb_result *result,
               const double *cost, job_report *r)
{
    int rank, ranks, mine[2];
    root_side root = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    shared_room(&w->shared, shared_size(w, h->n));
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    if (rank == 0)
        open_root(&root, w, h, job, result, cost, ranks);
    MPI_Scatter(root.part, 2, MPI_INT, mine, 2, MPI_INT, 0, MPI_COMM_WORLD);
    job_share part = part_of(w, h, &root, rank, mine);
    int n = rank && w->shared.base ? 0 : mine[0];
    MPI_Scatterv(root.all.states, root.many, root.at, w->state,
                 rank ? part.states : MPI_IN_PLACE, n, w->state, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    double handed = MPI_Wtime();
    job_solve(w, h, &part, r);
    double in_place = time_in_place(handed, r), done = MPI_Wtime();
    MPI_Gatherv(rank ? part.y : MPI_IN_PLACE, n, w->result, root.all.y, root.many, root.at,
                w->result, 0, MPI_COMM_WORLD);
    MPI_Gatherv(rank ? (void *)part.count : MPI_IN_PLACE, n, w->count, root.all.count, root.many,
                root.at, w->count, 0, MPI_COMM_WORLD);
    long row = (2 * w->solvers->nsp + 3) * (long)sizeof(double) + (long)sizeof(kb_count);
    r->bytes = rank ? mine[0] * row : 0;
    if (rank == 0) {
        collect_root(&root, w, h, result, ranks);
        set_times(result, begin, handed, in_place, done);
        close_root(&root);
    }
}

/* ---- a queue ---- */

static long take(job_world *w)
{
    long one = 1, chunk;
    MPI_Fetch_and_op(&one, &chunk, MPI_LONG, 0, 0, MPI_SUM, w->queue);
    MPI_Win_flush(0, w->queue);
    return chunk;
}

/* takes chunks until there is none. Results into shared memory; or side by side in `done`, their
 * numbers in chunks. Returns how many ODEs. */
static long work(job_world *w, const job_header *h, const job_share *all, job_share *done,
                 long *chunks, int *nchunks, job_report *r)
{
    long nsp = w->solvers->nsp, sum = 0;
    for (long c = take(w); c * h->chunk < h->n; c = take(w)) {
        long at = c * h->chunk, n = at + h->chunk < h->n ? h->chunk : h->n - at;
        job_share part = {.n = n, .states = all->states + at * (nsp + 2),
                         .y = done->y + done->n * (nsp + 1), .count = done->count + done->n};
        if (w->shared.base)
            part = shared_part(w, h->n, at, n);
        job_solve(w, h, &part, r);
        sum += n;
        if (w->shared.base)
            continue;
        chunks[(*nchunks)++] = c;
        done->n += n;
    }
    return sum;
}

/* results of all ranks, side by side, to their places */
static void place(const job_world *w, const job_header *h, const job_share *all, const long *chunks,
                  int nchunks, kb_result *result)
{
    long width = w->solvers->nsp + 1, from = 0;
    for (int k = 0; k < nchunks; k++) {
        long at = chunks[k] * h->chunk, n = at + h->chunk < h->n ? h->chunk : h->n - at;
        memcpy(result->y + at * width, all->y + from * width,
               (size_t)(n * width) * sizeof *all->y);
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
    int ranks, rank, *many = NULL, *at = NULL, total;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    job_share all = {0};
    long *list = NULL;
    if (rank == 0) {
        all = room_for(w, KEPT_ROOT, h->n);
        many = kb_alloc((size_t)ranks, sizeof *many);
        at = kb_alloc((size_t)ranks, sizeof *at);
        list = kb_alloc((size_t)(h->n / h->chunk + 1), sizeof *list);
    }
    total = gather_counts(nchunks, ranks, many, at);
    MPI_Gatherv(chunks, nchunks, MPI_LONG, list, many, at, MPI_LONG, 0, MPI_COMM_WORLD);
    gather_counts((int)done->n, ranks, many, at);
    MPI_Gatherv(done->y, (int)done->n, w->result, all.y, many, at, w->result, 0, MPI_COMM_WORLD);
    MPI_Gatherv(done->count, (int)done->n, w->count, all.count, many, at, w->count, 0,
                MPI_COMM_WORLD);
    if (rank == 0 && w->shared.base) {
        job_share near = shared_part(w, h->n, 0, h->n);
        copy_results(w, result, 0, &near, h->n);
    }
    if (rank == 0)
        place(w, h, &all, list, total, result);
    free(many);
    free(at);
    free(list);
}

/* every rank has all states; returns them */
static job_share hand_out_all(job_world *w, const job_header *h, const kb_job *job, int rank)
{
    MPI_Comm to = w->shared.used ? w->shared.far : MPI_COMM_WORLD;
    job_share all = {.n = h->n, .states = job ? (double *)job->states : NULL};
    if (w->shared.base)
        all = shared_part(w, h->n, 0, h->n);
    else if (rank)
        all = room_for(w, KEPT_PART, h->n);
    if (w->shared.base && job)
        copy_states(w, all.states, job->states, h->n);
    if (to != MPI_COMM_NULL)
        MPI_Bcast(all.states, (int)h->n, w->state, 0, to);
    MPI_Barrier(MPI_COMM_WORLD);
    return all;
}

void job_queued(job_world *w, const job_header *h, const kb_job *job, kb_result *result,
                job_report *r)
{
    int rank, nchunks = 0;
    long nsp = w->solvers->nsp, none = 0, old;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    shared_room(&w->shared, shared_size(w, h->n));
    job_share done = room_for(w, KEPT_DONE, w->shared.base ? 0 : h->n);
    long *chunks = kb_alloc((size_t)(h->n / h->chunk + 2), sizeof *chunks);
    done.n = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    if (rank == 0) {
        MPI_Fetch_and_op(&none, &old, MPI_LONG, 0, 0, MPI_REPLACE, w->queue);
        MPI_Win_flush(0, w->queue);
    }
    job_share states = hand_out_all(w, h, job, rank);
    double handed = MPI_Wtime();
    long mine = work(w, h, &states, &done, chunks, &nchunks, r);
    double in_place = time_in_place(handed, r), finished = MPI_Wtime();
    collect(w, h, &done, chunks, nchunks, result);
    long moved = w->shared.base ? mine : h->n;
    r->bytes = rank ? moved * (nsp + 2) * (long)sizeof(double) +
                      mine * ((nsp + 1) * (long)sizeof(double) + (long)sizeof(kb_count)) : 0;
    free(chunks);
    if (rank == 0)
        set_times(result, begin, handed, in_place, finished);
}
