/* SPDX-License-Identifier: MIT
 *
 * States that are in the memory of a made-up GPU already, and many batches of a shape.
 */
#include "tests/test.h"
#include "drivers/bench/chain.h"
#include "tests/gpu/gpu_host.h"

void *fake_device_new(const void *from, size_t size);
void fake_device_free(void *memory);
int kb_run_on_device(const kb_solver *solver, const kb_job *job, kb_device_states *states,
                     kb_error *err);
int kb_chain_on_device(const kb_solver *solver, const kb_job *job, int steps, int nsp,
                       const double *W, kb_result *result, kb_error *err);

int kb_gpu_available(kb_error *err);

enum { FEW = 250, BAD = 17, BADS = 6 }; /* ODEs; those from BAD on cannot start */
enum { STEPS = 10 };
static const kb_chain_how steps_on[] = {{STEPS, KB_CHAIN_HOST, NULL},
                                        {STEPS, KB_CHAIN_DEVICE, NULL}};
static const kb_chain_how two_steps = {2, KB_CHAIN_DEVICE, NULL};

static int is_bad(int i) { return i >= BAD && i < BAD + BADS; }

/* ODE i of the problem, T, p, Y; impossible from BAD on, each in its way */
static const double *few_state(int i)
{
    static double s[64];
    assert_true(q.nsp + 2 <= 64);
    memcpy(s, q.states + i * (q.nsp + 2), (size_t)(q.nsp + 2) * sizeof *s);
    switch (i - BAD) {
    case 0: s[0] = 1; break;
    case 1: s[1] = 1e-300; break;
    case 2: s[1] = 2e9; break;
    case 3: s[2] -= 0.1, s[3] += 0.1; break;
    case 4: s[q.nsp + 1] += 1; break;
    case 5: s[2] = NAN; break;
    }
    return s;
}

/* of the first ODEs of the problem, as a flow code has them */
static kb_device_states device_states(int by_species)
{
    double T[FEW], p[FEW], *Y = kb_alloc(FEW * (size_t)q.nsp, sizeof *Y);
    for (int i = 0; i < FEW; i++) {
        const double *s = few_state(i);
        T[i] = s[0];
        p[i] = s[1];
        for (int k = 0; k < q.nsp; k++)
            Y[by_species ? k * FEW + i : i * q.nsp + k] = s[2 + k];
    }
    kb_device_states d = {.by_species = by_species, .nsp = q.nsp, .W = q.s->W,
                          .limits = {-1e-6, 1e-5}};
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
    const double *s = few_state(i), *y = a->y + i * (q.nsp + 1);
    if (is_bad(i)) {
        assert_true(d->T[i] == s[0]);
        assert_int_equal(d->status[i], isnan(s[2]) ? KB_ODE_NOT_FINITE : KB_ODE_BOUNDS);
        y = s + 1; /* Y as they were */
    } else {
        assert_true(d->T[i] == y[0] && d->status[i] == 0);
        assert_memory_equal(&d->count[i], &a->count[i], sizeof *d->count);
    }
    for (int k = 0; k < q.nsp; k++)
        assert_true(!memcmp(&d->Y[d->by_species ? k * FEW + i : i * q.nsp + k], &y[1 + k], 8));
    if (reactor == KB_CONST_V && !is_bad(i)) {
        double moles = 0;
        for (int k = 0; k < q.nsp; k++)
            moles += s[2 + k] / q.s->W[k];
        double rho = s[1] / (s[0] * moles);
        assert_true(fabs(density_of(d->T[i], d->p[i], d, i) / rho - 1) < 1e-13);
    } else {
        assert_true(d->p[i] == s[1]);
    }
}

TEST_WITH(test_states_on_the_device, fresh, NULL)
{
    for (int k = 0; k < 4; k++) {
        kb_reactor reactor = k / 2 ? KB_CONST_V : KB_CONST_P;
        kb_job job = device_job(reactor), host = job;
        new_device();
        host.states = q.states;
        answer a = {.y = kb_alloc(FEW * (size_t)(q.nsp + 1), sizeof *a.y),
                    .count = kb_alloc(FEW, sizeof *a.count)};
        kb_result r = {.y = a.y, .count = a.count};
        assert_works(kb_rodas4_fake.run(&kb_rodas4_fake, &host, &r, &err));
        kb_device_states d = device_states(k % 2);
        assert_works(kb_run_on_device(&kb_rodas4_fake, &job, &d, &err));
        assert_int_equal(d.failed, BADS);
        for (int i = 0; i < FEW; i++)
            check_state(&d, &a, i, reactor);
        free_states(&d);
        assert_nothing_left();
        release(&a);
    }
}

