/* SPDX-License-Identifier: MIT
 *
 * Rows of a flow shared among ranks (flow/run/halo.h), on ranks that are threads of this program:
 * the bits of one rank, what ranks agree on, and grids with too few rows or too many. Over MPI:
 * tests/scripts/test_flow_ranks.sh.
 */
#include <limits.h>
#include <pthread.h>

#include "flow/run/reactive.h"
#include "tests/test.h"
#include "tests/unit/flow_run.h"

enum { MOST = 4, NUMBERS = 4096 };
#define FRONT_LEVEL 5.0 /* between the pressures before and behind the shock of `planar` */

/* --- ranks that are threads: each shows the others where its data are, and they meet */

static pthread_barrier_t all;
static int ranks;
static _Thread_local int me;
static void *shown[MOST];

static void show(void *data)
{
    shown[me] = data;
    pthread_barrier_wait(&all);
}

static void leave(void) { pthread_barrier_wait(&all); }

static void combine(double *x, int n, bool add)
{
    double all_of[NUMBERS] = {0};
    if (n > NUMBERS)
        abort();
    show(x);
    for (int r = 0; r < ranks; r++)
        for (int i = 0; i < n; i++) {
            double v = ((double *)shown[r])[i];
            all_of[i] = r == 0 ? v : add ? all_of[i] + v : fmax(all_of[i], v);
        }
    leave();
    memcpy(x, all_of, (size_t)n * sizeof *x);
}

static void most(double *x, int n) { combine(x, n, false); }
static void sum(double *x, int n) { combine(x, n, true); }

static void tell(int from, void *data, size_t size)
{
    show(data);
    if (from != me)
        memcpy(data, shown[from], size);
    leave();
}

static void swap(int south, int north, double *const to[2], double *const from[2], long n)
{
    show((void *)to);
    if (south >= 0)
        memcpy(from[0], ((double *const *)shown[south])[1], (size_t)n * sizeof **to);
    if (north >= 0)
        memcpy(from[1], ((double *const *)shown[north])[0], (size_t)n * sizeof **to);
    leave();
}

static void collect(double *x, const long *first)
{
    show(x);
    for (int r = 1; r < ranks && me == 0; r++)
        memcpy(x + first[r], (double *)shown[r] + first[r],
               (size_t)(first[r + 1] - first[r]) * sizeof *x);
    leave();
}

typedef struct {
    kb_flow_world world;
    void (*work)(const kb_flow_world *world, void *data);
    void *data;
} member;

static void *be_rank(void *of)
{
    member *m = of;
    me = m->world.rank;
    omp_set_num_threads(1);
    m->work(&m->world, m->data);
    return NULL;
}

/* work on n ranks, without assertions: cmocka's are for the thread of the test */
static void on_ranks(int n, void (*work)(const kb_flow_world *world, void *data), void *data)
{
    pthread_t thread[MOST];
    member m[MOST];
    ranks = n;
    pthread_barrier_init(&all, NULL, (unsigned)n);
    for (int r = 0; r < n; r++) {
        m[r] = (member){{r, n, swap, most, sum, tell, collect}, work, data};
        pthread_create(&thread[r], NULL, be_rank, &m[r]);
    }
    for (int r = 0; r < n; r++)
        pthread_join(thread[r], NULL);
    pthread_barrier_destroy(&all);
}

/* --- the bits of one rank */

/* T and Y as they are, after as many substeps as the state says. Every fourth kind of state fails
 * in the solver "most", and gets a Y of NaN in "nan". */
static int inert(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    const char *name = self->info.name;
    (void)err;
    for (long k = 0; k < job->n; k++) {
        const double *state = job->states + 3 * k;
        int kind = (int)(1e4 * state[1]) % 8;
        bool fourth = kind % 4 == 3;
        result->y[2 * k] = state[0];
        result->y[2 * k + 1] = fourth && !strcmp(name, "nan") ? NAN : state[2];
        result->count[k] = (kb_count){.attempted = 1 + kind + !strcmp(name, "any")};
        if (fourth && !strcmp(name, "most"))
            result->count[k].status = KB_ODE_TOO_MANY;
    }
    return KB_OK;
}
static const kb_solver most_states = {.info = {.name = "most", .engine = "cpu"}, .run = inert};
static const kb_solver any_state = {.info = {.name = "any", .engine = "cpu"}, .run = inert};
static const kb_solver not_finite = {.info = {.name = "nan", .engine = "cpu"}, .run = inert};

