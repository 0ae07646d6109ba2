/* SPDX-License-Identifier: MIT */
#include "drivers/bench/micro.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/table.h"

#define PARTS 8

static const char *const engines[2] = {"cpu-scalar", "cpu-simd"};

typedef struct {
    int n[2];
    kb_micro part[2][PARTS];
} times;

static double seconds(const times *t, int engine, const char *part)
{
    for (int i = 0; i < t->n[engine]; i++)
        if (!strcmp(t->part[engine][i].part, part))
            return t->part[engine][i].seconds;
    return NAN;
}

static char *nanoseconds(double s)
{
    return isnan(s) ? kb_strdup("-") : kb_format("%.1f", 1e9 * s);
}

static void print(const times *t, const kb_record *r, long n)
{
    static const char *const heads[] = {"ns for one ODE", "cpu-scalar", "cpu-simd", "ratio"};
    kb_table out = {.ncolumns = 4, .heads = heads, .left = 1};
    int longer = t->n[1] > t->n[0];
    printf("%s on %s, one core, %ld states of %s\n\n", r->solvers->mech, r->env->machine, n,
           r->database);
    for (int i = 0; i < t->n[longer]; i++) {
        const char *part = t->part[longer][i].part;
        double a = seconds(t, 0, part), b = seconds(t, 1, part);
        char *f[] = {kb_strdup(part), nanoseconds(a), nanoseconds(b),
                     isnan(a / b) ? kb_strdup("-") : kb_format("%.2f", a / b)};
        kb_table_add(&out, f);
    }
    kb_table_print(&out);
    kb_table_free(&out);
}

static int write(const times *t, const kb_record *r, long n, kb_error *err)
{
    kb_csv csv;
    char *path = kb_format("%s/micro.csv", r->folder);
    kb_csv_start(&csv, "schema,machine,git,mech,mech_sha256,n,engine,part,ns_per_ode");
    for (int e = 0; e < 2; e++)
        for (int i = 0; i < t->n[e]; i++) {
            long row = kb_csv_add(&csv);
            kb_csv_number(&csv, row, "schema", KB_RESULTS_SCHEMA, 0);
            kb_csv_set(&csv, row, "machine", r->env->machine);
            kb_csv_set(&csv, row, "git", r->env->git);
            kb_csv_set(&csv, row, "mech", r->solvers->mech);
            kb_csv_set(&csv, row, "mech_sha256", r->solvers->sha256);
            kb_csv_number(&csv, row, "n", (double)n, 0);
            kb_csv_set(&csv, row, "engine", engines[e]);
            kb_csv_set(&csv, row, "part", t->part[e][i].part);
            kb_csv_number(&csv, row, "ns_per_ode", 1e9 * t->part[e][i].seconds, 6);
        }
    int code = kb_csv_write(&csv, path, err);
    if (!code)
        printf("\n%s\n", path);
    kb_csv_free(&csv);
    free(path);
    return code;
}

int kb_micro_run(const kb_record *r, long n, kb_error *err)
{
    times t = {0};
    for (int e = 0; e < 2; e++)
        t.n[e] = r->solvers->micro(engines[e], r->db->states, n, t.part[e]);
    if (t.n[0] < 1 && t.n[1] < 1)
        return kb_fail(err, KB_NOTHING, "the solvers offer no micro-benchmarks");
    print(&t, r, n);
    return write(&t, r, n, err);
}
