/* SPDX-License-Identifier: MIT */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/arguments.h"
#include "drivers/report/html.h"
#include "drivers/report/report.h"
#include "rows/ranking.h"
#include "solvers/engine_names.h"

#define LOOSEST 2 /* errors 1e-2 ... */
#define TIGHTEST 8

const char *kb_report_name(const char *folder)
{
    const char *slash = strrchr(folder, '/');
    return slash && slash[1] ? slash + 1 : folder;
}

/* ---- commands ---- */

static const char *word(const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));
    return text ? text : "";
}

/* Adds " --option value" to a command; takes it */
static char *with_option(char *command, const char *option, const char *value)
{
    char *word = kb_shell_word(value), *longer = kb_format("%s --%s %s", command, option, word);
    free(word);
    free(command);
    return longer;
}

/* The command that measures this cell alone; caller frees */
static char *command_of(const kb_report_of *r, int run, long row)
{
    static const char *const options[][2] = {
        {"n", "n"},          {"dt", "dt_s"},      {"solvers", "solver"}, {"engines", "engine"},
        {"rtol", "rtol"},    {"atol", "atol"},    {"orders", "order"},   {"schedules", "schedule"}};
    const kb_csv *t = &r->side.runs[run].cells;
    const json_t *e = r->environment[run];
    const char *database = word(e, "database"), *sample = kb_csv_get(t, row, "sample");
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
    return strcmp(word(e, "reactor"), "v") ? command : with_option(command, "reactor", "v");
}

static void write_command_cell(const kb_report_of *r, int run, long row, FILE *to)
{
    char *command = command_of(r, run, row);
    fprintf(to, "<td><details><summary>command</summary>");
    kb_html_command(to, command);
    fprintf(to, "</details></td>");
    free(command);
}

/* ---- the fastest ---- */

/* clang-format off */
static const char *const heads[] = {
    "run", "dt [s]", "ODEs", "on", "error ≤", "fastest", "engine", "µs/ODE (95 %)", "CVODE",
    "ratio (95 %)", "rtol", "error", "repeat"};
/* clang-format on */
enum { HEADS = sizeof heads / sizeof *heads, RUN = 0, LEVEL = 4 };

/* Of one run every error is a row, of many runs one error: the other column would say nothing */
static void begin_table(bool every, const char *caption, FILE *to)
{
    const char *used[HEADS];
    int n = 0;
    for (int i = 0; i < HEADS; i++)
        if (i != (every ? RUN : LEVEL))
            used[n++] = heads[i];
    kb_html_table_begin(to, "sorted short", caption, used, n);
}

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

static void cell(FILE *to, char *text, int right)
{
    kb_html_cell(to, text, right);
    free(text);
}

/* the name of the run, which leads to its section */
static void write_link(const source *s, FILE *to)
{
    fprintf(to, "<td><a href=\"#run-%d\">", s->run);
    kb_html_text(to, kb_report_name(s->r->side.runs[s->run].folder));
    fprintf(to, "</a></td>");
}

static void write_fastest(const source *s, const kb_contest *c, double error, bool every, FILE *to)
{
    const kb_csv *t = &s->r->side.runs[s->run].cells;
    long best = kb_fastest(t, c, error, NULL), cvode = kb_fastest_cvode(t, c, error);
    double lo = NAN, hi, us = 1e6 / atof(c->n);
    if (best < 0)
        return;
    double time = kb_csv_value(t, best, "time_s");
    fprintf(to, "<tr>");
    if (!every)
        write_link(s, to);
    kb_html_cell(to, c->dt, 1);
    kb_html_cell(to, c->n, 1);
    kb_html_cell(to, c->on, 0);
    if (every)
        cell(to, kb_format("%.0e", error), 1);
    kb_html_cell(to, kb_csv_get(t, best, "solver"), 0);
    kb_html_cell(to, kb_csv_get(t, best, "engine"), 0);
    cell(to,
         kb_format("%s%.4g (%.4g–%.4g)", kb_is_wide(t, best) ? "~" : "", us * time,
                   us * kb_csv_value(t, best, "time_lo_s"),
                   us * kb_csv_value(t, best, "time_hi_s")),
         1);
    if (cvode >= 0) {
        if (cvode != best)
            kb_samples_ratio(&s->samples, &s->id, t, cvode, best, &lo, &hi);
        cell(to, kb_format("%.4g", us * kb_csv_value(t, cvode, "time_s")), 1);
        double ratio = kb_csv_value(t, cvode, "time_s") / time;
        cell(to,
             isnan(lo) ? kb_format("%.3g", ratio) : kb_format("%.3g (%.3g–%.3g)", ratio, lo, hi),
             1);
    } else {
        fprintf(to, "<td class=\"n\">–</td><td class=\"n\">–</td>");
    }
    kb_html_cell(to, kb_csv_get(t, best, "rtol"), 1);
    cell(to, kb_format("%.1e", kb_active_p95(t, best)), 1);
    write_command_cell(s->r, s->run, best, to);
    fprintf(to, "</tr>\n");
}

