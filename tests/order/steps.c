/* SPDX-License-Identifier: MIT
 *
 * What each method makes of an ignition with a window (problem_flame.h), as tests/data/steps/METHOD
 * has it: its substeps, their sizes, what it evaluates and how it ends, with each option changed,
 * with matrices that are wrong, and where nothing leads to the end. Guesses, limits and what a
 * method falls back on are seen here alone. A lane takes the next ODE when its own has ended, as in
 * an engine, while its neighbours are elsewhere: what comes of an ODE depends on neither. A change
 * that means to change it writes the file anew: KEEP=1 build/tests/order/METHOD_flame_1.
 */
#ifdef STRAIGHT_STAGES /* with stages apart from the work, as straight-line code has them */
#include "solvers/problem.h"
#define KB_STRAIGHT
#endif
#include KB_METHOD_HEADER
#define METHOD KB_METHOD
#define OPTIONS KB_METHOD_OPTIONS
#include "tests/unit/kept.h"
#include "tests/order/order.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

typedef struct {
    double dt, rtol, atol, a, limit, wrong, atolt; /* wrong: part of each entry of the matrix */
    int most_substeps;
} setting;
static const setting settings[] = {
    {20, 1e-4, 1e-8, 1, 1e-6, 0, 0, 1000},
    {20, 1e-3, 1e-6, 1, 0.01, 0.3, 0, 100}, /* with these two each option is changed */
    {20, 1e-2, 1e-4, 1, 0.01, 0, 0, 500},
    {8, 1e-3, 1e-3, 10, 1e-3, 0, 0, 1000},
    {2, 1e-4, 1e-6, 20, 0.01, 0, 1e-3, 500},
    {20, 1e-3, 1e-6, 1, 0.01, -0.6, 0, 80},
    {20, 1e-3, 1e-6, 1, 0.01, 0.75, 0, 50},
    {20, 1e-3, 1e-6, 1, 0.01, -3, 0, 50},
    {200, 0.05, 0.05, 10, 1e-4, 0, 0, 30},
    {20, 1e-3, 1e-6, 1, -0.3, 0, 0, 40}, /* the end is outside */
    {20, 1e-3, 1e-6, 1, 0.01, 0, 0, 8},
    {1e-3, 1e-3, 1e-6, 1, 0.01, 0, 0, 50},
};
enum { SETTINGS = sizeof settings / sizeof *settings, CHANGED = 2 };
enum { STARTS = 3, ODES = 2 * STARTS }; /* a lane has each start twice */

/* the ODE of a lane: how many there were before; logarithms of the substeps that followed its
 * attempts, and these by the attempts' numbers */
typedef struct {
    int number, attempts;
    double sizes, order;
} record;

static char rows[STARTS][200];

static int start_of(const record *r, int l) { return (l + r->number) % STARTS; }

static void begin_ode(drive *d, int l, record *r)
{
    lane y[N];
    kb_ode *o = &d->o;
    kb_scalar *const zero[] = {&o->t, &o->h, &o->status, &o->attempted, &o->accepted,
                               &o->rhs, &o->jac, &o->lu, &o->solve};
    exact(0.1 * start_of(r, l), y);
    for (int i = 0; i < N; i++)
        lane_put(&d->w->y[i], l, lane_get(y[i], 0));
    for (int k = 0; k < 9; k++)
        lane_put(zero[k], l, 0);
    mask_put(&o->active, l, 1);
    *r = (record){.number = r->number};
}

/* its row, the same as of the same start before; true if the ODE has ended */
static int end_ode(drive *d, int l, record *r)
{
    kb_ode *o = &d->o;
    const kb_scalar *const counts[] = {&o->attempted, &o->accepted, &o->rhs,
                                       &o->jac, &o->lu, &o->solve};
    char row[sizeof *rows], *known = rows[start_of(r, l)];
    int status = (int)lane_get(o->status, l);
    double h = fmax(lane_get(o->h, l), 1e-300);
    r->sizes += log10(h);
    r->order += ++r->attempts * log10(h);
    if (!status && lane_get(o->t, l) < d->run.dt)
        return 0;
    int n = sprintf(row, "%d %.4g", status, lane_get(o->t, l));
    for (int k = 0; k < 6; k++)
        n += sprintf(row + n, " %g", lane_get(*counts[k], l));
    n += sprintf(row + n, " %.3f %.3f", r->sizes / r->attempts,
                 2 * r->order / (r->attempts * (r->attempts + 1.0)));
    for (int i = 0; i < N; i++) /* 0 has no sign */
        n += sprintf(row + n, " %.4f", lane_get(d->w->y[i], l) + 1e-7);
    if (*known && strcmp(known, row) != 0)
        fail_msg("start %d on lane %d: '%s', before '%s'", start_of(r, l), l, row, known);
    strcpy(known, row);
    mask_put(&o->active, l, 0);
    r->number++;
    return 1;
}

static void integrate(const setting *s, int option, double value)
{
    record r[KB_LANES] = {{0}};
    memset(rows, 0, sizeof rows);
    limit = s->limit;
    matrix_error = s->wrong;
    drive d = start(s->dt, s->rtol, s->atol, s->a);
    d.run.max_substeps = s->most_substeps;
    d.run.atolt = s->atolt;
    if (option >= 0)
        d.run.opt[option] = value;
    memset(&d.persistent, 0, sizeof d.persistent);
    d.o.active = mask_none();
    for (int left = KB_LANES * ODES; left > 0;) {
        mask starting = mask_none();
        for (int l = 0; l < KB_LANES; l++)
            if (!mask_get(d.o.active, l) && r[l].number < ODES) {
                mask_put(&starting, l, 1);
                begin_ode(&d, l, &r[l]);
            }
        park(&d);
        if (lane_any(starting))
            METHOD_init(&d.run, &d.o, &d.persistent, d.w, starting);
        METHOD_step(&d.run, &d.o, &d.persistent, d.w);
        for (int l = 0; l < KB_LANES; l++)
            if (mask_get(d.o.active, l))
                left -= end_ode(&d, l, &r[l]);
    }
    free(d.w);
}

static void write_rows(FILE *f, int k, const char *option, double value)
{
    fprintf(f, "setting %d", k);
    if (option)
        fprintf(f, ", %s=%g", option, value);
    for (int i = 0; i < STARTS; i++)
        fprintf(f, "%c%s", '\n', rows[i]);
    fputc('\n', f);
}

/* another value than the default; extreme: the least if it is not 0, or the most of a few */
static double other(const kb_option *o, int extreme)
{
    int whole = o->kind == KB_WHOLE;
    if (o->value > o->low && extreme && o->low > 0)
        return o->low;
    if (o->value > o->low)
        return whole ? floor((o->value + o->low) / 2) : fmax(o->low, o->value / 20);
    if (!whole)
        return o->low + (o->high - o->low) / 20;
    return extreme && o->high < 100 ? o->high : fmin(o->high, o->low + 2);
}

TEST(steps)
{
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    assert_non_null(f);
    for (int k = 0; k < SETTINGS; k++) {
        integrate(&settings[k], -1, 0);
        write_rows(f, k, NULL, 0);
        for (int i = 0; k < CHANGED && options[i].name; i++) {
            if (!strcmp(options[i].name, "pass") || !strcmp(options[i].name, "atolt"))
                break; /* of engines, the last ones */
            double value = other(&options[i], k);
            integrate(&settings[k], i, value);
            write_rows(f, k, options[i].name, value);
        }
    }
    fclose(f);
    check_kept("tests/data/steps/" TEXT(KB_METHOD), text);
    free(text);
}

TESTS(NULL, NULL)