/* a fraction a bit below 0: refused, or the bits of the state that a repair makes of it */
TEST_WITH(test_repair_on_the_device, fresh, NULL)
{
    kb_job job = device_job(KB_CONST_P), host = job;
    double *mended = kb_alloc(FEW * (size_t)(q.nsp + 2), sizeof *mended);
    memcpy(mended, q.states, FEW * (size_t)(q.nsp + 2) * sizeof *mended);
    int none = q.nsp - 1; /* a species that is hardly there */
    while (none > 0 && mended[2 + none] > 1e-4)
        none--;
    mended[2 + none] = -1e-4;
    kb_fractions_repair(mended + 2, q.nsp);
    host.states = mended;
    answer a = {.y = kb_alloc(FEW * (size_t)(q.nsp + 1), sizeof *a.y),
                .count = kb_alloc(FEW, sizeof *a.count)};
    kb_result r = {.y = a.y, .count = a.count};
    assert_works(kb_rodas4_fake.run(&kb_rodas4_fake, &host, &r, &err));
    for (int repair = 0; repair < 2; repair++) {
        new_device();
        kb_device_states d = device_states(0);
        d.repair = repair;
        d.Y[none] = -1e-4;
        assert_works(kb_run_on_device(&kb_rodas4_fake, &job, &d, &err));
        assert_int_equal(d.failed, BADS + !repair);
        assert_int_equal(d.status[0], repair ? KB_ODE_OK : KB_ODE_BOUNDS);
        assert_true(d.T[0] == (repair ? a.y[0] : mended[0]));
        free_states(&d);
    }
    release(&a);
    free(mended);
}

/* the first results become these, with the status ok */
static const struct {
    double T, Y, more; /* of the first species; more: of the sum */
    int fine, mended;  /* is it a state of the next call, and if that repairs it? */
} spoiled[] = {
    {5999, 0, 0, 1, 1},      {6001, 0, 0, 0, 0},     {49, 0, 0, 0, 0},     {NAN, 0, 0, 0, 0},
    {2000, -9e-7, 0, 1, 1},  {2000, -2e-6, 0, 0, 1}, {2000, -2e-3, 0, 0, 0},
    {2000, 0, 9e-6, 1, 1},   {2000, 0, 2e-5, 0, 1},  {2000, 0, 0.02, 0, 0},
    {2000, NAN, 0, 0, 0},    {5000, 0, 0, 1, 1},
};
enum { SPOILED = sizeof spoiled / sizeof *spoiled, TIGHT = SPOILED - 1 }; /* p: close to 1e9 Pa */

static int spoiled_pass(void *run, const kb_job *job, kb_result *r, kb_error *err)
{
    int code = kb_rodas4_fake.pass(run, job, r, err);
    for (int i = 0; !code && i < SPOILED; i++) {
        double *y = r->y + i * (q.nsp + 1);
        y[0] = spoiled[i].T;
        y[2] += y[1] - spoiled[i].Y + spoiled[i].more;
        y[1] = spoiled[i].Y;
    }
    return code;
}

/* what a method calls ok is a state of the next call, or the ODE fails and keeps its own */
TEST_WITH(test_results_on_the_device, fresh, NULL)
{
    kb_solver solver = kb_rodas4_fake;
    solver.pass = spoiled_pass;
    for (int how = 0; how < 8; how++) {
        kb_reactor reactor = how & 1 ? KB_CONST_V : KB_CONST_P;
        kb_job job = device_job(reactor);
        kb_error err = {0};
        new_device();
        kb_device_states d = device_states(how >> 1 & 1);
        d.repair = how >> 2;
        d.p[TIGHT] = 9e8;
        assert_int_equal(kb_run_on_device(&solver, &job, &d, &err), KB_OK);
        int failed = BADS;
        for (int i = 0; i < SPOILED; i++) {
            const double *s = few_state(i);
            int fine = d.repair ? spoiled[i].mended : spoiled[i].fine;
            fine &= i < TIGHT || reactor == KB_CONST_P;
            failed += !fine;
            assert_int_equal(d.status[i], fine ? KB_ODE_OK : KB_ODE_BOUNDS);
            assert_int_equal(d.count[i].status, d.status[i]);
            assert_true(d.count[i].attempted > 0);
            assert_true(d.T[i] == (fine ? spoiled[i].T : s[0]));
            assert_true(d.Y[d.by_species ? i : i * q.nsp] == (fine ? spoiled[i].Y : s[2]));
            double p = i < TIGHT ? s[1] : 9e8;
            assert_true((d.p[i] == p) == (!fine || reactor == KB_CONST_P));
        }
        assert_int_equal(d.failed, failed);
        free_states(&d);
        assert_nothing_left();
    }
}