typedef struct {
    const char *name, *scheme;
    int nx, ny, steps;
    kb_flow_variables variables; /* primitive ones are of W, with the speed of sound */
    int bare;                    /* without nets, and with an impossible cell */
    const kb_solver *solver[2];  /* chemistry, in cells that are warm enough */
    int turn;
} flow_choice;

typedef struct {
    flow_choice of;
    kb_flow f; /* of rank 0, when all rows are there */
    kb_flow_chemistry chemistry[MOST];
    double front[MOST], peak[MOST]; /* of pressure, at the end */
    int code[MOST];
    kb_error err[MOST];
} flow_job;

/* less energy in one cell than its motion has; its rank alone knows */
static void spoil(kb_flow *f)
{
    const kb_flow_grid *g = &f->stage.grid;
    int j = g->ny / 2;
    if (j >= f->rows[0] && j < f->rows[1])
        f->q[0][(g->nsp + 2) * g->plane + kb_flow_at(g, g->nx / 5, j)] *= -1;
}

static void march(const kb_flow_world *world, void *data)
{
    flow_job *job = data;
    int rank = world ? world->rank : 0, code;
    kb_flow_options o;
    kb_flow f;
    kb_error *err = &job->err[rank];
    *err = (kb_error){0};
    kb_flow_case c = *flow_case(job->of.name, &o);
    c.foil = true;
    o.nx = job->of.nx;
    o.ny = job->of.ny;
    o.variables = job->of.variables;
    o.nets = job->of.bare ? 0 : o.nets;
    o.blended = true;
    o.turn = job->of.turn;
    o.world = world;
    code = kb_flow_open(&f, &c, &o, kb_flow_find_engine(job->of.scheme, "cpu-simd", c.nsp, err),
                        err);
    code = kb_flow_agree(world, code, err);
    job->chemistry[rank] = (kb_flow_chemistry){
        .solver = job->of.solver[0], .fallback = job->of.solver[1], .T_react = 0.99,
        .splitting = KB_FLOW_GODUNOV};
    if (job->of.solver[0])
        f.chemistry = &job->chemistry[rank];
    if (job->of.bare && !code)
        spoil(&f);
    for (int k = 0; k < job->of.steps && !code; k++)
        code = kb_flow_step(&f, 1e30, err);
    job->code[rank] = code;
    if (!code) {
        job->front[rank] = kb_flow_front(&f, FRONT_LEVEL, &job->peak[rank]);
        kb_flow_collect(&f);
    }
    if (!code && rank == 0)
        job->f = f;
    else if (!code)
        kb_flow_close(&f);
    if (rank > 0)
        kb_flow_chemistry_close(&job->chemistry[rank]);
}

/* cells of n planes that are not the same bits */
static long other_cells(const kb_flow *f, const double *a, const double *b, int n)
{
    const kb_flow_grid *g = &f->stage.grid;
    long other = 0;
    for (int k = 0; k < n; k++)
        for (int j = 0; j < g->ny; j++)
            for (int i = 0; i < g->nx; i++) {
                long at = k * g->plane + kb_flow_at(g, i, j);
                other += memcmp(a + at, b + at, sizeof *a) != 0;
            }
    return other;
}

/* what is summed over ranks is something */
static void assert_all_count(const flow_job *one)
{
    const kb_flow_chemistry *c = one->chemistry;
    assert_true(one->f.nets.scaled > 0 && one->f.nets.blended > 0);
    assert_true(c->odes > 0 && c->attempts > c->odes && c->redone > 0 && c->skipped > 0);
}

