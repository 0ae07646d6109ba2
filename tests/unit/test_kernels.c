/* SPDX-License-Identifier: MIT
 *
 * Linear algebra kernels: elimination.h with the threads of a GPU one after the other, what is
 * counted of it, the check of solutions, and every kernel of a mechanism's kernels.so; kernels of
 * a GPU if there is one.
 */
#include <dlfcn.h>
#include <unistd.h>

#include "tests/test.h"
#include "base/random.h"
#include "drivers/kernels/cells.h"
#include "solvers/parts/kernels_count.h"

#define MECH "build/mech/h2/kernels.so"

enum { MOST = 40, GUARD = 64 };

/* n systems as a kernel stores them, with guards at both ends */
typedef struct {
    kb_system_set set;
    int m, interleaved;
    long n;
    double *A, *b;
} batch;

static double *guarded(size_t count)
{
    double *p = malloc((count + 2 * GUARD) * sizeof *p);
    assert_non_null(p);
    for (size_t i = 0; i < count + 2 * GUARD; i++)
        p[i] = 1234.5;
    return p + GUARD;
}

static void check_guards(double *p, size_t count)
{
    for (int i = 1; i <= GUARD; i++) {
        assert_true(p[-i] == 1234.5);
        assert_true(p[(long)count + i - 1] == 1234.5);
    }
    free(p - GUARD);
}

static batch new_batch(int m, long n, int interleaved)
{
    batch t = {.m = m, .n = n, .interleaved = interleaved};
    assert_works(kb_systems_dominant(&t.set, m, 5, &err));
    assert_true(t.set.first_weight == 1);
    t.A = guarded((size_t)n * m * m);
    t.b = guarded((size_t)n * m);
    for (long s = 0; s < n; s++)
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < m; j++)
                t.A[interleaved ? (i * m + j) * n + s : (s * m + i) * m + j] =
                    t.set.A[(s % 5 * m + i) * m + j];
            t.b[interleaved ? i * n + s : s * m + i] = t.set.b[s % 5 * m + i];
        }
    return t;
}

static dense_system pick(const batch *t, long s)
{
    return dense_pick(t->A, t->b, t->m, t->n, s, t->interleaved);
}

/* solutions against pivoted_lu.h's; releases all */
static void end_batch(batch *t)
{
    kb_owned double *x = malloc((size_t)t->n * t->m * sizeof *x);
    for (long s = 0; s < t->n; s++)
        for (int i = 0; i < t->m; i++)
            x[s * t->m + i] = t->b[t->interleaved ? i * t->n + s : s * t->m + i];
    kb_system_check c = kb_systems_check(&t->set, t->n, x);
    assert_true(c.componentwise < 1e-14 && c.backward <= c.componentwise);
    assert_true(c.difference < 1e-14);
    assert_int_equal(c.differing, 0);
    check_guards(t->A, (size_t)t->n * t->m * t->m);
    check_guards(t->b, (size_t)t->n * t->m);
    kb_systems_free(&t->set);
}

static const int sizes[] = {1, 2, 3, 4, 5, 8, 13, 31, 32, 33, MOST};
#define EACH_SIZE(q) for (size_t q = 0; q < sizeof sizes / sizeof *sizes; q++)

TEST(one_thread_a_system)
{
    for (int interleaved = 0; interleaved < 2; interleaved++)
        EACH_SIZE(q) {
            batch t = new_batch(sizes[q], 11, interleaved);
            for (long s = t.n - 1; s >= 0; s--) {
                dense_system d = pick(&t, s);
                dense_solve(&d);
            }
            end_batch(&t);
        }
}

/* a block of 4 threads, each with its two rows, interleaved in shared memory */
TEST(one_thread_a_system_two_rows)
{
    enum { BLOCK = 4 };
    EACH_SIZE(q) {
        batch t = new_batch(sizes[q], 3 * BLOCK, 1);
        size_t rows = 2 * (size_t)(t.m + 1) * BLOCK;
        double *room = guarded(rows);
        for (long s = 0; s < t.n; s++) {
            dense_system d = pick(&t, s);
            double *pivot = room + s % BLOCK;
            dense_solve_rows(&d, pivot, pivot + (t.m + 1) * BLOCK, BLOCK);
        }
        check_guards(room, rows);
        end_batch(&t);
    }
}

