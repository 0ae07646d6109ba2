/* SPDX-License-Identifier: MIT
 *
 * verify: from a run of bench over many tolerances, error against time of each solver with the
 * uncertainty of both (verify.csv, for plots/verify), and which solver is the fastest at each
 * error (fastest.csv, verify.txt and the screen; or JSON).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/json.h"
#include "base/owned.h"
#include "base/shown.h"
#include "base/table.h"
#include "rows/standing.h"

#define LEVELS 9 /* errors 1e-2, 1e-3 ... 1e-10 */
#define COLUMNS 13

static const char verify_header[] =
    "mech,machine,database,order,n,dt_s,solver,engine,schedule,threads,rtol,atol,repeats,"
    "us_per_ode,us_lo,us_hi,err_p50,err_p50_lo,err_p50_hi,err_p95,err_p95_lo,err_p95_hi,err_max,"
    "failed,wrong,status,why,states,active_share,err_p95_active";
static const char fastest_header[] =
    "dt_s,order,n,on,error,solver,engine,schedule,rtol,atol,us_per_ode,us_lo,us_hi,err_p95,cvode,"
    "cvode_rtol,cvode_us,ratio,ratio_lo,ratio_hi,next,next_us,next_overlaps";

typedef struct {
    kb_csv cells, samples, verify, fastest;
    kb_identity id;
    kb_sample_index index; /* of samples, which may have no rows */
    const char *folder;
    bool json;
} verify;

/* ---- verify.csv ---- */

static void add_verify(verify *v, long cell)
{
    static const struct { const char *to, *from; } times[] = {
        {"us_per_ode", "time_s"}, {"us_lo", "time_lo_s"}, {"us_hi", "time_hi_s"}};
    const kb_csv *c = &v->cells;
    kb_csv *t = &v->verify;
    long row = kb_csv_add(t);
    for (int i = 0; i < t->ncolumns; i++)
        kb_csv_set(t, row, t->names[i], kb_csv_get(c, cell, t->names[i]));
    for (int i = 0; i < 3; i++)
        kb_csv_number(t, row, times[i].to, 1e6 * kb_csv_value(c, cell, times[i].from) /
                      kb_csv_value(c, cell, "n"), 6);
}

/* ---- the fastest ---- */

static void copy(verify *v, long to, const char *column, long from, const char *source)
{
    if (from >= 0)
        kb_csv_set(&v->fastest, to, column, kb_csv_get(&v->verify, from, source));
}

/* One row of fastest.csv, without a solver if none is so accurate */
static void add_fastest(verify *v, const kb_contest *g, double error)
{
    static const char *const same[] = {"solver", "engine", "schedule", "rtol", "atol", "us_per_ode",
                                       "us_lo", "us_hi"};
    const kb_csv *t = &v->verify, *cells = &v->cells; /* the same rows */
    kb_csv *out = &v->fastest;
    kb_standing s = kb_standing_of(cells, &v->index, &v->id, g, error);
    long row = kb_csv_add(out), best = s.row;
    long next = best < 0 ? -1 : kb_fastest(cells, g, error, kb_csv_get(t, best, "solver"));
    kb_csv_set(out, row, "dt_s", g->dt);
    kb_csv_set(out, row, "order", g->order);
    kb_csv_set(out, row, "n", g->n);
    kb_csv_set(out, row, "on", g->on);
    kb_csv_number(out, row, "error", error, 1);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        copy(v, row, same[i], best, same[i]);
    if (best >= 0) /* the error by which it was chosen */
        kb_csv_number(out, row, "err_p95", kb_active_p95(cells, best), 6);
    copy(v, row, "cvode", s.cvode, "solver");
    copy(v, row, "cvode_rtol", s.cvode, "rtol");
    copy(v, row, "cvode_us", s.cvode, "us_per_ode");
    copy(v, row, "next", next, "solver");
    copy(v, row, "next_us", next, "us_per_ode");
    kb_csv_number(out, row, "ratio", s.ratio, 4);
    kb_csv_number(out, row, "ratio_lo", s.ratio_lo, 4);
    kb_csv_number(out, row, "ratio_hi", s.ratio_hi, 4);
    if (next >= 0)
        kb_csv_set(out, row, "next_overlaps",
                   kb_csv_value(t, next, "us_lo") <= kb_csv_value(t, best, "us_hi") ? "1" : "0");
}