/* Has the contest of this row the most ODEs of its dt and place in the run? */
static bool is_largest(const kb_csv *t, long row)
{
    kb_contest c = kb_contest_of(t, row);
    if (!kb_contest_begins(t, row))
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

/* every: each error; otherwise 1e-4 alone */
static void write_contests(const kb_report_of *r, int run, bool every, FILE *to)
{
    const kb_csv *t = &r->side.runs[run].cells;
    source s = open_source(r, run);
    for (long i = 0; i < t->nrows; i++) {
        kb_contest c = kb_contest_of(t, i);
        if (!is_largest(t, i))
            continue;
        for (int k = LOOSEST; k <= TIGHTEST; k++)
            if (every || k == 4)
                write_fastest(&s, &c, pow(10, -k), every, to);
    }
    kb_samples_free(&s.samples);
}

static bool any_fastest(const kb_report_of *r, int run)
{
    const kb_csv *t = &r->side.runs[run].cells;
    for (long i = 0; i < t->nrows; i++)
        if (is_largest(t, i)) {
            kb_contest c = kb_contest_of(t, i);
            if (kb_fastest(t, &c, pow(10, -LOOSEST), NULL) >= 0)
                return true;
        }
    return false;
}

void kb_report_verdict(const kb_report_of *r, FILE *to)
{
    bool one = r->side.nruns == 1;
    begin_table(one,
                one ? "The fastest at each error, the largest number of ODEs"
                    : "The fastest at an error of 1e-4, the largest number of ODEs of each run",
                to);
    for (int i = 0; i < r->side.nruns; i++)
        write_contests(r, i, one, to);
    kb_html_table_end(to);
}

/* ---- pictures ---- */

static void write_figure(kb_report_of *r, int run, const char *what, const char *label, FILE *to)
{
    const char *name = kb_report_name(r->side.runs[run].folder);
    char *path = kb_format("%s/%s/%s.svg", r->plots, name, what);
    char *prefix = kb_format("r%d-%s-", run, what), *text = kb_format("%s: %s", name, label);
    char *folder = kb_shell_word(r->side.runs[run].folder);
    fprintf(to, "<figure>\n");
    long bytes = kb_html_svg(to, path, prefix, text, r->room);
    r->room -= bytes;
    fprintf(to, "<figcaption>");
    if (bytes)
        kb_html_format(to, "%s.", text);
    else
        kb_html_format(to, "%s: no picture here; plots/draw %s draws it.", text, folder);
    fprintf(to, "</figcaption>\n</figure>\n");
    free(folder);
    free(text);
    free(prefix);
    free(path);
}

static bool several_n(const kb_csv *t)
{
    for (long i = 1; i < t->nrows; i++)
        if (strcmp(kb_csv_get(t, i, "n"), kb_csv_get(t, 0, "n")))
            return true;
    return false;
}

static void write_figures(kb_report_of *r, int run, FILE *to)
{
    fprintf(to, "<details class=\"figures\"%s><summary>Pictures</summary>\n",
            r->side.nruns == 1 ? " open" : "");
    write_figure(r, run, "error", "time for one ODE against its error", to);
    if (r->side.nruns == 1) { /* of many runs one picture each */
        if (several_n(&r->side.runs[run].cells))
            write_figure(r, run, "time", "time for one ODE against the number of ODEs", to);
        write_figure(r, run, "divergence", "divergence of warps", to);
    }
    fprintf(to, "</details>\n");
}

/* ---- tables ---- */

static void write_columns(const kb_csv *t, const char *class, const char *caption,
                          const char *const *columns, int n, bool sound, FILE *to)
{
    kb_html_table_begin(to, class, caption, columns, n);
    for (long i = 0; i < t->nrows; i++) {
        if (sound && (!kb_is_sound(t, i) || isnan(kb_csv_value(t, i, "D_rhs"))))
            continue;
        fprintf(to, "<tr>");
        for (int k = 0; k < n; k++)
            kb_html_cell(to, kb_csv_get(t, i, columns[k]), !isnan(kb_csv_value(t, i, columns[k])));
        fprintf(to, "</tr>\n");
    }
    kb_html_table_end(to);
}

static bool any_divergence(const kb_csv *t)
{
    for (long i = 0; i < t->nrows; i++)
        if (kb_is_sound(t, i) && !isnan(kb_csv_value(t, i, "D_rhs")))
            return true;
    return false;
}

static void write_divergence(const kb_csv *t, FILE *to)
{
    if (!any_divergence(t))
        return;
    static const char *const columns[] = {"D_rhs",  "D_steps", "lane_use",   "solver",
                                          "engine", "order",   "schedule",   "n",
                                          "dt_s",   "rtol",    "steps_mean", "steps_max"};
    fprintf(to, "<details><summary>Divergence</summary>\n<p>D of a warp of 32 ODEs is the sum of "
                "their work over 32 times the largest; 1: they take the same.</p>\n");
    write_columns(t, "sorted", "Divergence of each cell", columns, 12, true, to);
    fprintf(to, "</details>\n");
}

static void write_raw(const kb_csv *t, FILE *to)
{
    static const char *const columns[] = {
        "status",  "solver",  "engine",   "schedule", "threads", "order",     "n",
        "dt_s",    "rtol",    "atol",     "repeats",  "time_s",  "time_lo_s", "time_hi_s",
        "err_p95", "err_max", "rhs_mean", "failed",   "why"};
    fprintf(to, "<details><summary>Every cell (%ld)</summary>\n", t->nrows);
    write_columns(t, "sorted", "Every cell, from cells.csv", columns, 19, false, to);
    fprintf(to, "</details>\n");
}

static void write_environment(const json_t *e, FILE *to)
{
    static const char *const columns[] = {"", ""};
    const char *key;
    json_t *value;
    fprintf(to, "<details><summary>Environment</summary>\n");
    kb_html_table_begin(to, NULL, "Machine, tools, sources and inputs", columns, 2);
    json_object_foreach((json_t *)e, key, value)
    {
        if (json_is_array(value) || json_is_object(value))
            continue;
        char *text = json_is_string(value)
                         ? kb_strdup(json_string_value(value))
                         : json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
        fprintf(to, "<tr>");
        kb_html_cell(to, key, 0);
        cell(to, text, 0);
        fprintf(to, "</tr>\n");
    }
    kb_html_table_end(to);
    fprintf(to, "</details>\n");
}

/* Was this recorded by bench (words that a shell takes as they are, or in single quotes), or by
 * make (words that make and its recipes take as they are)? Anything else is no command to copy. */
static bool is_command(const char *text)
{
    bool make = !strncmp(text, "make ", 5), quoted = false;
    size_t first = strcspn(text, " ");
    if (make ? strstr(text, " -") != NULL : first < 5 || strncmp(text + first - 5, "bench", 5))
        return false;
    for (const char *p = text; *p; p++) {
        if (!make && !quoted && !strncmp(p, "\\'", 2))
            p++;
        else if (!make && *p == '\'')
            quoted = !quoted;
        else if (!quoted && !isalnum((unsigned char)*p) && !strchr(" _@%+=:,./-", *p))
            return false;
    }
    return !quoted;
}

static void write_session(const char *command, FILE *to)
{
    if (is_command(command)) {
        kb_html_command(to, command);
        return;
    }
    fprintf(to, "<p>Not to be copied, since a shell or make would run a part of it: <q>");
    kb_html_text(to, command);
    fprintf(to, "</q></p>\n");
}

static void write_repeat(const json_t *e, FILE *to)
{
    const char *git = word(e, "git");
    json_t *session;
    size_t i;
    fprintf(to, "<details><summary>How to repeat it</summary>\n");
    if (*git && !git[strspn(git, "0123456789abcdef")]) {
        char *checkout = kb_format("git checkout %s", git);
        fprintf(to, "<p>The sources:</p>\n");
        kb_html_command(to, checkout);
        free(checkout);
    }
    fprintf(to, "<p>The commands, in their order:</p>\n");
    json_array_foreach(json_object_get(e, "sessions"), i, session)
        write_session(*word(session, "make") ? word(session, "make") : word(session, "command"),
                      to);
    fprintf(to, "</details>\n");
}

void kb_report_run(kb_report_of *r, int i, FILE *to)
{
    const kb_compare_run *run = &r->side.runs[i];
    const json_t *e = r->environment[i];
    fprintf(to, "<section id=\"run-%d\">\n<h3>", i);
    kb_html_text(to, kb_report_name(run->folder));
    fprintf(to, "</h3>\n<p>");
    const char *kind = kb_csv_get(&run->cells, 0, "states");
    kb_html_format(to, "%s (%s species) on %s, database %s%s%s%s, %ld cells, %s.",
                   kb_csv_get(&run->cells, 0, "mech"), kb_csv_get(&run->cells, 0, "nsp"),
                   kb_csv_get(&run->cells, 0, "machine"), kb_csv_get(&run->cells, 0, "database"),
                   *kind ? " (states: " : "", kind, *kind ? ")" : "", run->cells.nrows,
                   run->folder);
    fprintf(to, "</p>\n");
    write_figures(r, i, to);
    if (r->side.nruns > 1 && any_fastest(r, i)) {
        fprintf(to, "<details class=\"run\"><summary>The fastest at each error</summary>\n");
        begin_table(true, "The fastest at each error", to);
        write_contests(r, i, true, to);
        kb_html_table_end(to);
        fprintf(to, "</details>\n");
    }
    write_divergence(&run->cells, to);
    if (e) {
        write_environment(e, to);
        write_repeat(e, to);
    }
    write_raw(&run->cells, to);
    fprintf(to, "</section>\n");
}
