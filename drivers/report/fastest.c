/* SPDX-License-Identifier: MIT
 *
 * The fastest solvers of a report: the answer in a sentence, a table that fits a narrow page, and
 * the table with intervals, tolerances and the command that repeats each row.
 */
#include <math.h>
#include <string.h>

#include "base/arguments.h"
#include "base/json.h"
#include "base/stats.h"
#include "drivers/report/html.h"
#include "drivers/report/report.h"
#include "rows/standing.h"
#include "solvers/engine_names.h"

#define LOOSEST 2 /* errors 1e-2 ... */
#define TIGHTEST 8
#define TALLIES 64 /* at most so many methods are counted */
#define ASKED 4 /* the answer is for an error of 1e-4 */

/* ---- commands ---- */

/* Adds " --option value" to a command; takes it */
static char *with_option(char *command, const char *option, const char *value)
{
    kb_owned char *word = kb_shell_word(value), *taken = command;
    return kb_format("%s --%s %s", taken, option, word);
}

/* The command that measures this cell alone; caller frees */
static char *command_of(const kb_report_of *r, int run, long row)
{
    static const char *const options[][2] = {
        {"n", "n"},       {"dt", "dt_s"},   {"solvers", "solver"}, {"engines", "engine"},
        {"rtol", "rtol"}, {"atol", "atol"}, {"orders", "order"},   {"schedules", "schedule"}};
    const kb_csv *t = &r->side.runs[run].cells;
    const json_t *e = r->environment[run];
    const char *database = kb_report_word(e, "database"), *sample = kb_csv_get(t, row, "sample");
    const char *steps = kb_csv_get(t, row, "steps");
    const char *chain = kb_csv_get(t, row, "chain");
    char *command = with_option(kb_strdup("build/bench"), "mech", kb_csv_get(t, row, "mech"));
    command = with_option(command, "db", *database ? database : kb_csv_get(t, row, "database"));
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        command = with_option(command, options[i][0], kb_csv_get(t, row, options[i][1]));
    if (!kb_on_gpu(kb_csv_get(t, row, "engine")))
        command = with_option(command, "threads", kb_csv_get(t, row, "threads"));
    if (*sample)
        command = with_option(command, "sample", sample);
    if (*steps && strcmp(steps, "1"))
        command = with_option(command, "steps", steps);
    if (!strcmp(chain, "device"))
        command = with_option(command, "chain", chain);
    return strcmp(kb_report_word(e, "reactor"), "v") ? command
                                                     : with_option(command, "reactor", "v");
}

static void write_command_cell(const kb_report_of *r, int run, long row, FILE *to)
{
    kb_owned char *command = command_of(r, run, row);
    fprintf(to, "<td><details><summary>command</summary>");
    kb_html_command(to, command);
    fprintf(to, "</details></td>");
}

/* ---- the fastest ---- */

static const kb_standing nobody = {.row = -1, .cvode = -1};

typedef struct {
    const kb_report_of *r;
    int run;
    kb_identity id;
    kb_sample_index samples;
} source;

static source open_source(const kb_report_of *r, int run)
{
    const kb_compare_run *x = &r->side.runs[run];
    const kb_csv *tables[] = {&x->cells, &x->samples};
    source s = {.r = r, .run = run, .id = kb_identity_of(tables, 2)};
    kb_samples_index(&s.samples, &x->samples, &s.id);
    return s;
}

static const kb_csv *cells_of(const source *s) { return &s->r->side.runs[s->run].cells; }

static kb_standing find_fastest(const source *s, const kb_contest *c, double error)
{
    return kb_standing_of(cells_of(s), &s->samples, &s->id, c, error);
}

static const char *value(const source *s, const kb_standing *f, const char *column)
{
    return kb_csv_get(cells_of(s), f->row, column);
}

static const char *mark_wide(const source *s, const kb_standing *f)
{
    return kb_is_wide(cells_of(s), f->row) ? "~" : "";
}

/* Has the contest of this row the most ODEs of its dt and place in the run? */
static bool is_largest(const kb_csv *t, long row)
{
    kb_contest c = kb_contest_of(t, row);
    if (!kb_contest_begins(&c, t, row))
        return false;
    for (long i = 0; i < t->nrows; i++) {
        kb_contest o = kb_contest_of(t, i);
        if (!strcmp(o.dt, c.dt) && !strcmp(o.on, c.on) &&
            (atof(o.n) > atof(c.n) ||
             (atof(o.n) == atof(c.n) && i < row && kb_is_sound(t, i) && strcmp(o.order, c.order))))
            return false;
    }
    return true;
}