/* runs a stage for all threads of a block, forwards or backwards: what one thread reads no other
 * may write */
#define STAGE(call)                                                                               \
    for (int u = 0; u < threads; u++) {                                                           \
        int thread = backwards ? threads - 1 - u : u;                                             \
        call;                                                                                     \
    }

static void solve_by_block(const dense_system *d, int threads, int backwards)
{
    double pivot[MOST + 1], current[MOST + 1];
    for (int k = 0; k + 1 < d->m; k++) {
        STAGE(dense_block_pivot(d, k, pivot, thread, threads))
        for (int i = k + 1; i < d->m; i++) {
            STAGE(dense_block_load(d, k, i, current, thread, threads))
            STAGE(dense_block_eliminate(d, k, i, pivot, current, thread, threads))
        }
    }
    STAGE(dense_block_rhs(d, current, thread, threads))
    for (int k = d->m - 1; k >= 0; k--)
        STAGE(dense_block_back(d, k, current, thread, threads))
}

TEST(a_block_for_a_system)
{
    static const int blocks[] = {1, 3, 32, 128};
    EACH_SIZE(q)
        for (int p = 0; p < 8; p++) {
            batch a = new_batch(sizes[q], 6, p / 4), b = new_batch(sizes[q], 6, p / 4);
            for (long s = 0; s < a.n; s++) {
                dense_system d = pick(&a, s), e = pick(&b, s);
                solve_by_block(&d, blocks[p % 4], 0);
                solve_by_block(&e, blocks[p % 4], 1);
            }
            assert_memory_equal(a.b, b.b, (size_t)a.n * a.m * sizeof *a.b);
            end_batch(&a);
            end_batch(&b);
        }
}

/* ---- counts, by hand ---- */

TEST(work_is_counted)
{
    /* 2 x 2: pivot inverted, l, a11 - l a01, b1 - l b0; x1 = b1/a11; x0 = (b0 - a01 x1)/a00 */
    assert_true(count_flops(2) == 1 + 1 + 2 + 2 + 1 + 3);
    /* a00 b0; a10, a11 in and out, a01, b1 in and out; x1: b1 a11 b1; x0: b0 a01 x1 a00 b0 */
    assert_true(count_thread_words(2, 0) == 2 + 6 + 3 + 5);
    /* row 0 (3); row 1 in (3) and out (2); the same way back */
    assert_true(count_thread_words(2, 1) == 3 + 5 + 3 + 5);
    assert_true(fabs(count_flops(200) / (2.0 / 3 * 8e6) - 1) < 0.02);
    kb_kernel_counts c = {0};
    count_block(2, &c); /* rows (a, a, b): 2 sectors each; b; back: x1: a01, a11, b1; x0: a00, b0 */
    assert_true(c.requests == 3 + 1 + 3 + 2 && c.sectors == 6 + 1 + 3 + 2);
    assert_true(c.bytes == 8 * (3 + 3 + 2 + 2 + 3 + 2));
}

TEST(sectors_are_counted)
{
    assert_true(count_thread_sectors(9, 4096, 1) == 8);
    assert_true(count_thread_sectors(9, 4096, 0) == 32);
    assert_true(count_thread_sectors(1, 4096, 0) == 8); /* then both layouts are one */
    assert_true(count_thread_sectors(9, 4097, 1) == (8 + 9 + 9 + 9) / 4.0);
    assert_true(count_thread_sectors(9, 16, 1) == 4);
    assert_true(count_sectors(0, 2, 32) == 16);
    assert_true(count_sectors(3, 1, 2) == 2);
}

/* ---- the check ---- */

