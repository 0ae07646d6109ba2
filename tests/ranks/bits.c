/* SPDX-License-Identifier: MIT
 *
 * Every distribution over the ranks of a launcher against one rank: the same bits of T, Y and
 * counts, ODE by ODE, for numbers of ODEs that do not divide by the ranks, both schedules and a
 * method with options, of an engine whose lanes take ODEs from the queue of all ranks and of one
 * that takes chunks. Rank 0 prints "ok - ..." lines.
 *
 *     mpirun -n 4 build/ranks_bits build/mech/h2/solvers.so [HOSTS [messages]]
 *
 * HOSTS: as many are expected (1); messages: no rank is expected to reach the memory of rank 0.
 * KB_RANKS_HOSTS=2: as if on two hosts; memory is shared within one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/ranks/ranks.h"

enum { MOST = 129 };

static int nsp, failed, hosts = 1;

static void set_states(const kb_solvers *s, long n, double *states)
{
    memset(states, 0, (size_t)(n * (nsp + 2)) * sizeof *states);
    for (long i = 0; i < n; i++) {
        double *row = states + i * (nsp + 2);
        row[0] = 900 + (double)(i * 7919 % 1000);
        row[1] = 101325;
        for (int k = 0; k < nsp; k++)
            row[2 + k] = !strcmp(s->species[k], "H2")   ? 0.0285
                         : !strcmp(s->species[k], "O2") ? 0.2264
                         : !strcmp(s->species[k], "N2") ? 0.7451
                                                        : 0;
    }
}

typedef struct {
    double *states, *y;
    kb_count *count;
    kb_result result;
} outcome;

/* arrays of n ODEs in the solvers' memory (shared with ranks), or in ordinary memory */
static void make_room(const kb_solvers *s, int shared, const kb_job *job, outcome *o)
{
    size_t n = (size_t)job->n, N = (size_t)nsp + 1;
    o->states = shared ? kb_solvers_alloc(s, n * (N + 1), 8) : kb_alloc(n * (N + 1), 8);
    o->y = shared ? kb_solvers_alloc(s, n * N, 8) : kb_alloc(n * N, 8);
    o->count = shared ? kb_solvers_alloc(s, n, sizeof *o->count) : kb_alloc(n, sizeof *o->count);
    memcpy(o->states, job->states, n * (N + 1) * sizeof *o->states);
}

static void give_back(const kb_solvers *s, int shared, outcome *o)
{
    void *all[] = {o->states, o->y, o->count};
    for (int k = 0; k < 3; k++)
        if (shared)
            s->memory_free(all[k]);
        else
            free(all[k]);
}

/* the default options of a solver, but for pass */
static const double *options_of(const kb_solver *s, double pass)
{
    static double values[64];
    for (int k = 0; s->info.options[k].name; k++)
        values[k] = strcmp(s->info.options[k].name, "pass") ? s->info.options[k].value : pass;
    return values;
}

static int run(const kb_solvers *s, const char *name, kb_job job, outcome *o)
{
    const char *engine = strcmp(name, "cvode") ? "cpu-simd" : "cpu-scalar";
    const kb_solver *solver = kb_solver_find(s, name, engine);
    kb_error err = {0};
    if (job.schedule == KB_REFILL)
        job.options = options_of(solver, 1);
    o->result = (kb_result){.y = o->y, .count = o->count};
    memset(o->y, 0, (size_t)(job.n * (nsp + 1)) * sizeof *o->y);
    memset(o->count, 0, (size_t)job.n * sizeof *o->count);
    job.states = o->states;
    int code = solver->run(solver, &job, &o->result, &err);
    if (code)
        fprintf(stderr, "bits: %s\n", err.text);
    return code;
}

static void tell(int good, const char *what, const char *deal, long n)
{
    printf("%s - %s, %s, %ld ODEs\n", good ? "ok" : "not ok", what, deal, n);
    failed |= !good;
}

