/* SPDX-License-Identifier: MIT */
#include "drivers/compare/print.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/shown.h"
#include "base/stats.h"
#include "base/table.h"
#include "rows/ranking.h"

/* lines of a table without --all */
#define MOST_LINES 30
#define MOST_ROWS 10 /* of a comment */
#define COLUMNS 8

static const char *const heads[COLUMNS] = {"verdict",  "B / A", "95% interval", "q", "A us/ODE",
                                           "B us/ODE", "n",     "cell"};

/* Of the side that has it */
static const kb_side_cell *any(const kb_cell_pair *p) { return p->a ? p->a : p->b; }

double kb_us_per_ode(const kb_side_cell *c)
{
    return c ? 1e6 * kb_median(c->time, c->n) / kb_side_value(c, "n") : NAN;
}

static char *us_text(const kb_side_cell *c)
{
    return c ? kb_format("%s%.4g", kb_is_wide(&c->run->cells, c->row) ? "~" : "", kb_us_per_ode(c))
             : kb_strdup("-");
}

char *kb_side_cell_text(const kb_side_cell *c)
{
    return kb_format("%s %s %s %s x%s, %s %s, dt %s, rtol %s", kb_side_text(c, "mech"),
                     kb_side_text(c, "solver"), kb_side_text(c, "engine"),
                     kb_side_text(c, "schedule"), kb_side_text(c, "threads"),
                     kb_side_text(c, "order"), kb_side_text(c, "n"), kb_side_text(c, "dt_s"),
                     kb_side_text(c, "rtol"));
}

static const char *known(const char *count) { return *count ? count : "?"; }

/* What the verdict alone does not say; caller frees */
static char *remark(const kb_cell_pair *p)
{
    if (p->ended)
        return kb_format(" (only in A; B: %s%s%s)", kb_side_text(p->ended, "status"),
                         *kb_side_text(p->ended, "why") ? ": " : "", kb_side_text(p->ended, "why"));
    if (!p->a || !p->b)
        return kb_format(" (only in %s)", p->a ? "A" : "B");
    if (p->verdict == KB_IS_OTHER)
        return kb_format(" (err_p95 %s, %s; err_max %s, %s; failed %s, %s; wrong %s, %s)",
                         kb_side_text(p->a, "err_p95"), kb_side_text(p->b, "err_p95"),
                         known(kb_side_text(p->a, "err_max")), known(kb_side_text(p->b, "err_max")),
                         kb_side_text(p->a, "failed"), kb_side_text(p->b, "failed"),
                         known(kb_side_text(p->a, "wrong")), known(kb_side_text(p->b, "wrong")));
    return kb_strdup("");
}

static void fill(const kb_cell_pair *p, char **f)
{
    kb_owned char *cell = kb_side_cell_text(any(p)), *more = remark(p);
    bool both = p->a && p->b;
    f[0] = kb_strdup(kb_change_name(p->verdict));
    f[1] = both ? kb_format("%.3f", p->ratio) : kb_strdup("-");
    f[2] = both ? kb_format("%.3f-%.3f", p->lo, p->hi) : kb_strdup("-");
    f[3] = kb_shown("%.2g", p->q);
    f[4] = us_text(p->a);
    f[5] = us_text(p->b);
    f[6] = kb_format("%ld%s", p->a ? p->a->n : p->b->n, p->in_turns ? " in turns" : "");
    f[7] = kb_format("%s%s", cell, more);
}

static bool shown(const kb_compare_report *r, long i, long most, long *lines)
{
    const kb_cell_pair *p = &r->c->pairs[i];
    bool quiet = p->verdict == KB_IS_SAME || (p->verdict == KB_IS_MISSING && !p->lost);
    return r->all || (!quiet && (*lines)++ < most);
}

static void write_counts(const kb_compare_report *r, const char *bold, FILE *to)
{
    for (int v = 0; v < KB_CHANGES; v++)
        fprintf(to, "%s%s%ld%s %s", v ? ", " : "", r->c->count[v] ? bold : "", r->c->count[v],
                r->c->count[v] ? bold : "", kb_change_name((kb_change)v));
}

static void write_undecided(const kb_comparison *c, long both, FILE *to)
{
    if (c->undecided == both)
        fprintf(to, "Nothing could be decided: ");
    else
        fprintf(to, "UNDECIDED: %ld of %ld cells: ", c->undecided, both);
    if (c->more)
        fprintf(to,
                "%ld more repeat%s needed (with %ld of each side a change of one cell in %ld "
                "shows).",
                c->more, c->more > 1 ? "s" : "", c->enough, c->tests);
    else
        fprintf(to, "the repeats of one side differ too much among themselves.");
}

