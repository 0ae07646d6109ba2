/* SPDX-License-Identifier: MIT
 *
 * Batches on a made-up GPU: the same bits however they are cut, queued, copied and cached, and what
 * the times of a run say.
 */
#include <omp.h>
#include <time.h>

#include "tests/test.h"
#include "tests/gpu/gpu_host.h"

TEST_WITH(test_as_on_the_cpu, fresh, NULL)
{
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
TEST_WITH(test_first_pass, fresh, NULL)
{
    int passed = 0;
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

/* however the batch is cut, the bits are those of the whole */
TEST_WITH(test_split_is_whole, fresh, NULL)
{
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
TEST_WITH(test_page_locked, fresh, NULL)
{
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
TEST_WITH(test_costly_first, fresh, NULL)
{
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

/* ODEs that are the host's: those with the largest norms, which have the bits of the CPU engine
 * that the number asks for; all others those of the device. With the pass, of those that it leaves.
 */
TEST_WITH(test_host_share, fresh, NULL)
{
    const int host[] = {1, 40, ODES, 2 * ODES};
    omp_set_num_threads(2);
    answer cpu = run_solver(kb_solver_find(q.s, "rodas4", "cpu-simd"), (choice){0}, KB_REFILL);
    for (int k = 0; k < 4; k++) {
        new_device();
        given_to_scalar = given_to_simd = 0;
        answer a = run_chosen((choice){.host = host[k]}, KB_REFILL);
        int of_cpu = 0, of_device = 0, most = host[k] < ODES ? host[k] : ODES;
        assert_int_equal(given_to_scalar, host[k] == 1);
        assert_int_equal(given_to_simd, host[k] == 1 ? 0 : most);
        assert_int_equal(a.r.slices, 1);
        for (int i = 0; i < ODES; i++) {
            size_t row = (size_t)i * (q.nsp + 1), size = (q.nsp + 1) * sizeof *a.y;
            bool device = !memcmp(a.y + row, whole.y + row, size);
            of_device += device;
            of_cpu += !device && !memcmp(a.y + row, cpu.y + row, size);
        }
        if (host[k] > 1)
            assert_int_equal(of_cpu + of_device, ODES);
        assert_true(of_device >= ODES - most && of_cpu >= most / 2);
        assert_true(distance(&q, &a, &whole) < 1e-10);
        release(&a);
    }
    given_to_simd = given_to_scalar = 0;
    answer passed = run_chosen((choice){.pass = 1, .host = ODES}, KB_REFILL);
    answer alone = run_chosen((choice){.pass = 1}, KB_REFILL);
    long left = 0;
    for (int i = 0; i < ODES; i++) {
        left += alone.count[i].jac > 0;
        assert_int_equal(passed.count[i].rhs, alone.count[i].rhs);
    }
    assert_true(left > 0);
    assert_int_equal(given_to_simd + given_to_scalar, left);
    assert_true(distance(&q, &passed, &alone) < 1e-10);
    release(&passed);
    release(&alone);
    given_to_simd = given_to_scalar = 0;
    const choice sliced = {.slice = 128, .host = 40}, in_turn = {.host = 40};
    answer a = run_chosen(sliced, KB_REFILL), b = run_chosen(in_turn, KB_STATIC);
    assert_int_equal(given_to_simd + given_to_scalar, 0);
    assert_same_bits(&a, &whole);
    assert_same_bits(&b, &whole);
    release(&a);
    release(&b);
    release(&cpu);
}

/* Large slices: a quarter of what one may have, then `slice` each; static ones are cut as on other
 * engines. */
TEST_WITH(test_large_slices, fresh, NULL)
{
    const struct {
        double slice;
        int schedule;
        long slices, second, last;
    } cut[] = {{640, KB_REFILL, 3, 160, 800}, {64, KB_REFILL, 17, 16, 976},
               {300, KB_REFILL, 4, 80, 720}, {1000, KB_REFILL, 1, 0, 0},
               {300, KB_STATIC, 4, 320, 960}};
    for (size_t k = 0; k < sizeof cut / sizeof *cut; k++) {
        kb_slice timeline[20];
        answer a = {.y = kb_alloc(ODES * (size_t)(q.nsp + 1), sizeof *a.y),
                    .count = kb_alloc(ODES, sizeof *a.count)};
        kb_error err;
        choice c = {.slice = cut[k].slice};
        kb_job job = {.n = ODES, .states = q.states, .dt = DT, .rtol = 1e-6, .atol = 1e-12,
                      .schedule = cut[k].schedule,
                      .options = options_of(&kb_rodas4_fake_cores, c)};
        a.r = (kb_result){.y = a.y, .count = a.count, .timeline = timeline, .most_slices = 20};
        new_device();
        given_to_scalar = given_to_simd = 0;
        assert_int_equal(kb_rodas4_fake_cores.run(&kb_rodas4_fake_cores, &job, &a.r, &err), KB_OK);
        assert_nothing_left();
        assert_same_bits(&a, &whole);
        assert_int_equal(a.r.slices, cut[k].slices);
        if (cut[k].slices > 1)
            assert_int_equal(timeline[1].first, cut[k].second);
        assert_int_equal(timeline[cut[k].slices - 1].first, cut[k].last);
        assert_int_equal(timeline[cut[k].slices - 1].first + timeline[cut[k].slices - 1].n, ODES);
        assert_int_equal(given_to_simd + given_to_scalar, 0);
        release(&a);
    }
}

/* fewer ODEs than a block has, and one that is left for the last slice */
TEST_WITH(test_few, fresh, NULL)
{
    const int few[] = {1, 33, 65};
    for (int k = 0; k < 6; k++) {
        answer a = {.y = kb_alloc(ODES * (size_t)(q.nsp + 1), sizeof *a.y),
                    .count = kb_alloc(ODES, sizeof *a.count)};
        kb_error err;
        kb_job job = {.n = few[k % 3], .states = q.states, .dt = DT, .rtol = 1e-6, .atol = 1e-12,
                      .schedule = KB_REFILL,
                      .options = options_of(&kb_rodas4_fake_cores,
                                            (choice){.slice = 64, .cores = k > 2})};
        a.r = (kb_result){.y = a.y, .count = a.count};
        new_device();
        assert_int_equal(kb_rodas4_fake_cores.run(&kb_rodas4_fake_cores, &job, &a.r, &err), KB_OK);
        for (int i = 0; i < job.n; i++) {
            assert_true(a.count[i].attempted > 0);
            if (k < 3)
                assert_same(&q, &a, i, &whole, i);
        }
        release(&a);
    }
}

/* Cores beside the device: every ODE has the bits of the engine that did it, of the cores in
 * floats. Without refill there are none. */
TEST_WITH(test_cores, fresh, NULL)
{
    const kb_solver *simd = kb_solver_find(q.s, "rodas4", "cpu-simd");
    double values[MOST_OPTIONS];
    options_with(simd, "float", 1, values);
    kb_job job = {.n = ODES, .states = q.states, .dt = DT, .rtol = 1e-6, .atol = 1e-12,
                  .options = values};
    answer cpu = solve(&q, simd, job);
    omp_set_num_threads(2);
    for (int how = 0; how < 4; how++) {
        int of_cores = 0, of_device = 0;
        new_device();
        fake.page_locked = how & 1;
        fake.multiprocessors = 1;
        if (how & 2) /* one slice in flight */
            setenv("KB_GPU_MEMORY", "25000", 1);
        given_to_scalar = given_to_simd = 0;
        answer a = run_solver(&kb_rodas4_fake_cores, (choice){.slice = 64, .cores = 1}, KB_REFILL);
        assert_int_equal(given_to_simd, ODES);
        assert_int_equal(given_to_scalar, 0);
        for (int i = 0; i < ODES; i++) {
            size_t row = (size_t)i * (q.nsp + 1), size = (q.nsp + 1) * sizeof *a.y;
            bool device = !memcmp(a.y + row, whole.y + row, size);
            if (!device)
                assert_memory_equal(a.y + row, cpu.y + row, size);
            of_device += device;
            of_cores += !device;
        }
        print_message("%d by the device, %d by the cores\n", of_device, of_cores);
        assert_true(of_device >= 64 && a.r.slices > 0);
        release(&a);
    }
    new_device();
    given_to_simd = 0;
    answer none = run_solver(&kb_rodas4_fake_cores, (choice){.slice = 64, .cores = 1}, KB_STATIC);
    assert_same_bits(&none, &whole);
    assert_int_equal(given_to_simd, 0);
    release(&none);
    release(&cpu);
}

static volatile int begun;
static long taken_by_cores;

/* cores that take some ODEs, and leave them as they are */
static int take_some(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    (void)result, (void)err;
    bool right = job->threads == omp_get_max_threads() - 1 && job->schedule == KB_REFILL;
    for (int k = 0; self->info.options[k].name; k++) {
        bool is_float = !strcmp(self->info.options[k].name, "float");
        right = right && job->options[k] == (is_float ? 1 : self->info.options[k].value);
    }
    __atomic_fetch_add(job->next, taken_by_cores, __ATOMIC_RELAXED);
    begun = right ? 1 : -1;
    return KB_OK;
}

/* the device works on when both slices are in flight and the cores have taken theirs */
static void await_cores(int count)
{
    (void)count;
    while (!begun && fake.kernels > 10)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* The slices of the device beside cores of a given speed. The first two, of 80 and 320, begin
 * without them. In the first row the cores have taken 200 when these 400 are done: of the 400 left
 * the device gets 400 / (400 + 0.65 200), and 16 for the long ones. */
TEST_WITH(test_speed_of_the_cores, fresh, NULL)
{
    const struct {
        int lanes;
        long taken, slices, n[4];
    } as[] = {{1, 200, 3, {80, 320, 317}}, {2, 250, 3, {80, 320, 280}}, {1, 500, 2, {80, 320}},
              {0, 0, 4, {80, 320, 320, 275}}, {0, 20, 4, {80, 320, 320, 241}}};
    const kb_solver usual = kb_rodas4_simd, *s = &kb_rodas4_fake_cores;
    omp_set_num_threads(2);
    kb_rodas4_simd.run = take_some;
    for (size_t k = 0; k < sizeof as / sizeof *as; k++) {
        kb_slice slice[20];
        kb_error err;
        answer a = {.y = kb_alloc(ODES * (size_t)(q.nsp + 1), sizeof *a.y),
                    .count = kb_alloc(ODES, sizeof *a.count)};
        kb_job job = {.n = ODES, .states = q.states, .dt = DT, .rtol = 1e-6, .atol = 1e-12,
                      .schedule = KB_REFILL,
                      .options = options_of(s, (choice){.slice = 300, .cores = 1})};
        a.r = (kb_result){.y = a.y, .count = a.count, .timeline = slice, .most_slices = 20};
        new_device();
        fake.multiprocessors = 1;
        fake.on_query = await_cores;
        begun = 0;
        taken_by_cores = as[k].taken;
        kb_rodas4_simd.info.lanes = as[k].lanes;
        assert_int_equal(s->run(s, &job, &a.r, &err), KB_OK);
        assert_int_equal(begun, 1);
        assert_int_equal(a.r.slices, as[k].slices);
        for (int i = 0; i < as[k].slices; i++)
            assert_int_equal(slice[i].n, as[k].n[i]);
        release(&a);
    }
    kb_rodas4_simd = usual;
}

/* norms beyond the range of a double have the first key of the queue, the smallest the last one
 * (the engine traps where an integer overflows) */
TEST_WITH(test_ends_of_the_queue, fresh, NULL)
{
    const double atol[] = {1e-200, 1e30, 1e200};
    for (int k = 0; k < 3; k++) {
        new_device();
        answer as_given = run_chosen((choice){.atol = atol[k]}, KB_STATIC);
        fake.multiprocessors = 2;
        answer sorted = run_chosen((choice){.atol = atol[k]}, KB_REFILL);
        assert_same_bits(&as_given, &sorted);
        assert_int_equal(sorted.count[0].status, KB_ODE_OK);
        assert_true(sorted.count[0].attempted > 0);
        release(&as_given);
        release(&sorted);
    }
}

/* copies of one slice run beside the kernel of another */
TEST_WITH(test_copies_overlap, fresh, NULL)
{
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

/* the parts of each slice one after another, all ODEs once, within the time of the run; the sums of
 * the parts are those of the timeline where slices do not overlap */
TEST_WITH(test_timeline, fresh, NULL)
{
    kb_slice slices[16 + 1] = {[16] = {.n = -1}};
    kb_job job = {.n = ODES, .states = q.states, .dt = DT, .rtol = 1e-6, .atol = 1e-12};
    job.options = options_of(&kb_rodas4_fake, (choice){.slice = 64});
    answer a = {.y = kb_alloc(ODES * (size_t)(q.nsp + 1), sizeof *a.y),
                .count = kb_alloc(ODES, sizeof *a.count), .n = ODES};
    a.r = (kb_result){.y = a.y, .count = a.count, .timeline = slices, .most_slices = 16};
    assert_works(kb_rodas4_fake.run(&kb_rodas4_fake, &job, &a.r, &err));
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
    assert_works(kb_rodas4_fake.run(&kb_rodas4_fake, &job, &a.r, &err));
    assert_int_equal(slices[3].n, -1);
    release(&a);
    new_device();
}

/* gpu-thread-cached: the same results from two vectors of each thread in shared memory, no more of
 * it than is asked for, and what the resident blocks leave of it as cache */
TEST_WITH(test_cached, fresh, NULL)
{
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

/* gpu-thread-algorithm1: the same with four doubles of each thread */
TEST_WITH(test_algorithm1, fresh, NULL)
{
    for (int k = 0; k < 2; k++) {
        answer a = run_solver(&kb_rodas4_fake_algorithm1, (choice){.block = 32 << k}, k);
        assert_int_equal(fake.asked, (32 << k) * 4 * sizeof(double));
        assert_int_equal(fake.outside, 0);
        assert_true(distance(&q, &a, &whole) < 1e-10);
        release(&a);
    }
}

/* the split between L1 cache and shared memory as asked for, with the same bits */
TEST_WITH(test_carve_out, fresh, NULL)
{
    const kb_solver *solvers[] = {&kb_rodas4_fake, &kb_rodas4_fake_cached};
    for (int k = 0; k < 2; k++) {
        answer a = run_solver(solvers[k], (choice){.carve = 37}, KB_STATIC);
        assert_int_equal(fake.carve_out, 37);
        if (k == 0)
            assert_same_bits(&a, &whole);
        release(&a);
        new_device();
        kb_job job = {.options = options_of(solvers[k], (choice){.carve = 101})};
        assert_fails(run_solver_into(solvers[k], job, &err), KB_INVALID,
                     "carve = 101, expected 0 to 100 percent, or -1");
    }
}

/* rows of states with their forcing: each state is drawn to the 31st behind it over 1e-5 s */
static double *with_forcing(void)
{
    int n = q.nsp + 1, columns = 2 * n + 1;
    double *rows = kb_alloc(ODES * (size_t)columns, sizeof *rows);
    for (long i = 0; i < ODES; i++) {
        const double *from = q.states + i * (n + 1), *to = q.states + (i + 31) % ODES * (n + 1);
        memcpy(rows + i * columns, from, (size_t)(n + 1) * sizeof *rows);
        for (int j = 0; j < n; j++)
            rows[i * columns + n + 1 + j] = (to[j ? j + 1 : 0] - from[j ? j + 1 : 0]) / 1e-5;
    }
    return rows;
}

/* each ODE has its own forcing, however the batch is cut, queued, surveyed, page-locked and shared
 * with the host; without one all is as on the engine that has none */
TEST_WITH(test_forcing, fresh, NULL)
{
    const choice cut[] = {{.slice = 0}, {.slice = 64}, {.slice = 1}, {.pass = 1},
                          {.pass = 1, .slice = 64}, {.host = 40}, {.host = 1}};
    const kb_solver *forced = &kb_rodas4_fake_forced,
                    *scalar = kb_solver_find(q.s, "rodas4", "cpu-scalar-forced");
    if (!scalar) {
        print_message("h2 was built without VARIANTS=forced\n");
        skip();
    }
    answer none = run_solver(forced, (choice){0}, KB_REFILL);
    assert_true(distance(&q, &none, &whole) < 1e-10);
    release(&none);
    double *rows = with_forcing();
    omp_set_num_threads(2);
    for (size_t k = 0; k < sizeof cut / sizeof *cut; k++) {
        forced_rows = rows;
        answer cpu = run_solver(scalar, (choice){.pass = cut[k].pass}, KB_STATIC);
        for (int how = 0; how < 8; how++) {
            new_device();
            given_to_scalar = given_to_simd = 0;
            fake.multiprocessors = how & 1 ? 2 : 8;
            fake.page_locked = how & 2;
            answer a = run_solver(forced, cut[k], how & 4 ? KB_STATIC : KB_REFILL);
            assert_true(distance(&q, &a, &cpu) < 1e-6);
            assert_true(cut[k].pass || distance(&q, &a, &whole) > 0.05);
            if (cut[k].host && !(how & 4))
                assert_int_equal(given_to_scalar + given_to_simd, cut[k].host);
            for (int i = 0; i < ODES; i++)
                assert_true(!cut[k].pass || (a.count[i].jac == 0) == (cpu.count[i].jac == 0));
            release(&a);
        }
        forced_rows = NULL;
        release(&cpu);
    }
    free(rows);
}

TESTS(start, finish)
