/* SPDX-License-Identifier: MIT
 *
 * scaling: replays the measured cost of each state of a database over many ranks, to see which
 * distribution of a batch holds which efficiency. Computes; measures nothing.
 *
 * Model: a rank integrates one ODE at a time and takes `unit` for each attempted substep. static,
 * cyclic and cost hand out fixed parts; cost knows the costs (an upper bound of what a prediction
 * can do). dynamic is drivers/ranks/mpi/job.c: ranks on the host of rank 0 take ODE after ODE from
 * a counter in its memory, which serves one at a time in `fetch`. A rank on another host asks rank
 * 0 for the next chunk when it begins one; rank 0 looks for questions every `poll` and answers them
 * one after another in `latency` each. Handing states out and collecting results is not in it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/options.h"
#include "base/owned.h"
#include "base/random.h"
#include "drivers/ranks/distribution.h"
#include "pasr/database/cost.h"
#include "pasr/database/recipe.h"

typedef struct {
    const char *db, *ranks, *out, *order;
    double unit, fetch, latency, poll;
    long n, per_rank;
    int parts, lanes, host_ranks;
    unsigned long long seed;
    bool json;
} settings;

#define AT(member) offsetof(settings, member)

static const kb_program_option options[] = {
    {"db", 'd', "FILE", KB_OPT_TEXT, AT(db), 0, 0, "!", 0,
     "database with measured costs (bench --write-cost, make dbinfo COST=1)"},
    {"ranks", 0, "LIST", KB_OPT_COUNTS, AT(ranks), "1 to 1000000", 0,
     "8,16,32,64,128,256,512,1024,2048,4096", 0, "numbers of ranks"},
    {"n", 'n', "NUMBER", KB_OPT_LONG, AT(n), "from 1", 0, ": all states", 0,
     "ODEs, strong scaling; another number than there are is drawn from them"},
    {"per-rank", 0, "NUMBER", KB_OPT_LONG, AT(per_rank), "1 to 2147483647", 0, 0, 0,
     "ODEs of each rank instead: weak scaling"},
    {"order", 0, "NAME", KB_OPT_TEXT, AT(order), "generated, shuffled", 0, "generated", 0,
     "order of the states"},
    {"seed", 0, "NUMBER", KB_OPT_LONG, AT(seed), "from 0", 0, "1", 0,
     "seed of shuffled and of drawn states"},
    {"unit", 0, "SECONDS", KB_OPT_NUMBER, AT(unit), "more than 0", "s", "1e-5", 0,
     "time of one substep"},
    {"host-ranks", 0, "NUMBER", KB_OPT_INT, AT(host_ranks), "1 to 1000000", 0, "64", 0,
     "ranks on each host"},
    {"fetch", 0, "SECONDS", KB_OPT_NUMBER, AT(fetch), "more than 0", "s", "1e-7", 0,
     "time to take an ODE from the counter on rank 0's host"},
    {"latency", 0, "SECONDS", KB_OPT_NUMBER, AT(latency), "more than 0", "s", "2e-6", 0,
     "time of an answer to another host"},
    {"poll", 0, "SECONDS", KB_OPT_NUMBER, AT(poll), "more than 0", "s", "1e-4", 0,
     "time between two looks for questions"},
    {"lanes", 0, "NUMBER", KB_OPT_INT, AT(lanes), "1 to 1024", 0, "8", 0,
     "lanes of the engine, for the size of chunks"},
    {"parts", 0, "NUMBER", KB_OPT_INT, AT(parts), "1 to 1000000", 0, "32", 0,
     "chunks of a rank, at most"},
    {"out", 'o', "FILE", KB_OPT_TEXT, AT(out), 0, 0, 0, 0, "table (.csv)"},
    {"json", 0, 0, KB_OPT_SWITCH, AT(json), 0, 0, 0, 0, "print JSON"},
    {0}};

static const kb_program scaling = {options, NULL,
    "Replays the measured costs of a database over 8 to 4096 ranks: efficiency of each "
    "distribution of a batch.\v"
    "Example: build/scaling --db h2.npy --ranks 8,64,512"};

/* ---- the model ---- */