/* ---- tables ---- */

enum { SHORT = 1, EVERY = 2, MANY = 4, BRIEF = 8 }; /* where a column stands */

/* clang-format off */
static const struct { const char *head; int in; } columns[] = {
    {"run", MANY}, {"mechanism, states", BRIEF}, {"dt [s]", SHORT | EVERY | MANY | BRIEF},
    {"ODEs", EVERY | MANY}, {"on", EVERY | MANY}, {"error ≤", SHORT | EVERY},
    {"fastest", SHORT | EVERY | MANY | BRIEF}, {"engine", EVERY | MANY},
    {"µs/ODE", SHORT | BRIEF}, {"× CVODE", SHORT}, {"× CVODE (threads)", BRIEF},
    {"µs/ODE (95 %)", EVERY | MANY}, {"CVODE", EVERY | MANY}, {"ratio (95 %)", EVERY | MANY},
    {"rtol", EVERY | MANY}, {"error", EVERY | MANY}, {"repeat", EVERY | MANY}};
/* clang-format on */
enum { COLUMNS = sizeof columns / sizeof *columns };

static void begin_table(int in, const char *caption, FILE *to)
{
    const char *used[COLUMNS];
    int n = 0;
    for (int i = 0; i < COLUMNS; i++)
        if (columns[i].in & in)
            used[n++] = columns[i].head;
    kb_html_table_begin(to, in & (SHORT | BRIEF) ? "sorted narrow" : "sorted short", caption, used,
                        n);
}

static void write_ratio(double x, double lo, double hi, FILE *to)
{
    if (isnan(x))
        kb_html_cell(to, "–", true);
    else if (isnan(lo))
        kb_html_taken_cell(to, kb_format("%.3g", x), true);
    else
        kb_html_taken_cell(to, kb_format("%.3g (%.3g–%.3g)", x, lo, hi), true);
}

/* the name of the run, which leads to its section */
static void write_link(const source *s, FILE *to)
{
    fprintf(to, "<td><a href=\"#run-%d\">", s->run);
    kb_html_text(to, kb_report_name(s->r->side.runs[s->run].folder));
    fprintf(to, "</a></td>");
}

static void write_short(const source *s, const kb_standing *f, FILE *to)
{
    const char *engine = value(s, f, "engine");
    kb_html_taken_cell(to,
                       kb_on_gpu(engine) ? kb_format("%s, %s", value(s, f, "solver"), engine)
                                         : kb_format("%s, %s ×%s", value(s, f, "solver"), engine,
                                                     value(s, f, "threads")),
                       false);
    kb_html_taken_cell(to, kb_format("%s%.3g", mark_wide(s, f), f->us), true);
}

static void write_long(const source *s, const kb_standing *f, FILE *to)
{
    kb_html_cell(to, value(s, f, "solver"), false);
    kb_html_cell(to, value(s, f, "engine"), false);
    kb_html_taken_cell(to, kb_format("%s%.4g (%.4g–%.4g)", mark_wide(s, f), f->us, f->lo, f->hi),
                       true);
    write_ratio(f->cvode_us, NAN, NAN, to);
    write_ratio(f->ratio, f->ratio_lo, f->ratio_hi, to);
    kb_html_cell(to, value(s, f, "rtol"), true);
    kb_html_taken_cell(to, kb_format("%.1e", kb_active_p95(cells_of(s), f->row)), true);
    write_command_cell(s->r, s->run, f->row, to);
}

static void write_fastest(const source *s, const kb_standing *f, int in, FILE *to)
{
    if (f->row < 0)
        return;
    fprintf(to, "<tr>");
    if (in == MANY)
        write_link(s, to);
    kb_html_cell(to, f->contest.dt, true);
    if (in != SHORT)
        kb_html_cell(to, f->contest.n, true);
    if (in != SHORT)
        kb_html_cell(to, f->contest.on, false);
    if (in != MANY)
        kb_html_taken_cell(to, kb_format("%.0e", f->error), true);
    (in == SHORT ? write_short : write_long)(s, f, to);
    if (in == SHORT)
        write_ratio(f->ratio, NAN, NAN, to);
    fprintf(to, "</tr>\n");
}

