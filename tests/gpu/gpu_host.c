/* SPDX-License-Identifier: MIT
 *
 * The host side of the GPU engines without a GPU: gpu.cu is compiled for the device of
 * fake_cuda/cuda_runtime.h, with rodas4 on H2.
 */
#include "tests/unit/solver_problem.h"
#include "tests/gpu/fake_cuda/fake.h"

extern const kb_solver kb_rodas4_fake, kb_rodas4_fake_cached;
kb_fake fake;
double kin_cache[(227 << 10) / sizeof(double)];

enum { ODES = 1000, MOST_OPTIONS = 16 };
static problem q;
static answer whole; /* unsplit, static */

static void new_device(void)
{
    unsetenv("KB_GPU_MEMORY");
    fake = (kb_fake){.devices = 1, .driver = 13000, .multiprocessors = 8, .memory = 1 << 30,
                     .told = 1 << 30, .shared = 227 << 10, .bandwidth = 1e9, .thread_s = 1e-7};
}

/* every block, stream and event was given back, and no error is left behind for the next call */
static void assert_nothing_left(void)
{
    assert_int_equal(fake.used, 0);
    assert_int_equal(fake.pinned, 0);
    assert_int_equal(fake.things, 0);
    assert_int_equal(fake.last_error, 0);
    assert_int_equal(fake.freed_early, 0);
}

typedef struct {
    double slice, cycles, overhead;
    bool as_they_come; /* costly_first=0 */
    int block;
    double carve; /* 0: the engine's choice */
    double pass;  /* 1: the explicit first pass, on 1e-8 s at rtol 1e-2 */
} choice;

static double *options_of(const kb_solver *s, choice c)
{
    static double values[MOST_OPTIONS];
    for (int i = 0; s->info.options[i].name; i++) {
        const char *name = s->info.options[i].name;
        values[i] = s->info.options[i].value;
        values[i] = c.slice && !strcmp(name, "slice") ? c.slice : values[i];
        values[i] = c.cycles && !strcmp(name, "cycles") ? c.cycles : values[i];
        values[i] = c.as_they_come && !strcmp(name, "costly_first") ? 0 : values[i];
        values[i] = c.overhead && !strcmp(name, "overhead") ? c.overhead : values[i];
        values[i] = c.pass && !strcmp(name, "pass") ? c.pass : values[i];
        values[i] = c.carve && !strcmp(name, "carve") ? c.carve : values[i];
    }
    return values;
}

static answer run_solver(const kb_solver *solver, choice c, kb_schedule schedule)
{
    kb_job job = {.n = ODES, .states = q.states, .dt = DT, .rtol = 1e-6, .atol = 1e-12,
                  .schedule = schedule, .threads = c.block};
    job.options = options_of(solver, c);
    if (c.pass) {
        job.dt = 1e-8;
        job.rtol = 1e-2;
        job.atol = 1e-8;
    }
    kb_error err = {0};
    answer a = {.y = kb_alloc(ODES * (size_t)(q.nsp + 1), sizeof *a.y),
                .count = kb_alloc(ODES, sizeof *a.count), .n = ODES};
    a.r = (kb_result){.y = a.y, .count = a.count};
    a.code = solver->run(solver, &job, &a.r, &err);
    if (a.code)
        fail_msg("%s", err.text);
    assert_nothing_left();
    return a;
}

static answer run_chosen(choice c, kb_schedule schedule)
{
    return run_solver(&kb_rodas4_fake, c, schedule);
}

static void assert_same_bits(const answer *a, const answer *b)
{
    for (int i = 0; i < ODES; i++)
        assert_same(&q, a, i, b, i);
}

