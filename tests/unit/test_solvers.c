/* SPDX-License-Identifier: MIT
 *
 * Every method on the CPU engines: accuracy against CVODE, counters, invariants, and that
 * schedules, the order of the ODEs and threads change nothing.
 */
#include "solvers/options.h"
#include "tests/unit/solver_problem.h"

static answer reference(const problem *q, kb_job job)
{
    job.rtol = 1e-12;
    job.atol = 1e-22;
    return solve(q, kb_solver_find(q->s, "cvode", "cpu-scalar"), job);
}

static void check_accuracy(const problem *q, const kb_solver *s)
{
    if (s->info.promise.fixed)
        return;
    assert_true(s->info.promise.error > 0);
    answer exact = reference(q, (kb_job){.dt = DT}), a = solve(q, s, (kb_job){.dt = DT});
    double d = distance(q, &a, &exact), tight;
    release(&a);
    a = solve(q, s, (kb_job){.dt = DT, .rtol = s->info.rtol / 100, .atol = s->info.atol / 100});
    tight = distance(q, &a, &exact);
    print_message("%-6s %-10s %-6s rtol %g: error %.1e, rtol %g: %.1e\n", q->s->mech,
                  s->info.engine, s->info.name, s->info.rtol, d, s->info.rtol / 100, tight);
    assert_int_equal(a.code, KB_OK);
    at_most(s, "the error", d, s->info.promise.error);
    at_most(s, "the error at a tolerance 100 times tighter", tight, fmax(0.3 * d, 1e-8));
    release(&a);
    release(&exact);
}

TEST(accuracy)
{
    with_every_solver(check_accuracy);
}

/* an iteration at least for each attempt, an error estimate for each accepted step */
static void check_newton_count(const kb_count *c)
{
    int n = c->attempted;
    assert_true(c->rhs >= 3 * n + 1 && c->solve >= n + c->accepted);
    assert_true(c->jac >= 1 && c->jac <= n && c->lu >= 1 && c->lu <= n);
}

/* f at the start, one for y'', and one for each iteration; factors for each J, and the first J */
static void check_bdf_count(const kb_count *c)
{
    int n = c->attempted;
    assert_true(c->solve >= n && c->rhs >= c->solve + 2);
    assert_true(c->jac >= 1 && c->jac <= c->lu && c->lu <= n);
}

/* a vector of each of three Krylov bases at least, unless one of them was too small */
static void check_krylov_count(const kb_count *c)
{
    int n = c->attempted;
    assert_true(c->jac == n && c->rhs >= n && c->rhs <= 3 * n);
    assert_true(c->rhs >= 3 * c->accepted && c->lu >= 3 * c->accepted);
    assert_true(c->solve >= 3 * c->accepted);
}

/* f at the start and J of it are kept at most; an accepted step has two columns, of 2 and 3 steps,
 * and the check of stability in each */
static void check_extrapolation_count(const kb_count *c)
{
    int n = c->attempted;
    assert_true(c->jac >= 1 && c->jac <= n && c->lu >= n + c->accepted);
    assert_true(c->rhs >= n + 3 * c->accepted && c->solve >= 7 * c->accepted);
}

static void check_count(const kb_solver *s, const kb_count *c)
{
    int n = c->attempted;
    assert_int_equal(c->status, KB_ODE_OK);
    assert_true(c->accepted >= 1 && c->rejected >= 0);
    assert_int_equal(n, c->accepted + c->rejected);
    const kb_promise *p = &s->info.promise;
    if (p->kind == KB_NEWTON)
        check_newton_count(c);
    else if (p->kind == KB_MULTISTEP)
        check_bdf_count(c);
    else if (p->kind == KB_KRYLOV)
        check_krylov_count(c);
    else if (p->kind == KB_EXTRAPOLATION)
        check_extrapolation_count(c);
    else if (p->kind == KB_STABILIZED) /* f0, first step, power method, 2 stages */
        assert_true(c->rhs >= 1 + 3 + 2 * n && c->jac == 0 && c->lu == 0 && c->solve == 0);
    if (!p->rhs)
        return;
    assert_int_equal(c->rhs, p->rhs * n + p->rhs_once);
    assert_int_equal(c->jac, p->jac * n);
    assert_int_equal(c->lu, p->jac * n);
    assert_true(p->jac ? c->solve >= c->rhs : c->solve == 0);
}