/* The last line: what the exit code says */
static void write_verdict(const kb_compare_report *r, long both, FILE *to)
{
    const kb_comparison *c = r->c;
    long slower = c->count[KB_IS_SLOWER], other = c->count[KB_IS_OTHER];
    if (slower)
        fprintf(to, "B is slower in %ld of %ld cells.", slower, both);
    else if (!c->undecided)
        fprintf(to,
                c->count[KB_IS_UNCLEAR] ? "Nothing is found to be slower; %ld unclear."
                                        : "Nothing is slower.",
                c->count[KB_IS_UNCLEAR]);
    if (c->undecided) {
        fprintf(to, slower ? " " : "");
        write_undecided(c, both, to);
    }
    if (c->lost + other)
        fprintf(to, " NOT COMPARED: no result in B (%ld), another error (%ld).", c->lost, other);
    fprintf(to, "\n");
}

static void count_pairs(const kb_comparison *c, long *both, long *turns)
{
    *both = *turns = 0;
    for (long i = 0; i < c->n; i++) {
        *both += c->pairs[i].a && c->pairs[i].b;
        *turns += c->pairs[i].in_turns;
    }
}

static void write_notes(const kb_compare_report *r, FILE *to)
{
    long both, turns;
    count_pairs(r->c, &both, &turns);
    fprintf(to, "An effect of %.3g %% matters; at most %.0f %% of the alarms are false.\n",
            100 * r->c->smallest, 100 * KB_FALSE_SHARE);
    if (r->c->halves)
        fprintf(to,
                "Repeats of one side differ among themselves by %.2g %% (95th percentile over %ld "
                "halves);\nless is no alarm.\n",
                100 * expm1(r->c->noise), r->c->halves);
    else
        fprintf(to, "With fewer than 4 repeats it is not known how they differ among "
                    "themselves.\n");
    if (r->c->noise > log1p(r->c->smallest))
        fprintf(to, "That is more than the effect that matters: more repeats, a quieter machine, "
                    "or (CPU engines)\nprocessor time instead: --by cpu, make compare BY=cpu.\n");
    if (turns < both)
        fprintf(to,
                "%ld of %ld cells were not measured in turns: what changed on the machine "
                "between A and B counts\nas a change of the program (make compare COMMITS= "
                "measures in turns).\n",
                both - turns, both);
    write_verdict(r, both, to);
}

void kb_compare_text(const kb_compare_report *r, FILE *to)
{
    kb_table out = {.ncolumns = COLUMNS, .heads = heads, .left = 1, .last_left = true};
    long lines = 0;
    for (long i = 0; i < r->c->n; i++)
        if (shown(r, i, MOST_LINES, &lines)) {
            char *f[COLUMNS];
            fill(&r->c->pairs[i], f);
            kb_table_add(&out, f);
        }
    fprintf(to, "A: %s\nB: %s\n", r->a, r->b);
    if (out.nrows)
        kb_table_write(&out, to);
    kb_table_free(&out);
    if (lines > MOST_LINES)
        fprintf(to, "... and %ld more: --all\n", lines - MOST_LINES);
    write_counts(r, "", to);
    fprintf(to, "\n");
    write_notes(r, to);
}

/* What would end a cell or begin a tag or a link is text, too */
static void write_markdown(const char *text, FILE *to)
{
    for (; *text; text++) {
        if (strchr("|<[`\\", *text))
            fputc('\\', to);
        fputc(*text == '\n' || *text == '\r' ? ' ' : *text, to);
    }
}

static void write_markdown_heads(FILE *to)
{
    fputs("\n|", to);
    for (int k = 0; k < COLUMNS; k++)
        fprintf(to, " %s |", heads[k]);
    fputs("\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n", to);
}

/* For a comment on a change: the verdict, then at most MOST_ROWS cells, then what was compared */
void kb_compare_markdown(const kb_compare_report *r, FILE *to)
{
    long lines = 0, rows = 0, both, turns;
    count_pairs(r->c, &both, &turns);
    write_verdict(r, both, to);
    for (long i = 0; i < r->c->n; i++)
        if (shown(r, i, MOST_ROWS, &lines)) {
            char *f[COLUMNS];
            fill(&r->c->pairs[i], f);
            if (!rows++)
                write_markdown_heads(to);
            for (int k = 0; k < COLUMNS; k++) {
                fputs(k ? " | " : "| ", to);
                write_markdown(f[k], to);
                free(f[k]);
            }
            fprintf(to, " |\n");
        }
    fprintf(to, "\n");
    if (lines > MOST_ROWS)
        fprintf(to, "%ld more cells: `--all`. ", lines - MOST_ROWS);
    fprintf(to, "`%s` (A) against `%s` (B): ", r->a, r->b);
    write_counts(r, "**", to);
    if (turns < both)
        fprintf(to, "; %ld not measured in turns", both - turns);
    fprintf(to, ".\n");
}