static void test_as_on_the_cpu(void **state)
{
    (void)state;
    kb_job job = {.n = ODES, .states = q.states, .dt = DT, .rtol = 1e-6, .atol = 1e-12};
    answer cpu = solve(&q, kb_solver_find(q.s, "rodas4", "cpu-scalar"), job);
    assert_true(distance(&q, &whole, &cpu) < 1e-6);
    assert_int_equal(whole.r.slices, 1);
    assert_int_equal(whole.r.threads, 64);
    assert_true(whole.r.lane_use > 0.3 && whole.r.lane_use < 1);
    release(&cpu);
}

/* an ODE takes the first pass or not, whatever the schedule, the order of the queue and the slices,
 * and as on the CPU */
static void test_first_pass(void **state)
{
    int passed = 0;
    (void)state;
    choice c = {.pass = 1};
    answer each = run_chosen(c, KB_STATIC), queued = run_chosen(c, KB_REFILL);
    answer cpu = run_solver(kb_solver_find(q.s, "rodas4", "cpu-scalar"), c, KB_REFILL);
    assert_same_bits(&each, &queued);
    fake.multiprocessors = 2; /* the costly ones first */
    answer sorted = run_chosen(c, KB_REFILL);
    c.slice = 64;
    answer cut = run_chosen(c, KB_STATIC);
    assert_same_bits(&each, &sorted);
    assert_same_bits(&each, &cut);
    release(&sorted);
    release(&cut);
    assert_true(distance(&q, &each, &cpu) < 1e-6);
    for (int i = 0; i < ODES; i++) {
        passed += each.count[i].jac == 0;
        assert_int_equal(each.count[i].jac == 0, cpu.count[i].jac == 0);
        assert_int_equal(each.count[i].rhs, cpu.count[i].rhs);
    }
    print_message("%d of %d ODEs passed\n", passed, ODES);
    assert_true(passed > 0 && passed < ODES);
    release(&each);
    release(&queued);
    release(&cpu);
}

/* the parts of each slice one after another, all ODEs once, within the time of the run; the sums of
 * the parts are those of the timeline where slices do not overlap */
static void test_timeline(void **state)
{
    (void)state;
    kb_slice slices[16 + 1] = {[16] = {.n = -1}};
    kb_job job = {.n = ODES, .states = q.states, .dt = DT, .rtol = 1e-6, .atol = 1e-12};
    job.options = options_of(&kb_rodas4_fake, (choice){.slice = 64});
    kb_error err = {0};
    answer a = {.y = kb_alloc(ODES * (size_t)(q.nsp + 1), sizeof *a.y),
                .count = kb_alloc(ODES, sizeof *a.count), .n = ODES};
    a.r = (kb_result){.y = a.y, .count = a.count, .timeline = slices, .most_slices = 16};
    assert_int_equal(kb_rodas4_fake.run(&kb_rodas4_fake, &job, &a.r, &err), KB_OK);
    assert_int_equal(a.r.slices, 16);
    assert_true(a.r.resident > 0 && a.r.resident % 64 == 0);
    double kernels = 0;
    for (int k = 0; k < 16; k++) {
        const kb_slice *s = &slices[k];
        assert_int_equal(s->first, 64 * k);
        assert_int_equal(s->n, k < 15 ? 64 : ODES - 15 * 64);
        assert_true(s->copy_in >= 0 && s->kernel >= s->copy_in && s->copy_out >= s->kernel);
        assert_true(s->done >= s->copy_out && s->done <= a.r.total + 1e-6);
        kernels += s->copy_out - s->kernel;
    }
    assert_true(kernels > 0 && a.r.kernel <= kernels * (1 + 1e-3));
    assert_int_equal(slices[16].n, -1); /* no more than there is room for */
    a.r.most_slices = 3;
    slices[3].n = -1;
    assert_int_equal(kb_rodas4_fake.run(&kb_rodas4_fake, &job, &a.r, &err), KB_OK);
    assert_int_equal(slices[3].n, -1);
    release(&a);
    new_device();
}

