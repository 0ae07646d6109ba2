/* SPDX-License-Identifier: MIT
 *
 * Tables that stand apart, on a made-up GPU: gpu_large.cu with the tables of H2 from 16 entries on;
 * and with one of a team that it makes.
 */
#include "tests/test.h"
#include "mech/tables/tables.h"
#include "tests/gpu/gpu_host.h"

void *fake_device_new(const void *from, size_t size);
void fake_device_free(void *memory);
void fake_next_device(void);
bool fake_variable_holds(const void *bytes, size_t size);
extern const kb_solver kb_rodas4_fake_made;

static const kb_solver *const apart = &kb_rodas4_fake_apart;

static int next(void **state)
{
    (void)state;
    fake_next_device();
    new_device();
    return 0;
}

/* each device gets them once, and has the bits of tables in the code */
TEST_WITH(test_once_a_device, next, NULL)
{
    for (int device = 0; device < 2; device++) {
        answer first = run_solver(apart, (choice){0}, KB_STATIC);
        size_t copied = fake.to_variables;
        answer second = run_solver(apart, (choice){.slice = 64}, KB_REFILL);
        assert_true(copied > 1000);
        assert_int_equal(fake.to_variables, copied);
        assert_same_bits(&first, &whole);
        assert_same_bits(&second, &whole);
        release(&first);
        release(&second);
        next(NULL);
    }
}

/* also where the states lie on the device */
TEST_WITH(test_on_the_device, next, NULL)
{
    size_t row = (size_t)q.nsp + 1;
    kb_job job = {.n = ODES, .dt = DT, .rtol = 1e-6, .atol = 1e-12};
    job.options = options_of(apart, (choice){0});
    job.states = fake_device_new(q.states, ODES * (row + 1) * sizeof *q.states);
    answer a = {.y = fake_device_new(NULL, ODES * row * sizeof *a.y),
                .count = fake_device_new(NULL, ODES * sizeof *a.count), .n = ODES};
    a.r = (kb_result){.y = a.y, .count = a.count};
    kb_error err = {0};
    void *run = NULL;
    assert_int_equal(apart->open(apart, &job, &run, &err), KB_OK);
    assert_int_equal(apart->pass(run, &job, &a.r, &err), KB_OK);
    apart->close(run);
    assert_same_bits(&a, &whole);
    fake_device_free((void *)job.states);
    fake_device_free(a.y);
    fake_device_free(a.count);
    assert_nothing_left();
}

/* A message says that a copy failed, and the next batch copies again. Another says that a device
 * has no room for the tables, which it allocates when one of their module is first asked for. */
TEST_WITH(test_no_copy, next, NULL)
{
    const int with[] = {2, 700};
    const char *said[] = {"no room for the tables of the mechanism", "compute-sanitizer"};
    int k = 1;
    for (;; k++) {
        kb_error err;
        next(NULL);
        fake.fail_at = k;
        fake.fail_with = with[k % 2];
        run_solver_into(apart, (kb_job){.options = options_of(apart, (choice){0})}, &err);
        if (!strstr(err.text, "tables of the mechanism"))
            break;
        assert_non_null(strstr(err.text, said[k % 2]));
        if (k % 8)
            continue;
        new_device();
        answer a = run_solver(apart, (choice){0}, KB_STATIC);
        assert_true(fake.to_variables > 1000);
        assert_same_bits(&a, &whole);
        release(&a);
    }
    assert_true(k > 20);
    kb_error err = {0};
    void *run = &err;
    kb_job shape = {.n = 1, .options = options_of(apart, (choice){0})};
    next(NULL);
    fake.fail_at = 1;
    fake.fail_with = 2;
    assert_int_equal(apart->open(apart, &shape, &run, &err), KB_INVALID);
    apart->close(run);
    assert_nothing_left();
}

/* the device gets the table that mechc leaves out; team 32 as in tests/rules */
TEST_WITH(test_made, next, NULL)
{
    kb_error err = {0};
    kb_mech m;
    kb_tables t;
    const kb_layout layout = {true, 32, {8, 8}, KB_HEAD_FACTORED};
    assert_int_equal(kb_mech_load(&m, "datasets/mechanisms/h2.yaml", NULL, &err), KB_OK);
    assert_int_equal(kb_tables_build(&m, &layout, &t, &err), KB_OK);
    kb_job shape = {.n = 1, .options = options_of(&kb_rodas4_fake_made, (choice){0})};
    void *run = NULL;
    assert_int_equal(kb_rodas4_fake_made.open(&kb_rodas4_fake_made, &shape, &run, &err), KB_OK);
    size_t n = (size_t)t.update_pair.n;
    kb_owned uint16_t *pair = kb_alloc(n, sizeof *pair);
    for (size_t k = 0; k < n; k++)
        pair[k] = (uint16_t)t.update_pair.v[k];
    assert_true(n > 500 && fake_variable_holds(pair, n * sizeof *pair));
    kb_rodas4_fake_made.close(run);
    assert_nothing_left();
    kb_tables_free(&t);
    kb_mech_free(&m);
}

TEST_WITH(test_no_device, next, NULL)
{
    kb_error err;
    fake.devices = fake.driver = 0;
    assert_int_equal(run_solver_into(apart, (kb_job){0}, &err), KB_NOTHING);
    assert_string_equal(err.text, "no CUDA device on this machine");
}

TESTS(start, finish)
