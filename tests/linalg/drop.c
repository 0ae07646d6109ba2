/* SPDX-License-Identifier: MIT
 *
 * The LU of the large entries of a mechanism's Newton matrix (solvers/linalg/lu_drop.h): against
 * the full LU where nothing is dropped, and against the matrix without its small entries; a lane
 * has the same bits whatever its neighbours are. Compiled for one mechanism, for one lane and many.
 */
#include "tests/test.h"
#include "solvers/problem.h" /* before cmocka.h, which has a fail() too */

typedef struct {
    lane y[N], b[N], x[N], exact[N], A[NNZ], E[NNZ];
    kb_jacobian w;
} workspace;

static const double RTOL = 1e-4, ATOL = 1e-10;
static drop_work *factors;

static double random_between(double a, double b) { return a + (b - a) * rand() / RAND_MAX; }

/* a state of a lane: mass fractions over nine decades */
static void random_state(workspace *s, kb_ode *o, int l)
{
    double Y[NSP], sum = 0;
    for (int i = 0; i < NSP; i++)
        sum += Y[i] = pow(10, random_between(-9, 0));
    lane_put(&o->fixed, l, random_between(1e5, 1e6));
    lane_put(&s->y[0], l, random_between(1100, 2500));
    for (int i = 0; i < NSP; i++)
        lane_put(&s->y[i + 1], l, Y[i] / sum);
}

static workspace *make(kb_ode *o)
{
    size_t size = (sizeof(workspace) + 63) / 64 * 64;
    workspace *s = memset(aligned_alloc(64, size), 0, size);
    kb_run run = {.reactor = KB_CONST_P};
    *o = (kb_ode){.scratch = factors};
    for (int l = 0; l < KB_LANES; l++)
        random_state(s, o, l);
    problem_jacobian(&run, o, s->y, s->b, s->A, &s->w);
    return s;
}

static void solve_dropped(workspace *s, const kb_ode *o, double gi, double drop)
{
    kb_run run = {.rtol = RTOL, .atol = ATOL, .drop = drop};
    problem_drop_factor(&run, o, s->y, s->A, splat(gi));
    problem_drop_solve(o, s->b, s->x);
}

/* largest |a - b| over |b| + the scale of each unknown, of all lanes */
static double apart(const workspace *s, const lane *a, const lane *b)
{
    double worst = 0;
    for (int l = 0; l < KB_LANES; l++)
        for (int i = 0; i < N; i++) {
            double scale = fabs(lane_get(s->y[i], l)) + ATOL / RTOL;
            double d = fabs(lane_get(a[i], l) - lane_get(b[i], l));
            assert_true(isfinite(d));
            worst = larger(worst, d / (fabs(lane_get(b[i], l)) + 1e-6 * scale));
        }
    return worst;
}

TEST(nothing_dropped)
{
    for (double gi = 1e5; gi < 1e10; gi *= 100) {
        kb_ode o;
        kb_owned workspace *s = make(&o);
        solve_dropped(s, &o, gi, 1e-300);
        memcpy(s->E, s->A, sizeof s->A);
        lane full = problem_factor(s->E, splat(gi));
        problem_solve(s->E, s->b, s->exact);
        double d = apart(s, s->x, s->exact);
        print_message("%s, %d lanes, gi %.0e: apart by %.1e\n", KB_MECH_NAME, KB_LANES, gi, d);
        assert_true(lane_get(full, 0) > 0);
        assert_true(d <= 1e-6);
    }
}

/* by position: storage index of entry (p, q) of A, -1: none */
static int entry(int p, int q)
{
    if (p >= NHEAD && q >= NHEAD)
        return NNZ_HEAD + (p - NHEAD) * TAIL_STRIDE + q - NHEAD;
    for (int k = kb_lu_row_start[p]; k < kb_lu_row_start[p + 1]; k++)
        if (kb_lu_column[k] == q)
            return k;
    return -1;
}

static bool is_border(int p) { return p == POS_T || p == POS_S; }

