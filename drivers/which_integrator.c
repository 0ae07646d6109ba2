/* SPDX-License-Identifier: MIT
 *
 * which-integrator: from runs of bench on the states of flows, and of flow --bench inside these
 * flows, which integrator is the fastest at equal error (which.csv, which.txt and the screen).
 */
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/csv.h"
#include "base/file.h"
#include "base/owned.h"
#include "base/shown.h"
#include "base/table.h"
#include "rows/columns.h"
#include "rows/ranking.h"
#include "rows/results.h"

static const double levels[] = {1e-3, 1e-4, 1e-6};
enum { LEVELS = sizeof levels / sizeof *levels, IN_PLACE = 1 }; /* the level of a flow itself */
#define SLOW 10.0 /* times the fastest: slower solvers are not run in the flow */

static const char header[] = "flow,mech,machine,git,n,dt_s,error,solver,engine,rtol,atol,"
    "us_per_ode,us_lo,us_hi,err_p95_active,over_fastest,attempts,ns_flow,ns_chemistry,imbalance,"
    "decided";
static const char *const heads[] = {"flow", "dt [s]", "1e-3", "us", "1e-4", "us", "1e-6", "us",
    "CVODE 1e-4", "in the flow", "CVODE", "chemistry", "imbalance"};
enum { COLUMNS = sizeof heads / sizeof *heads };

/* a flow: its folder has cells.csv and, when it was run in place, flow.csv */
typedef struct {
    char *path, *name;
    kb_csv cells, flow;
} flow_run;

typedef struct {
    const char *folder;
    bool in_place; /* only print what to run in the one flow of folder */
    flow_run *of;
    int count;
    kb_csv which;
} answer;

/* ---- rows at equal error ---- */

/* the fastest row of a solver, with its options, at an error; -1: none */
static long best_of(const kb_csv *t, const char *solver, double error)
{
    long best = -1;
    for (long i = 0; i < t->nrows; i++)
        if (!strcmp(kb_csv_get(t, i, "solver"), solver) && kb_rank_error(t, i) <= error &&
            (best < 0 || kb_csv_value(t, i, "time_s") < kb_csv_value(t, best, "time_s")))
            best = i;
    return best;
}

/* is this the first row of its solver? */
static bool begins(const kb_csv *t, long row)
{
    for (long i = 0; i < row; i++)
        if (!strcmp(kb_csv_get(t, i, "solver"), kb_csv_get(t, row, "solver")))
            return false;
    return true;
}

/* of all solvers; all rows of a flow's cells.csv compete */
static long fastest(const kb_csv *t, double error)
{
    kb_contest all = kb_contest_of(t, 0);
    return kb_fastest(t, &all, error, NULL);
}

static long fastest_cvode(const kb_csv *t, double error)
{
    kb_contest all = kb_contest_of(t, 0);
    return kb_fastest_cvode(t, &all, error);
}

static double us_of(const kb_csv *t, long row, const char *time)
{
    return row < 0 ? NAN : 1e6 * kb_csv_value(t, row, time) / kb_csv_value(t, row, "n");
}

/* the least us of an ODE in a cell that was skipped for its time: as predicted, or by a run that
 * was ended at its budget; infinite: it was not */
static double skipped_us(const kb_csv *t, long row)
{
    const kb_run_table run = {.csv = *t};
    kb_point least;
    double seconds;
    int repeats;
    if (sscanf(kb_csv_get(t, row, "why"), KB_PREDICTED("%lf"), &seconds, &repeats) == 2)
        return 1e6 * seconds / (1 + repeats) / kb_csv_value(t, row, "n");
    return kb_row_least(&run, row, "us", &least) ? least.v : INFINITY;
}

/* does no cell that was skipped beat the fastest? */
static bool is_decided(const kb_csv *t, double error)
{
    double least = us_of(t, fastest(t, error), "time_s");
    for (long i = 0; i < t->nrows; i++)
        if (skipped_us(t, i) < least)
            return false;
    return true;
}

/* as flow --chemistry takes the solver of a row of cells.csv; caller frees */
static char *chemistry_of(const kb_csv *t, long row)
{
    return kb_format("%s:rtol=%s:atol=%s@%s", kb_csv_get(t, row, "solver"),
                     kb_csv_get(t, row, "rtol"), kb_csv_get(t, row, "atol"),
                     kb_csv_get(t, row, "engine"));
}