/* MANY: an error of 10^-ASKED alone, one row of each contest; otherwise every error */
static void write_contests(const kb_report_of *r, int run, int in, FILE *to)
{
    source s = open_source(r, run);
    const kb_csv *t = cells_of(&s);
    for (long i = 0; i < t->nrows; i++) {
        kb_contest c = kb_contest_of(t, i);
        if (!is_largest(t, i))
            continue;
        for (int k = LOOSEST; k <= TIGHTEST; k++)
            if (in != MANY || k == ASKED) {
                kb_standing f = find_fastest(&s, &c, pow(10, -k));
                write_fastest(&s, &f, in, to);
            }
    }
    kb_samples_free(&s.samples);
}

void kb_report_fastest(const kb_report_of *r, int run, FILE *to)
{
    const kb_csv *t = &r->side.runs[run].cells;
    bool any = false;
    for (long i = 0; i < t->nrows && !any; i++)
        if (is_largest(t, i)) {
            kb_contest c = kb_contest_of(t, i);
            any = kb_fastest(t, &c, pow(10, -LOOSEST), NULL) >= 0;
        }
    if (!any)
        return;
    fprintf(to, "<details><summary>The fastest at each error</summary>\n");
    begin_table(EVERY, "The fastest at each error", to);
    write_contests(r, run, EVERY, to);
    kb_html_table_end(to);
    fprintf(to, "</details>\n");
}

static json_t *fastest_json(const source *s, const kb_standing *f)
{
    kb_owned char *command = command_of(s->r, s->run, f->row);
    return json_pack(
        "{s:o, s:s, s:o, s:s, s:o, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o,"
        " s:o, s:s}",
        "dt_s", kb_json_number(atof(f->contest.dt)), "order", f->contest.order, "n",
        kb_json_number(atof(f->contest.n)), "on", f->contest.on, "error", kb_json_number(f->error),
        "solver", value(s, f, "solver"), "engine", value(s, f, "engine"), "schedule",
        value(s, f, "schedule"), "threads", value(s, f, "threads"), "rtol",
        kb_json_number(atof(value(s, f, "rtol"))), "atol",
        kb_json_number(atof(value(s, f, "atol"))), "us_per_ode", kb_json_number(f->us), "us_lo",
        kb_json_number(f->lo), "us_hi", kb_json_number(f->hi), "err_p95",
        kb_json_number(kb_active_p95(cells_of(s), f->row)), "cvode_us", kb_json_number(f->cvode_us),
        "ratio", kb_json_number(f->ratio), "ratio_lo", kb_json_number(f->ratio_lo), "ratio_hi",
        kb_json_number(f->ratio_hi), "command", command);
}

json_t *kb_report_fastest_json(const kb_report_of *r, int run)
{
    source s = open_source(r, run);
    const kb_csv *t = cells_of(&s);
    json_t *all = json_array();
    for (long i = 0; i < t->nrows; i++) {
        kb_contest c = kb_contest_of(t, i);
        for (int k = LOOSEST; k <= TIGHTEST && is_largest(t, i); k++) {
            kb_standing f = find_fastest(&s, &c, pow(10, -k));
            if (f.row >= 0)
                json_array_append_new(all, fastest_json(&s, &f));
        }
    }
    kb_samples_free(&s.samples);
    return all;
}

/* ---- the answer ---- */

/* The fastest of a run for steps of dt at an error, wherever it runs; or the fastest CVODE there,
 * at whatever n: what an answer is held against if its own contest has none */
static kb_standing find_anywhere(const source *s, const char *dt, double error, bool cvode)
{
    const kb_csv *t = cells_of(s);
    kb_standing best = nobody;
    double least = INFINITY;
    for (long i = 0; i < t->nrows; i++) {
        kb_contest c = kb_contest_of(t, i);
        if (strcmp(c.dt, dt) || !is_largest(t, i))
            continue;
        kb_standing f = find_fastest(s, &c, error);
        double us = cvode ? f.cvode_us : f.us;
        if (f.row >= 0 && us < least) {
            best = f;
            least = us;
        }
    }
    return best;
}

/* The same at the error asked for, or at the least error that any solver keeps */
static kb_standing find_answer(const source *s, const char *dt)
{
    kb_standing best = nobody;
    for (int k = ASKED; k >= LOOSEST && best.row < 0; k--)
        best = find_anywhere(s, dt, pow(10, -k), false);
    return best;
}

/* how many times as fast as CVODE; lo, hi: NAN if not known */
static void write_times(double ratio, double lo, double hi, FILE *to)
{
    if (isnan(lo))
        kb_html_format(to, ", %.3g times as fast as CVODE", ratio);
    else
        kb_html_format(to, ", %.3g (%.3g to %.3g) times as fast as CVODE", ratio, lo, hi);
}

