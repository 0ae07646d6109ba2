/* SPDX-License-Identifier: MIT */
#include "drivers/bench/micro.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/stats.h"
#include "base/table.h"

#define PARTS 8

static const char *const engines[2] = {"cpu-scalar", "cpu-simd"};

typedef struct {
    const char *name;
    double *sample; /* [repeats] s for one ODE */
} part;

typedef struct {
    int n[2], repeats; /* parts of each engine */
    part part[2][PARTS];
} times;

/* ---- samples ---- */

static void take(times *t, const kb_record *r, long n, int engine, int repeat)
{
    kb_micro sample[PARTS];
    t->n[engine] = r->solvers->micro(engines[engine], r->db->states, n, sample);
    for (int i = 0; i < t->n[engine]; i++) {
        part *p = &t->part[engine][i];
        p->name = sample[i].part;
        if (!p->sample)
            p->sample = kb_alloc((size_t)t->repeats, sizeof *p->sample);
        if (repeat >= 0)
            p->sample[repeat] = sample[i].seconds;
    }
}

static void release(times *t)
{
    for (int e = 0; e < 2; e++)
        for (int i = 0; i < PARTS; i++)
            free(t->part[e][i].sample);
}

/* ---- the table ---- */

static const part *find(const times *t, int engine, const char *name)
{
    for (int i = 0; i < t->n[engine]; i++)
        if (!strcmp(t->part[engine][i].name, name))
            return &t->part[engine][i];
    return NULL;
}

/* "564.1", "561-570" of one engine; "-" without it */
static void put(const times *t, const part *p, char **f)
{
    double lo, hi;
    if (p)
        kb_bootstrap(p->sample, t->repeats, &lo, &hi);
    f[0] = p ? kb_format("%.1f", 1e9 * kb_median(p->sample, t->repeats)) : kb_strdup("-");
    f[1] = p ? kb_format("%.1f-%.1f", 1e9 * lo, 1e9 * hi) : kb_strdup("-");
}

static void put_ratio(const times *t, const part *a, const part *b, char **f)
{
    double lo, hi;
    if (a && b)
        kb_bootstrap_ratio(b->sample, t->repeats, a->sample, t->repeats, &lo, &hi);
    f[0] = a && b ? kb_format("%.2f", kb_median(a->sample, t->repeats) /
                                          kb_median(b->sample, t->repeats))
                  : kb_strdup("-");
    f[1] = a && b ? kb_format("%.2f-%.2f", lo, hi) : kb_strdup("-");
}

static void print(const times *t, const kb_record *r, long n)
{
    static const char *const heads[] = {"ns for one ODE", "cpu-scalar", "95% interval", "cpu-simd",
                                        "95% interval", "ratio", "95% interval"};
    kb_table out = {.ncolumns = 7, .heads = heads, .left = 1};
    int longer = t->n[1] > t->n[0];
    printf("%s on %s, processor time of one core, %ld states of %s, %d repeats\n\n",
           r->solvers->mech, r->env->machine, n, r->database, t->repeats);
    for (int i = 0; i < t->n[longer]; i++) {
        const char *name = t->part[longer][i].name;
        const part *a = find(t, 0, name), *b = find(t, 1, name);
        char *f[7] = {kb_strdup(name)};
        put(t, a, f + 1);
        put(t, b, f + 3);
        put_ratio(t, a, b, f + 5);
        kb_table_add(&out, f);
    }
    kb_table_print(&out);
    kb_table_free(&out);
}

/* ---- micro.csv ---- */

static void add_row(kb_csv *csv, const kb_record *r, long n, const times *t, int engine, int i)
{
    const part *p = &t->part[engine][i];
    long row = kb_csv_add(csv);
    double lo, hi;
    kb_bootstrap(p->sample, t->repeats, &lo, &hi);
    kb_csv_number(csv, row, "schema", KB_RESULTS_SCHEMA, 0);
    kb_csv_set(csv, row, "machine", r->env->machine);
    kb_csv_set(csv, row, "git", r->env->git);
    kb_csv_set(csv, row, "mech", r->solvers->mech);
    kb_csv_set(csv, row, "mech_sha256", r->solvers->sha256);
    kb_csv_number(csv, row, "n", (double)n, 0);
    kb_csv_set(csv, row, "engine", engines[engine]);
    kb_csv_set(csv, row, "part", p->name);
    kb_csv_number(csv, row, "repeats", t->repeats, 0);
    kb_csv_number(csv, row, "ns_per_ode", 1e9 * kb_median(p->sample, t->repeats), 6);
    kb_csv_number(csv, row, "ns_lo", 1e9 * lo, 6);
    kb_csv_number(csv, row, "ns_hi", 1e9 * hi, 6);
}

static int write(const times *t, const kb_record *r, long n, kb_error *err)
{
    kb_csv csv;
    char *path = kb_format("%s/micro.csv", r->folder);
    kb_csv_start(&csv, "schema,machine,git,mech,mech_sha256,n,engine,part,repeats,ns_per_ode,ns_lo,"
                       "ns_hi");
    for (int e = 0; e < 2; e++)
        for (int i = 0; i < t->n[e]; i++)
            add_row(&csv, r, n, t, e, i);
    int code = kb_csv_write(&csv, path, err);
    if (!code)
        printf("\n%s\n", path);
    kb_csv_free(&csv);
    free(path);
    return code;
}

int kb_micro_run(const kb_record *r, long n, int repeats, kb_error *err)
{
    times t = {.repeats = repeats > KB_MICRO_REPEATS ? repeats : KB_MICRO_REPEATS};
    int code = KB_OK;
    for (int k = -1; k < t.repeats; k++) /* the first is a warm-up */
        for (int e = 0; e < 2; e++)
            take(&t, r, n, e, k);
    if (t.n[0] < 1 && t.n[1] < 1) {
        code = kb_fail(err, KB_NOTHING, "the solvers offer no micro-benchmarks");
    } else {
        print(&t, r, n);
        code = write(&t, r, n, err);
    }
    release(&t);
    return code;
}