static void check_schedules(const problem *q, const kb_solver *s)
{
    answer a = solve(q, s, (kb_job){.dt = DT});
    answer b = solve(q, s, (kb_job){.dt = DT, .schedule = KB_REFILL});
    for (int i = 0; i < q->n; i++) {
        assert_same(q, &a, i, &b, i);
        check_count(s, &a.count[i]);
    }
    assert_true(a.r.total > 0 && a.r.lanes == s->info.lanes && a.r.threads == 1);
    if (s->info.promise.fixed)
        assert_true(a.r.lane_use <= b.r.lane_use && b.r.lane_use <= 1);
    else if (s->info.lanes == 1)
        assert_true(a.r.lane_use == 1 && b.r.lane_use == 1);
    print_message("%-6s %-10s %-6s lane use: static %.2f, refill %.2f\n", q->s->mech,
                  s->info.engine, s->info.name, a.r.lane_use, b.r.lane_use);
    release(&a);
    release(&b);
}

TEST(schedules_agree)
{
    with_every_solver(check_schedules);
}

enum { MANY = 512 };

/* rows of the problem's states, at[k] % n the k-th */
static void lane_use(const problem *q, const kb_solver *s, const int *at, double use[2])
{
    int row = q->nsp + 2;
    double *states = kb_alloc((size_t)MANY * row, sizeof *states);
    for (int k = 0; k < MANY; k++)
        memcpy(states + k * row, q->states + at[k] % q->n * row, row * sizeof *states);
    for (int refill = 0; refill < 2; refill++) {
        answer a = solve(q, s, (kb_job){.dt = DT, .n = MANY, .states = states, .rtol = 1e-7,
                                        .schedule = refill ? KB_REFILL : KB_STATIC});
        use[refill] = a.r.lane_use;
        release(&a);
    }
    free(states);
}

/* with refill, lanes wait for one another only where they seldom have to; those of Rosenbrock
 * methods, whose attempts are alike, never */
static void check_waiting(const problem *q, const kb_solver *s)
{
    double use[2];
    int at[MANY], few = 0, many = 0;
    bool even = s->info.promise.kind == KB_ROSENBROCK;
    if (strcmp(q->s->mech, "h2co") || (!even && s->info.promise.kind != KB_EXPLICIT) ||
        strcmp(s->info.engine, "cpu-simd-any"))
        return;
    answer a = solve(q, s, (kb_job){.dt = DT, .rtol = 1e-7});
    for (int i = 0; i < q->n; i++) {
        few = a.count[i].attempted < a.count[few].attempted ? i : few;
        many = a.count[i].attempted > a.count[many].attempted ? i : many;
    }
    assert_true(a.count[many].attempted > 2 * a.count[few].attempted);
    release(&a);
    for (int k = 0; k < MANY; k++)
        at[k] = k % 5 ? few : many;
    lane_use(q, s, at, use);
    print_message("lane use: static %.3f, refill %.3f\n", use[0], use[1]);
    assert_true(use[0] < 0.8 && use[1] > use[0] + 0.1);
    /* groups of 64, whose ODEs are the same but for one of them */
    for (int k = 0; k < MANY; k++)
        at[k] = k % 64 ? k / 64 % 2 ? few : many : few;
    lane_use(q, s, at, use);
    print_message("lane use: static %.3f, refill %.3f\n", use[0], use[1]);
    assert_true(use[0] > 0.9 && use[0] < 1 && (even ? use[1] > use[0] : use[1] == use[0]));
}

TEST(refill_waits_where_that_pays)
{
    with_every_solver(check_waiting);
}

/* ---- the attempts of a run ---- */

static kb_trail noted(const problem *q, const kb_solver *s, kb_schedule schedule, long most,
                      kb_count *count)
{
    kb_trail trail = {.most = most};
    kb_job job = {.n = q->n, .states = q->states, .dt = DT, .rtol = s->info.rtol,
                  .atol = s->info.atol, .schedule = schedule, .threads = 2};
    kb_result r = {.y = kb_alloc((size_t)q->n * (q->nsp + 1), sizeof *r.y), .count = count,
                   .trail = &trail};
    assert_works(s->run(s, &job, &r, &err));
    free(r.y);
    return trail;
}

