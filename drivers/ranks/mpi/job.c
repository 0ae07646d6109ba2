/* SPDX-License-Identifier: MIT
 *
 * A batch in parts, on one rank of several.
 */
#include <string.h>

#include "drivers/ranks/mpi/job.h"

#define MANY 10000 /* ODEs; fewer are copied sooner than threads are started */

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
    r->lane_use += time * result.lane_use;
    r->busy += time;
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

static void copy_rows(double *to, const double *from, size_t width)
{
    memcpy(to, from, width * sizeof *to);
}

/* the times of a job at rank 0: handed out, done, collected */
static void set_times(kb_result *result, double begin, double handed, double done)
{
    double end = MPI_Wtime();
    result->total = end - begin;
    result->copy_in = handed - begin;
    result->kernel = done - handed;
    result->copy_out = end - done;
}

/* ---- fixed parts ---- */

/* all on rank 0: states and results in the order of the ranks, and counts and places for MPI. Of
 * static they are the caller's arrays: nothing is copied. */
typedef struct {
    long *order, *first;
    int *many, *at;
    job_share all;
} root_side;

static void open_root(root_side *root, job_world *w, const job_header *h, const kb_job *job,
                      const kb_result *result, const double *cost, int ranks)
{
    size_t width = (size_t)w->solvers->nsp + 2;
    root->order = kb_alloc((size_t)h->n, sizeof *root->order);
    root->first = kb_alloc((size_t)ranks + 1, sizeof *root->first);
    root->many = kb_alloc((size_t)ranks, sizeof *root->many);
    root->at = kb_alloc((size_t)ranks, sizeof *root->at);
    kb_deal_out((kb_deal)h->deal, h->n, ranks, cost, root->order, root->first);
    for (int r = 0; r < ranks; r++) {
        root->at[r] = (int)root->first[r];
        root->many[r] = (int)(root->first[r + 1] - root->first[r]);
    }
    if (h->deal == KB_DEAL_STATIC) {
        root->all = (job_share){.n = h->n, .states = (double *)job->states, .y = result->y,
                               .count = result->count};
        return;
    }
    root->all = room_for(w, KEPT_ROOT, h->n);
#pragma omp parallel for if (h->n > MANY)
    for (long i = 0; i < h->n; i++)
        copy_rows(root->all.states + (size_t)i * width,
                  job->states + (size_t)root->order[i] * width, width);
}

static void close_root(root_side *root, const job_world *w, const job_header *h,
                       kb_result *result)
{
    size_t width = (size_t)w->solvers->nsp + 1;
#pragma omp parallel for if (h->n > MANY)
    for (long i = 0; i < (h->deal == KB_DEAL_STATIC ? 0 : h->n); i++) {
        copy_rows(result->y + (size_t)root->order[i] * width,
                  root->all.y + (size_t)i * width, width);
        result->count[root->order[i]] = root->all.count[i];
    }
    free(root->order);
    free(root->first);
    free(root->many);
    free(root->at);
}

/* the rank's part of all: on rank 0 where it is already */
static job_share part_of(job_world *w, const root_side *root, int rank, int n)
{
    if (rank > 0)
        return room_for(w, KEPT_PART, n);
    return (job_share){.n = n, .states = root->all.states, .y = root->all.y,
                      .count = root->all.count};
}

void job_dealt(job_world *w, const job_header *h, const kb_job *job, kb_result *result,
               const double *cost, job_report *r)
{
    int rank, ranks, n;
    root_side root = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double begin = MPI_Wtime();
    if (rank == 0)
        open_root(&root, w, h, job, result, cost, ranks);
    MPI_Scatter(root.many, 1, MPI_INT, &n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    job_share part = part_of(w, &root, rank, n);
    MPI_Scatterv(root.all.states, root.many, root.at, w->state,
                 rank ? part.states : MPI_IN_PLACE, n, w->state, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    double handed = MPI_Wtime();
    job_solve(w, h, &part, r);
    MPI_Barrier(MPI_COMM_WORLD);
    double done = MPI_Wtime();
    MPI_Gatherv(rank ? part.y : MPI_IN_PLACE, n, w->result, root.all.y, root.many, root.at,
                w->result, 0, MPI_COMM_WORLD);
    MPI_Gatherv(rank ? (void *)part.count : MPI_IN_PLACE, n, w->count, root.all.count, root.many,
                root.at, w->count, 0, MPI_COMM_WORLD);
    long row = (2 * w->solvers->nsp + 3) * (long)sizeof(double) + (long)sizeof(kb_count);
    r->bytes = rank ? n * row : 0;
    if (rank == 0) {
        close_root(&root, w, h, result);
        set_times(result, begin, handed, done);
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

/* takes chunks until there is none; results side by side in `done`, their numbers in chunks */
static void work(job_world *w, const job_header *h, const job_share *all, job_share *done,
                 long *chunks, int *nchunks, job_report *r)
{
    long nsp = w->solvers->nsp;
    for (long c = take(w); c * h->chunk < h->n; c = take(w)) {
        long at = c * h->chunk, n = at + h->chunk < h->n ? h->chunk : h->n - at;
        job_share part = {.n = n, .states = all->states + at * (nsp + 2),
                         .y = done->y + done->n * (nsp + 1), .count = done->count + done->n};
        job_solve(w, h, &part, r);
        chunks[(*nchunks)++] = c;
        done->n += n;
    }
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
    if (rank == 0)
        place(w, h, &all, list, total, result);
    free(many);
    free(at);
    free(list);
}

void job_queued(job_world *w, const job_header *h, const kb_job *job, kb_result *result,
                job_report *r)
{
    int rank, nchunks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double begin = MPI_Wtime();
    job_share done = room_for(w, KEPT_DONE, h->n);
    long *chunks = kb_alloc((size_t)(h->n / h->chunk + 2), sizeof *chunks);
    done.n = 0;
    job_share states = {.n = h->n, .states = rank ? room_for(w, KEPT_PART, h->n).states
                                                 : (double *)job->states};
    if (rank == 0) {
        long none = 0, old;
        MPI_Fetch_and_op(&none, &old, MPI_LONG, 0, 0, MPI_REPLACE, w->queue);
        MPI_Win_flush(0, w->queue);
    }
    MPI_Bcast(states.states, (int)h->n, w->state, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    double handed = MPI_Wtime();
    work(w, h, &states, &done, chunks, &nchunks, r);
    MPI_Barrier(MPI_COMM_WORLD);
    double finished = MPI_Wtime();
    collect(w, h, &done, chunks, nchunks, result);
    long nsp = w->solvers->nsp;
    r->bytes = rank ? h->n * (nsp + 2) * (long)sizeof(double) +
                      done.n * ((nsp + 1) * (long)sizeof(double) + (long)sizeof(kb_count)) : 0;
    free(chunks);
    if (rank == 0)
        set_times(result, begin, handed, finished);
}