static void rank(verify *v)
{
    for (long i = 0; i < v->cells.nrows; i++) {
        kb_contest g = kb_contest_of(&v->cells, i);
        for (int k = 0; k < LEVELS && kb_contest_begins(&g, &v->cells, i); k++)
            add_fastest(v, &g, pow(10, -2 - k));
    }
}

/* ---- the table ---- */

static char *text(const kb_csv *t, long row, const char *column)
{
    const char *s = kb_csv_get(t, row, column);
    return kb_strdup(*s ? s : "-");
}

static char *number(const kb_csv *t, long row, const char *column, const char *format)
{
    return kb_shown(format, kb_csv_value(t, row, column));
}

static char *interval(const kb_csv *t, long row, const char *lo, const char *hi,
                      const char *format)
{
    return *kb_csv_get(t, row, lo)
               ? kb_format(format, kb_csv_value(t, row, lo), kb_csv_value(t, row, hi))
               : kb_strdup("-");
}

static void add_line(kb_table *out, const kb_csv *t, long row)
{
    bool none = !*kb_csv_get(t, row, "solver");
    double factor = kb_csv_value(t, row, "next_us") / kb_csv_value(t, row, "us_per_ode");
    const char *overlaps = strcmp(kb_csv_get(t, row, "next_overlaps"), "1") ? "" : ", intervals "
                                                                                   "overlap";
    char *f[COLUMNS] = {
        text(t, row, "error"), none ? kb_strdup("(none so accurate)") : text(t, row, "solver"),
        text(t, row, "engine"), text(t, row, "rtol"), number(t, row, "us_per_ode", "%.4g"),
        interval(t, row, "us_lo", "us_hi", "%.4g-%.4g"), number(t, row, "err_p95", "%.1e"),
        text(t, row, "cvode"), text(t, row, "cvode_rtol"), number(t, row, "cvode_us", "%.4g"),
        number(t, row, "ratio", "%.3g"), interval(t, row, "ratio_lo", "ratio_hi", "%.3g-%.3g"),
        isnan(factor) ? kb_strdup("-")
                      : kb_format("%s x %.2f%s", kb_csv_get(t, row, "next"), factor, overlaps)};
    kb_table_add(out, f);
}

static void write_tables(const verify *v, FILE *to)
{
    static const char *const heads[COLUMNS] = {"error <=", "fastest", "engine", "rtol", "us/ODE",
                                        "95% interval", "err p95", "best CVODE", "rtol", "us/ODE",
                                        "ratio", "95% interval", "next solver"};
    const kb_csv *t = &v->fastest;
    const char *kind = kb_csv_get(&v->verify, 0, "states");
    fprintf(to, "%s on %s, database %s%s%s%s: the fastest solver at each error (95th percentile "
            "over ODEs that react)\n", kb_csv_get(&v->verify, 0, "mech"),
            kb_csv_get(&v->verify, 0, "machine"), kb_csv_get(&v->verify, 0, "database"),
            *kind ? " (states: " : "", kind, *kind ? ")" : "");
    for (long first = 0; first < t->nrows; first += LEVELS) {
        kb_table out = {.ncolumns = COLUMNS, .heads = heads, .left = 3, .last_left = true};
        for (long i = first; i < first + LEVELS; i++)
            add_line(&out, t, i);
        fprintf(to, "\ndt %s s, %s ODEs in %s order, on %s\n", kb_csv_get(t, first, "dt_s"),
                kb_csv_get(t, first, "n"), kb_csv_get(t, first, "order"),
                kb_csv_get(t, first, "on"));
        kb_table_write(&out, to);
        kb_table_free(&out);
    }
}

