/* SPDX-License-Identifier: MIT
 *
 * Orders, the files they are kept in, measured costs, and what orders do to warps.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "tests/test.h"
#include "base/stats.h"
#include "pasr/database/order.h"

#define assert_near(a, b, within) assert_true(fabs((a) - (b)) <= (within))

static char folder[64], file[96];

FIXTURE(make_folder)
{
    strcpy(folder, "/tmp/kb-orders-XXXXXX");
    snprintf(file, sizeof file, "%s/a.npy", mkdtemp(folder));
    return 0;
}

FIXTURE(remove_folder)
{
    kb_owned char *command = kb_format("rm -r '%s'", folder);
    return system(command);
}

/* the order by name, without files */
static void make(const kb_database *db, const char *name, unsigned long long seed, long *order)
{
    kb_order_request r = {.name = name, .seed = seed};
    assert_int_equal(kb_order_make(&r, db, NULL, order, NULL), KB_OK);
}

TEST(orders)
{
    kb_database db = {.n = 10};
    long a[10], b[10], seen[10] = {0};
    make(&db, "generated", 7, a);
    for (long i = 0; i < 10; i++)
        assert_int_equal(a[i], i);
    make(&db, "shuffled", 7, a);
    for (long i = 0; i < 10; i++)
        seen[a[i]]++;
    for (long i = 0; i < 10; i++)
        assert_int_equal(seen[i], 1);
    make(&db, "shuffled", 7, b);
    assert_memory_equal(a, b, sizeof a);
    make(&db, "shuffled", 8, b);
    assert_memory_not_equal(a, b, sizeof a);
}

/* the same algorithm in Python, as written out below */
TEST(shuffle_reference)
{
    /* mask = 2**64 - 1; x = 1
     * def next(): global x; x = x + 0x9e3779b97f4a7c15 & mask; z = x
     *     z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & mask
     *     z = (z ^ z >> 27) * 0x94d049bb133111eb & mask; return z ^ z >> 31
     * o = list(range(8))
     * for i in range(7, 0, -1): j = next() % (i + 1); o[i], o[j] = o[j], o[i] */
    static const long expected[8] = {4, 3, 2, 7, 5, 6, 0, 1};
    kb_database db = {.n = 8};
    long order[8];
    make(&db, "shuffled", 1, order);
    assert_memory_equal(order, expected, sizeof order);
}