/* however the batch is cut, the bits are those of the whole */
static void test_split_is_whole(void **state)
{
    (void)state;
    const struct {
        choice c;
        const char *memory;
        long slices;
    } cut[] = {{{.slice = 64}, NULL, 16},
               {{.slice = 1}, NULL, 16},
               {{.slice = 640}, NULL, 2},
               {{.slice = 32, .block = 32}, NULL, 32},
               {{.cycles = 1, .overhead = 1e-6}, NULL, 16}, /* n_hd 71 */
               {{.cycles = 1}, "100000", 6},
               {{.slice = 0}, "100000", 6},
               {{.slice = 0}, "15000", 16}}; /* no room for a second flight */
    for (size_t k = 0; k < sizeof cut / sizeof *cut; k++)
        for (int schedule = KB_STATIC; schedule <= KB_REFILL; schedule++) {
            if (cut[k].memory)
                setenv("KB_GPU_MEMORY", cut[k].memory, 1);
            answer a = run_chosen(cut[k].c, schedule);
            assert_int_equal(a.r.slices, cut[k].slices);
            assert_same_bits(&a, &whole);
            if (schedule == KB_STATIC)
                assert_true(a.r.lane_use == whole.r.lane_use);
            if (cut[k].memory)
                assert_true((double)fake.most < atof(cut[k].memory) + 2000); /* flags, counters */
            release(&a);
            new_device();
        }
}

/* page-locked arrays: the same bits, without staging buffers, whether the batch is cut or not */
static void test_page_locked(void **state)
{
    (void)state;
    const choice cut[] = {{.slice = 0}, {.slice = 64}};
    for (int k = 0; k < 2; k++) {
        new_device();
        fake.page_locked = true;
        answer a = run_chosen(cut[k], KB_STATIC);
        assert_same_bits(&a, &whole);
        assert_true(fake.most_pinned < 100); /* flags alone */
        release(&a);
    }
    new_device();
    answer a = run_chosen(cut[0], KB_STATIC);
    assert_true(fake.most_pinned > ODES * sizeof(double));
    release(&a);
}

/* kernels of a slice, in a run whose results are those of the whole batch; the first launch has no
 * ODEs */
static int kernels_of(const kb_solver *solver, choice c, kb_schedule schedule, int multiprocessors)
{
    new_device();
    fake.multiprocessors = multiprocessors;
    answer a = run_solver(solver, c, schedule);
    if (solver == &kb_rodas4_fake)
        assert_same_bits(&a, &whole);
    assert_true(distance(&q, &a, &whole) < 1e-10);
    assert_int_equal((fake.kernels - 1) % a.r.slices, 0);
    int kernels = (fake.kernels - 1) / (int)a.r.slices;
    release(&a);
    return kernels;
}

/* The queue is sorted, by three kernels, where more ODEs are in a slice than the device holds (256
 * on two multiprocessors, 1024 on eight), with refill, unless the user says no. */
static void test_costly_first(void **state)
{
    (void)state;
    const choice first = {0}, as_they_come = {.as_they_come = true};
    const kb_solver *plain = &kb_rodas4_fake, *cached = &kb_rodas4_fake_cached;
    const int unsorted = 2; /* the method's, and the sum of lane use */
    assert_int_equal(kernels_of(plain, first, KB_REFILL, 2), unsorted + 3);
    assert_int_equal(kernels_of(plain, as_they_come, KB_REFILL, 2), unsorted);
    assert_int_equal(kernels_of(plain, first, KB_REFILL, 8), unsorted);
    assert_int_equal(kernels_of(plain, first, KB_STATIC, 2), unsorted);
    assert_int_equal(kernels_of(cached, first, KB_REFILL, 2), unsorted + 3);
    assert_int_equal(kernels_of(cached, as_they_come, KB_REFILL, 2), unsorted);
}