static void assert_same_chemistry(const flow_job *one, const flow_job *many)
{
    const kb_flow_chemistry *a = one->chemistry, *b = many->chemistry;
    assert_int_equal(a->odes, b->odes);
    assert_int_equal(a->attempts, b->attempts);
    assert_int_equal(a->redone, b->redone);
    assert_int_equal(a->skipped, b->skipped);
    for (int j = 0; j < one->of.ny && one->of.solver[0]; j++)
        for (int i = 0; i < one->of.nx; i++)
            assert_int_equal(kb_flow_cost(&one->f, i, j), kb_flow_cost(&many->f, i, j));
}

TEST(the_bits_of_one_rank)
{
    static const flow_choice runs[] = {{"vortex", "mp5", 16, 16, 6, KB_FLOW_CONSERVED},
                                       {"vortex", "mp5", 16, 16, 6, KB_FLOW_PRIMITIVE},
                                       {"vortex", "mp5_transverse", 16, 16, 6, KB_FLOW_CONSERVED},
                                       {"vortex", "ader_weno", 16, 14, 4, KB_FLOW_CONSERVED},
                                       {"step", "mp5", 60, 20, 12, KB_FLOW_CONSERVED},
                                       {"diffraction-5", "mp5", 30, 20, 33, KB_FLOW_CONSERVED, 0,
                                        {&most_states, &any_state}},
                                       {"step", "mp5", 60, 20, 6, KB_FLOW_CONSERVED, .turn = 1},
                                       {"planar", "mp5", 60, 12, 12, KB_FLOW_CONSERVED},
                                       {"rayleigh-taylor", "weno5", 12, 36, 6, KB_FLOW_CONSERVED}};
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        flow_job one = {.of = runs[k]};
        march(NULL, &one);
        if (one.code[0])
            fail_msg("%s", one.err[0].text);
        int nsp = one.f.stage.grid.nsp;
        if (!strcmp(runs[k].name, "vortex")) /* smooth: the nets have nothing to do */
            assert_true(one.f.nets.scaled == 0 && one.f.nets.blended == 0);
        if (runs[k].solver[0])
            assert_all_count(&one);
        if (!strcmp(runs[k].name, "planar"))
            assert_true(one.front[0] > 2 && one.front[0] < 3 && one.peak[0] > 30);
        if (runs[k].turn) /* the nets act at faces between ranks, which one of them counts */
            assert_true(one.f.nets.blended > 0);
        for (int n = 2; n <= MOST; n++) {
            flow_job many = {.of = runs[k]};
            on_ranks(n, march, &many);
            for (int r = 0; r < n; r++)
                if (many.code[r])
                    fail_msg("rank %d: %s", r, many.err[r].text);
            for (int b = 0; b < 3; b++)
                assert_int_equal(other_cells(&one.f, one.f.q[b], many.f.q[b], nsp + 3), 0);
            assert_int_equal(other_cells(&one.f, one.f.w, many.f.w, nsp + 5), 0);
            assert_int_equal(other_cells(&one.f, one.f.blended, many.f.blended, 1), 0);
            assert_int_equal(other_cells(&one.f, one.f.foil, many.f.foil, 1), 0);
            assert_true(one.f.t == many.f.t && one.f.step == many.f.step);
            assert_true(one.f.faces == many.f.faces);
            assert_true(one.f.nets.scaled == many.f.nets.scaled);
            assert_true(one.f.nets.blended == many.f.nets.blended);
            assert_same_chemistry(&one, &many);
            for (int r = 0; r < n; r++)
                assert_true(memcmp(&one.front[0], &many.front[r], sizeof one.front[0]) == 0 &&
                            one.peak[0] == many.peak[r]);
            kb_flow_close(&many.f);
            kb_flow_chemistry_close(many.chemistry);
        }
        kb_flow_close(&one.f);
        kb_flow_chemistry_close(one.chemistry);
    }
}

/* ends all ranks with the message of the one that has the cell */
static void assert_all_told(const flow_choice *of, const char *part)
{
    flow_job one = {.of = *of};
    march(NULL, &one);
    kb_flow_chemistry_close(one.chemistry);
    assert_int_equal(one.code[0], KB_INVALID);
    if (!strstr(one.err[0].text, part))
        fail_msg("%s", one.err[0].text);
    for (int n = 2; n <= MOST; n++) {
        flow_job many = {.of = one.of};
        on_ranks(n, march, &many);
        for (int r = 0; r < n; r++) {
            assert_int_equal(many.code[r], KB_INVALID);
            assert_string_equal(many.err[r].text, one.err[0].text);
        }
        kb_flow_chemistry_close(many.chemistry);
    }
}