/* ---- files ---- */

static int write_text(const verify *v, kb_error *err)
{
    kb_owned char *all = NULL, *path = kb_format("%s/verify.txt", v->folder);
    size_t length;
    FILE *f = kb_open_text(&all, &length);
    write_tables(v, f);
    kb_close_text(f);
    if (!v->json)
        fputs(all, stdout);
    return kb_file_write(path, all, length, NULL, 0, err);
}

static int print_json(const verify *v, kb_error *err)
{
    const kb_csv *t = &v->verify;
    json_auto_t *all = json_pack("{s:s, s:s, s:s, s:s, s:o, s:o}", "mech", kb_csv_get(t, 0, "mech"),
                                 "machine", kb_csv_get(t, 0, "machine"), "database",
                                 kb_csv_get(t, 0, "database"), "states", kb_csv_get(t, 0, "states"),
                                 "fastest", kb_json_rows(&v->fastest), "cells", kb_json_rows(t));
    return kb_json_print(stdout, all, 6, err);
}

static int write_csv(const verify *v, const kb_csv *t, const char *name, kb_error *err)
{
    kb_owned char *path = kb_format("%s/%s", v->folder, name);
    return kb_csv_write(t, path, err);
}

/* Without samples.csv no ratio has an interval */
static int read_tables(verify *v, const char *cells, kb_error *err)
{
    kb_owned char *samples = kb_format("%s/samples.csv", v->folder);
    int code = kb_rows_read(&v->cells, cells, err);
    if (!code && !access(samples, F_OK))
        code = kb_csv_read(&v->samples, samples, err);
    const kb_csv *tables[] = {&v->cells, &v->samples};
    if (!code)
        v->id = kb_identity_of(tables, v->samples.ncolumns ? 2 : 1);
    if (!code)
        kb_samples_index(&v->index, &v->samples, &v->id);
    return code;
}

static int run(verify *v, kb_error *err)
{
    kb_owned char *path = kb_format("%s/cells.csv", v->folder);
    int code = read_tables(v, path, err);
    long measured = 0;
    if (!code)
        kb_csv_start(&v->verify, verify_header), kb_csv_start(&v->fastest, fastest_header);
    for (long i = 0; i < v->cells.nrows && !code; i++) {
        add_verify(v, i);
        measured += !strcmp(kb_csv_get(&v->cells, i, "status"), "ok");
    }
    if (!code && !measured)
        code = kb_fail(err, KB_NOTHING, "%s: no cell was measured", path);
    if (code)
        return code;
    rank(v);
    code = write_csv(v, &v->verify, "verify.csv", err);
    code = code ? code : write_csv(v, &v->fastest, "fastest.csv", err);
    code = code ? code : write_text(v, err);
    return code || !v->json ? code : print_json(v, err);
}

int main(int argc, char **argv)
{
    static const kb_program_option options[] = {
        {"json", 0, 0, KB_OPT_SWITCH, offsetof(verify, json), 0, 0, 0, 0,
         "print the rows of fastest.csv and verify.csv as JSON"},
        {0}};
    static const kb_program program = {
        options, "FOLDER",
        "Names the fastest solver at each error, from a run of bench over many tolerances, and its "
        "ratio to the best CVODE.\vReads FOLDER/cells.csv and samples.csv; writes verify.csv, "
        "fastest.csv and verify.txt there. Exit codes: 0 fine, 2 invalid use or input, 3 nothing "
        "measured.\n\nExample: build/verify results/latest", "folder", offsetof(verify, folder)};
    verify v = {0};
    kb_error err = {0};
    kb_program_parse(&program, argc, argv, &v);
    int code = run(&v, &err);
    if (code)
        kb_report("verify", &err);
    kb_samples_free(&v.index);
    kb_csv_free(&v.cells);
    kb_csv_free(&v.samples);
    kb_csv_free(&v.verify);
    kb_csv_free(&v.fastest);
    return code;
}