TEST(wrong_solutions_are_found)
{
    kb_system_set set;
    double x[12 * 6];
    assert_works(kb_systems_dominant(&set, 6, 4, &err));
    for (int s = 0; s < 12; s++)
        memcpy(x + s * 6, set.reference + s % 4 * 6, 6 * sizeof *x);
    kb_system_check c = kb_systems_check(&set, 12, x);
    assert_true(c.backward < 1e-15 && c.difference == 0 && c.differing == 0);
    x[7 * 6 + 2] = nextafter(x[7 * 6 + 2], 9);
    assert_int_equal(kb_systems_check(&set, 12, x).differing, 1);
    x[2 * 6 + 5] *= 1 + 1e-9;
    c = kb_systems_check(&set, 12, x);
    assert_true(c.backward > 1e-12 && c.difference > 1e-13 && c.backward < 1e-8);
    assert_int_equal(c.differing, 3);
    x[11 * 6] = NAN;
    c = kb_systems_check(&set, 12, x);
    assert_true(isinf(c.backward) && isinf(c.componentwise) && isinf(c.difference));
    kb_systems_free(&set);
}

/* ---- kernels.so ---- */

static const kb_kernels *kernels;

FIXTURE(load)
{
    void *object = dlopen(MECH, RTLD_NOW | RTLD_LOCAL), *symbol;
    if (!object || !(symbol = dlsym(object, "kb_kernels_get"))) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    const kb_kernels *(*get)(void);
    memcpy(&get, &symbol, sizeof get);
    kernels = get();
    return kernels->version != KB_KERNELS_VERSION;
}

/* 20 random mixtures: T, p, Y */
static kb_database mixtures(void)
{
    kb_random r = {7};
    kb_database db = {.n = 20, .columns = kernels->nsp + 2};
    db.states = kb_alloc((size_t)db.n * db.columns, sizeof(double));
    for (long k = 0; k < db.n; k++) {
        double *s = db.states + k * db.columns, sum = 0;
        s[0] = 900 + 1600 * kb_random_unit(&r);
        s[1] = 101325;
        for (int i = 2; i < db.columns; i++)
            sum += s[i] = 0.1 + kb_random_unit(&r);
        for (int i = 2; i < db.columns; i++)
            s[i] /= sum;
    }
    return db;
}

static kb_system_set newton_set(void)
{
    kb_system_set set;
    kb_database db = mixtures();
    assert_works(kb_systems_newton(&set, kernels, &db, 16, 1e-6, &err));
    assert_int_equal(set.s.distinct, 16);
    free(db.states);
    return set;
}

/* every kernel of one kind on a batch; its cells go to *all */
static void measure_all(kb_kernel_cells *all, const kb_system_set *set, bool gpu, long n,
                        int segments, const kb_kernel_limits *limits)
{
    for (int i = 0; i < kernels->nkernels; i++) {
        const kb_kernel *k = kernels->kernels[i];
        if (kb_kernel_on_gpu(k) != gpu || (k->newton && !set->s.packed))
            continue;
        const kb_kernel_cell *c = kb_kernel_measure(all, k, set, n, segments, 0, limits);
        bool single = !strcmp(k->precision, "float");
        /* no more is asked of single precision with the Newton matrix, whose rows are of very
         * different size */
        double most = single ? (set->s.packed ? INFINITY : 1e-5) : set->s.packed ? 1e-9 : 1e-13;
        if (strcmp(c->status, "ok") || c->check.backward > most || c->check.difference > most)
            fail_msg("%s %s %s %s m %d: %s (%s), errors %g %g", k->name, k->engine, k->layout,
                     k->precision, c->m, c->status, c->why ? c->why : "", c->check.backward,
                     c->check.difference);
        assert_true(c->nsamples >= 3 && kb_kernel_system_time(c) > 0);
        assert_true(c->counts.flops > 0 && c->counts.storage > 0);
    }
}

static void every_kernel_solves(bool gpu, int segments, const kb_kernel_limits *limits)
{
    static const int m[] = {1, 4, 9, 33, 70};
    kb_kernel_cells all = {0};
    kb_system_set set = newton_set();
    measure_all(&all, &set, gpu, 300, segments, limits);
    kb_systems_free(&set);
    for (int i = 0; i < 5; i++) {
        assert_works(kb_systems_dominant(&set, m[i], 16, &err));
        measure_all(&all, &set, gpu, 300, segments, limits);
        kb_systems_free(&set);
    }
    kb_kernel_cells_free(&all);
}