/* every position must receive every value about equally often: chi-squared over 36 cells */
TEST(shuffle_is_uniform)
{
    enum { N = 6, ROUNDS = 120000 };
    double count[N][N] = {{0}}, chi = 0;
    kb_database db = {.n = N};
    long order[N];
    for (unsigned seed = 0; seed < ROUNDS; seed++) {
        make(&db, "shuffled", seed, order);
        for (int i = 0; i < N; i++)
            count[i][order[i]]++;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            chi += (count[i][j] - ROUNDS / N) * (count[i][j] - ROUNDS / N) / (ROUNDS / N);
    /* 25 degrees of freedom; cells of one permutation exclude each other: variance (N - 1)/N^2 */
    assert_true(chi * (N - 1) / N < 52.6); /* one in a thousand */
}

TEST(unknown_order)
{
    kb_error err = {0};
    kb_database db = {.n = 1};
    long order[1];
    kb_order_request r = {.name = "sideways"};
    assert_int_equal(kb_order_make(&r, &db, NULL, order, &err), KB_INVALID);
    assert_non_null(strstr(err.text, "'sideways'"));
    assert_non_null(strstr(err.text, KB_ORDERS));
    assert_null(kb_order_name("sideways"));
    /* both lists of names agree */
    char all[] = KB_ORDERS;
    for (char *name = strtok(all, ","); name; name = strtok(NULL, ","))
        assert_string_equal(kb_order_name(name), name);
}

TEST(sorted_by_temperature)
{
    double rows[6 * 3] = {900, 1, 1, 300, 1, 1, 900, 2, 1, 1200, 1, 1, 300, 2, 1, 310, 1, 1};
    static const long expected[6] = {1, 4, 5, 0, 2, 3}; /* ties keep their sequence */
    kb_database db = {.n = 6, .columns = 3, .states = rows};
    long order[6];
    make(&db, "sorted-T", 0, order);
    assert_memory_equal(order, expected, sizeof order);
}

/* Only where states lie between the ends of each axis counts: not how far p goes, nor which column
 * a species has */
TEST(similar_by_places_alone)
{
    enum { N = 400, SPECIES = 8, C = 2 + SPECIES };
    static const int columns[2][SPECIES] = {{0, 1, 2, 3, 4, 5, 6, 7}, {5, 2, 7, 0, 6, 1, 4, 3}};
    static double rows[N * C];
    long expected[N], order[N];
    kb_database db = {.n = N, .columns = C, .states = rows};
    for (int way = 0; way < 4; way++) {
        srand(3);
        for (int i = 0; i < N; i++) {
            double at[C], *s = rows + i * C;
            for (int k = 0; k < C; k++)
                at[k] = i < 2 ? i : (1000 + rand() % 2000 + 0.5) / 4095;
            s[0] = 300 + 1000 * at[0];
            s[1] = 1e5 * pow(way & 1 ? 1000 : 1.01, at[1]);
            for (int k = 0; k < SPECIES; k++)
                s[2 + columns[way / 2][k]] = 0.1 * k + 0.9 * pow(0.7, k) * at[2 + k];
        }
        make(&db, "similar", 0, way ? order : expected);
        if (way)
            assert_memory_equal(order, expected, sizeof order);
    }
}

/* A quantity that is the same everywhere counts as its least value, as where one state more has a
 * larger one: states as close as the curve is fine come in the same sequence */
TEST(similar_beside_a_constant)
{
    enum { N = 256, C = 5 };
    static double rows[(N + 1) * C];
    long order[N], more[N + 1];
    kb_database db = {.n = N, .columns = C, .states = rows}, one_more = db;
    one_more.n++;
    for (int constant = 0; constant < C; constant += constant ? 3 : 1) { /* T, p, the last axis */
        for (long i = 0; i <= N; i++)
            for (int k = 0; k < C; k++) {
                long level = i >> 2 * (k - (k > constant)) & 3;
                double at = k == constant ? i == N : i == N ? 0 : i ? (level + 0.5) / 4095 : 1;
                rows[i * C + k] = k == 0 ? 300 + 1000 * at : k == 1 ? pow(10, 5 + at) : at;
            }
        make(&db, "similar", 0, order);
        make(&one_more, "similar", 0, more);
        long n = 0;
        for (long i = 0; i <= N; i++)
            if (more[i] < N)
                assert_int_equal(order[n++], more[i]);
    }
}

/* 4^5 points on a grid over T, log p and three species, in random sequence, across the whole ranges
 * or in a corner as fine as the curve is, with one state at the far end: a Hilbert curve visits
 * them so that each step goes to a neighbour in one direction. */
static void visit_neighbours(int fine)
{
    enum { N = 1024, C = 7 };
    static double rows[(N + 1) * C];
    static int level[N][5];
    long place[N], order[N + 1];
    kb_database db = {.n = N + fine, .columns = C, .states = rows};
    kb_database grid = {.n = N, .columns = C, .states = rows};
    make(&grid, "shuffled", 5, place);
    for (long i = 0; i < db.n; i++) {
        double *s = rows + (i < N ? place[i] : N) * C, at[5];
        for (int k = 0; k < 5; k++) {
            int l = (int)(i >> 2 * k & 3);
            if (i < N)
                level[place[i]][k] = l;
            at[k] = i == N ? 1 : !fine ? l / 3. : l > 0 ? (l + 0.5) / 4095 : 0;
        }
        s[0] = 300 + 300 * at[0];
        s[1] = 1e5 * pow(1000, at[1]);
        s[2] = 0.003 * at[2]; /* varies too little to be an axis, but with another one */
        s[3] = 0.6 * at[2];
        s[5] = 0.9 * at[3];
        s[6] = 0.3 * at[4];
    }
    make(&db, "similar", 0, order);
    assert_int_equal(kb_order_check("similar", order, db.n, NULL), KB_OK);
    for (long i = 1; i < N; i++) {
        int steps = 0;
        for (int k = 0; k < 5; k++)
            steps += abs(level[order[i]][k] - level[order[i - 1]][k]);
        assert_int_equal(steps, 1);
    }
}

TEST(hilbert_visits_neighbours)
{
    visit_neighbours(0);
    visit_neighbours(1);
}

TEST(first_of_an_order)
{
    static const long order[7] = {6, 2, 0, 5, 3, 1, 4}, expected[4] = {2, 0, 3, 1};
    long first[4];
    kb_order_first(order, 7, 4, first);
    assert_memory_equal(first, expected, sizeof first);
}

TEST(no_permutation_is_said_which)
{
    static const struct { long order[3]; const char *says; } all[] = {
        {{0, 0, 1}, "0 to 2: 0 in place 1 comes again ("},
        {{2, 0, 2}, "0 to 2: 2 in place 2 comes again ("},
        {{0, -1, 1}, "0 to 2: -1 in place 1 is outside ("},
        {{3, 1, 2}, "0 to 2: 3 in place 0 is outside ("}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_fails(kb_order_check("a.npy", all[i].order, 3, &err), KB_INVALID, all[i].says);
    }
}

/* ---- kept files ---- */

/* n states of the h2 mechanism (9 species): H2, O2 and N2, T rising */
static void write_h2(long n, kb_database *db)
{
    kb_owned double *rows = kb_alloc((size_t)n, 11 * sizeof *rows);
    for (long i = 0; i < n; i++) {
        rows[11 * i] = 900 + 1500 * (double)i / (double)n;
        rows[11 * i + 1] = 101325;
        rows[11 * i + 2] = 0.03;
        rows[11 * i + 3] = 0.22;
        rows[11 * i + 10] = 0.75;
    }
    assert_int_equal(kb_npy_write(file, n, 11, rows, NULL), KB_OK);
    assert_int_equal(kb_database_read(db, file, 9, false, NULL), KB_OK);
}

static long long changed(const char *path)
{
    struct stat s;
    assert_int_equal(stat(path, &s), 0);
    return s.st_mtim.tv_sec * 1000000000LL + s.st_mtim.tv_nsec;
}

TEST(kept_order)
{
    kb_database db;
    long a[50], b[50];
    write_h2(50, &db);
    kb_order_request r = {.name = "shuffled", .seed = 3};
    assert_int_equal(kb_order_get(&r, &db, a, NULL), KB_OK);
    kb_owned char *path = kb_column_path(&db, "order-shuffled");
    assert_non_null(strstr(path, "/a.order-shuffled.npy"));
    long long first = changed(path);
    usleep(10000);
    assert_int_equal(kb_order_get(&r, &db, b, NULL), KB_OK);
    assert_memory_equal(a, b, sizeof a);
    assert_true(changed(path) == first); /* read, not made again */
    r.seed = 4;
    assert_int_equal(kb_order_get(&r, &db, b, NULL), KB_OK);
    assert_memory_not_equal(a, b, sizeof a);
    assert_true(changed(path) != first);
    kb_database_free(&db);
    write_h2(40, &db); /* another database under the name */
    assert_int_equal(kb_order_get(&r, &db, b, NULL), KB_OK);
    assert_int_equal(kb_order_check("b", b, 40, NULL), KB_OK);
    kb_database_free(&db);
}

TEST(damaged_order)
{
    kb_database db;
    long order[50];
    int64_t values[50];
    write_h2(50, &db);
    kb_order_request r = {.name = "sorted-T"};
    for (long i = 0; i < 50; i++)
        values[i] = 49 - i;
    assert_int_equal(kb_column_write(&db, "order-sorted-T", values, "sorted-T", NULL), KB_OK);
    assert_int_equal(kb_order_get(&r, &db, order, NULL), KB_OK);
    assert_int_equal(order[0], 49); /* the kept one counts */
    values[7] = 3;
    assert_int_equal(kb_column_write(&db, "order-sorted-T", values, "sorted-T", NULL), KB_OK);
    assert_fails(kb_order_get(&r, &db, order, &err), KB_INVALID, "3 in place 46 comes again");
    values[7] = 50;
    assert_int_equal(kb_column_write(&db, "order-sorted-T", values, "sorted-T", NULL), KB_OK);
    assert_fails(kb_order_get(&r, &db, order, &err), KB_INVALID, "50 in place 7 is outside");
    char *path = kb_column_path(&db, "order-sorted-T");
    assert_int_equal(truncate(path, 300), 0);
    assert_fails(kb_order_get(&r, &db, order, &err), KB_INVALID, "truncated");
    remove(path);
    free(path);
    path = kb_format("%s/a.order-sorted-T.json", folder);
    remove(path);
    free(path);
    assert_int_equal(kb_order_get(&r, &db, order, NULL), KB_OK);
    assert_int_equal(order[0], 0);
    kb_database_free(&db);
}

/* a column of another length than the database that it names */
TEST(damaged_length)
{
    kb_database db;
    long order[50];
    static const int64_t values[50];
    write_h2(50, &db);
    db.n = 40;
    assert_int_equal(kb_column_write(&db, "order-sorted-T", values, "sorted-T", NULL), KB_OK);
    db.n = 50;
    kb_order_request r = {.name = "sorted-T"};
    assert_fails(kb_order_get(&r, &db, order, &err), KB_INVALID, "40 numbers, expected 50");
    kb_database_free(&db);
}

/* ---- by rates and by cost ---- */

static const kb_solvers *h2(void)
{
    const kb_solvers *s;
    assert_works(!(s = kb_solvers_open("h2", &err)));
    return s;
}

/* the norm of state i as it is defined, from the scalar rates */
static double norm_of(const kb_solvers *s, const kb_database *db, long i)
{
    const double *state = db->states + i * 11;
    double y[10], f[10], sum = 0;
    y[0] = state[0];
    memcpy(y + 1, state + 2, 9 * sizeof *y);
    kb_evaluation e = {.n = 1, .y = y, .p = &state[1], .dy = f};
    assert_int_equal(s->evaluate(s, "cpu-scalar", &e, NULL), KB_OK);
    for (int k = 0; k < 10; k++)
        sum += pow(f[k] / (1e-10 + 1e-4 * y[k]), 2);
    return sqrt(sum / 10);
}

TEST(sorted_by_rates)
{
    kb_database db;
    long order[5000];
    double norm[5000];
    write_h2(5000, &db); /* more than one chunk */
    kb_order_request r = {.name = "sorted-f", .solvers = h2()};
    assert_int_equal(kb_order_norm(&db, r.solvers, norm, NULL), KB_OK);
    for (long i = 0; i < 5000; i += 613)
        assert_true(fabs(norm[i] / norm_of(r.solvers, &db, i) - 1) < 1e-9);
    assert_int_equal(kb_order_get(&r, &db, order, NULL), KB_OK);
    assert_int_equal(kb_order_check("sorted-f", order, 5000, NULL), KB_OK);
    for (long i = 1; i < 5000; i++)
        assert_true(norm[order[i]] <= norm[order[i - 1]]);
    r.solvers = NULL;
    assert_int_equal(kb_order_make(&r, &db, NULL, order, NULL), KB_INVALID);
    kb_database_free(&db);
}

/* also when the steepest state is the first row, or the last */
TEST(rows_at_the_ends_have_keys)
{
    kb_database db;
    long order[20];
    double norm[20], kept[11];
    write_h2(20, &db);
    kb_order_request r = {.name = "sorted-f", .solvers = h2()};
    for (int turn = 0; turn < 20; turn++) {
        memcpy(kept, db.states, sizeof kept); /* the first row becomes the last */
        memmove(db.states, db.states + 11, 19 * sizeof kept);
        memcpy(db.states + 19 * 11, kept, sizeof kept);
        assert_int_equal(kb_order_norm(&db, r.solvers, norm, NULL), KB_OK);
        assert_int_equal(kb_order_make(&r, &db, NULL, order, NULL), KB_OK);
        for (long i = 0; i < 20; i++)
            assert_true(norm[order[i]] > 0 && (!i || norm[order[i]] <= norm[order[i - 1]]));
    }
    kb_database_free(&db);
}

TEST(sorted_by_cost)
{
    kb_database db;
    kb_error err = {0};
    int64_t cost[20];
    long order[20];
    kb_owned char *about = NULL;
    kb_count count[20] = {{0}};
    write_h2(20, &db);
    assert_int_equal(kb_cost_read(&db, cost, &about, &err), KB_NOTHING);
    kb_order_request r = {.name = "sorted-cost"};
    assert_int_equal(kb_order_get(&r, &db, order, &err), KB_INVALID); /* and no solvers */
    for (int i = 0; i < 20; i++)
        count[i].attempted = i * 7 % 20;
    assert_int_equal(kb_cost_write(&db, count, "by hand", NULL), KB_OK);
    assert_int_equal(kb_cost_read(&db, cost, &about, NULL), KB_OK);
    assert_string_equal(about, "by hand");
    assert_int_equal(kb_order_get(&r, &db, order, NULL), KB_OK);
    for (int i = 0; i < 20; i++)
        assert_int_equal(count[order[i]].attempted, 19 - i);
    /* a new measurement under the same text makes a new order */
    for (int i = 0; i < 20; i++)
        count[i].attempted = i;
    assert_int_equal(kb_cost_write(&db, count, "by hand", NULL), KB_OK);
    assert_int_equal(kb_order_get(&r, &db, order, NULL), KB_OK);
    assert_int_equal(order[0], 19);
    kb_database_free(&db);
}

/* of all states with these tolerances, 0: the solver's own */
static int64_t attempts(const kb_database *db, double rtol, double atol)
{
    static kb_count count[300];
    kb_cost_run run = {.solvers = h2(), .solver = "rodas4", .engine = "cpu-scalar", .dt = 1e-5,
                       .rtol = rtol, .atol = atol};
    int64_t sum = 0;
    assert_int_equal(kb_cost_count(&run, db, NULL, db->n, count, NULL), KB_OK);
    for (long i = 0; i < db->n; i++)
        sum += count[i].attempted;
    return sum;
}

/* with solvers the cost is measured when none is kept, and agrees with a run of its own */
TEST(cost_on_demand)
{
    kb_database db;
    long order[300];
    int64_t cost[300];
    kb_count count[300];
    static const long some[3] = {299, 0, 150};
    write_h2(300, &db);
    kb_order_request r = {.name = "sorted-cost", .solvers = h2(), .dt = 1e-5, .threads = 1};
    assert_int_equal(kb_order_get(&r, &db, order, NULL), KB_OK);
    assert_int_equal(kb_cost_read(&db, cost, NULL, NULL), KB_OK);
    kb_cost_run run = {.solvers = h2(), .solver = "rodas4", .engine = "cpu-scalar", .dt = 1e-5};
    assert_int_equal(kb_cost_count(&run, &db, some, 3, count, NULL), KB_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(count[i].attempted, cost[some[i]]);
    assert_true(cost[order[0]] > cost[order[299]]);
    for (long i = 1; i < 300; i++)
        assert_true(cost[order[i]] <= cost[order[i - 1]]);
    char *text = kb_cost_text(&run);
    assert_string_equal(text, "rodas4 cpu-scalar, dt 1e-05 s, rtol 0.0001, atol 1e-10");
    free(text);
    run.rtol = 0.05, run.atol = 1e-3; /* in place of its own */
    text = kb_cost_text(&run);
    assert_string_equal(text, "rodas4 cpu-scalar, dt 1e-05 s, rtol 0.05, atol 0.001");
    free(text);
    int64_t fine = attempts(&db, 0, 0);
    assert_int_equal(fine, attempts(&db, 1e-4, 1e-10));
    assert_true(attempts(&db, 0.05, 0) < fine && attempts(&db, 0, 1e-2) < fine);
    run.solver = "nosuch";
    assert_fails(kb_cost_count(&run, &db, some, 3, count, &err), KB_INVALID, "'nosuch'");
    text = kb_cost_text(&run);
    assert_string_equal(text, "nosuch cpu-scalar, dt 1e-05 s, rtol 0.05, atol 0.001");
    free(text);
    kb_database_free(&db);
}

/* ---- warps ---- */

static double of_static(const int32_t *d, const int32_t *attempts, long n, int lanes)
{
    return kb_static_slow_down(&(kb_ode_work){.n = n, .d = d, .attempts = attempts}, lanes);
}

static double of_refill(const int32_t *d, const int32_t *attempts, long n, int lanes)
{
    return kb_refill_slow_down(&(kb_ode_work){.n = n, .d = d, .attempts = attempts}, lanes);
}

/* 2 warps and a half: one of 1 to 32, one of equal ODEs, 16 of which one is long */
TEST(slow_downs)
{
    int32_t d[80];
    for (int i = 0; i < 80; i++)
        d[i] = i < 32 ? i + 1 : i < 64 ? 10 : i == 70 ? 100 : 2;
    double sum = 32 * 33 / 2 + 320 + 100 + 15 * 2;
    assert_near(of_static(d, d, 80, KB_WARP), (32 * 32 + 32 * 10 + 16 * 100) / sum, 1e-14);
    int32_t two[64];
    for (int i = 0; i < 64; i++)
        two[i] = i < 32 ? i + 1 : 32 - (i - 32);
    assert_near(of_refill(two, two, 64, KB_WARP), 1, 1e-14); /* 1 + 32, 2 + 31, ... */
    int32_t last[33];
    for (int i = 0; i < 33; i++)
        last[i] = i < 32 ? 1 : 9;
    assert_near(of_refill(last, last, 33, KB_WARP), 32 * 10.0 / 41, 1e-14);
    int32_t few[3] = {4, 2, 3};
    assert_near(of_refill(few, few, 3, KB_WARP), 12.0 / 9, 1e-14);
    /* attempts of different length: of 4 and of 1, together */
    int32_t work[4] = {8, 2, 2, 4}, attempts[4] = {2, 2, 2, 1};
    assert_near(of_static(work, attempts, 4, 2), 2 * (8.0 + 4 + 1) / 16, 1e-14);
    /* lanes: 8 with 2, then 2 with 4: attempts last 4 4, 4 1 */
    assert_near(of_refill(work, attempts, 4, 2), 2 * (8.0 + 4 + 1) / 16, 1e-14);
    int32_t mixed[3] = {9, 2, 2}, tries[3] = {3, 1, 2}; /* 3 with 2, then 3 with 1 and 1 */
    assert_near(of_refill(mixed, tries, 3, 2), 2 * 9.0 / 13, 1e-14);
    int32_t none[2] = {0, 0};
    assert_near(of_static(none, none, 2, KB_WARP), 1, 0);
    assert_near(of_refill(none, none, 2, KB_WARP), 1, 0);
}

TESTS(make_folder, remove_folder)