/* memory for the sort is planned only where it is done: 1024 ODEs without it fit exactly */
static void test_memory_of_the_sort(void **state)
{
    (void)state;
    size_t ode = (size_t)(2 * q.nsp + 3) * sizeof(double) + sizeof(kb_count) + sizeof(int);
    char memory[32];
    snprintf(memory, sizeof memory, "%zu", sizeof(unsigned long long) + 1024 * ode);
    for (int multiprocessors = 2; multiprocessors <= 8; multiprocessors += 6) {
        new_device();
        setenv("KB_GPU_MEMORY", memory, 1);
        fake.multiprocessors = multiprocessors;
        answer a = run_chosen((choice){0}, KB_REFILL);
        assert_int_equal(a.r.slices, multiprocessors == 8 ? 1 : 3);
        assert_same_bits(&a, &whole);
        release(&a);
    }
}

/* less memory than it said: smaller slices */
static void test_less_memory_than_told(void **state)
{
    (void)state;
    fake.memory = 90000;
    answer a = run_chosen((choice){0}, KB_STATIC);
    assert_true(a.r.slices > 1);
    assert_same_bits(&a, &whole);
    release(&a);
}

static int run_solver_into(const kb_solver *solver, kb_job job, kb_error *err)
{
    answer a = {.y = kb_alloc(ODES * (size_t)(q.nsp + 1), sizeof *a.y),
                .count = kb_alloc(ODES, sizeof *a.count)};
    kb_result r = {.y = a.y, .count = a.count};
    job.n = 250;
    job.states = q.states;
    job.dt = DT;
    job.rtol = 1e-6;
    job.atol = 1e-12;
    *err = (kb_error){0};
    int code = solver->run(solver, &job, &r, err);
    release(&a);
    assert_nothing_left();
    return code;
}

static int run_into(kb_job job, kb_error *err)
{
    return run_solver_into(&kb_rodas4_fake, job, err);
}

/* each call of the runtime fails once: an error with its name and an advice, nothing left behind */
static void test_every_call_fails(void **state)
{
    (void)state;
    const int errors[] = {2, 209, 214, 700, 702};
    const char *advice[] = {"end other programs", "CUDA_ARCH", "nvidia-smi", "compute-sanitizer",
                            "shorter dt"};
    int told = 0;
    for (int k = 1; k < 1000; k++) {
        kb_error err;
        kb_job job = {.options = options_of(&kb_rodas4_fake, (choice){.slice = 64})};
        new_device();
        fake.fail_at = k;
        fake.fail_with = errors[k % 5];
        int code = run_into(job, &err);
        if (!fake.failed_call)
            break;
        if (code == KB_OK) { /* there was memory for smaller slices, or all was done */
            assert_true(fake.fail_with == 2 || !strcmp(fake.failed_call, "cudaDeviceSynchronize"));
            continue;
        }
        told++;
        assert_int_equal(code, KB_INVALID);
        assert_non_null(strstr(err.text, advice[k % 5]));
    }
    assert_true(told > 50);
}

/* copies of one slice run beside the kernel of another */
static void test_copies_overlap(void **state)
{
    (void)state;
    /* 14 us in, 14 us out and 26 us of kernels (128 threads, and 64 that add up the use of lanes) a
     * slice */
    fake.bandwidth = 128 * 88 / 14e-6;
    fake.thread_s = 26e-6 / (128 + 64);
    answer a = run_chosen((choice){.slice = 128}, KB_STATIC);
    double sum = a.r.copy_in + a.r.kernel + a.r.copy_out;
    assert_int_equal(a.r.slices, 8);
    assert_true(fabs(a.r.copy_in / 109e-6 - 1) < 0.05);
    assert_true(fabs(a.r.kernel / 208e-6 - 1) < 0.05);
    assert_true(a.r.total < 0.75 * sum);
    assert_true(a.r.total > a.r.kernel + 28e-6);
    release(&a);
    a = run_chosen((choice){0}, KB_STATIC);
    sum = a.r.copy_in + a.r.kernel + a.r.copy_out;
    assert_true(fabs(a.r.total / sum - 1) < 1e-5);
    release(&a);
}

