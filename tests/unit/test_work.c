/* SPDX-License-Identifier: MIT
 *
 * How much work each method does on H2: substeps, right-hand sides, Jacobians, factorisations and
 * solves of 61 ODEs along an ignition, or of 24 before it, as tests/data/work.tsv has them. A guess
 * or a limit that nothing else depends on is seen here alone: the first substep, the growth of
 * substeps, when an iteration is given up, when a matrix is kept; and each option at values other
 * than its default. And the options of each method, with their ranges, as tests/data/options.tsv
 * has them. A change that means to change them writes the files anew: KEEP=1
 * build/tests/unit/test_work.
 */
#include <sundials/sundials_config.h>

#include "solvers/options.h"
#include "tests/unit/kept.h"
#include "tests/unit/solver_problem.h"

enum { COUNTS = 6, MOST_ROWS = 1000 };
#define FILE_OF_WORK "tests/data/work.tsv"
/* lanes round differently, as other processors and compilers do, and change less than this; another
 * SUNDIALS may change more of CVODE */
static const double BAND = 0.002, OTHER_SUNDIALS = 0.05;

typedef struct {
    char method[48], states[16];
    double dt, rtol;
    int reactor;
    long count[COUNTS];
} row;

static row kept[MOST_ROWS], now[MOST_ROWS];
static int nkept, nnow;
static problem along, before;
static char kept_sundials[32];

/* unburnt mixtures of 300 to 1450 K, most of whose species are not there yet */
static void make_unburnt(void)
{
    make_problem(&before, "h2", "H2:1", 1e-12, 24);
    for (int i = 0; i < before.n; i++) {
        double *state = before.states + i * (before.nsp + 2);
        memcpy(state, along.states, (size_t)(before.nsp + 2) * sizeof *state);
        state[0] = 300 + 50 * i;
        state[1] = KB_ATM * (1 + i % 4 * 5);
    }
}

static void read_kept(void)
{
    char line[512];
    FILE *f = fopen(FILE_OF_WORK, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        row *r = &kept[nkept];
        long *c = r->count;
        if (sscanf(line, "# SUNDIALS %31s", kept_sundials) || *line == '#')
            continue;
        assert_int_equal(sscanf(line, "%47s %15s %lf %lf %d %ld %ld %ld %ld %ld %ld", r->method,
                                r->states, &r->dt, &r->rtol, &r->reactor, c, c + 1, c + 2, c + 3,
                                c + 4, c + 5),
                         11);
        assert_true(++nkept < MOST_ROWS);
    }
    fclose(f);
}

static void write_now(void)
{
    FILE *f = fopen(FILE_OF_WORK, "w");
    assert_non_null(f);
    fputs("# SUNDIALS " SUNDIALS_VERSION "\n# method\tstates\tdt [s]\trtol\tconstant "
          "volume\tattempted\taccepted\trhs\tjac\tlu\tsolve\n",
          f);
    for (int i = 0; i < nnow; i++) {
        fprintf(f, "%s\t%s\t%g\t%g\t%d", now[i].method, now[i].states, now[i].dt, now[i].rtol,
                now[i].reactor);
        for (int k = 0; k < COUNTS; k++)
            fprintf(f, "\t%ld", now[i].count[k]);
        fputc('\n', f);
    }
    fclose(f);
}

