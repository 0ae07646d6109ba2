/* SPDX-License-Identifier: MIT
 *
 * reliability: what solvers do with fresh and random states of h2, h2co and gri30: ODEs that
 * failed, ignitions that were missed and results more than 10 % wrong while the status is ok.
 * Ends with 1 where an ignition was missed.
 */
#include <stdio.h>

#include "base/options.h"
#include "base/table.h"
#include "tests/reliability/states.h"

typedef struct {
    const char *mechs, *solvers, *engine, *rtols;
    long n;
    double rtol, atol, shorter;
} settings;

#define AT(member) offsetof(settings, member)

static const kb_program_option options[] = {
    {"mechs", 'm', "LIST", KB_OPT_LIST, AT(mechs), "h2, h2co, gri30", 0, "h2,h2co,gri30", 0,
     "mechanisms"},
    {"solvers", 's', "LIST", KB_OPT_TEXT, AT(solvers), 0, 0,
     ": every implicit one with error control, and cvode:reach=1", 0,
     "solvers with options, name:option=value"},
    {"engine", 'e', "NAME", KB_OPT_TEXT, AT(engine), 0, 0, "cpu-simd", 0,
     "engine of all but cvode"},
    {"n", 'n', "N", KB_OPT_LONG, AT(n), "6 to 100000000", 0, "20000", 0,
     "states of each mechanism"},
    {"rtol", 'r', "LIST", KB_OPT_NUMBERS, AT(rtols), "more than 0", 0, "1e-3", 0,
     "relative tolerances"},
    {"atol", 'a', "A", KB_OPT_NUMBER, AT(atol), "more than 0", 0, ": rtol 1e-6", 0,
     "absolute tolerance"},
    {"shorter", 'd', "X", KB_OPT_NUMBER, AT(shorter), "more than 0", 0, "1", 0,
     "dt is this many times shorter, as explicit methods need it"},
    {0}};

static const kb_program program = {
    options, NULL, "Counts ignitions that solvers miss while their status is ok."};

static void add_row(kb_table *t, const settings *s, const growth *g, const char *solver,
                    int random, const growth_result *r)
{
    char **field = kb_alloc((size_t)t->ncolumns, sizeof *field);
    char **f = field;
    *f++ = kb_strdup(g->of->mech);
    *f++ = kb_strdup(random ? "random" : "fresh");
    *f++ = kb_strdup(solver);
    *f++ = kb_format("%g", s->rtol);
    *f++ = kb_format("%ld", r->n);
    *f++ = kb_format("%ld", r->ignitions);
    *f++ = kb_format("%ld", r->failed);
    *f++ = kb_format("%ld", r->missed);
    *f++ = kb_format("%ld", r->wrong);
    *f++ = kb_format("%.3f", r->attempts);
    *f++ = kb_format("%.3f", r->rhs);
    *f++ = kb_format("%.3f", r->jac);
    *f++ = kb_format("%.3f", r->lu);
    *f++ = kb_format("%.3f", r->solve);
    *f++ = kb_format("%.3g", r->seconds);
    kb_table_add(t, field);
}

/* every solver that controls its error on the engine; explicit ones need dt ten times shorter */
static void default_solvers(kb_words *w, const growth *g, const char *engine)
{
    for (int i = 0; i < g->s->nsolvers; i++) {
        const kb_solver_info *s = &g->s->solvers[i]->info;
        if (!strcmp(s->engine, engine) && !s->promise.fixed && strncmp(s->name, "cvode", 5) &&
            strncmp(s->name, "rk", 2))
            kb_words_add(w, s->name);
    }
    kb_words_add(w, "cvode");
    kb_words_add(w, "cvode:reach=1");
}

static int measure_solvers(const settings *s, const growth *g, kb_table *t, long *missed,
                           kb_error *err)
{
    kb_words w = {0};
    int code = KB_OK;
    if (s->solvers)
        kb_words_split(&w, s->solvers);
    else
        default_solvers(&w, g, s->engine);
    for (int i = 0; i < w.count && !code; i++) {
        int is_cvode = !strncmp(w.word[i], "cvode", 5);
        growth_result r[2];
        code = growth_measure(g, w.word[i], is_cvode ? "cpu-scalar" : s->engine, s->rtol, s->atol,
                              r, err);
        for (int k = 0; k < 2 && !code; k++) {
            add_row(t, s, g, w.word[i], k, &r[k]);
            *missed += is_cvode && !strstr(w.word[i], "reach=1") ? 0 : r[k].missed;
        }
    }
    kb_words_free(&w);
    return code;
}

/* at each tolerance */
static int measure(settings *s, const growth *g, kb_table *t, long *missed, kb_error *err)
{
    kb_words w = {0};
    double atol = s->atol;
    int code = KB_OK;
    kb_words_split(&w, s->rtols);
    for (int i = 0; i < w.count && !code; i++) {
        code = kb_read_number("--rtol", w.word[i], &s->rtol, err);
        s->atol = atol > 0 ? atol : 1e-6 * s->rtol;
        if (!code && !(s->rtol > 0))
            code = kb_fail(err, KB_INVALID, "--rtol: '%s' is not above 0", w.word[i]);
        if (!code)
            code = measure_solvers(s, g, t, missed, err);
    }
    s->atol = atol;
    kb_words_free(&w);
    return code;
}

int main(int argc, char **argv)
{
    static const char *const heads[] = {"mech", "states", "solver", "rtol", "n", "ignitions",
                                        "failed", "missed", "wrong", "attempts", "rhs", "jac",
                                        "lu", "solve", "s"};
    settings s = {0};
    kb_program_parse(&program, argc, argv, &s);
    kb_error err = {0};
    kb_table t = {.ncolumns = 15, .heads = heads, .left = 3};
    kb_words mechs = {0};
    kb_words_split(&mechs, s.mechs);
    int code = KB_OK;
    long missed = 0;
    for (int i = 0; i < GROWTH_CASES && !code; i++) {
        growth g;
        if (kb_words_find(&mechs, growth_cases[i].mech) < 0)
            continue;
        growth_case of = growth_cases[i];
        for (int k = 0; k < 3; k++)
            of.dt[k] /= s.shorter;
        code = growth_make(&g, &of, s.n, 1, &err);
        if (!code)
            code = measure(&s, &g, &t, &missed, &err);
        growth_free(&g);
    }
    kb_table_print(&t);
    kb_table_free(&t);
    kb_words_free(&mechs);
    if (code)
        fprintf(stderr, "reliability: %s\n", err.text);
    return code ? code : missed > 0;
}