TEST(cpu_kernels)
{
    every_kernel_solves(false, 1, &(kb_kernel_limits){.repeats = 3, .budget = 10});
}

TEST(gpu_kernels)
{
    kb_kernel_device device;
    kb_error err = {0};
    if (!kernels->device || kernels->device(&device, &err)) {
        print_message("no GPU: its kernels are not run\n");
        skip();
    }
    assert_true(device.copy > 1e9);
    kb_kernel_limits limits = {.repeats = 3, .budget = 10, .device = &device};
    every_kernel_solves(true, 1, &limits);
    every_kernel_solves(true, 3, &limits);
}

/* ---- a kernel of a card that is not there ---- */

static void count_50(const kb_kernel *self, const kb_systems *s, kb_kernel_counts *c)
{
    (void)self, (void)s;
    *c = (kb_kernel_counts){.flops = 1, .storage = 50};
}

static int open_any(const kb_kernel *self, const kb_systems *s, void **run, kb_error *err)
{
    (void)self, (void)s, (void)err;
    *run = NULL;
    return KB_OK;
}

static int take_1(void *run, double *seconds, kb_error *err)
{
    (void)run, (void)err;
    *seconds = 1;
    return KB_OK;
}

static int leave(void *run, double *x, kb_error *err)
{
    (void)run, (void)x, (void)err;
    return KB_OK;
}

/* ten systems of 50 + 16 bytes, and 5 matrices of 6 numbers: 900 bytes, nine tenths of 1000 */
TEST(a_tenth_of_the_memory_stays_free)
{
    const kb_kernel made_up = {.name = "dense", .engine = "gpu-thread", .count = count_50,
                               .open = open_any, .pass = take_1, .solution = leave, .close = free};
    kb_system_set set;
    kb_kernel_cells all = {0};
    assert_works(kb_systems_dominant(&set, 2, 5, &err));
    for (int more = 0; more < 2; more++) {
        kb_kernel_device device = {.memory = 1000 + more};
        kb_kernel_limits limits = {.repeats = 3, .budget = 10, .device = &device};
        const kb_kernel_cell *c = kb_kernel_measure(&all, &made_up, &set, 10, 1, 0, &limits);
        assert_string_equal(c->status, more ? "ok" : "skipped");
    }
    kb_kernel_cells_free(&all);
    kb_systems_free(&set);
}

/* sparse against dense on the same Newton matrices: fewer flops, and rows that say so */
TEST(rows_are_written)
{
    kb_kernel_cells all = {0};
    kb_system_set set = newton_set();
    kb_environment env = {.machine = "here", .git = "x"};
    kb_csv csv;
    char path[] = "/tmp/kb_kernels_XXXXXX";
    close(mkstemp(path));
    measure_all(&all, &set, false, 64, 1, &(kb_kernel_limits){.repeats = 4, .budget = 10});
    assert_works(kb_kernel_write(&all, path, kernels, &env, NULL, &err));
    assert_works(kb_csv_read(&csv, path, &err));
    assert_int_equal(csv.nrows, 5);
    double dense = 0, sparse = 0;
    for (long r = 0; r < csv.nrows; r++) {
        assert_string_equal(kb_csv_get(&csv, r, "status"), "ok");
        assert_true(kb_csv_value(&csv, r, "time_lo_s") <= kb_csv_value(&csv, r, "time_hi_s"));
        assert_true(isnan(kb_csv_value(&csv, r, "copy_percent")));
        double flops = kb_csv_value(&csv, r, "flops_per_system");
        if (!strcmp(kb_csv_get(&csv, r, "kernel"), "sparse"))
            sparse = flops;
        else
            dense = flops;
        double ratio = kb_csv_value(&csv, 0, "time_s") / kb_csv_value(&csv, r, "time_s");
        assert_true(fabs(kb_csv_value(&csv, r, "speedup_dense") / ratio - 1) < 1e-4);
    }
    assert_true(sparse > 0 && sparse < 2 * dense);
    kb_csv_free(&csv);
    kb_kernel_cells_free(&all);
    kb_systems_free(&set);
    unlink(path);
}

TESTS(load, NULL)