static volatile int stop;

static void stop_at_third(int count) { stop = count >= 3; }

static void test_stop_between_slices(void **state)
{
    (void)state;
    kb_error err;
    kb_job job = {.stop = &stop, .options = options_of(&kb_rodas4_fake, (choice){.slice = 64})};
    fake.on_query = stop_at_third;
    stop = 0;
    assert_int_equal(run_into(job, &err), KB_INTERRUPTED);
    assert_true(fake.kernels < 7); /* of 9 */
    stop = 1;
    assert_int_equal(run_into(job, &err), KB_INTERRUPTED);
}

static void test_no_device(void **state)
{
    (void)state;
    kb_error err;
    fake.devices = 0;
    assert_int_equal(run_into((kb_job){0}, &err), KB_NOTHING);
    fake.driver = 0;
    assert_int_equal(run_into((kb_job){0}, &err), KB_NOTHING);
    assert_string_equal(err.text, "no CUDA device on this machine");
    fake.devices = 1;
    fake.driver = 12080;
    assert_int_equal(run_into((kb_job){0}, &err), KB_NOTHING);
    assert_non_null(strstr(err.text, "supports 12.8, the solvers were built with 13.0 (the"));
}

static void test_wrong_settings(void **state)
{
    (void)state;
    kb_error err;
    const char *memory[] = {"12 GB", "", "-5", "1000"};
    for (int k = 0; k < 4; k++) {
        setenv("KB_GPU_MEMORY", memory[k], 1);
        assert_int_equal(run_into((kb_job){0}, &err), KB_INVALID);
        assert_non_null(strstr(err.text, "KB_GPU_MEMORY"));
    }
    unsetenv("KB_GPU_MEMORY");
    const int block[] = {48, 2048, -32};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(run_into((kb_job){.threads = block[k]}, &err), KB_INVALID);
        assert_non_null(strstr(err.text, "a multiple of 32"));
    }
}

/* states that cannot start end with a status; all others keep their bits */
static void test_bad_neighbours(void **state)
{
    (void)state;
    const int bad[] = {0, 77, 78, 500, 999};
    const int status[] = {KB_ODE_NOT_FINITE, KB_ODE_BOUNDS, KB_ODE_NOT_FINITE, KB_ODE_BOUNDS,
                          KB_ODE_NOT_FINITE};
    double kept[5];
    for (int k = 0; k < 5; k++) {
        double *place = &q.states[bad[k] * (q.nsp + 2) + (k == 3) + 3 * (k == 4)];
        kept[k] = *place;
        *place = status[k] == KB_ODE_BOUNDS ? 0 : NAN;
    }
    for (int schedule = KB_STATIC; schedule <= KB_REFILL; schedule++) {
        answer a = run_chosen((choice){.slice = 256}, schedule);
        for (int i = 0, k = 0; i < ODES; i++)
            if (k < 5 && i == bad[k])
                assert_int_equal(a.count[i].status, status[k++]);
            else
                assert_same(&q, &a, i, &whole, i);
        release(&a);
    }
    for (int k = 0; k < 5; k++)
        q.states[bad[k] * (q.nsp + 2) + (k == 3) + 3 * (k == 4)] = kept[k];
}

/* gpu-thread-cached: the same results from two vectors of each thread in shared memory, no more of
 * it than is asked for, and what the resident blocks leave of it as cache */