/* option: NULL, or one of the solver's that is set to value; without it nothing is measured */
static void measure(const problem *q, const kb_solver *s, double dt, double rtol,
                    kb_reactor reactor, const char *option, double value)
{
    double values[32];
    if (option && !options_with(s, option, value, values))
        return;
    answer a = solve(q, s,
                     (kb_job){.dt = dt,
                              .rtol = rtol,
                              .atol = rtol * 1e-6,
                              .reactor = reactor,
                              .options = option ? values : NULL});
    row *r = &now[nnow++];
    assert_int_equal(a.code, KB_OK);
    snprintf(r->method, sizeof r->method, "%s", s->info.name);
    if (option)
        snprintf(r->method, sizeof r->method, "%s:%s=%g", s->info.name, option, value);
    strcpy(r->states, q == &along ? "along" : "before");
    r->dt = dt;
    r->rtol = rtol;
    r->reactor = reactor == KB_CONST_V;
    for (int i = 0; i < a.n; i++) {
        const kb_count *c = &a.count[i];
        const int one[COUNTS] = {c->attempted, c->accepted, c->rhs, c->jac, c->lu, c->solve};
        for (int k = 0; k < COUNTS; k++)
            r->count[k] += one[k];
    }
    release(&a);
}

/* on states along an ignition and before it; from a first substep that is far too short; with the
 * explicit first pass, where it serves some of them; where no iteration converges, until an ODE
 * is given up */
static void measure_all(const kb_solver *s)
{
    const kb_promise *p = &s->info.promise;
    measure(&along, s, 1e-7, 1e-3, KB_CONST_P, NULL, 0);
    measure(&along, s, 1e-6, 1e-4, KB_CONST_V, NULL, 0);
    measure(&along, s, 1e-6, 1e-7, KB_CONST_P, NULL, 0);
    if (p->kind != KB_STABILIZED) /* whose power method begins with rounding */
        measure(&before, s, 1e-5, 1e-4, KB_CONST_P, NULL, 0);
    if (!p->fixed && p->kind != KB_EXPLICIT)
        measure(&along, s, 1e-5, 1e-5, KB_CONST_P, NULL, 0);
    measure(&before, s, 1e-8, 1e-3, KB_CONST_P, "h0", 1e-9);
    for (double dt = 1e-10; dt < 2e-7; dt *= 10)
        measure(&along, s, dt, 1e-2, KB_CONST_P, "pass", 1);
    measure(&along, s, 1e-6, 1e-4, KB_CONST_P, "newton", 1e-300);
}

/* values of an option beside its default, not all different: both ends and the middle of a small
 * range, half of the default and its double */
enum { VALUES = 5 };
static void values_beside(const kb_option *o, double of[VALUES])
{
    bool small = o->high <= 100;
    of[0] = o->value > 0 ? o->value / 2 : o->high * 1e-4;
    of[1] = o->value * 2;
    of[2] = small ? o->low : o->value;
    of[3] = small ? o->high : o->value;
    of[4] = small ? (o->low + o->high) / 2 : o->value;
    for (int k = 0; k < VALUES; k++)
        of[k] = o->kind == KB_WHOLE ? floor(of[k]) : of[k];
}

static void measure_option(const kb_solver *s, const kb_option *o)
{
    int kind = s->info.promise.kind;
    double of[VALUES];
    values_beside(o, of);
    for (int k = 0; k < VALUES; k++) {
        bool again = of[k] == o->value || !kb_option_allows(o, of[k]);
        for (int j = 0; j < k; j++)
            again = again || fabs(of[k] - of[j]) <= 1e-6 * of[k];
        if (again)
            continue;
        measure(&along, s, 1e-6, 1e-5, KB_CONST_P, o->name, of[k]);
        if (kind == KB_NEWTON || kind == KB_EXTRAPOLATION) /* others' depend on rounding */
            measure(&before, s, 1e-5, 1e-3, KB_CONST_P, o->name, of[k]);
    }
}

static const row *kept_of(const row *r)
{
    for (int i = 0; i < nkept; i++)
        if (!strcmp(kept[i].method, r->method) && !strcmp(kept[i].states, r->states) &&
            kept[i].dt == r->dt && kept[i].rtol == r->rtol && kept[i].reactor == r->reactor)
            return &kept[i];
    fail_msg("%s, %s, dt %g, rtol %g: no line in " FILE_OF_WORK, r->method, r->states, r->dt,
             r->rtol);
    return NULL;
}