/* the attempts of one ODE into rhs [most]; returns how many */
static int attempts_of(const kb_trail *t, int ode, int32_t *rhs, int most)
{
    int n = 0;
    for (long k = 0; k < t->n; k++)
        if (t->attempt[k].ode == ode) {
            assert_true(n < most);
            rhs[n++] = t->attempt[k].rhs;
        }
    return n;
}

/* every evaluation belongs to an attempt, and each ODE makes the same in any schedule */
static void check_trail(const problem *q, const kb_solver *s)
{
    const kb_promise *p = &s->info.promise;
    kb_count *count = kb_alloc((size_t)q->n, sizeof *count);
    kb_trail a = noted(q, s, KB_STATIC, 1000000, count);
    kb_trail b = noted(q, s, KB_REFILL, 1000000, count);
    assert_true(a.n == b.n && !a.full && !b.full);
    for (int i = 0; i < q->n; i++) {
        int n = count[i].attempted, sum = 0;
        int32_t *one = kb_alloc((size_t)n, sizeof *one), *other = kb_alloc((size_t)n, sizeof *one);
        assert_int_equal(attempts_of(&a, i, one, n), n);
        assert_int_equal(attempts_of(&b, i, other, n), n);
        assert_memory_equal(one, other, (size_t)n * sizeof *one);
        for (int k = 0; k < n; k++) {
            sum += one[k];
            if (p->rhs)
                assert_int_equal(one[k], p->rhs + (k ? 0 : p->rhs_once));
        }
        assert_int_equal(sum, count[i].rhs);
        free(one);
        free(other);
    }
    kb_trail few = noted(q, s, KB_REFILL, a.n - 1, count);
    assert_true(few.full && few.n < a.n);
    free(few.attempt);
    free(a.attempt);
    free(b.attempt);
    free(count);
}

TEST(attempts_are_noted)
{
    with_every_solver(check_trail);
}

/* neither the order of the states nor the threads reach an ODE's bits */
static void check_independence(const problem *q, const kb_solver *s)
{
    int row = q->nsp + 2, n = q->n;
    double *turned = kb_alloc((size_t)n * row, sizeof *turned);
    for (int i = 0; i < n; i++)
        memcpy(turned + i * row, q->states + (7 * i + 3) % n * row, row * sizeof *turned);
    for (int schedule = 0; schedule < 2; schedule++) {
        kb_job job = {.dt = DT, .schedule = schedule ? KB_REFILL : KB_STATIC};
        answer a = solve(q, s, job);
        job.threads = 2;
        answer b = solve(q, s, job);
        job.states = turned;
        job.n = n;
        answer c = solve(q, s, job);
        job.n = 3; /* fewer than lanes */
        answer d = solve(q, s, job);
        assert_int_equal(b.r.threads, 2);
        for (int i = 0; i < n; i++) {
            assert_same(q, &a, i, &b, i);
            assert_same(q, &a, (7 * i + 3) % n, &c, i);
            if (i < 3)
                assert_same(q, &c, i, &d, i);
        }
        release(&a);
        release(&b);
        release(&c);
        release(&d);
    }
    free(turned);
}

TEST(odes_are_independent)
{
    with_every_solver(check_independence);
}

/* the same algorithm on both: substeps differ only where rounding tips a decision */
static void check_engines(const problem *q, const kb_solver *s)
{
    if (strncmp(s->info.engine, "cpu-scalar", strlen("cpu-scalar")))
        return;
    const kb_solver *simd = kb_solver_find(q->s, s->info.name, "cpu-simd");
    assert_non_null(simd);
    answer a = solve(q, s, (kb_job){.dt = DT}), b = solve(q, simd, (kb_job){.dt = DT});
    int differ = 0;
    for (int i = 0; i < q->n; i++)
        differ += a.count[i].attempted != b.count[i].attempted;
    double d = distance(q, &a, &b);
    print_message("%-6s %-6s: %d of %d ODEs differ in substeps; results apart by %.1e\n",
                  q->s->mech, s->info.name, differ, q->n, d);
    assert_true(differ <= q->n / 5);
    at_most(s, "the difference from cpu-scalar", d, 0.1 * s->info.promise.error);
    release(&a);
    release(&b);
}

TEST(engines_agree)
{
    with_every_solver(check_engines);
}