static void test_cached(void **state)
{
    (void)state;
    const int blocks[] = {0, 32, 128};
    assert_int_equal(fake.carve_out, 0);
    for (int k = 0; k < 3; k++) {
        choice c = {.slice = 300, .block = blocks[k]};
        answer a = run_solver(&kb_rodas4_fake_cached, c, k % 2);
        size_t threads = blocks[k] ? blocks[k] : 64, resident = 128 / threads;
        assert_int_equal(fake.asked, threads * (2 * q.nsp + 2) * sizeof(double));
        double share = 100.0 * (double)(resident * (fake.asked + 1024)) /
                       (double)(fake.shared + 1024);
        assert_true(fake.carve_out >= share && fake.carve_out < share + 1);
        assert_int_equal(fake.outside, 0);
        assert_true(distance(&q, &a, &whole) < 1e-10);
        release(&a);
    }
}

static void test_cached_beyond_the_device(void **state)
{
    (void)state;
    kb_error err;
    size_t thread = (2 * q.nsp + 2) * sizeof(double);
    fake.shared = 64 * thread;
    const kb_solver *s = &kb_rodas4_fake_cached;
    assert_int_equal(run_solver_into(s, (kb_job){0}, &err), KB_OK);
    fake.shared--;
    assert_int_equal(run_solver_into(s, (kb_job){0}, &err), KB_NOTHING);
    assert_non_null(strstr(err.text, "gpu-thread-cached: a block of 64 threads takes"));
    assert_non_null(strstr(err.text, "--block: at most 32"));
    assert_int_equal(run_solver_into(s, (kb_job){.threads = 32}, &err), KB_OK);
    fake.shared = 31 * thread;
    assert_int_equal(run_solver_into(s, (kb_job){.threads = 32}, &err), KB_NOTHING);
    assert_non_null(strstr(err.text, "use gpu-thread"));
}

/* the split between L1 cache and shared memory as asked for, with the same bits */
/* ---- states that are on the device already ---- */

void *fake_device_new(const void *from, size_t size);
void fake_device_free(void *memory);
int kb_run_on_device(const kb_solver *solver, const kb_job *job, kb_device_states *states,
                     kb_error *err);

enum { FEW = 250, BAD = 17 }; /* ODEs; that one cannot start */

/* of the first ODEs of the problem, as a flow code has them */
static kb_device_states device_states(int by_species)
{
    double T[FEW], p[FEW], *Y = kb_alloc(FEW * (size_t)q.nsp, sizeof *Y);
    for (int i = 0; i < FEW; i++) {
        const double *s = q.states + i * (q.nsp + 2);
        T[i] = i == BAD ? 1 : s[0];
        p[i] = s[1];
        for (int k = 0; k < q.nsp; k++)
            Y[by_species ? k * FEW + i : i * q.nsp + k] = s[2 + k];
    }
    kb_device_states d = {.by_species = by_species, .nsp = q.nsp, .W = q.s->W};
    d.T = fake_device_new(T, sizeof T);
    d.p = fake_device_new(p, sizeof p);
    d.Y = fake_device_new(Y, FEW * (size_t)q.nsp * sizeof *Y);
    d.status = fake_device_new(NULL, FEW * sizeof *d.status);
    d.count = fake_device_new(NULL, FEW * sizeof *d.count);
    free(Y);
    return d;
}

static void free_states(kb_device_states *d)
{
    fake_device_free(d->T);
    fake_device_free(d->p);
    fake_device_free(d->Y);
    fake_device_free(d->status);
    fake_device_free(d->count);
}

static kb_job device_job(kb_reactor reactor)
{
    return (kb_job){.n = FEW, .dt = DT, .rtol = 1e-6, .atol = 1e-12, .reactor = reactor,
                    .options = options_of(&kb_rodas4_fake, (choice){.slice = 64})};
}

/* p W / T, the density but for R */
static double density_of(double T, double p, const kb_device_states *d, int i)
{
    double moles = 0;
    for (int k = 0; k < q.nsp; k++)
        moles += d->Y[d->by_species ? k * FEW + i : i * q.nsp + k] / q.s->W[k];
    return p / (T * moles);
}