/* a cell that is impossible after the flow, or that the chemistry fails in, or calls good */
TEST(the_rank_of_the_cell_tells)
{
    const flow_choice flow = {"step", "mp5", 60, 20, 1000, KB_FLOW_CONSERVED, 1};
    flow_choice hot = {"diffraction-5", "mp5", 30, 20, 33, KB_FLOW_CONSERVED, 0,
                       {&most_states, &most_states}};
    assert_all_told(&flow, "would be impossible");
    assert_all_told(&hot, "by most, too many substeps by cvode");
    hot.solver[0] = &not_finite;
    assert_all_told(&hot, "nan called its result good, but");
}

enum { COST_NX = 5, COST_NY = 12, COST_ROWS = 3 };

static unsigned char cost_of(int i, int j) { return (unsigned char)(1 + i + COST_NX * j); }

/* each rank counts its rows from 0; twice, as a run collects at each frame */
static void collect_costs(const kb_flow_world *world, void *data)
{
    int r = world->rank, first = COST_ROWS * r, *wrong = data;
    kb_flow_chemistry c = {.threads = 1};
    kb_flow f = {.chemistry = &c, .rows = {first, first + COST_ROWS}, .options.world = world};
    kb_flow_grid *g = &f.stage.grid;
    *g = (kb_flow_grid){.nx = COST_NX, .ny = COST_NY, .pitch = KB_LEFT + COST_NX + KB_GHOST};
    g->plane = g->pitch * (COST_NY + 2 * KB_GHOST);
    c.cells.cost = kb_alloc((size_t)g->plane, 1);
    for (int time = 0; time < 2; time++) {
        for (int j = 0; j < COST_ROWS; j++)
            for (int i = 0; i < COST_NX; i++)
                c.cells.cost[kb_flow_at(g, i, j)] = cost_of(i, first + j);
        kb_flow_collect_cost(&f);
        for (int j = 0; j < COST_NY && r == 0; j++)
            for (int i = 0; i < COST_NX; i++)
                *wrong += kb_flow_cost(&f, i, j) != cost_of(i, j);
    }
    free(c.cells.cost);
}

TEST(costs_of_all_rows)
{
    int wrong = 0;
    on_ranks(COST_NY / COST_ROWS, collect_costs, &wrong);
    assert_int_equal(wrong, 0);
}

/* KB_GHOST rows a rank, or none begins */
TEST(too_few_rows)
{
    flow_job job = {.of = {"vortex", "mp5", 12, 3 * KB_GHOST - 1, 0, KB_FLOW_CONSERVED}};
    on_ranks(3, march, &job);
    for (int r = 0; r < 3; r++) {
        assert_int_equal(job.code[r], KB_INVALID);
        assert_string_equal(job.err[r].text, "3 ranks for 8 rows of cells: a rank needs 3 or more");
    }
    job.of.ny++;
    on_ranks(3, march, &job);
    for (int r = 0; r < 3; r++)
        assert_int_equal(job.code[r], KB_OK);
    kb_flow_close(&job.f);
}