/* what a global step changes in what it must keep, relative: mass, elements, enthalpy (by cp T) */
static void drift(const problem *q, const double *before, const double *after, double *mass,
                  double *elements, double *enthalpy)
{
    double sum = 0;
    for (int k = 0; k < q->nsp; k++)
        sum += after[k + 1] - before[k + 2];
    *mass = larger(*mass, fabs(sum));
    for (int e = 0; e < q->m.nelements; e++) {
        double was = 0, change = 0;
        for (int k = 0; k < q->nsp; k++) {
            double atoms = q->m.species[k].atoms[e] / q->s->W[k];
            was += before[k + 2] * atoms;
            change += (after[k + 1] - before[k + 2]) * atoms;
        }
        if (was > 0)
            *elements = larger(*elements, fabs(change) / was);
    }
    double h = kb_mix_h(&q->m, after[0], after + 1) - kb_mix_h(&q->m, before[0], before + 2);
    *enthalpy = larger(*enthalpy, fabs(h) / (kb_mix_cp(&q->m, after[0], after + 1) * after[0]));
}

/* All methods keep linear invariants. Enthalpy is not linear in (T, Y): its drift is an error
 * of the method like any other, and must fall with the tolerance. */
static void check_invariants(const problem *q, const kb_solver *s)
{
    double enthalpy[2] = {0};
    for (int tight = 0; tight < 2; tight++) {
        double mass = 0, elements = 0, scale = tight ? 1e-2 : 1;
        answer a = solve(q, s, (kb_job){.dt = DT, .rtol = scale * s->info.rtol,
                                        .atol = scale * s->info.atol});
        for (int i = 0; i < q->n; i++)
            drift(q, q->states + i * (q->nsp + 2), a.y + i * (q->nsp + 1), &mass, &elements,
                  &enthalpy[tight]);
        print_message("%-6s %-10s %-6s rtol %g: drift of mass %.1e, elements %.1e, enthalpy %.1e\n",
                      q->s->mech, s->info.engine, s->info.name, scale * s->info.rtol, mass,
                      elements, enthalpy[tight]);
        at_most(s, "the drift of mass", mass, 1e-12);
        at_most(s, "the drift of elements", elements, 1e-12);
        release(&a);
    }
    if (s->info.promise.fixed)
        return;
    at_most(s, "the drift of enthalpy", enthalpy[0], s->info.rtol);
    at_most(s, "the drift of enthalpy at a tolerance 100 times tighter", enthalpy[1],
            fmax(0.3 * enthalpy[0], 1e-10));
}

TEST(invariants)
{
    with_every_solver(check_invariants);
}

static void check_constant_volume(const problem *q, const kb_solver *s)
{
    if (s->info.promise.fixed)
        return;
    kb_job job = {.dt = DT, .reactor = KB_CONST_V};
    answer exact = reference(q, job), a = solve(q, s, job);
    double d = distance(q, &a, &exact);
    job.reactor = KB_CONST_P;
    answer other = solve(q, s, job);
    print_message("%-6s %-10s %-6s constant volume: error %.1e (constant pressure: off by %.1e)\n",
                  q->s->mech, s->info.engine, s->info.name, d, distance(q, &other, &exact));
    at_most(s, "the error", d, s->info.promise.error);
    assert_true(distance(q, &other, &exact) > 3 * d);
    release(&exact);
    release(&other);
    release(&a);
}

TEST(constant_volume)
{
    with_every_solver(check_constant_volume);
}

/* the steps of a method without error control are those of its option, and its error falls with
 * them */
static void check_fixed(const problem *q, const kb_solver *s)
{
    for (int reactor = KB_CONST_P; s->info.promise.fixed && reactor <= KB_CONST_V; reactor++) {
        double steps[] = {400, 800}, d[2], options[32];
        answer exact = reference(q, (kb_job){.dt = DT, .reactor = reactor});
        for (int k = 0; k < 2; k++) {
            const double *o = options_with(s, s->info.options[0].name, steps[k], options);
            answer a = solve(q, s, (kb_job){.dt = DT, .reactor = reactor, .options = o});
            d[k] = distance(q, &a, &exact);
            for (int i = 0; i < q->n; i++)
                assert_true(a.count[i].accepted == steps[k] && a.count[i].status == KB_ODE_OK);
            release(&a);
        }
        print_message("%-6s %-10s %-6s %g steps: error %.1e, %g: %.1e\n", q->s->mech,
                      s->info.engine, s->info.name, steps[0], d[0], steps[1], d[1]);
        assert_true(fabs(d[0] / d[1] - 2) < 0.2);
        release(&exact);
    }
}