static void check_state(const kb_device_states *d, const answer *a, int i, kb_reactor reactor)
{
    const double *s = q.states + i * (q.nsp + 2), *y = a->y + i * (q.nsp + 1);
    if (i == BAD) {
        assert_true(d->T[i] == 1 && d->status[i] == KB_ODE_BOUNDS);
        y = s + 1; /* Y as they were */
    } else {
        assert_true(d->T[i] == y[0] && d->status[i] == 0);
        assert_memory_equal(&d->count[i], &a->count[i], sizeof *d->count);
    }
    for (int k = 0; k < q.nsp; k++)
        assert_true(d->Y[d->by_species ? k * FEW + i : i * q.nsp + k] == y[1 + k]);
    if (reactor == KB_CONST_V && i != BAD) {
        double moles = 0;
        for (int k = 0; k < q.nsp; k++)
            moles += s[2 + k] / q.s->W[k];
        double rho = s[1] / (s[0] * moles);
        assert_true(fabs(density_of(d->T[i], d->p[i], d, i) / rho - 1) < 1e-13);
    } else {
        assert_true(d->p[i] == s[1]);
    }
}

static void test_states_on_the_device(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        kb_reactor reactor = k / 2 ? KB_CONST_V : KB_CONST_P;
        kb_job job = device_job(reactor), host = job;
        kb_error err = {0};
        new_device();
        host.states = q.states;
        answer a = {.y = kb_alloc(FEW * (size_t)(q.nsp + 1), sizeof *a.y),
                    .count = kb_alloc(FEW, sizeof *a.count)};
        kb_result r = {.y = a.y, .count = a.count};
        assert_int_equal(kb_rodas4_fake.run(&kb_rodas4_fake, &host, &r, &err), KB_OK);
        kb_device_states d = device_states(k % 2);
        if (kb_run_on_device(&kb_rodas4_fake, &job, &d, &err))
            fail_msg("%s", err.text);
        assert_int_equal(d.failed, 1);
        for (int i = 0; i < FEW; i++)
            check_state(&d, &a, i, reactor);
        free_states(&d);
        assert_nothing_left();
        release(&a);
    }
}

static void test_states_elsewhere(void **state)
{
    (void)state;
    kb_error err = {0};
    double on_host[1];
    kb_job job = device_job(KB_CONST_P);
    kb_device_states d = device_states(0), wrong = d;
    wrong.p = on_host;
    assert_int_equal(kb_run_on_device(&kb_rodas4_fake, &job, &wrong, &err), KB_INVALID);
    assert_non_null(strstr(err.text, "p is not in the memory of the device"));
    fake.devices = 0;
    assert_int_equal(kb_run_on_device(&kb_rodas4_fake, &job, &d, &err), KB_NOTHING);
    fake.devices = 1;
    fake.last_error = 0;
    int told = 0;
    for (int k = 1; k < 400; k++) { /* each call fails once */
        new_device();
        d = device_states(0);
        fake.calls = 0;
        fake.fail_at = k;
        fake.fail_with = 700;
        int code = kb_run_on_device(&kb_rodas4_fake, &job, &d, &err);
        told += code != KB_OK;
        int reached = fake.failed_call != NULL;
        fake.fail_at = 0;
        free_states(&d);
        assert_nothing_left();
        if (!reached)
            break;
    }
    assert_true(told > 40);
}

/* many batches of a shape in memory that the device reaches: the bits of single runs, of as many
 * ODEs as are given; all is left as it was */
