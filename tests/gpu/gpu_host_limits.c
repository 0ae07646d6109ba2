/* SPDX-License-Identifier: MIT
 *
 * What a made-up GPU refuses, and what the engines do then: too little memory, calls that fail, a
 * stop between slices, wrong settings.
 */
#define _GNU_SOURCE /* pthread_setattr_default_np */
#include <pthread.h>
#include <time.h>

#include "tests/test.h"
#include "tests/gpu/gpu_host.h"

/* memory for the sort is planned only where it is done: 1024 ODEs without it fit exactly */
TEST_WITH(test_memory_of_the_sort, fresh, NULL)
{
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
TEST_WITH(test_less_memory_than_told, fresh, NULL)
{
    fake.memory = 90000;
    answer a = run_chosen((choice){0}, KB_STATIC);
    assert_true(a.r.slices > 1);
    assert_same_bits(&a, &whole);
    release(&a);
}

/* each call of the runtime fails once: an error with its name and an advice, nothing left behind */
TEST_WITH(test_every_call_fails, fresh, NULL)
{
    const int errors[] = {2, 209, 214, 700, 702};
    const char *advice[] = {"end other programs", "CUDA_ARCH", "nvidia-smi", "compute-sanitizer",
                            "shorter dt"};
    const kb_solver *solvers[] = {&kb_rodas4_fake, &kb_rodas4_fake_cores};
    int told = 0;
    for (int k = 1, s = 0; k < 1000; k++) {
        kb_error err;
        kb_job job = {.options = options_of(solvers[s], (choice){.slice = 64, .cores = 1}),
                      .schedule = s ? KB_REFILL : KB_STATIC};
        new_device();
        fake.fail_at = k;
        fake.fail_with = errors[k % 5];
        int code = run_solver_into(solvers[s], job, &err);
        if (!fake.failed_call && s++)
            break;
        if (!fake.failed_call) {
            k = 0;
            continue;
        }
        if (code == KB_OK) { /* smaller slices, arrays that are staged, or all was done */
            assert_true(fake.fail_with == 2 || !strcmp(fake.failed_call, "cudaDeviceSynchronize") ||
                        !strcmp(fake.failed_call, "cudaPointerGetAttributes"));
            continue;
        }
        told++;
        assert_int_equal(code, KB_INVALID);
        assert_non_null(strstr(err.text, advice[k % 5]));
    }
    assert_true(told > 50);
}

static volatile int stop;

static void stop_at_third(int count) { stop = count >= 3; }

TEST_WITH(test_stop_between_slices, fresh, NULL)
{
    kb_error err;
    choice two_in_flight = {.slice = 64, .cycles = 1};
    kb_job job = {.stop = &stop, .options = options_of(&kb_rodas4_fake, two_in_flight)};
    fake.on_query = stop_at_third;
    stop = 0;
    assert_int_equal(run_into(job, &err), KB_INTERRUPTED);
    assert_true(fake.kernels < 7); /* of 9 */
    stop = 1;
    assert_int_equal(run_into(job, &err), KB_INTERRUPTED);
    job.options = options_of(&kb_rodas4_fake_cores, (choice){.slice = 32, .cores = 1});
    job.schedule = KB_REFILL;
    fake.on_query = stop_at_third;
    stop = 0;
    assert_int_equal(run_solver_into(&kb_rodas4_fake_cores, job, &err), KB_INTERRUPTED);
}

static int fail_on_cores(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    (void)self, (void)job, (void)result;
    return kb_fail(err, KB_INVALID, "the cores have no memory");
}

static volatile int waiting, forgotten;

static void wait_ms(void) { nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); }

static int wait_on_cores(const kb_solver *self, const kb_job *job, kb_result *result, kb_error *err)
{
    (void)self, (void)result;
    waiting = 1;
    for (int ms = 0; !*job->stop && !forgotten; ms++, wait_ms())
        forgotten = ms == 10000;
    return kb_fail(err, KB_INTERRUPTED, "interrupted");
}

/* by the caller, when the device has done its part or before */
static int stop_from_cores(const kb_solver *self, const kb_job *job, kb_result *result,
                           kb_error *err)
{
    for (int ms = 0; ms < 20; ms++)
        wait_ms();
    stop = 1;
    return wait_on_cores(self, job, result, err);
}

static void fail_when_cores_wait(int count)
{
    (void)count;
    while (!waiting)
        wait_ms();
    fake.fail_at = fake.calls + 1;
}

/* The run fails with the cores' error; they end at the caller's stop, and if the device fails. */
TEST_WITH(test_cores_that_end, fresh, NULL)
{
    const kb_solver usual = kb_rodas4_simd, *s = &kb_rodas4_fake_cores;
    kb_job job = {.stop = &stop, .schedule = KB_REFILL,
                  .options = options_of(s, (choice){.slice = 64, .cores = 1})};
    setenv("KB_GPU_MEMORY", "25000", 1); /* one slice in flight, so that no query comes before */
    stop = 0;
    kb_rodas4_simd.run = fail_on_cores;
    assert_fails(run_solver_into(s, job, &err), KB_INVALID, "the cores have no memory");
    kb_rodas4_simd.run = stop_from_cores;
    assert_fails(run_solver_into(s, job, &err), KB_INTERRUPTED, "interrupted");
    stop = waiting = 0;
    fake.on_query = fail_when_cores_wait;
    fake.fail_with = 700;
    kb_rodas4_simd.run = wait_on_cores;
    assert_fails(run_solver_into(s, job, &err), KB_INVALID, "compute-sanitizer");
    assert_false(forgotten);
    new_device();
    pthread_attr_t was, large;
    pthread_getattr_default_np(&was);
    pthread_getattr_default_np(&large);
    pthread_attr_setstacksize(&large, (size_t)1 << 47);
    assert_int_equal(pthread_setattr_default_np(&large), 0);
    assert_fails(run_solver_into(s, job, &err), KB_INVALID, "no thread for the host's cores: ");
    assert_int_equal(pthread_setattr_default_np(&was), 0);
    kb_rodas4_simd = usual;
}

TEST_WITH(test_no_device, fresh, NULL)
{
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

TEST_WITH(test_wrong_settings, fresh, NULL)
{
    const char *memory[] = {"12 GB", "", "-5", "1000"};
    for (int k = 0; k < 4; k++) {
        setenv("KB_GPU_MEMORY", memory[k], 1);
        assert_fails(run_into((kb_job){0}, &err), KB_INVALID, "KB_GPU_MEMORY");
    }
    unsetenv("KB_GPU_MEMORY");
    const int block[] = {48, 2048, -32};
    for (int k = 0; k < 3; k++) {
        assert_fails(run_into((kb_job){.threads = block[k]}, &err), KB_INVALID, "a multiple of 32");
    }
}

/* states that cannot start end with a status; all others keep their bits */
TEST_WITH(test_bad_neighbours, fresh, NULL)
{
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

TEST_WITH(test_cached_beyond_the_device, fresh, NULL)
{
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
    assert_fails(run_solver_into(s, (kb_job){.threads = 32}, &err), KB_NOTHING, "use gpu-thread");
}

TESTS(start, finish)
