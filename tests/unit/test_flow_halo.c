/* SPDX-License-Identifier: MIT
 *
 * Rows of a grid on several ranks that are threads of this program: the bits of one rank, for
 * boundaries that no case of the program has. tests/scripts/test_flow_ranks.sh does it with MPI.
 */
#include <pthread.h>

#include "tests/test.h"
#include "tests/unit/flow_run.h"

enum { MOST_RANKS = 4, NX = 24, NY = 12, STEPS = 6 };

/* ---- ranks ---- */

static pthread_barrier_t meet;
static double *shown[MOST_RANKS][2]; /* what each rank lets the others read until they meet again */
static void *told;
static int ranks;
static _Thread_local int me;

static void wait_for_all(void) { pthread_barrier_wait(&meet); }

static void swap(int south, int north, double *const to[2], double *const from[2], long n)
{
    shown[me][0] = to[0];
    shown[me][1] = to[1];
    wait_for_all();
    if (south >= 0)
        memcpy(from[0], shown[south][1], (size_t)n * sizeof(double));
    if (north >= 0)
        memcpy(from[1], shown[north][0], (size_t)n * sizeof(double));
    wait_for_all();
}

static void reduce(double *x, int n, bool sum)
{
    kb_owned double *all = kb_alloc((size_t)n, sizeof *all);
    shown[me][0] = x;
    wait_for_all();
    for (int i = 0; i < n; i++) {
        all[i] = shown[0][0][i];
        for (int r = 1; r < ranks; r++)
            all[i] = sum ? all[i] + shown[r][0][i] : fmax(all[i], shown[r][0][i]);
    }
    wait_for_all();
    memcpy(x, all, (size_t)n * sizeof *all);
}

static void most(double *x, int n) { reduce(x, n, false); }
static void sum(double *x, int n) { reduce(x, n, true); }

static void tell(int from, void *data, size_t size)
{
    if (me == from)
        told = data;
    wait_for_all();
    if (me != from)
        memcpy(data, told, size);
    wait_for_all();
}

static void collect(double *x, const long *first)
{
    shown[me][0] = x;
    wait_for_all();
    for (int r = 1; r < ranks && me == 0; r++)
        memcpy(x + first[r], shown[r][0] + first[r], (size_t)(first[r + 1] - first[r]) * sizeof *x);
    wait_for_all();
}

/* ---- runs ---- */

/* nothing in it is periodic */
static void slanted(const kb_flow_case *c, double x, double y, double t, kb_flow_point *p)
{
    (void)c, (void)t;
    *p = (kb_flow_point){.u = 0.6 + 0.1 * y, .v = 0.3 - 0.2 * x, .p = 1 + 0.1 * x * y};
    p->rho[0] = 1 + 0.2 * sin(2 * x + 3 * y);
}

typedef struct {
    kb_flow_case c;
    const char *scheme, *engine;
} problem;

/* Ghost cells in the tables of a rank: its own rows, and as many as it sees of its neighbours'; of
 * the sources it has those alone that lie there. mp5 needs none in corners. */
static long wrong_tables(const kb_flow *f, const problem *of)
{
    int from = f->rows[0] > KB_GHOST ? f->rows[0] - KB_GHOST : 0, to = f->rows[1] + KB_GHOST;
    bool south = f->rows[0] == 0, north = f->rows[1] == NY, around = south && north;
    int ends = of->c.edge[2] == KB_FLOW_PERIODIC ? 2 * around : south + north;
    int rows = (to < NY ? to : NY) - from;
    long along[2] = {of->c.edge[0] == KB_FLOW_FIXED ? 0 : 2 * KB_GHOST * rows,
                     of->c.edge[2] == KB_FLOW_FIXED ? 0 : ends * KB_GHOST * NX};
    if (strcmp(of->scheme, "mp5"))
        return 0;
    return (f->ghosts[0].n != along[0]) + (f->ghosts[1].n != along[1]);
}

static void step_and_collect(kb_flow *f, const problem *of, const kb_flow_world *world)
{
    kb_flow_options o;
    omp_set_num_threads(1);
    kb_flow_defaults(&of->c, &o);
    o.world = world;
    flow_open(f, &of->c, &o, of->scheme, of->engine);
    flow_steps(f, STEPS);
    kb_flow_collect(f);
}

typedef struct {
    const problem *of;
    const kb_flow *one;
    int rank;
    long wrong; /* tables; of rank 0 cells that differ, too */
} part;

static void *run_part(void *data)
{
    part *p = data;
    kb_flow f;
    me = p->rank;
    const kb_flow_world world = {.rank = me, .ranks = ranks, .swap = swap, .most = most,
                                 .sum = sum, .tell = tell, .collect = collect};
    step_and_collect(&f, p->of, &world);
    p->wrong = wrong_tables(&f, p->of);
    for (int k = 0; k < 4 && me == 0; k++)
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) {
                long at = k * f.stage.grid.plane + kb_flow_at(&f.stage.grid, i, j);
                p->wrong += f.q[0][at] != p->one->q[0][at];
            }
    kb_flow_close(&f);
    return NULL;
}

/* what differs in a run on n ranks from that on one */
static long differing(const problem *of, const kb_flow *one, int n)
{
    pthread_t thread[MOST_RANKS];
    part all[MOST_RANKS];
    ranks = n;
    pthread_barrier_init(&meet, NULL, (unsigned)n);
    for (int r = 0; r < n; r++) {
        all[r] = (part){of, one, r, 0};
        assert_int_equal(pthread_create(&thread[r], NULL, run_part, &all[r]), 0);
    }
    long wrong = 0;
    for (int r = 0; r < n; r++) {
        pthread_join(thread[r], NULL);
        wrong += all[r].wrong;
    }
    pthread_barrier_destroy(&meet);
    return wrong;
}

TEST(each_pair_of_boundaries)
{
    static const char *const schemes[] = {"mp5", "ader_weno", "mp5_transverse"};
    for (int x = 0; x < 4; x++)
        for (int y = 0; y < 4; y++)
            for (int s = 0; s < 3; s++) {
                problem of = {
                    .c = {.name = "slanted", .x1 = 1, .y1 = 1, .nx = NX, .ny = NY,
                          .gas = {{1}, {2.5}}, .nsp = 1, .end = 1, .cfl = 0.4,
                          .edge = {(kb_flow_edge)x, (kb_flow_edge)x, (kb_flow_edge)y,
                                   (kb_flow_edge)y}, .gravity = {0.2, 0.1}, .state = slanted},
                    .scheme = schemes[s], .engine = s % 2 ? "cpu-scalar" : "cpu-simd"};
                kb_flow one;
                step_and_collect(&one, &of, NULL);
                assert_int_equal(wrong_tables(&one, &of), 0);
                for (int n = 2; n <= MOST_RANKS; n++) {
                    long wrong = differing(&of, &one, n);
                    if (wrong)
                        fail_msg("%s, boundaries %d and %d, %d ranks: %ld numbers differ",
                                 schemes[s], x, y, n, wrong);
                }
                kb_flow_close(&one);
            }
}

TESTS(flow_one_thread, NULL)