/* as many rows as the engine takes on each rank, or none begins; turned, the columns count */
TEST(too_many_rows)
{
    static const struct {
        int ranks, nx, ny, turn, code;
    } cases[] = {{1, 9, 11, 0, KB_INVALID}, {1, 9, 10, 0, KB_OK}, {2, 9, 21, 0, KB_INVALID},
                 {2, 9, 20, 0, KB_OK},      {1, 11, 9, 0, KB_OK}, {1, 11, 9, 1, KB_INVALID}};
    kb_error err = {0};
    kb_flow_options o;
    const kb_flow_case *c = flow_case("vortex", &o);
    kb_flow_engine e = *kb_flow_find_engine("mp5", "cpu-simd", 1, &err);
    e.most_rows = 10;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const kb_flow_world world = {.ranks = cases[k].ranks};
        kb_flow f = {.engine = &e, .options = {.world = &world}};
        f.stage.grid.ny = cases[k].turn ? cases[k].nx : cases[k].ny;
        assert_int_equal(kb_flow_share_rows(&f, &err), cases[k].code);
        if (cases[k].ranks > 1)
            continue;
        o.nx = cases[k].nx;
        o.ny = cases[k].ny;
        o.turn = cases[k].turn;
        assert_int_equal(kb_flow_open(&f, c, &o, &e, &err), cases[k].code);
        kb_flow_close(&f);
    }
}

/* (2 x 53 + 8) fields of 3 rows: as many numbers as an int counts */
TEST(too_long_rows)
{
    const kb_flow_world world = {.ranks = 2};
    kb_error err = {0};
    kb_flow f = {.engine = kb_flow_find_engine("mp5", "cpu-simd", 1, &err),
                 .options = {.world = &world}};
    int most = INT_MAX / (114 * 3) - 2 * KB_GHOST;
    f.stage.grid.ny = 2 * KB_GHOST;
    f.stage.grid.nsp = 53;
    f.stage.grid.nx = most;
    assert_works(kb_flow_share_rows(&f, &err));
    f.stage.grid.nx = most + 1;
    assert_fails(kb_flow_share_rows(&f, &err), KB_INVALID, "which MPI does not count");
    f.options.world = NULL;
    assert_works(kb_flow_share_rows(&f, &err));
}

/* --- what ranks agree on */

typedef struct {
    int own[MOST], code[MOST], bare[MOST], told[MOST], writes[MOST];
    double largest[MOST], total[MOST];
    kb_error err[MOST];
} opinions;

static void ask(const kb_flow_world *world, void *data)
{
    opinions *o = data;
    int r = world->rank;
    o->err[r] = (kb_error){0};
    if (o->own[r])
        kb_fail(&o->err[r], o->own[r], "rank %d", r);
    o->code[r] = kb_flow_agree(world, o->own[r], &o->err[r]);
    o->bare[r] = kb_flow_agree(world, o->own[r], NULL);
    o->told[r] = kb_flow_told(world, 10 + r);
    o->largest[r] = o->total[r] = r == 1 ? 5 : -1;
    kb_flow_most(world, &o->largest[r], 1);
    kb_flow_sum(world, &o->total[r], 1);
    o->writes[r] = kb_flow_writes(world);
}

TEST(ranks_agree)
{
    static const struct {
        int own[3], code;
        const char *text;
    } cases[] = {{{0, 0, 0}, KB_OK, ""},
                 {{0, KB_INVALID, 0}, KB_INVALID, "rank 1"},
                 {{0, KB_INVALID, KB_INTERRUPTED}, KB_INVALID, "rank 1"},
                 {{KB_INTERRUPTED, 0, KB_INVALID}, KB_INTERRUPTED, "rank 0"},
                 {{0, 0, KB_NOTHING}, KB_NOTHING, "rank 2"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        opinions o = {0};
        memcpy(o.own, cases[k].own, sizeof cases[k].own);
        on_ranks(3, ask, &o);
        for (int r = 0; r < 3; r++) {
            assert_int_equal(o.code[r], cases[k].code);
            assert_int_equal(o.bare[r], cases[k].code); /* without a message */
            assert_string_equal(o.err[r].text, cases[k].text);
            assert_int_equal(o.told[r], 10);
            assert_true(o.largest[r] == 5 && o.total[r] == 3);
            assert_int_equal(o.writes[r], r == 0);
        }
    }
    kb_error err = {.text = "alone"};
    double x = 2;
    kb_flow_most(NULL, &x, 1);
    kb_flow_sum(NULL, &x, 1);
    assert_true(kb_flow_agree(NULL, KB_INVALID, &err) == KB_INVALID && x == 2);
    assert_true(kb_flow_told(NULL, 7) == 7 && kb_flow_writes(NULL));
}

TESTS(flow_one_thread, NULL)