/* the row of flow.csv with the chemistry of a row of cells.csv; -1: it was not run there */
static long in_flow(const flow_run *r, long cell)
{
    kb_owned char *text = cell < 0 ? NULL : chemistry_of(&r->cells, cell);
    long found = -1;
    for (long i = 0; text && i < r->flow.nrows; i++)
        if (!strcmp(kb_csv_get(&r->flow, i, "chemistry"), text))
            found = i;
    return found;
}

static double flow_value(const flow_run *r, long row, const char *column)
{
    return row < 0 ? NAN : kb_csv_value(&r->flow, row, column);
}

/* the row of cells.csv whose chemistry takes the least time in the flow; -1: it was not run */
static long fastest_in_flow(const flow_run *r)
{
    long best = -1;
    double least = INFINITY;
    for (long i = 0; i < r->cells.nrows; i++) {
        long cell = begins(&r->cells, i)
                        ? best_of(&r->cells, kb_csv_get(&r->cells, i, "solver"), levels[IN_PLACE])
                        : -1;
        double ns = flow_value(r, in_flow(r, cell), "ns_chemistry");
        if (ns < least) {
            least = ns;
            best = cell;
        }
    }
    return best;
}

/* ---- which.csv ---- */

static void add_row(answer *a, const flow_run *r, int level, long cell, double least, bool decided)
{
    static const char *const same[] = {"mech", "machine", "git", "n", "dt_s", "solver", "engine",
                                       "rtol", "atol"};
    kb_csv *t = &a->which;
    long row = kb_csv_add(t), in = level == IN_PLACE ? in_flow(r, cell) : -1;
    kb_csv_set(t, row, "flow", r->name);
    for (size_t k = 0; k < sizeof same / sizeof *same; k++)
        kb_csv_set(t, row, same[k], kb_csv_get(&r->cells, cell, same[k]));
    kb_csv_number(t, row, "error", levels[level], 6);
    kb_csv_number(t, row, "us_per_ode", us_of(&r->cells, cell, "time_s"), 6);
    kb_csv_number(t, row, "us_lo", us_of(&r->cells, cell, "time_lo_s"), 6);
    kb_csv_number(t, row, "us_hi", us_of(&r->cells, cell, "time_hi_s"), 6);
    kb_csv_number(t, row, "err_p95_active", kb_active_p95(&r->cells, cell), 6);
    kb_csv_number(t, row, "over_fastest", us_of(&r->cells, cell, "time_s") / least, 6);
    kb_csv_number(t, row, "attempts", kb_csv_value(&r->cells, cell, "steps_mean"), 6);
    kb_csv_number(t, row, "ns_flow", flow_value(r, in, "ns_per_cell_step"), 6);
    kb_csv_number(t, row, "ns_chemistry", flow_value(r, in, "ns_chemistry"), 6);
    kb_csv_number(t, row, "imbalance", flow_value(r, in, "imbalance"), 6);
    kb_csv_set(t, row, "decided", decided ? "1" : "0");
}

static void rank(answer *a)
{
    for (int f = 0; f < a->count; f++)
        for (int level = 0; level < LEVELS; level++) {
            const flow_run *r = &a->of[f];
            double least = us_of(&r->cells, fastest(&r->cells, levels[level]), "time_s");
            bool decided = is_decided(&r->cells, levels[level]);
            for (long i = 0; i < r->cells.nrows; i++) {
                long cell = begins(&r->cells, i)
                                ? best_of(&r->cells, kb_csv_get(&r->cells, i, "solver"),
                                          levels[level]) : -1;
                if (cell >= 0)
                    add_row(a, r, level, cell, least, decided);
            }
        }
}

/* ---- the table ---- */