static void write_ratio_elsewhere(const source *s, const kb_standing *f, FILE *to)
{
    kb_standing other = find_anywhere(s, f->contest.dt, f->error, true);
    if (other.row < 0) {
        fprintf(to, "; no CVODE of this run is as accurate");
        return;
    }
    double lo, hi, scale = atof(f->contest.n) / atof(other.contest.n);
    kb_samples_ratio(&s->samples, &s->id, cells_of(s), other.cvode, f->row, &lo, &hi);
    write_times(other.cvode_us / f->us, lo * scale, hi * scale, to);
    kb_html_format(to, " on %s (%.3g µs, %s ODEs)", other.contest.on, other.cvode_us,
                   other.contest.n);
}

static void write_answer(const source *s, const kb_standing *f, FILE *to)
{
    fprintf(to, "<p class=\"answer\">");
    kb_html_format(to, "For steps of %s s and an error of at most %.0e, the fastest is ",
                   f->contest.dt, f->error);
    fprintf(to, "<strong>");
    kb_html_format(to, "%s on %s", value(s, f, "solver"), value(s, f, "engine"));
    fprintf(to, "</strong>");
    kb_html_format(to, " (%s, %s ODEs): %.3g µs per ODE (%.3g to %.3g)", f->contest.on,
                   f->contest.n, f->us, f->lo, f->hi);
    if (kb_is_cvode(cells_of(s), f->row))
        fprintf(to, ", itself the yardstick");
    else if (isnan(f->ratio))
        write_ratio_elsewhere(s, f, to);
    else
        write_times(f->ratio, f->ratio_lo, f->ratio_hi, to);
    fprintf(to, *mark_wide(s, f) ? ". Its time is unsure: measure again on a quieter machine.</p>\n"
                                 : ".</p>\n");
}

/* Is row i the first of its dt? */
static bool begins_dt(const kb_csv *t, long i)
{
    for (long k = 0; k < i; k++)
        if (!strcmp(kb_csv_get(t, k, "dt_s"), kb_csv_get(t, i, "dt_s")))
            return false;
    return true;
}

/* One sentence for each dt */
static void write_answers(const kb_report_of *r, FILE *to)
{
    source s = open_source(r, 0);
    const kb_csv *t = cells_of(&s);
    long written = 0;
    for (long i = 0; i < t->nrows; i++) {
        bool begins = begins_dt(t, i);
        kb_standing f = begins ? find_answer(&s, kb_csv_get(t, i, "dt_s")) : nobody;
        if (f.row < 0)
            continue;
        write_answer(&s, &f, to);
        written++;
    }
    if (!written)
        fprintf(to, "<p class=\"answer\">No solver of this run keeps an error of 1e-2.</p>\n");
    kb_samples_free(&s.samples);
}

/* ---- the answer of many runs ---- */

/* How many rows of a run are of the mechanism, dt and kind of states of a row; the run that has
 * most of them has compared most solvers */
static long rows_like(const kb_csv *t, const kb_csv *of, long row)
{
    static const char *const same[] = {"mech", "dt_s", "states"};
    long n = 0;
    for (long i = 0; i < t->nrows; i++) {
        bool like = true;
        for (int k = 0; k < 3; k++)
            like = like && !strcmp(kb_csv_get(t, i, same[k]), kb_csv_get(of, row, same[k]));
        n += like;
    }
    return n;
}

/* Does no run have more rows like row i of run `run`, and no run before it as many? */
static bool speaks_for(const kb_report_of *r, int run, long i)
{
    const kb_csv *t = &r->side.runs[run].cells;
    bool speaks = begins_dt(t, i);
    long own = speaks ? rows_like(t, t, i) : 0;
    for (int k = 0; speaks && k < r->side.nruns; k++) {
        long other = k == run ? 0 : rows_like(&r->side.runs[k].cells, t, i);
        speaks = other < own || (other == own && k > run) || k == run;
    }
    return speaks;
}