/* when a rank takes ODEs next, as a heap, the earliest first */
typedef struct {
    double time;
    int rank;
} event;

static void sift(event *heap, int n, int at)
{
    for (int child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && heap[child + 1].time < heap[child].time;
        if (heap[at].time <= heap[child].time)
            return;
        event e = heap[at];
        heap[at] = heap[child];
        heap[child] = e;
    }
}

typedef struct {
    const settings *s;
    const double *cost;
    long n, next, chunk;    /* ODEs; the first that nobody has; of a chunk */
    double counter, server; /* when each is free */
    double *busy;           /* a rank of another host, until then */
} queue;

/* seconds of the next ODEs, at most `many` */
static double take(queue *q, long many)
{
    double work = 0;
    for (long end = q->next + many; q->next < end && q->next < q->n; q->next++)
        work += q->cost[q->next];
    return work;
}

/* On the host of rank 0: when the ODE is done that the rank takes then */
static double take_near(queue *q, double time)
{
    q->counter = fmax(time, q->counter) + q->s->fetch;
    return q->counter + take(q, 1);
}

/* Of another host: the chunk that it asks for then, which it begins when the one before is done.
 * Returns when it begins, and asks for the next. */
static double ask_far(queue *q, int rank, double time)
{
    double look = ceil(time / q->s->poll) * q->s->poll;
    q->server = fmax(look, q->server) + q->s->latency;
    double begin = fmax(q->busy[rank], q->server);
    q->busy[rank] = begin + take(q, q->chunk);
    return begin;
}

/* ODEs of a chunk, as drivers/ranks/mpi/ranks.c has it for one thread a rank */
static long chunk_of(const settings *s, long n, int ranks)
{
    return kb_deal_chunk(n, ranks, s->parts, s->lanes > 1 ? 32L * s->lanes : 4);
}

static double queue_time(const settings *s, const double *cost, long n, int ranks)
{
    kb_owned event *heap = kb_alloc((size_t)ranks, sizeof *heap);
    queue q = {s, cost, n, 0, chunk_of(s, n, ranks), 0, 0, kb_alloc((size_t)ranks, sizeof *q.busy)};
    double end = 0;
    for (int r = 0; r < ranks; r++)
        heap[r].rank = r;
    while (q.next < n) {
        int rank = heap->rank;
        bool near = rank < s->host_ranks;
        heap->time = near ? take_near(&q, heap->time) : ask_far(&q, rank, heap->time);
        end = fmax(end, near ? heap->time : q.busy[rank]);
        sift(heap, ranks, 0);
    }
    free(q.busy);
    return end;
}

static double dealt_time(kb_deal deal, const double *cost, long n, int ranks)
{
    kb_owned long *order = kb_alloc((size_t)n, sizeof *order);
    kb_owned long *first = kb_alloc((size_t)ranks + 1, sizeof *first);
    double end = 0;
    kb_deal_out(deal, n, ranks, cost, order, first);
    for (int r = 0; r < ranks; r++) {
        double sum = 0;
        for (long i = first[r]; i < first[r + 1]; i++)
            sum += cost[order[i]];
        end = fmax(end, sum);
    }
    return end;
}

/* work over ranks times the time of the last */
static double efficiency(const settings *s, kb_deal deal, const double *cost, long n, int ranks)
{
    double work = 0;
    for (long i = 0; i < n; i++)
        work += cost[i];
    double time = deal == KB_DEAL_DYNAMIC ? queue_time(s, cost, n, ranks)
                                          : dealt_time(deal, cost, n, ranks);
    return time > 0 ? work / (ranks * time) : 1;
}

/* ---- input and output ---- */

static void shuffle(kb_random *random, double *cost, long n)
{
    for (long i = n - 1; i > 0; i--) {
        long k = (long)kb_random_below(random, (uint64_t)i + 1);
        double c = cost[i];
        cost[i] = cost[k];
        cost[k] = c;
    }
}

