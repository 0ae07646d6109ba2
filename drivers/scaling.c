/* SPDX-License-Identifier: MIT
 *
 * scaling: replays the measured cost of each state of a database over many ranks, to see which
 * distribution of a batch holds which efficiency. Computes; measures nothing.
 *
 * Model: a rank integrates one ODE at a time and takes `unit` for each attempted substep. static,
 * cyclic and cost hand out fixed parts; cost knows the costs (an upper bound of what a prediction
 * can do). dynamic: a free rank takes the next chunk from a counter, which serves one rank at a
 * time and takes `latency` for each. Handing states out and collecting results is not in it.
 */
#include <argp.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arguments.h"
#include "base/csv.h"
#include "base/random.h"
#include "drivers/ranks/distribution.h"
#include "pasr/database/cost.h"

#define MOST_RANKS 1000000

typedef struct {
    const char *db, *ranks, *out, *order;
    double unit, latency;
    long n, per_rank;
    int parts;
    unsigned long long seed;
} settings;

enum { RANKS = 256, UNIT, LATENCY, PER_RANK, PARTS, ORDER, SEED };
static const struct argp_option options[] = {
    {"db", 'd', "FILE", 0, "database with measured costs (bench --write-cost, make dbinfo COST=1)",
     0},
    {"ranks", RANKS, "LIST", 0, "numbers of ranks (1 to 1000000, default 8,16,...,4096)", 0},
    {"n", 'n', "NUMBER", 0, "ODEs, strong scaling (from 1; default: all states); more than "
     "there are repeat them", 0},
    {"per-rank", PER_RANK, "NUMBER", 0, "ODEs of each rank instead: weak scaling (from 1)", 0},
    {"order", ORDER, "NAME", 0, "generated (default) or shuffled", 0},
    {"seed", SEED, "NUMBER", 0, "of shuffled (from 0; default 1)", 0},
    {"unit", UNIT, "SECONDS", 0, "of one substep [s] (more than 0, default 1e-5)", 0},
    {"latency", LATENCY, "SECONDS", 0, "of taking a chunk [s] (more than 0, default 2e-6)", 0},
    {"parts", PARTS, "NUMBER", 0, "chunks of a rank, on average (1 to 1000000, default "
     "32)", 0},
    {"out", 'o', "FILE", 0, "table (.csv)", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    static const char *const orders[] = {"generated", "shuffled", NULL};
    settings *s = state->input;
    switch (key) {
    case 'd': s->db = kb_option_text(state, key, arg); break;
    case 'o': s->out = kb_option_text(state, key, arg); break;
    case RANKS: s->ranks = kb_option_text(state, key, arg); break;
    case ORDER: s->order = orders[kb_option_choice(state, key, arg, orders)]; break;
    case SEED:
        s->seed = (unsigned long long)kb_option_whole(state, key, arg, 0, LONG_MAX);
        break;
    case 'n': s->n = kb_option_whole(state, key, arg, 1, LONG_MAX); break;
    case PER_RANK: s->per_rank = kb_option_whole(state, key, arg, 1, INT_MAX); break;
    case PARTS: s->parts = (int)kb_option_whole(state, key, arg, 1, 1000000); break;
    case UNIT: s->unit = kb_option_positive(state, key, arg); break;
    case LATENCY: s->latency = kb_option_positive(state, key, arg); break;
    case ARGP_KEY_ARG: argp_error(state, "unexpected word '%s'", arg); break;
    case ARGP_KEY_END:
        if (!s->db)
            argp_error(state, "--db FILE is missing");
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const struct argp argp = {options, parse, 0,
    "Replays the measured costs of a database over 8 to 4096 ranks: efficiency of each "
    "distribution of a batch. Exit codes: 0 fine, 2 invalid use or input.\v"
    "Example: build/scaling --db h2.npy --ranks 8,64,512", 0, 0, 0};

/* ---- the model ---- */

/* free times of the ranks as a heap, the earliest first */
static void sift(double *heap, int n, int at)
{
    for (int child; (child = 2 * at + 1) < n; at = child) {
        child += child + 1 < n && heap[child + 1] < heap[child];
        if (heap[at] <= heap[child])
            return;
        double t = heap[at];
        heap[at] = heap[child];
        heap[child] = t;
    }
}

static double queue_time(const settings *s, const double *cost, long n, int ranks)
{
    double *heap = kb_alloc((size_t)ranks, sizeof *heap), counter = 0, end = 0;
    long chunk = kb_deal_chunk(n, ranks, s->parts, 1);
    for (long at = 0; at < n; at += chunk) {
        double begin = fmax(heap[0], counter) + s->latency;
        counter = begin;
        for (long i = at; i < at + chunk && i < n; i++)
            begin += cost[i];
        heap[0] = begin;
        end = fmax(end, begin);
        sift(heap, ranks, 0);
    }
    free(heap);
    return end;
}

static double dealt_time(kb_deal deal, const double *cost, long n, int ranks)
{
    long *order = kb_alloc((size_t)n, sizeof *order);
    long *first = kb_alloc((size_t)ranks + 1, sizeof *first);
    double end = 0;
    kb_deal_out(deal, n, ranks, cost, order, first);
    for (int r = 0; r < ranks; r++) {
        double sum = 0;
        for (long i = first[r]; i < first[r + 1]; i++)
            sum += cost[order[i]];
        end = fmax(end, sum);
    }
    free(order);
    free(first);
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

/* seconds of n ODEs: the measured states, repeated where there are fewer, in the order asked for */
static double *costs_of(const settings *s, const int64_t *measured, long states, long n)
{
    double *cost = kb_alloc((size_t)n, sizeof *cost);
    kb_random random = {s->seed};
    for (long i = 0; i < n; i++)
        cost[i] = s->unit * (double)measured[i % states];
    for (long i = n - 1; i > 0 && !strcmp(s->order, "shuffled"); i--) {
        long k = (long)kb_random_below(&random, (uint64_t)i + 1);
        double c = cost[i];
        cost[i] = cost[k];
        cost[k] = c;
    }
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
    double *cost = costs_of(s, measured, states, n);
    printf("%7d %9ld", ranks, n);
    for (int deal = 0; deal < KB_DEALS; deal++) {
        double e = efficiency(s, (kb_deal)deal, cost, n, ranks);
        printf("  %7.3f", e);
        add_row(out, s, (kb_deal)deal, ranks, n, e);
    }
    printf("\n");
    free(cost);
}

static int run(const settings *s, kb_error *err)
{
    kb_database db;
    double *ranks = NULL;
    int nranks = 0;
    char *about = NULL;
    kb_csv out;
    int code = kb_list_numbers("ranks", s->ranks, 1, &ranks, &nranks, err);
    for (int i = 0; i < nranks && !code; i++)
        if (ranks[i] > MOST_RANKS)
            code = kb_fail(err, KB_INVALID, "--ranks: %g, expected at most %d", ranks[i],
                           MOST_RANKS);
    code = code ? code : kb_database_read(&db, s->db, 0, false, err);
    if (code) {
        free(ranks);
        return code;
    }
    int64_t *measured = kb_alloc((size_t)db.n, sizeof *measured);
    code = kb_cost_read(&db, measured, &about, err);
    if (code == KB_NOTHING)
        code = kb_fail(err, KB_INVALID, "%s has no measured costs (make dbinfo DB=%s COST=1 "
                       "measures them)", s->db, s->db);
    kb_csv_start(&out, "kind,scaling,order,distribution,ranks,n,efficiency");
    if (!code) {
        printf("%s, %s, %s: efficiency\n  ranks      ODEs", s->db, about, s->order);
        for (int deal = 0; deal < KB_DEALS; deal++)
            printf("  %7s", kb_deal_names[deal]);
        printf("\n");
        for (int i = 0; i < nranks; i++)
            replay(s, measured, db.n, (int)ranks[i], &out);
    }
    if (!code && s->out)
        code = kb_csv_write(&out, s->out, err);
    kb_csv_free(&out);
    free(measured);
    free(about);
    free(ranks);
    kb_database_free(&db);
    return code;
}

int main(int argc, char **argv)
{
    kb_error err = {0};
    settings s = {.ranks = "8,16,32,64,128,256,512,1024,2048,4096", .unit = 1e-5,
                  .latency = 2e-6, .parts = 32, .order = "generated", .seed = 1};
    argp_err_exit_status = KB_INVALID;
    argp_parse(&argp, argc, argv, 0, 0, &s);
    int code = run(&s, &err);
    if (code)
        kb_report("scaling", &err);
    return code;
}