static void write_brief_row(const kb_report_of *r, int run, long row, FILE *to)
{
    source s = open_source(r, run);
    const kb_csv *t = cells_of(&s);
    kb_standing f = find_anywhere(&s, kb_csv_get(t, row, "dt_s"), pow(10, -ASKED), false);
    if (f.row >= 0) {
        kb_standing of = isnan(f.ratio) ? find_anywhere(&s, f.contest.dt, f.error, true) : f;
        const char *kind = kb_csv_get(t, row, "states");
        fprintf(to, "<tr><td><a href=\"#run-%d\">", run);
        kb_html_format(to, "%s%s%s", kb_csv_get(t, row, "mech"), *kind ? ", " : "", kind);
        fprintf(to, "</a></td>");
        kb_html_cell(to, f.contest.dt, true);
        write_short(&s, &f, to);
        kb_html_taken_cell(to, of.cvode < 0 ? kb_strdup("–")
                                            : kb_format("%.3g (%s)", of.cvode_us / f.us,
                                                        kb_csv_get(t, of.cvode, "threads")), true);
        fprintf(to, "</tr>\n");
    }
    kb_samples_free(&s.samples);
}

/* One row for each mechanism, dt and kind of states */
static void write_brief(const kb_report_of *r, FILE *to)
{
    begin_table(BRIEF, "The fastest at an error of at most 1e-4", to);
    for (int run = 0; run < r->side.nruns; run++)
        for (long i = 0; i < r->side.runs[run].cells.nrows; i++)
            if (speaks_for(r, run, i))
                write_brief_row(r, run, i, to);
    kb_html_table_end(to);
}

/* How often each method was the fastest; adds one, or returns the most frequent for NULL */
typedef struct {
    char name[32];
    long n;
} tally;

static const tally *add_to(tally *all, const char *solver)
{
    int length = (int)strcspn(solver ? solver : "", ":"), most = 0;
    for (int i = 0; i < TALLIES; i++) {
        if (solver && (!*all[i].name || (!strncmp(all[i].name, solver, (size_t)length) &&
                                         !all[i].name[length]))) {
            snprintf(all[i].name, sizeof all[i].name, "%.*s", length, solver);
            all[i].n++;
            break;
        }
        most = all[i].n > all[most].n ? i : most;
    }
    return &all[most];
}

/* Of many runs: how often and by how much CVODE is beaten, and by what most often */
static void sum_up(const kb_report_of *r, FILE *to)
{
    tally methods[TALLIES] = {0};
    double *ratios = NULL;
    long n = 0, beaten = 0;
    for (int run = 0; run < r->side.nruns; run++) {
        source s = open_source(r, run);
        const kb_csv *t = cells_of(&s);
        for (long i = 0; i < t->nrows; i++) {
            kb_contest c = kb_contest_of(t, i);
            if (!is_largest(t, i))
                continue;
            kb_standing f = find_fastest(&s, &c, pow(10, -ASKED));
            if (f.row < 0 || isnan(f.ratio))
                continue;
            ratios = kb_realloc(ratios, (size_t)n + 1, sizeof *ratios);
            ratios[n++] = f.ratio;
            beaten += f.ratio > 1;
            if (f.ratio > 1)
                add_to(methods, value(&s, &f, "solver"));
        }
        kb_samples_free(&s.samples);
    }
    if (n)
        kb_html_format(to,
                       "At an error of at most 1e-4 another solver is faster than CVODE in %ld of "
                       "%ld comparisons, in the median %.3g times as fast (%.3g to %.3g); most "
                       "often %s (%ld).",
                       beaten, n, kb_median(ratios, n), kb_quantile(ratios, n, 0),
                       kb_quantile(ratios, n, 1), add_to(methods, NULL)->name,
                       add_to(methods, NULL)->n);
    else
        fprintf(to, "No run has a CVODE with an error of at most 1e-4.");
    free(ratios);
}

void kb_report_verdict(const kb_report_of *r, FILE *to)
{
    if (r->side.nruns > 1) {
        fprintf(to, "<p class=\"answer\">");
        sum_up(r, to);
        fprintf(to, "</p>\n");
        write_brief(r, to);
        fprintf(to, "<details><summary>Each run, with intervals, tolerances, and the command that "
                    "repeats each</summary>\n");
        begin_table(MANY, "The fastest at an error of 1e-4, the largest number of ODEs of each run",
                    to);
        for (int i = 0; i < r->side.nruns; i++)
            write_contests(r, i, MANY, to);
        kb_html_table_end(to);
        fprintf(to, "</details>\n");
        return;
    }
    write_answers(r, to);
    begin_table(SHORT, "The fastest at each error, the largest number of ODEs", to);
    write_contests(r, 0, SHORT, to);
    kb_html_table_end(to);
    fprintf(to, "<details><summary>With intervals, tolerances, and the command that "
                "repeats each</summary>\n");
    begin_table(EVERY, "The fastest at each error, in full", to);
    write_contests(r, 0, EVERY, to);
    kb_html_table_end(to);
    fprintf(to, "</details>\n");
}