TEST_WITH(test_states_elsewhere, fresh, NULL)
{
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
    free_states(&d);
    int told = 0;
    job.dt = 1e-12; /* for the calls alone */
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

/* Steps whose states stay on the device: the bits of steps through the host's memory at constant
 * pressure, with one copy each way; a bad state says so after all steps. */
TEST_WITH(test_chain, fresh, NULL)
{
    kb_solvers s = *q.s;
    s.chain_on_device = kb_chain_on_device;
    for (int k = 0; k < 8; k++) {
        kb_job job = device_job(k & 1 ? KB_CONST_V : KB_CONST_P);
        job.schedule = k & 2 ? KB_REFILL : KB_STATIC;
        job.dt = DT / STEPS;
        double *states = kb_alloc(FEW * (size_t)(q.nsp + 2), sizeof *states);
        memcpy(states, q.states, FEW * (size_t)(q.nsp + 2) * sizeof *states);
        states[BAD * (q.nsp + 2)] = 1;
        job.states = states;
        job.n = k & 4 ? 100 : FEW;
        answer a[2];
        for (int on = KB_CHAIN_HOST; on <= KB_CHAIN_DEVICE; on++) {
            new_device();
            a[on] = (answer){.y = kb_alloc(FEW * (size_t)(q.nsp + 1), sizeof *a->y),
                             .count = kb_alloc(FEW, sizeof *a->count), .n = FEW};
            a[on].r = (kb_result){.y = a[on].y, .count = a[on].count};
            assert_works(kb_chain_run(&s, &kb_rodas4_fake, &job, &steps_on[on], &a[on].r, &err));
            assert_nothing_left();
        }
        const kb_result *host = &a[0].r, *device = &a[1].r;
        assert_int_equal(a[1].count[BAD].status, KB_ODE_BOUNDS);
        if (k & 1) /* the next p is rounded in another way */
            assert_true(distance(&q, &a[0], &a[1]) < 1e-9);
        else
            for (int i = 0; i < job.n; i++)
                assert_same(&q, &a[0], i, &a[1], i);
        assert_true(fabs(device->lane_use / host->lane_use - 1) < 1e-6);
        assert_true(device->copy_in > 0 && device->copy_in < 1.01 / STEPS * host->copy_in);
        assert_true(device->copy_out > 0 && device->copy_out < 1.01 / STEPS * host->copy_out);
        assert_true(fabs(device->total - device->copy_in - device->kernel - device->copy_out) <
                    0.01 * device->total);
        assert_true(device->slices == host->slices && device->resident == host->resident);
        for (int on = 0; on < 2; on++)
            release(&a[on]);
        free(states);
    }
}

/* ten steps on the device end where CVODE ends that knows nothing of steps */
TEST_WITH(test_chain_is_one_long_run, fresh, NULL)
{
    const kb_solver *cvode = kb_solver_find(q.s, "cvode", "cpu-scalar");
    kb_solvers s = *q.s;
    s.chain_on_device = kb_chain_on_device;
    for (int reactor = KB_CONST_P; reactor <= KB_CONST_V; reactor++) {
        kb_job job = {.n = FEW, .states = q.states, .dt = DT, .rtol = 1e-9, .atol = 1e-16,
                      .reactor = (kb_reactor)reactor}, once = job;
        answer chain = {.y = kb_alloc(FEW * (size_t)(q.nsp + 1), sizeof(double)),
                        .count = kb_alloc(FEW, sizeof *chain.count), .n = FEW};
        once.dt = STEPS * DT;
        once.rtol = 1e-11;
        answer whole = solve(&q, cvode, once);
        chain.r = (kb_result){.y = chain.y, .count = chain.count};
        assert_works(kb_chain_run(&s, &kb_rodas4_fake, &job, &steps_on[KB_CHAIN_DEVICE], &chain.r,
                     &err));
        double worst = distance(&q, &chain, &whole), moved = 0;
        for (int i = 0; i < FEW; i++)
            moved = larger(moved, fabs(chain.y[i * (q.nsp + 1)] - q.states[i * (q.nsp + 2)]));
        print_message("largest difference %.1e, largest change of T %.0f K\n", worst, moved);
        assert_true(worst < 1e-6 && moved > 100);
        release(&chain);
        release(&whole);
    }
}

/* each call fails once: it is told, and nothing is left on the device; too little memory, and a
 * solver without passes, have a message of their own */
TEST_WITH(test_chain_fails, fresh, NULL)
{
    kb_solvers s = *q.s;
    s.chain_on_device = kb_chain_on_device;
    kb_job job = device_job(KB_CONST_P);
    kb_error err = {0};
    answer a = {.y = kb_alloc(FEW * (size_t)(q.nsp + 1), sizeof *a.y),
                .count = kb_alloc(FEW, sizeof *a.count), .n = FEW};
    job.states = q.states;
    int told = 0, reached = 1;
    job.dt = 1e-12;
    for (int k = 1; reached; k++) {
        new_device();
        fake.fail_at = k;
        fake.fail_with = 700;
        a.r = (kb_result){.y = a.y, .count = a.count};
        told += kb_chain_run(&s, &kb_rodas4_fake, &job, &two_steps, &a.r, &err) != KB_OK;
        reached = fake.failed_call != NULL;
        fake.fail_at = 0;
        assert_nothing_left();
    }
    assert_true(told > 60);
    new_device();
    fake.memory = 50000;
    a.r = (kb_result){.y = a.y, .count = a.count};
    assert_int_equal(kb_chain_run(&s, &kb_rodas4_fake, &job, &two_steps, &a.r, &err),
                     KB_INVALID);
    assert_non_null(strstr(err.text, "no room for the states and results of 250 ODEs"));
    assert_non_null(strstr(err.text, "--chain host"));
    assert_nothing_left();
    const kb_solver *cpu = kb_solver_find(q.s, "rodas4", "cpu-scalar");
    assert_int_equal(kb_chain_run(&s, cpu, &job, &two_steps, &a.r, &err), KB_NOTHING);
    assert_non_null(strstr(err.text, "rodas4 on cpu-scalar copies its states in each step"));
    release(&a);
}

/* auto asks that: no device, and code for another one, are no GPU */
TEST_WITH(test_available, fresh, NULL)
{
    assert_works(kb_gpu_available(&err));
    fake.devices = 0;
    assert_fails(kb_gpu_available(&err), KB_NOTHING, "no CUDA device");
    new_device();
    fake.calls = 0;
    fake.fail_at = 1;
    fake.fail_with = 209;
    assert_fails(kb_gpu_available(&err), KB_NOTHING, "built for another architecture");
    new_device();
    assert_nothing_left();
}

/* many batches of a shape in memory that the device reaches: the bits of single runs, of as many
 * ODEs as are given; all is left as it was */
TEST_WITH(test_passes, fresh, NULL)
{
    const int n[] = {ODES, 100, ODES};
    for (int schedule = KB_STATIC; schedule <= KB_REFILL; schedule++)
        for (int slice = 0; slice <= 64; slice += 64) {
            kb_job job = {.n = ODES, .dt = DT, .rtol = 1e-6, .atol = 1e-12,
                          .schedule = (kb_schedule)schedule,
                          .options = options_of(&kb_rodas4_fake, (choice){.slice = slice})};
            double *states = fake_device_new(q.states, ODES * (size_t)(q.nsp + 2) * 8);
            answer a = {.y = fake_device_new(NULL, ODES * (size_t)(q.nsp + 1) * 8),
                        .count = fake_device_new(NULL, ODES * sizeof(kb_count)), .n = ODES};
            void *run = NULL;
            assert_works(kb_rodas4_fake.open(&kb_rodas4_fake, &job, &run, &err));
            job.states = states;
            for (int k = 0; k < 3; k++) {
                a.r = (kb_result){.y = a.y, .count = a.count};
                job.n = n[k];
                memset(a.count, 0, ODES * sizeof *a.count);
                assert_works(kb_rodas4_fake.pass(run, &job, &a.r, &err));
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

/* a run that was opened, with arrays of the device */
typedef struct {
    const kb_solver *solver;
    kb_job job;
    answer a;
    void *run;
} opened;

static void open_run(opened *o, const kb_solver *solver, choice c)
{
    double *options = kb_alloc(MOST_OPTIONS, sizeof *options);
    memcpy(options, options_of(solver, c), MOST_OPTIONS * sizeof *options);
    *o = (opened){.solver = solver,
                  .job = {.n = ODES, .dt = DT, .rtol = 1e-6, .atol = 1e-12, .options = options,
                          .threads = c.block}};
    assert_works(solver->open(solver, &o->job, &o->run, &err));
    o->job.states = fake_device_new(q.states, ODES * (size_t)(q.nsp + 2) * 8);
    o->a.y = fake_device_new(NULL, ODES * (size_t)(q.nsp + 1) * 8);
    o->a.count = fake_device_new(NULL, ODES * sizeof(kb_count));
    o->a.n = ODES;
    o->a.r = (kb_result){.y = o->a.y, .count = o->a.count};
}

static void close_run(opened *o)
{
    o->solver->close(o->run);
    fake_device_free((void *)o->job.states);
    fake_device_free(o->a.y);
    fake_device_free(o->a.count);
    free((void *)o->job.options);
    assert_nothing_left();
}

static volatile int stop;

static void stop_at_third(int count) { stop = count >= 3; }

/* an interrupted pass leaves no work behind: the arrays may be freed, or a next pass follows */
TEST_WITH(test_interrupted_pass, fresh, NULL)
{
    for (int again = 0; again < 2; again++) {
        kb_error err = {0};
        opened o;
        open_run(&o, &kb_rodas4_fake, (choice){.slice = 64});
        o.job.stop = &stop;
        stop = 0;
        fake.queries = 0;
        fake.on_query = stop_at_third;
        assert_int_equal(o.solver->pass(o.run, &o.job, &o.a.r, &err), KB_INTERRUPTED);
        fake.on_query = NULL;
        stop = 0;
        if (again) {
            assert_works(o.solver->pass(o.run, &o.job, &o.a.r, &err));
            assert_same_bits(&o.a, &whole);
        } else { /* the arrays before the run: freed_early counts what is under way */
            fake_device_free(o.a.y);
            o.a.y = NULL;
        }
        close_run(&o);
    }
}

/* jobs that the plan and the buffers are not made for */
TEST_WITH(test_other_shapes, fresh, NULL)
{
    kb_error err = {0};
    opened o;
    open_run(&o, &kb_rodas4_fake, (choice){.slice = 64});
    kb_job job = o.job;
    job.options = NULL;
    assert_int_equal(o.solver->pass(o.run, &job, &o.a.r, &err), KB_INVALID);
    assert_non_null(strstr(err.text, "slice = 0, but the run was opened with 64"));
    job = o.job;
    job.n++;
    assert_int_equal(o.solver->pass(o.run, &job, &o.a.r, &err), KB_INVALID);
    assert_non_null(strstr(err.text, "1001 ODEs, but the run was opened for 1000"));
    for (int k = 0; k < 3; k++) {
        job = o.job;
        job.schedule = k == 0 ? KB_REFILL : KB_STATIC;
        job.threads = k == 1 ? 32 : 0;
        job.reactor = k == 2 ? KB_CONST_V : KB_CONST_P;
        assert_int_equal(o.solver->pass(o.run, &job, &o.a.r, &err), KB_INVALID);
        assert_non_null(strstr(err.text, "opened with another schedule, block or reactor"));
    }
    assert_int_equal(o.solver->pass(o.run, &o.job, &o.a.r, &err), KB_OK);
    close_run(&o);
}

/* what another run asked of the process meanwhile: less shared memory, another split of the cache
 */
TEST_WITH(test_run_beside, fresh, NULL)
{
    opened o;
    open_run(&o, &kb_rodas4_fake_cached, (choice){.block = 128, .carve = 90});
    assert_true(fake.asked > 0);
    fake.asked = 0;
    fake.carve_out = 0;
    assert_works(o.solver->pass(o.run, &o.job, &o.a.r, &err));
    assert_int_equal(fake.carve_out, 90);
    assert_true(distance(&q, &o.a, &whole) < 1e-10);
    assert_int_equal(fake.outside, 0);
    assert_int_equal(fake.asked, 128 * (2 * q.nsp + 2) * sizeof(double));
    close_run(&o);
}

TESTS(start, finish)
