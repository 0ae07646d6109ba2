/* SPDX-License-Identifier: MIT
 *
 * One run of a report: its pictures, divergence, environment, commands and cells.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/arguments.h"
#include "drivers/report/html.h"
#include "drivers/report/report.h"
#include "rows/ranking.h"

const char *kb_report_name(const char *folder)
{
    const char *slash = strrchr(folder, '/');
    return slash && slash[1] ? slash + 1 : folder;
}

const char *kb_report_word(const json_t *o, const char *key)
{
    const char *text = json_string_value(json_object_get(o, key));
    return text ? text : "";
}

/* ---- pictures ---- */

static void write_figure(kb_report_of *r, int run, const char *what, const char *label, FILE *to)
{
    const char *name = kb_report_name(r->side.runs[run].folder);
    kb_owned char *path = kb_format("%s/%s/%s.svg", r->plots, name, what);
    kb_owned char *prefix = kb_format("r%d-%s-", run, what),
                  *text = kb_format("%s: %s", name, label);
    kb_owned char *folder = kb_shell_word(r->side.runs[run].folder);
    fprintf(to, "<figure>\n");
    long bytes = kb_html_svg(to, path, prefix, text, r->room);
    r->room -= bytes;
    fprintf(to, "<figcaption>");
    if (bytes)
        kb_html_format(to, "%s.", text);
    else
        kb_html_format(to, "%s: no picture here; plots/draw %s draws it.", text, folder);
    fprintf(to, "</figcaption>\n</figure>\n");
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
    fprintf(to, "<details%s><summary>Pictures</summary>\n",
            r->side.nruns == 1 ? " class=\"printed\" open" : "");
    write_figure(r, run, "error", "time for one ODE against its error", to);
    if (r->side.nruns == 1) { /* of many runs one picture each */
        if (several_n(&r->side.runs[run].cells))
            write_figure(r, run, "time", "time for one ODE against the number of ODEs", to);
        write_figure(r, run, "divergence", "divergence of warps", to);
    }
    fprintf(to, "</details>\n");
}

/* ---- tables ---- */

/* known: sound rows that have a number there; NULL: all */
static bool is_shown(const kb_csv *t, long row, const char *known)
{
    return !known || (kb_is_sound(t, row) && !isnan(kb_csv_value(t, row, known)));
}

static void write_columns(const kb_csv *t, const char *caption, const char *const *columns, int n,
                          const char *known, FILE *to)
{
    kb_html_table_begin(to, "sorted", caption, columns, n);
    for (long i = 0; i < t->nrows; i++) {
        if (!is_shown(t, i, known))
            continue;
        fprintf(to, "<tr>");
        for (int k = 0; k < n; k++)
            kb_html_cell(to, kb_csv_get(t, i, columns[k]), !isnan(kb_csv_value(t, i, columns[k])));
        fprintf(to, "</tr>\n");
    }
    kb_html_table_end(to);
}

static bool any_shown(const kb_csv *t, const char *known)
{
    for (long i = 0; i < t->nrows; i++)
        if (is_shown(t, i, known))
            return true;
    return false;
}

static void write_divergence(const kb_csv *t, FILE *to)
{
    if (!any_shown(t, "D_rhs"))
        return;
    static const char *const columns[] = {"D_rhs",  "D_steps", "lane_use",   "solver",
                                          "engine", "order",   "schedule",   "n",
                                          "dt_s",   "rtol",    "steps_mean", "steps_max"};
    fprintf(to, "<details><summary>Divergence</summary>\n<p>D of a warp of 32 ODEs is the sum of "
                "their work over 32 times the largest; 1: they take the same.</p>\n");
    write_columns(t, "Divergence of each cell", columns, 12, "D_rhs", to);
    fprintf(to, "</details>\n");
}

static void write_energy(const kb_csv *t, FILE *to)
{
    static const char *const energy[] = {
        "j_per_million", "energy_scope", "idle_w", "power_cap_w", "energy_seconds", "solver",
        "engine",        "order",        "n",      "dt_s",        "rtol",           "err_p95"};
    static const char *const memory[] = {
        "peak_bytes_host", "peak_bytes_device", "solver", "engine", "order", "n", "dt_s", "rtol"};
    bool joules = any_shown(t, "j_per_million"), bytes = any_shown(t, "peak_bytes_host");
    if (!joules && !bytes)
        return;
    fprintf(to, "<details><summary>Energy and memory</summary>\n");
    if (joules)
        write_columns(t, "Joules of a million ODEs", energy, 12, "j_per_million", to);
    if (bytes)
        write_columns(t, "Largest memory of each cell", memory, 8, "peak_bytes_host", to);
    fprintf(to, "</details>\n");
}

static void write_raw(const kb_csv *t, FILE *to)
{
    static const char *const columns[] = {
        "status",  "solver",  "engine",   "schedule", "threads", "order",     "n",
        "dt_s",    "rtol",    "atol",     "repeats",  "time_s",  "time_lo_s", "time_hi_s",
        "err_p95", "err_max", "rhs_mean", "failed",   "why"};
    fprintf(to, "<details><summary>Every cell (%ld)</summary>\n", t->nrows);
    write_columns(t, "Every cell, from cells.csv", columns, 19, NULL, to);
    fprintf(to, "</details>\n");
}

static void write_environment(const json_t *e, FILE *to)
{
    static const char *const columns[] = {"what", "value"};
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
        kb_html_cell(to, key, false);
        kb_html_taken_cell(to, text, false);
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
    const char *git = kb_report_word(e, "git");
    json_t *session;
    size_t i;
    fprintf(to, "<details><summary>How to repeat it</summary>\n");
    if (*git && !git[strspn(git, "0123456789abcdef")]) {
        kb_owned char *checkout = kb_format("git checkout %s", git);
        fprintf(to, "<p>The sources:</p>\n");
        kb_html_command(to, checkout);
    }
    fprintf(to, "<p>The commands, in their order:</p>\n");
    json_array_foreach(json_object_get(e, "sessions"), i, session)
        write_session(*kb_report_word(session, "make") ? kb_report_word(session, "make")
                                                       : kb_report_word(session, "command"),
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
    if (r->side.nruns > 1)
        kb_report_fastest(r, i, to);
    else {
        write_divergence(&run->cells, to);
        write_energy(&run->cells, to);
    }
    if (e) {
        write_environment(e, to);
        write_repeat(e, to);
    }
    if (r->side.nruns == 1) /* of many runs the files have them */
        write_raw(&run->cells, to);
    fprintf(to, "</section>\n");
}