TEST(fixed_steps_converge)
{
    with_every_solver(check_fixed);
}

/* vode takes CVODE's substeps, and its work, at the same tolerances */
static void check_like_cvode(const problem *q, const kb_solver *s)
{
    if (s->info.promise.kind != KB_MULTISTEP)
        return;
    for (double rtol = 1e-4; rtol > 1e-9; rtol /= 100) {
        kb_job job = {.dt = 1e-5, .rtol = rtol, .atol = 1e-6 * rtol};
        answer a = solve(q, s, job), c = solve(q, kb_solver_find(q->s, "cvode", "cpu-scalar"), job);
        double ours[4] = {0}, theirs[4] = {0};
        for (int i = 0; i < q->n; i++) {
            double *sum[] = {ours, theirs};
            const kb_count *count[] = {&a.count[i], &c.count[i]};
            for (int k = 0; k < 2; k++) {
                sum[k][0] += count[k]->accepted;
                sum[k][1] += count[k]->solve;
                sum[k][2] += count[k]->lu;
                sum[k][3] += count[k]->jac;
            }
        }
        print_message("%-6s %-10s vode, rtol %g: %.1f substeps; substeps, solves, LU, J over "
                      "CVODE's: %.3f %.3f %.3f %.3f\n", q->s->mech, s->info.engine, rtol,
                      ours[0] / q->n, ours[0] / theirs[0], ours[1] / theirs[1], ours[2] / theirs[2],
                      ours[3] / theirs[3]);
        for (int k = 0; k < 4; k++)
            assert_true(ours[k] <= 1.05 * theirs[k]);
        assert_true(ours[0] >= 0.95 * theirs[0] && ours[1] >= 0.95 * theirs[1]);
        release(&a);
        release(&c);
    }
}

TEST(vode_is_like_cvode)
{
    with_every_solver(check_like_cvode);
}

/* rkc's power method, loss frequency and Gershgorin's bound lead to the same result, the second
 * with a Jacobian in its place, the last with more stages: it is far too large */
static void check_spectral(const problem *q, const kb_solver *s)
{
    double loss[32], gershgorin[32];
    if (s->info.promise.kind != KB_STABILIZED)
        return;
    answer exact = reference(q, (kb_job){.dt = DT});
    answer a = solve(q, s, (kb_job){.dt = DT});
    answer b = solve(q, s, (kb_job){.dt = DT, .options = options_with(s, "spectral", 1, loss)});
    answer c =
        solve(q, s, (kb_job){.dt = DT, .options = options_with(s, "spectral", 2, gershgorin)});
    double d = distance(q, &b, &exact), rhs[3] = {0};
    for (int i = 0; i < q->n; i++) {
        assert_true(a.count[i].jac == 0 && b.count[i].jac >= 1);
        rhs[0] += a.count[i].rhs;
        rhs[1] += b.count[i].rhs;
        rhs[2] += c.count[i].rhs;
    }
    print_message("%-6s %-10s rkc spectral=1: error %.1e, right-hand sides %.0f of %.0f; "
                  "spectral=2: %.0f\n", q->s->mech, s->info.engine, d, rhs[1], rhs[0], rhs[2]);
    at_most(s, "the error", d, s->info.promise.error);
    at_most(s, "the error with spectral=2", distance(q, &c, &exact), s->info.promise.error);
    assert_true(rhs[1] < rhs[0] && rhs[2] > 3 * rhs[0]);
    release(&c);
    release(&a);
    release(&b);
    release(&exact);
}

TEST(spectral_option)
{
    with_every_solver(check_spectral);
}

