/* SPDX-License-Identifier: MIT
 *
 * States that are in the memory of a made-up GPU already, and many batches of a shape.
 */
#include "tests/gpu/gpu_host.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_states_on_the_device, fresh),
        cmocka_unit_test_setup(test_states_elsewhere, fresh),
        cmocka_unit_test_setup(test_passes, fresh)};
    return cmocka_run_group_tests(tests, start, finish);
}