/* scale of the species at position p of a lane */
static double scale_of(const workspace *s, int p, int l)
{
    int i = kb_lu_perm[p];
    return (fabs(lane_get(s->y[i], l)) + ATOL / RTOL) / kb_W[i - 1];
}

/* whether entry a of (p, q) stays */
static bool stays(const workspace *s, int p, int q, int l, double a, double limit)
{
    if (p == q || is_border(p) || is_border(q))
        return true;
    return fabs(a) * scale_of(s, q, l) > limit * scale_of(s, p, l);
}

/* of the solution x the part of row p that the matrix without small entries leaves, over the sum of
 * its terms; counts the entries */
static double left_of_row(const workspace *s, int p, int l, double gi, double drop, const double *z,
                          int *kept, int *dropped)
{
    int unknown = kb_lu_perm[p];
    double b = 0, sum = 0, size = 0;
    if (unknown < N)
        b = lane_get(s->b[unknown], l) / (unknown ? kb_W[unknown - 1] : 1);
    for (int q = 0; q < NNEWTON; q++) {
        int k = entry(p, q);
        double a = k < 0 ? 0 : lane_get(s->A[k], l);
        bool large = stays(s, p, q, l, a, drop * gi);
        *kept += p != q && large && a != 0;
        *dropped += a != 0 && !large;
        a += p == q && p != POS_S ? gi : 0;
        sum += large ? a * z[q] : 0;
        size += large ? fabs(a * z[q]) : 0;
    }
    return fabs(sum - b) / (size + fabs(b) + 1e-300);
}

TEST(small_ones_dropped)
{
    for (double gi = 1e6; gi < 1e9; gi *= 10) {
        kb_ode o;
        kb_owned workspace *s = make(&o);
        int kept = 0, dropped = 0;
        double worst = 0;
        solve_dropped(s, &o, gi, 1e-2);
        for (int l = 0; l < KB_LANES; l++) {
            double z[NNEWTON] = {0}, sum = 0; /* s is the sum of the species */
            for (int p = 0; p < NNEWTON; p++)
                if (kb_lu_perm[p] < N)
                    z[p] = lane_get(s->x[kb_lu_perm[p]], l) /
                           (p == POS_T ? 1 : kb_W[kb_lu_perm[p] - 1]);
            for (int p = 0; p < NNEWTON; p++)
                sum += is_border(p) ? 0 : z[p];
            z[POS_S] = sum;
            for (int p = 0; p < NNEWTON; p++)
                worst = larger(worst, left_of_row(s, p, l, gi, 1e-2, z, &kept, &dropped));
        }
        print_message("%s, %d lanes, gi %.0e: %d entries kept, %d dropped, %.1e left\n",
                      KB_MECH_NAME, KB_LANES, gi, kept, dropped, worst);
        assert_true(kept > 4 * KB_LANES * N && dropped > KB_LANES * N);
        assert_true(worst <= 1e-9);
    }
}

/* each lane beside others, and all lanes as that one */
TEST(neighbours)
{
    for (int l = 0; l < KB_LANES; l++) {
        kb_ode o;
        kb_owned workspace *s = make(&o);
        lane beside[N];
        solve_dropped(s, &o, 1e7, 1e-2);
        memcpy(beside, s->x, sizeof beside);
        for (int k = 0; k < KB_LANES; k++) {
            for (int i = 0; i < N; i++) {
                lane_put(&s->y[i], k, lane_get(s->y[i], l));
                lane_put(&s->b[i], k, lane_get(s->b[i], l));
            }
            for (int i = 0; i < NNZ; i++)
                lane_put(&s->A[i], k, lane_get(s->A[i], l));
        }
        solve_dropped(s, &o, 1e7, 1e-2);
        for (int i = 0; i < N; i++) {
            double a = lane_get(beside[i], l), b = lane_get(s->x[i], l);
            assert_memory_equal(&a, &b, sizeof a);
        }
    }
}

FIXTURE(start)
{
    kb_owned char *room = malloc(NNZ);
    factors = KB_NEW_WORK(drop_work, 1);
    drop_start(factors, room);
    return 0;
}

FIXTURE(end)
{
    free(factors);
    return 0;
}

TESTS(start, end)