static void add_line(kb_table *out, const flow_run *r)
{
    char *field[COLUMNS];
    int n = 0;
    const kb_csv *t = &r->cells;
    field[n++] = kb_strdup(r->name);
    field[n++] = kb_strdup(kb_csv_get(t, 0, "dt_s"));
    for (int level = 0; level < LEVELS; level++) {
        long best = fastest(t, levels[level]);
        field[n++] = best < 0 ? kb_strdup("-")
                              : kb_format("%s%s", kb_csv_get(t, best, "solver"),
                                          is_decided(t, levels[level]) ? "" : "?");
        field[n++] = kb_shown("%.3g", us_of(t, best, "time_s"));
    }
    long cvode = fastest_cvode(t, levels[IN_PLACE]), in = fastest_in_flow(r);
    field[n++] = kb_shown("x %.1f", us_of(t, cvode, "time_s") /
                                    us_of(t, fastest(t, levels[IN_PLACE]), "time_s"));
    double ns = flow_value(r, in_flow(r, in), "ns_chemistry");
    field[n++] = kb_strdup(in < 0 ? "-" : kb_csv_get(t, in, "solver"));
    field[n++] = kb_shown("x %.1f", flow_value(r, in_flow(r, cvode), "ns_chemistry") / ns);
    field[n++] = kb_shown("%.0f %%", 100 * ns / flow_value(r, in_flow(r, in), "ns_per_cell_step"));
    field[n++] = kb_shown("%.2g", flow_value(r, in_flow(r, in), "imbalance"));
    kb_table_add(out, field);
}

/* mean over decided flows of log(time over the fastest), and how many flows; of a solver */
static double mean_log(const answer *a, const char *solver, int *flows)
{
    double sum = 0;
    *flows = 0;
    for (long i = 0; i < a->which.nrows; i++)
        if (!strcmp(kb_csv_get(&a->which, i, "solver"), solver) &&
            kb_csv_value(&a->which, i, "error") == levels[IN_PLACE] &&
            !strcmp(kb_csv_get(&a->which, i, "decided"), "1")) {
            sum += log(kb_csv_value(&a->which, i, "over_fastest"));
            (*flows)++;
        }
    return *flows ? sum / *flows : INFINITY;
}

/* solvers from the fastest on, those that reach the error in all flows before others */
static void write_order(const answer *a, FILE *to)
{
    kb_words done = {0};
    fprintf(to, "\nOver all flows, time over the fastest of each at error %g (geometric mean):",
            levels[IN_PLACE]);
    for (;;) {
        const char *next = NULL;
        double least = INFINITY;
        int most = 0, flows;
        for (long i = 0; i < a->which.nrows; i++) {
            const char *solver = kb_csv_get(&a->which, i, "solver");
            double mean = mean_log(a, solver, &flows);
            if (kb_words_find(&done, solver) >= 0 || flows == 0 || flows < most ||
                (flows == most && mean >= least))
                continue;
            next = solver;
            least = mean;
            most = flows;
        }
        if (!next)
            break;
        fprintf(to, "%s %s %.2f", done.count ? "," : "", next, exp(least));
        if (most < a->count)
            fprintf(to, " (%d of %d)", most, a->count);
        kb_words_add(&done, next);
    }
    fputc('\n', to);
    kb_words_free(&done);
}

static void write_answer(const answer *a, FILE *to)
{
    const kb_csv *t = &a->of[0].cells;
    kb_table out = {.ncolumns = COLUMNS, .heads = heads, .left = 1};
    fprintf(to, "%s on %s: the fastest integrator at each error on states of flows, before "
            "reaction (us for\none ODE on one core; best CVODE over it), and the least time of "
            "chemistry in the flow itself\n", kb_csv_get(t, 0, "mech"),
            kb_csv_get(t, 0, "machine"));
    for (int f = 0; f < a->count; f++)
        add_line(&out, &a->of[f]);
    kb_table_write(&out, to);
    bool decided = true;
    for (long i = 0; i < a->which.nrows; i++)
        decided &= !strcmp(kb_csv_get(&a->which, i, "decided"), "1");
    if (!decided)
        fprintf(to, "?: a cell that was skipped for its time may be faster; WHICH_SECONDS= and "
                "fewer states, WHICH_N=, tell\n");
    kb_table_free(&out);
    write_order(a, to);
}