/* is p in memory that other ranks can open? */
static int is_shared(const void *p)
{
    char line[512];
    unsigned long from, to;
    int found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && !found && fgets(line, sizeof line, maps))
        found = strstr(line, "/memfd:kinbench") && sscanf(line, "%lx-%lx", &from, &to) == 2 &&
                (unsigned long)p >= from && (unsigned long)p < to;
    if (maps)
        fclose(maps);
    return found;
}

static void compare(const kb_ranks *ranks, const kb_solvers *s, const char *name, kb_deal deal,
                    kb_job job)
{
    const kb_solvers *wide = ranks->wrap(s, deal);
    size_t bytes = (size_t)(job.n * (nsp + 1)) * sizeof(double);
    outcome one, many;
    int bad = 0, reached = 1;
    char what[64];
    make_room(s, 0, &job, &one);
    bad |= run(s, name, job, &one);
    for (int shared = 0; shared < 2; shared++) {
        make_room(wide, shared, &job, &many);
        for (int again = 0; again < 2; again++) { /* the second with measured costs */
            bad |= run(wide, name, job, &many);
            bad |= memcmp(one.y, many.y, bytes) ||
                   memcmp(one.count, many.count, (size_t)job.n * sizeof *one.count);
        }
        reached &= !shared || (is_shared(many.states) && is_shared(many.y));
        give_back(wide, shared, &many);
    }
    give_back(s, 0, &one);
    snprintf(what, sizeof what, "the same bits of %s", name);
    tell(!bad, what, kb_deal_names[deal], job.n);
    tell(reached, "memory is shared", kb_deal_names[deal], job.n);
    const kb_result *r = &many.result;
    double parts = r->copy_in + r->kernel + r->copy_out;
    int moved = r->bytes > 0 || job.n == 1 || deal == KB_DEAL_DYNAMIC;
    tell(r->ranks == ranks->ranks && r->hosts == hosts && r->imbalance >= 1 &&
             r->imbalance <= ranks->ranks && moved && r->total > 0 && parts > 0.999 * r->total &&
             parts < 1.001 * r->total,
         "ranks, imbalance, bytes and times", kb_deal_names[deal], job.n);
}

static void compare_all(const kb_ranks *ranks, const kb_solvers *s)
{
    static const long sizes[] = {1, 3, 64, MOST};
    double *states = kb_alloc(MOST * (size_t)(nsp + 2), sizeof *states);
    for (int k = 0; k < 4; k++)
        for (int deal = 0; deal < KB_DEALS; deal++) {
            kb_job job = {.n = sizes[k],
                          .states = states,
                          .dt = 2e-5,
                          .rtol = 1e-6,
                          .atol = 1e-10,
                          .schedule = k % 2 ? KB_REFILL : KB_STATIC,
                          .threads = 1,
                          .reactor = k % 2 ? KB_CONST_V : KB_CONST_P};
            set_states(s, job.n, states);
            compare(ranks, s, "rodas4", (kb_deal)deal, job);
            if (deal == KB_DEAL_DYNAMIC)
                compare(ranks, s, "cvode", (kb_deal)deal, job);
        }
    free(states);
}

/* Dynamic on one host: lanes of all ranks take from one queue, so that vectors of ODEs of as many
 * substeps are full to the last, if the ODEs over the lanes are a whole number, though over the
 * ranks they are not. */
static void check_lanes(const kb_ranks *ranks, const kb_solvers *s)
{
    enum { N = 72 };
    const kb_solvers *wide = ranks->wrap(s, KB_DEAL_DYNAMIC);
    kb_job job = {.n = N, .dt = 1e-6, .rtol = 1e-6, .atol = 1e-10, .threads = 1};
    double *states = kb_alloc(N * (size_t)(nsp + 2), sizeof *states);
    set_states(s, N, states);
    job.states = states;
    outcome o;
    make_room(wide, 1, &job, &o);
    int bad = run(wide, "point_implicit", job, &o);
    printf("lane use %g\n", o.result.lane_use);
    tell(!bad && o.result.lane_use == 1, "no lane waits at the end of a chunk", "dynamic", N);
    give_back(wide, 1, &o);
    free(states);
}