/* Seconds of n ODEs in the order asked for: all states, or n that are drawn from them one by one */
static double *costs_of(const settings *s, const int64_t *measured, long states, long n)
{
    double *cost = kb_alloc((size_t)n, sizeof *cost);
    long *times = kb_alloc((size_t)states, sizeof *times), at = 0;
    kb_random random = {s->seed};
    for (long i = 0; i < n; i++)
        times[n == states ? i : (long)kb_random_below(&random, (uint64_t)states)]++;
    for (long i = 0; i < states; i++)
        for (; times[i]; times[i]--)
            cost[at++] = s->unit * (double)measured[i];
    if (!strcmp(s->order, "shuffled"))
        shuffle(&random, cost, n);
    free(times);
    return cost;
}

static void add_row(kb_csv *out, const settings *s, kb_deal deal, int ranks, long n, double e)
{
    long row = kb_csv_add(out);
    kb_csv_set(out, row, "kind", "simulated");
    kb_csv_set(out, row, "scaling", s->per_rank ? "weak" : "strong");
    kb_csv_set(out, row, "order", s->order);
    kb_csv_set(out, row, "distribution", kb_deal_names[deal]);
    kb_csv_number(out, row, "ranks", ranks, 0);
    kb_csv_number(out, row, "n", (double)n, 0);
    kb_csv_number(out, row, "efficiency", e, 6);
}

static void replay(const settings *s, const int64_t *measured, long states, int ranks, kb_csv *out)
{
    long n = s->per_rank ? s->per_rank * ranks : s->n ? s->n : states;
    kb_owned double *cost = costs_of(s, measured, states, n);
    if (!s->json)
        printf("%7d %9ld", ranks, n);
    for (int deal = 0; deal < KB_DEALS; deal++) {
        double e = efficiency(s, (kb_deal)deal, cost, n, ranks);
        if (!s->json)
            printf("  %7.3f", e);
        add_row(out, s, (kb_deal)deal, ranks, n, e);
    }
    if (!s->json)
        printf("\n");
}

static void print_heads(const settings *s, const char *about)
{
    printf("%s, %s, %s: efficiency\n  ranks      ODEs", s->db, about, s->order);
    for (int deal = 0; deal < KB_DEALS; deal++)
        printf("  %7s", kb_deal_names[deal]);
    printf("\n");
}

static int print_json(const settings *s, const char *about, const kb_csv *out, kb_error *err)
{
    json_auto_t *all = json_pack("{s:s, s:s, s:s, s:f, s:o}", "database", s->db, "costs", about,
                                 "order", s->order, "unit_s", s->unit, "rows", kb_json_rows(out));
    return kb_json_print(stdout, all, 6, err);
}

static int run(const settings *s, kb_error *err)
{
    kb_database db;
    kb_owned double *ranks = NULL;
    int nranks = 0;
    kb_owned char *about = NULL;
    kb_csv out;
    if (s->out && kb_same_file(s->db, s->out))
        return kb_fail(err, KB_INVALID, "%s: --out would take the place of the database", s->out);
    int code = kb_list_numbers("ranks", s->ranks, 1, &ranks, &nranks, err);
    code = code ? code : kb_database_read(&db, s->db, 0, false, err);
    if (code)
        return code;
    kb_owned int64_t *measured = kb_alloc((size_t)db.n, sizeof *measured);
    code = kb_cost_read(&db, measured, &about, err);
    if (code == KB_NOTHING)
        code = kb_fail(err, KB_INVALID, "%s has no measured costs (make dbinfo DB=%s COST=1 "
                       "measures them)", s->db, s->db);
    kb_csv_start(&out, "kind,scaling,order,distribution,ranks,n,efficiency");
    if (!code && !s->json)
        print_heads(s, about);
    for (int i = 0; i < nranks && !code; i++)
        replay(s, measured, db.n, (int)ranks[i], &out);
    if (!code && s->json)
        code = print_json(s, about, &out, err);
    if (!code && s->out)
        code = kb_csv_write(&out, s->out, err);
    kb_csv_free(&out);
    kb_database_free(&db);
    return code;
}

int main(int argc, char **argv)
{
    kb_error err = {0};
    settings s = {0};
    kb_program_parse(&scaling, argc, argv, &s);
    int code = run(&s, &err);
    return code ? kb_report("scaling", &err) : KB_OK;
}