TEST(work_is_as_it_was)
{
    static const char *const names[COUNTS] = {"attempted", "accepted", "rhs", "jac", "lu", "solve"};
    int off = 0;
    for (int i = 0; i < along.s->nsolvers; i++) {
        const kb_solver *s = along.s->solvers[i];
        /* cvode-paper's differences are of rounding: another processor changes it by a tenth */
        if (!strcmp(s->info.engine, "cpu-scalar") && strcmp(s->info.name, "cvode-paper") != 0) {
            measure_all(s);
            /* of CVODE's solvers one is enough */
            for (const kb_option *o = s->info.options; o->name; o++)
                if (strncmp(s->info.name, "cvode-", 6) != 0)
                    measure_option(s, o);
        }
    }
    if (getenv("KEEP"))
        write_now();
    read_kept();
    for (int i = 0; i < nnow; i++) {
        const row *was = kept_of(&now[i]);
        bool other = !strncmp(was->method, "cvode", 5) &&
                     strcmp(SUNDIALS_VERSION, kept_sundials) != 0;
        double band = other ? OTHER_SUNDIALS : BAND;
        for (int k = 0; k < COUNTS; k++) {
            double d = fabs((double)(now[i].count[k] - was->count[k]));
            if (d <= 2 || d <= band * (double)was->count[k])
                continue;
            print_message("%s, %s, dt %g, rtol %g: %s %ld, expected %ld\n", now[i].method,
                          now[i].states, now[i].dt, now[i].rtol, names[k], now[i].count[k],
                          was->count[k]);
            off++;
        }
    }
    assert_int_equal(off, 0);
    assert_int_equal(nnow, nkept);
}

/* the most that an option of order allows, or else the order that is promised with no option */
static int most_order(const kb_solver *s)
{
    for (const kb_option *o = s->info.options; o->name; o++)
        if (!strcmp(o->name, "max_order") || !strcmp(o->name, "columns"))
            return (int)o->high;
    return (int)s->info.promise.orders[0].order;
}

TEST(orders_are_those_promised)
{
    for (int i = 0; i < along.s->nsolvers; i++) {
        const kb_solver *s = along.s->solvers[i];
        int most = most_order(s); /* 0: of a library, or with tests of its own */
        if (s->info.promise.kind != KB_NO_KIND && most && s->info.order != most)
            fail_msg("%s: order %d, %d is promised", s->info.name, s->info.order, most);
    }
}

/* what a method and its options are, one a line; and its memory for an ODE */
static void write_options(FILE *f)
{
    fputs("# method\torder\trtol\tatol\tbytes\toption\tdefault\tleast\tmost\twhole\n", f);
    for (int i = 0; i < along.s->nsolvers; i++) {
        const kb_solver_info *s = &along.s->solvers[i]->info;
        if (strcmp(s->engine, "cpu-scalar") != 0)
            continue;
        fprintf(f, "%s\t%d\t%g\t%g\t%zu\n", s->name, s->order, s->rtol, s->atol, s->bytes_per_ode);
        assert_true(s->lanes == 1 && (s->shares == 0 || s->shares == 1) && s->steps_own < 2);
        for (const kb_option *o = s->options; o->name; o++)
            fprintf(f, "%s\t\t\t\t\t%s\t%g\t%g\t%g\t%d\n", s->name, o->name, o->value, o->low,
                    o->high, o->kind == KB_WHOLE);
    }
}

TEST(options_are_as_they_were)
{
    char *now_text = NULL;
    size_t length;
    FILE *f = open_memstream(&now_text, &length);
    assert_non_null(f);
    write_options(f);
    fclose(f);
    check_kept("tests/data/options.tsv", now_text);
    free(now_text);
}

FIXTURE(start)
{
    make_problem(&along, "h2", "H2:1", 1.2e-5, 61);
    make_unburnt();
    return 0;
}

FIXTURE(finish)
{
    free_problem(&along);
    free_problem(&before);
    return 0;
}

TESTS(start, finish)