/* with species in steady state the loss frequency is no estimate: Gershgorin's bound instead */
TEST(spectral_in_steady_state)
{
    enum { STATES = 16 };
    kb_error err = {0};
    double options[32];
    int checked = 0;
    problem q = {.s = kb_solvers_open("models", &err), .n = STATES};
    if (!q.s)
        fail_msg("%s", err.text);
    q.nsp = q.s->nsp;
    q.states = kb_alloc(STATES * (size_t)(q.nsp + 2), sizeof *q.states);
    for (int i = 0; i < STATES; i++) {
        double *s = q.states + i * (q.nsp + 2);
        s[0] = 1000 + 100 * i;
        s[1] = KB_ATM;
        for (int k = 0; k < q.nsp; k++)
            s[2 + k] = 1.0 / q.nsp;
    }
    kb_job job = {.dt = 1e-9, .rtol = 1e-6, .atol = 1e-10};
    answer exact = solve(&q, kb_solver_find(q.s, "rodas4", "cpu-scalar"),
                         (kb_job){.dt = job.dt, .rtol = 1e-10, .atol = 1e-16});
    for (int i = 0; i < q.s->nsolvers; i++) {
        const kb_solver *s = q.s->solvers[i];
        if (s->info.promise.kind != KB_STABILIZED || kb_on_gpu(s->info.engine))
            continue;
        job.options = options_with(s, "spectral", 1, options);
        answer a = solve(&q, s, job);
        job.options = options_with(s, "spectral", 2, options);
        answer b = solve(&q, s, job);
        double d = distance(&q, &a, &exact);
        int most = 0;
        for (int k = 0; k < STATES; k++) {
            assert_int_equal(a.count[k].jac, 0);
            assert_int_equal(a.count[k].rhs, b.count[k].rhs);
            assert_same(&q, &a, k, &b, k);
            most = a.count[k].rhs > most ? a.count[k].rhs : most;
        }
        print_message("models %-10s rkc: error %.1e, right-hand sides %d\n", s->info.engine, d,
                      most);
        at_most(s, "the error in steady state", d, s->info.promise.error);
        release(&a);
        release(&b);
        checked++;
    }
    assert_true(checked >= 2);
    release(&exact);
    free(q.states);
}

/* rodas4's first step, as a fraction of dt */
TEST(options_count)
{
    double options[32];
    const problem *q = &problems[0];
    const kb_solver *s = kb_solver_find(q->s, "rodas4", "cpu-simd");
    assert_string_equal(s->info.options[0].name, "h0");
    answer a = solve(q, s, (kb_job){.dt = DT});
    answer b = solve(q, s, (kb_job){.dt = DT, .options = options_with(s, "h0", 1e-4, options)});
    assert_true(b.count[0].accepted > a.count[0].accepted);
    release(&a);
    release(&b);
}

/* The code of an option with this value; where it is taken, one ODE is solved with it. */
static int option_code(const problem *q, const kb_solver *s, const kb_option *o, double value,
                       kb_error *err)
{
    kb_choice c = {.rtol = s->info.rtol, .atol = s->info.atol};
    char *text = kb_format("%s:%s=%.17g", s->info.name, o->name, value);
    int code = kb_solver_options(&s->info, text, &c, err);
    if (!code) {
        answer a = solve(q, s, (kb_job){.n = 1, .dt = 1e-7, .max_substeps = 50,
                                        .options = c.options});
        assert_int_equal(a.code, KB_OK);
        assert_in_range(a.count[0].status, KB_ODE_OK, KB_ODE_NOT_FINITE);
        release(&a);
    }
    free(text);
    free(c.text);
    free(c.options);
    return code;
}

static void refused(const problem *q, const kb_solver *s, const kb_option *o, double value)
{
    kb_error err = {0};
    char *range = kb_format("from %g to %g", o->low, o->high);
    assert_int_equal(option_code(q, s, o, value, &err), KB_INVALID);
    assert_non_null(strstr(err.text, range));
    assert_non_null(strstr(err.text, o->name));
    free(range);
}

/* the ends of each option's range work, and nothing beyond them is taken */
static void check_ranges(const problem *q, const kb_solver *s)
{
    kb_error err = {0};
    for (const kb_option *o = s->info.options; o->name; o++) {
        print_message("%-10s %s:%s %g to %g\n", s->info.engine, s->info.name, o->name, o->low,
                      o->high);
        assert_true(o->low < o->high && o->value >= o->low && o->value <= o->high);
        assert_int_equal(option_code(q, s, o, o->low, &err), KB_OK);
        assert_int_equal(option_code(q, s, o, o->high, &err), KB_OK);
        refused(q, s, o, o->low - 1e-9 * (1 + fabs(o->low)));
        refused(q, s, o, o->high * (1 + 1e-9));
        if (o->kind == KB_WHOLE)
            refused(q, s, o, 0.5 * (o->low + o->low + 1));
    }
}

TEST(ranges)
{
    const problem *q = &problems[0];
    for (int i = 0; i < q->s->nsolvers; i++)
        if (strstr(q->s->solvers[i]->info.engine, "cpu-"))
            check_ranges(q, q->s->solvers[i]);
}

TESTS(make_problems, free_problems)