/* what flow --chemistry should run: each solver at its tolerance, but for slow ones, and CVODE */
static int print_in_place(answer *a, kb_error *err)
{
    const kb_csv *t = &a->of[0].cells;
    double least = us_of(t, fastest(t, levels[IN_PLACE]), "time_s");
    int printed = 0;
    for (long i = 0; i < t->nrows; i++) {
        long cell = begins(t, i) ? best_of(t, kb_csv_get(t, i, "solver"), levels[IN_PLACE]) : -1;
        if (cell < 0 || (!kb_is_cvode(t, cell) && us_of(t, cell, "time_s") > SLOW * least))
            continue;
        kb_owned char *text = chemistry_of(t, cell);
        printf("%s%s", printed++ ? "," : "", text);
    }
    if (!printed)
        return kb_fail(err, KB_NOTHING, "%s: no solver has an error of %g", a->of[0].path,
                       levels[IN_PLACE]);
    putchar('\n');
    return KB_OK;
}

/* ---- files ---- */

/* the folder of path, and its last name */
static int read_flow(answer *a, const char *cells, kb_error *err)
{
    a->of = kb_realloc(a->of, (size_t)a->count + 1, sizeof *a->of);
    flow_run *r = &a->of[a->count++];
    *r = (flow_run){.path = kb_format("%.*s", (int)(strrchr(cells, '/') - cells), cells)};
    const char *slash = strrchr(r->path, '/');
    r->name = kb_strdup(slash ? slash + 1 : r->path);
    kb_owned char *flow = kb_format("%s/flow.csv", r->path);
    int code = kb_rows_read(&r->cells, cells, err);
    if (!code && !access(flow, F_OK))
        code = kb_csv_read(&r->flow, flow, err);
    if (!code && (r->cells.nrows == 0 || fastest(&r->cells, 1e300) < 0))
        code = kb_fail(err, KB_NOTHING, "%s: no cell was measured", cells);
    return code;
}

static int read_all(answer *a, kb_error *err)
{
    glob_t found;
    kb_owned char *pattern = kb_format(a->in_place ? "%s/cells.csv" : "%s/*/cells.csv", a->folder);
    int code = glob(pattern, 0, NULL, &found)
                   ? kb_fail(err, KB_INVALID, "%s: there is no such file (make which-integrator "
                             "MECH=... measures)", pattern) : KB_OK;
    for (size_t k = 0; !code && k < found.gl_pathc; k++)
        code = read_flow(a, found.gl_pathv[k], err);
    globfree(&found);
    return code;
}

static int write_all(answer *a, kb_error *err)
{
    kb_owned char *csv = kb_format("%s/which.csv", a->folder),
                  *text = kb_format("%s/which.txt", a->folder), *all = NULL;
    size_t length;
    FILE *to = kb_open_text(&all, &length);
    kb_csv_start(&a->which, header);
    rank(a);
    write_answer(a, to);
    kb_close_text(to);
    fputs(all, stdout);
    int code = kb_csv_write(&a->which, csv, err);
    return code ? code : kb_file_write(text, all, length, NULL, 0, err);
}

int main(int argc, char **argv)
{
    static const kb_program_option options[] = {
        {"in-place", 'i', 0, KB_OPT_SWITCH, offsetof(answer, in_place), 0, 0, 0, 1,
         "FOLDER is of one flow: print the list for flow --chemistry, of each solver at the "
         "tolerance that is the fastest with an error of at most 1e-4, without solvers of more "
         "than ten times the least time"},
        {0}};
    static const kb_program program = {
        options, "FOLDER",
        "Names the fastest integrator at each error on the states of flows, and in these flows.\v"
        "Reads FOLDER/FLOW/cells.csv of bench and flow.csv of flow --bench, if it is there; writes "
        "which.csv and which.txt into FOLDER. `make which-integrator MECH=` measures all "
        "(docs/flow.md). Exit codes: 0 fine, 2 invalid use or input, 3 nothing measured.\n\n"
        "Example: build/which_integrator results/mine/which-gri30",
        "folder", offsetof(answer, folder)};
    answer a = {0};
    kb_error err = {0};
    kb_program_parse(&program, argc, argv, &a);
    int code = read_all(&a, &err);
    code = code ? code : (a.in_place ? print_in_place : write_all)(&a, &err);
    if (code)
        kb_report("which_integrator", &err);
    for (int f = 0; f < a.count; f++) {
        kb_csv_free(&a.of[f].cells);
        kb_csv_free(&a.of[f].flow);
        free(a.of[f].path);
        free(a.of[f].name);
    }
    kb_csv_free(&a.which);
    free(a.of);
    return code;
}