/* ---- for programs ---- */

json_t *kb_pair_json(const kb_cell_pair *p)
{
    static const char *const which[] = {"mech",    "database", "order",  "sample", "n",
                                        "dt_s",    "steps",    "solver", "engine", "schedule",
                                        "threads", "rtol",     "atol"};
    json_t *o = json_object(), *cell = json_object();
    for (size_t i = 0; i < sizeof which / sizeof *which; i++)
        json_object_set_new(cell, which[i], json_string(kb_side_text(any(p), which[i])));
    json_object_set_new(o, "verdict", json_string(kb_change_name(p->verdict)));
    json_object_set_new(o, "cell", cell);
    json_object_set_new(o, "ratio", kb_json_number(p->ratio));
    json_object_set_new(o, "ratio_lo", kb_json_number(p->lo));
    json_object_set_new(o, "ratio_hi", kb_json_number(p->hi));
    json_object_set_new(o, "p", kb_json_number(p->p));
    json_object_set_new(o, "q", kb_json_number(p->q));
    json_object_set_new(o, "in_turns", json_boolean(p->in_turns));
    json_object_set_new(o, "lost", json_boolean(p->lost));
    json_object_set_new(o, "undecided", json_boolean(p->undecided));
    json_object_set_new(o, "a_us_per_ode", kb_json_number(kb_us_per_ode(p->a)));
    json_object_set_new(o, "b_us_per_ode", kb_json_number(kb_us_per_ode(p->b)));
    json_object_set_new(o, "a_repeats", json_integer(p->a ? p->a->n : 0));
    json_object_set_new(o, "b_repeats", json_integer(p->b ? p->b->n : 0));
    return o;
}

int kb_compare_json(const kb_compare_report *r, FILE *to, kb_error *err)
{
    json_t *cells = json_array(), *counts = json_object();
    for (long i = 0; i < r->c->n; i++)
        json_array_append_new(cells, kb_pair_json(&r->c->pairs[i]));
    for (int v = 0; v < KB_CHANGES; v++)
        json_object_set_new(counts, kb_change_name((kb_change)v), json_integer(r->c->count[v]));
    json_auto_t *all = json_pack("{s:s, s:s, s:f, s:f, s:f, s:o, s:I, s:I, s:I, s:o}", "a", r->a,
                                 "b", r->b, "smallest_effect", r->c->smallest, "noise",
                                 expm1(r->c->noise), "false_share", KB_FALSE_SHARE, "verdicts",
                                 counts, "lost", (json_int_t)r->c->lost, "undecided",
                                 (json_int_t)r->c->undecided, "more_repeats",
                                 (json_int_t)r->c->more, "cells", cells);
    return kb_json_print(to, all, 6, err);
}

static void write_field(const char *text, FILE *to)
{
    bool quoted = text[strcspn(text, ",\"\r\n")];
    fputs(quoted ? ",\"" : ",", to);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', to);
        fputc(*text == '\n' ? ' ' : *text, to);
    }
    if (quoted)
        fputc('"', to);
}

void kb_write_cell(const kb_side_cell *c, FILE *to)
{
    static const char *const which[] = {"mech",   "dt_s",     "n",       "order", "solver",
                                        "engine", "schedule", "threads", "rtol"};
    for (size_t k = 0; k < sizeof which / sizeof *which; k++)
        write_field(kb_side_text(c, which[k]), to);
}

/* one row a pair, for plots/compare */
void kb_compare_csv(const kb_compare_report *r, FILE *to)
{
    fprintf(to, "verdict," KB_CELL_COLUMNS
                ",ratio,ratio_lo,ratio_hi,q,a_us,b_us,repeats,in_turns\n");
    for (long i = 0; i < r->c->n; i++) {
        const kb_cell_pair *p = &r->c->pairs[i];
        const kb_side_cell *c = any(p);
        fprintf(to, "%s", kb_change_name(p->verdict));
        kb_write_cell(c, to);
        double x[] = {p->ratio, p->lo, p->hi, p->q, kb_us_per_ode(p->a), kb_us_per_ode(p->b)};
        for (int k = 0; k < 6; k++)
            isnan(x[k]) ? fprintf(to, ",") : fprintf(to, ",%.6g", x[k]);
        fprintf(to, ",%ld,%d\n", c->n, p->in_turns);
    }
}