/* every ODE goes to one rank, and no rank has more than one more than another */
static void check_deals(void)
{
    for (int deal = 0; deal < KB_DEAL_DYNAMIC; deal++)
        for (long n = 0; n < 40; n += 13) {
            long order[40], first[8], seen[40] = {0}, bad = 0;
            double cost[40];
            for (long i = 0; i < n; i++)
                cost[i] = (double)(i * i % 17);
            kb_deal_out((kb_deal)deal, n, 7, cost, order, first);
            for (long i = 0; i < n; i++)
                bad += seen[order[i]]++;
            double most = 0, least = 1e9;
            for (int r = 0; r < 7; r++) {
                double sum = 0;
                for (long i = first[r]; i < first[r + 1]; i++)
                    sum += cost[order[i]];
                most = sum > most ? sum : most;
                least = sum < least ? sum : least;
                bad += first[r + 1] - first[r] < n / 7 || first[r + 1] - first[r] > n / 7 + 1;
            }
            bad += deal == KB_DEAL_COST && most - least > 16; /* the largest cost */
            tell(!bad && first[7] == n, "each ODE once", kb_deal_names[deal], n);
        }
}

/* measured costs are those of the states and the time step, not of an address */
static void check_marks(void)
{
    double a[6] = {900, 101325, 0.1, 0.2, 0.3, 0.4}, b[6];
    memcpy(b, a, sizeof a);
    uint64_t mark = kb_deal_mark(a, 6, 1e-6);
    tell(kb_deal_mark(b, 6, 1e-6) == mark, "a copy of states has their mark", "cost", 1);
    b[5] = 0.4000000000000001;
    tell(kb_deal_mark(b, 6, 1e-6) != mark, "others at the same place have not", "cost", 1);
    b[5] = a[4];
    b[4] = a[5];
    tell(kb_deal_mark(b, 6, 1e-6) != mark, "nor have others in another order", "cost", 1);
    tell(kb_deal_mark(a, 6, 1e-5) != mark && kb_deal_mark(a, 5, 1e-6) != mark,
         "nor the same over another time, nor fewer", "cost", 1);
}

/* more ODEs than messages count are an error before anything is sent or read */
static void check_most(const kb_ranks *ranks, const kb_solvers *s)
{
    for (int deal = 0; deal < KB_DEALS; deal++) {
        const kb_solver *wide = kb_solver_find(ranks->wrap(s, (kb_deal)deal), "rodas4", "cpu-simd");
        kb_job job = {.n = 1L << 31, .dt = 1e-6, .rtol = 1e-6, .atol = 1e-10, .threads = 1};
        kb_result result = {0};
        kb_error err = {0};
        int code = wide->run(wide, &job, &result, &err);
        tell(code == KB_INVALID &&
                 !strcmp(err.text, "ranks take 2147483647 ODEs at once at most, not 2147483648"),
             "too many are an error", kb_deal_names[deal], job.n);
    }
}

int main(int argc, char **argv)
{
    kb_error err = {0};
    kb_ranks *ranks;
    if (kb_ranks_open(&ranks, &err) || !ranks) {
        fprintf(stderr, "bits: %s\n", *err.text ? err.text : "no launcher started this program");
        return KB_INVALID;
    }
    if (argc > 2)
        hosts = atoi(argv[2]);
    const kb_solvers *s = kb_solvers_open(argc > 1 ? argv[1] : "h2", &err);
    if (ranks->rank > 0) {
        int code = ranks->serve(s);
        ranks->end();
        return code;
    }
    if (s) {
        nsp = s->nsp;
        check_deals();
        check_marks();
        check_most(ranks, s);
        compare_all(ranks, s);
        if (hosts == 1 && argc < 4)
            check_lanes(ranks, s);
    } else {
        failed = kb_report("bits", &err);
    }
    ranks->end();
    return failed;
}