static void test_passes(void **state)
{
    (void)state;
    const int n[] = {ODES, 100, ODES};
    for (int schedule = KB_STATIC; schedule <= KB_REFILL; schedule++)
        for (int slice = 0; slice <= 64; slice += 64) {
            kb_error err = {0};
            kb_job job = {.n = ODES, .dt = DT, .rtol = 1e-6, .atol = 1e-12,
                          .schedule = (kb_schedule)schedule,
                          .options = options_of(&kb_rodas4_fake, (choice){.slice = slice})};
            double *states = fake_device_new(q.states, ODES * (size_t)(q.nsp + 2) * 8);
            answer a = {.y = fake_device_new(NULL, ODES * (size_t)(q.nsp + 1) * 8),
                        .count = fake_device_new(NULL, ODES * sizeof(kb_count)), .n = ODES};
            void *run = NULL;
            assert_int_equal(kb_rodas4_fake.open(&kb_rodas4_fake, &job, &run, &err), KB_OK);
            job.states = states;
            for (int k = 0; k < 3; k++) {
                a.r = (kb_result){.y = a.y, .count = a.count};
                job.n = n[k];
                memset(a.count, 0, ODES * sizeof *a.count);
                assert_int_equal(kb_rodas4_fake.pass(run, &job, &a.r, &err), KB_OK);
                assert_int_equal(a.r.slices, slice ? (n[k] + 63) / 64 : 1);
                for (int i = 0; i < n[k]; i++)
                    assert_same(&q, &a, i, &whole, i);
                assert_true(n[k] == ODES || a.count[n[k]].attempted == 0);
            }
            kb_rodas4_fake.close(run);
            fake_device_free(states);
            fake_device_free(a.y);
            fake_device_free(a.count);
            assert_nothing_left();
        }
    kb_rodas4_fake.close(NULL);
}

static void test_carve_out(void **state)
{
    (void)state;
    kb_error err;
    const kb_solver *solvers[] = {&kb_rodas4_fake, &kb_rodas4_fake_cached};
    for (int k = 0; k < 2; k++) {
        answer a = run_solver(solvers[k], (choice){.carve = 37}, KB_STATIC);
        assert_int_equal(fake.carve_out, 37);
        if (k == 0)
            assert_same_bits(&a, &whole);
        release(&a);
        new_device();
        kb_job job = {.options = options_of(solvers[k], (choice){.carve = 101})};
        assert_int_equal(run_solver_into(solvers[k], job, &err), KB_INVALID);
        assert_non_null(strstr(err.text, "carve = 101, expected 0 to 100 percent, or -1"));
    }
}

static int start(void **state)
{
    (void)state;
    make_problem(&q, "h2", "H2:1", 1.2e-5, ODES);
    new_device();
    whole = run_chosen((choice){0}, KB_STATIC);
    return 0;
}

static int finish(void **state)
{
    (void)state;
    release(&whole);
    free_problem(&q);
    return 0;
}

static int fresh(void **state)
{
    (void)state;
    new_device();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_as_on_the_cpu, fresh),
        cmocka_unit_test_setup(test_first_pass, fresh),
        cmocka_unit_test_setup(test_split_is_whole, fresh),
        cmocka_unit_test_setup(test_page_locked, fresh),
        cmocka_unit_test_setup(test_costly_first, fresh),
        cmocka_unit_test_setup(test_memory_of_the_sort, fresh),
        cmocka_unit_test_setup(test_less_memory_than_told, fresh),
        cmocka_unit_test_setup(test_every_call_fails, fresh),
        cmocka_unit_test_setup(test_copies_overlap, fresh),
        cmocka_unit_test_setup(test_stop_between_slices, fresh),
        cmocka_unit_test_setup(test_timeline, fresh),
        cmocka_unit_test_setup(test_no_device, fresh),
        cmocka_unit_test_setup(test_wrong_settings, fresh),
        cmocka_unit_test_setup(test_cached, fresh),
        cmocka_unit_test_setup(test_cached_beyond_the_device, fresh),
        cmocka_unit_test_setup(test_carve_out, fresh),
        cmocka_unit_test_setup(test_states_on_the_device, fresh),
        cmocka_unit_test_setup(test_states_elsewhere, fresh),
        cmocka_unit_test_setup(test_passes, fresh),
        cmocka_unit_test_setup(test_bad_neighbours, fresh)};
    return cmocka_run_group_tests(tests, start, finish);
}
