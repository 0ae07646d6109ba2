/* SPDX-License-Identifier: MIT
 *
 * history: runs of bench by many commits, cell by cell: which commit made it slower or faster.
 */
#include <string.h>

#include "base/json.h"
#include "base/options.h"
#include "base/shown.h"
#include "base/stats.h"
#include "base/table.h"
#include "drivers/compare/print.h"
#include "drivers/compare/steps.h"

enum { TEXT, JSON, CSV };
#define COLUMNS 8

typedef struct {
    const char **folder;
    int nfolders;
    double smallest; /* [%] */
    int format;
    int cpu; /* the times of processors */
    bool json;
} settings;

#define AT(member) offsetof(settings, member)

static const kb_program_option options[] = {
    {"smallest", 0, "PERCENT", KB_OPT_NUMBER, AT(smallest), "more than 0", "%", "3", 0,
     "smallest effect that matters"},
    {"format", 0, "NAME", KB_OPT_WORD, AT(format), "text, json, csv", 0, "text", 0,
     "what is printed"},
    {"json", 0, 0, KB_OPT_SWITCH, AT(json), 0, 0, 0, 0, "the same as --format json"},
    {"by", 0, "NAME", KB_OPT_WORD, AT(cpu), "time, cpu", 0, "time", 0,
     "what is compared, as by compare"},
    {0}};

static int rest(int key, char *arg, struct argp_state *state, void *set)
{
    settings *s = set;
    switch (key) {
    case ARGP_KEY_ARG:
        s->folder = kb_realloc(s->folder, (size_t)s->nfolders + 1, sizeof *s->folder);
        s->folder[s->nfolders++] = arg;
        break;
    case ARGP_KEY_END:
        if (s->nfolders < 2)
            argp_error(state, "two folders and more are needed, the oldest first: runs of bench, "
                       "or folders of such");
        s->format = s->json ? JSON : s->format;
        break;
    default: return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static const kb_program history = {
    options, "FOLDER FOLDER...",
    "Follows the time of each cell over runs of bench by many commits, and names the commit that "
    "made it slower or faster.\vFOLDERS, the oldest first, have cells.csv and samples.csv, or are "
    "folders of such. A step is found by the rules of compare (docs/results-format.md). Exit "
    "codes: 0 no step is a slow-down, 1 one is, 2 invalid use or input, 3 no cell was measured "
    "twice, 4 none is, but a commit changed the error of a cell, 5 none of these, but cells could "
    "not be decided.\n\n"
    "Example: build/history results/a results/b results/c", .rest = rest};

/* "1a2b3c4": the commit of a side, or how its column begins like one; caller frees */
static char *commit_of(const kb_history *h, int side)
{
    const kb_side *s = h->sides[side];
    const char *git = s->ncells ? kb_side_text(&s->cells[0], "git") : "";
    const char *dirty = s->ncells ? kb_side_text(&s->cells[0], "dirty") : "";
    int n = (int)strspn(git, "0123456789abcdef");
    n = n < 12 ? n : 12;
    return kb_format("%.*s%s", n ? n : 1, n ? git : "?", !strcmp(dirty, "1") ? "+" : "");
}

static bool is_step(const kb_cell_pair *p)
{
    return p->verdict == KB_IS_SLOWER || p->verdict == KB_IS_FASTER || p->verdict == KB_IS_OTHER;
}

/* ---- text ---- */

static void add_step(const kb_history *h, const kb_cell_pair *p, kb_table *out)
{
    int side = kb_history_side(h, p->b);
    kb_owned char *commit = commit_of(h, side);
    char *f[COLUMNS] = {
        kb_format("%d: %s", side + 1, commit),
        kb_strdup(kb_change_name(p->verdict)),
        kb_format("%.3f", p->ratio),
        kb_format("%.3f-%.3f", p->lo, p->hi),
        kb_shown("%.2g", p->q),
        kb_format("%.4g", kb_us_per_ode(p->a)),
        kb_format("%.4g", kb_us_per_ode(p->b)),
        kb_side_cell_text(p->b)};
    kb_table_add(out, f);
}

/* Steps of a verdict that came with a side */
static long count_steps(const kb_history *h, int side, kb_change verdict)
{
    long n = 0;
    for (long i = 0; i < h->steps.n; i++)
        n += h->steps.pairs[i].verdict == verdict &&
             (side < 0 || kb_history_side(h, h->steps.pairs[i].b) == side);
    return n;
}

static void write_commits(const kb_history *h, FILE *to)
{
    for (int side = 1; side < h->nsides; side++) {
        long slower = count_steps(h, side, KB_IS_SLOWER), other = count_steps(h, side, KB_IS_OTHER);
        long faster = count_steps(h, side, KB_IS_FASTER);
        kb_owned char *commit = commit_of(h, side);
        if (slower + faster + other)
            fprintf(to, "%s: %ld slower, %ld faster, %ld other error\n", commit, slower, faster,
                    other);
    }
}

static long count_twice(const kb_history *h)
{
    long n = 0;
    for (long k = 0; k < h->ntracks; k++) {
        int measured = 0;
        for (int s = 0; s < h->nsides; s++)
            measured += h->tracks[k].of[s] != NULL;
        n += measured > 1;
    }
    return n;
}

/* What the exit code says */
static void write_verdict(const kb_history *h, FILE *to)
{
    long slower = count_steps(h, -1, KB_IS_SLOWER), faster = count_steps(h, -1, KB_IS_FASTER);
    long other = count_steps(h, -1, KB_IS_OTHER), turns = 0, all = count_twice(h);
    for (long k = 0; k < h->ntracks; k++)
        turns += h->tracks[k].in_turns;
    if (turns < all)
        fprintf(to, "%ld of %ld cells were not measured in turns: what changed on the machine "
                    "counts as a change of the\nprogram (make history COMMITS= measures in "
                    "turns).\n", all - turns, all);
    write_commits(h, to);
    if (slower + faster + other == 0)
        fprintf(to, "No step of %.3g %% or more in %ld cells.", 100 * h->steps.smallest, all);
    else
        fprintf(to, "Of %.3g %% or more in %ld cells: slow-downs %ld, gains %ld, other errors %ld.",
                100 * h->steps.smallest, all, slower, faster, other);
    if (h->undivided.undecided)
        fprintf(to, " UNDECIDED: %ld cells; more repeats are needed.", h->undivided.undecided);
    fprintf(to, "\n");
}

static void write_text(const kb_history *h, FILE *to)
{
    static const char *const heads[COLUMNS] = {"commit", "verdict", "after / before",
                                               "95% interval", "q", "us/ODE before", "after",
                                               "cell"};
    kb_table out = {.ncolumns = COLUMNS, .heads = heads, .left = 2, .last_left = true};
    for (int side = 0; side < h->nsides; side++) {
        kb_owned char *commit = commit_of(h, side);
        fprintf(to, "%d: %s  %s\n", side + 1, commit, h->sides[side]->folder);
    }
    for (int side = 0; side < h->nsides; side++)
        for (long i = 0; i < h->steps.n; i++)
            if (is_step(&h->steps.pairs[i]) &&
                kb_history_side(h, h->steps.pairs[i].b) == side)
                add_step(h, &h->steps.pairs[i], &out);
    if (out.nrows)
        kb_table_write(&out, to);
    kb_table_free(&out);
    write_verdict(h, to);
}

/* ---- for programs ---- */

static int write_json(const kb_history *h, FILE *to, kb_error *err)
{
    json_t *sides = json_array(), *steps = json_array();
    for (int side = 0; side < h->nsides; side++) {
        kb_owned char *commit = commit_of(h, side);
        json_array_append_new(sides, json_pack("{s:s, s:s}", "git", commit, "folder",
                                               h->sides[side]->folder));
    }
    for (long i = 0; i < h->steps.n; i++)
        if (is_step(&h->steps.pairs[i])) {
            json_t *step = kb_pair_json(&h->steps.pairs[i]);
            int side = kb_history_side(h, h->steps.pairs[i].b);
            kb_owned char *commit = commit_of(h, side);
            json_object_set_new(step, "side", json_integer(side + 1));
            json_object_set_new(step, "git", json_string(commit));
            json_array_append_new(steps, step);
        }
    json_auto_t *all = json_pack("{s:f, s:I, s:I, s:o, s:o}", "smallest_effect", h->steps.smallest,
                                 "cells", (json_int_t)count_twice(h), "undecided",
                                 (json_int_t)h->undivided.undecided, "sides", sides, "steps",
                                 steps);
    return kb_json_print(to, all, 6, err);
}

static const kb_cell_pair *step_at(const kb_history *h, const kb_side_cell *cell)
{
    for (long i = 0; i < h->steps.n; i++)
        if (h->steps.pairs[i].b == cell && is_step(&h->steps.pairs[i]))
            return &h->steps.pairs[i];
    return NULL;
}

static void write_row(const kb_history *h, int side, const kb_side_cell *c, FILE *to)
{
    const kb_cell_pair *step = step_at(h, c);
    kb_owned char *commit = commit_of(h, side);
    double lo, hi, us = 1e6 / kb_side_value(c, "n");
    kb_bootstrap(c->time, c->n, &lo, &hi);
    fprintf(to, "%d,%s", side + 1, commit);
    kb_write_cell(c, to);
    fprintf(to, ",%.6g,%.6g,%.6g", kb_us_per_ode(c), us * lo, us * hi);
    if (step)
        fprintf(to, ",%s,%.6g,%.6g,%.6g\n", kb_change_name(step->verdict), step->ratio, step->lo,
                step->hi);
    else
        fprintf(to, ",,,,\n");
}

/* a row for each cell and side, for plots/history */
static void write_csv(const kb_history *h, FILE *to)
{
    fprintf(to, "side,git," KB_CELL_COLUMNS ",us,us_lo,us_hi,step,ratio,ratio_lo,ratio_hi\n");
    for (long k = 0; k < h->ntracks; k++)
        for (int s = 0; s < h->nsides; s++)
            if (h->tracks[k].of[s])
                write_row(h, s, h->tracks[k].of[s], to);
}

static int write_history(const kb_history *h, int format, kb_error *err)
{
    switch (format) {
    case JSON: return write_json(h, stdout, err);
    case CSV: write_csv(h, stdout); break;
    default: write_text(h, stdout);
    }
    return KB_OK;
}

static int run_history(const settings *s, kb_error *err)
{
    int code = KB_OK;
    kb_owned kb_side *side = kb_alloc((size_t)s->nfolders, sizeof *side);
    kb_owned kb_side **sides = kb_alloc((size_t)s->nfolders, sizeof *sides);
    for (int i = 0; i < s->nfolders; i++) {
        sides[i] = &side[i];
        code = code ? code : kb_side_read(&side[i], s->folder[i], s->cpu ? "cpu_s" : "time_s", err);
    }
    if (!code) {
        kb_history h;
        kb_history_find(&h, sides, s->nfolders, s->smallest / 100);
        code = write_history(&h, s->format, err);
        if (!code && !count_twice(&h))
            code = kb_fail(err, KB_NOTHING, "no cell was measured by two of these");
        else if (!code)
            code = count_steps(&h, -1, KB_IS_SLOWER)  ? KB_DIFFERS
                   : count_steps(&h, -1, KB_IS_OTHER) ? KB_INCOMPLETE
                   : h.undivided.undecided            ? KB_UNDECIDED
                                                      : KB_OK;
        kb_history_free(&h);
    }
    for (int i = 0; i < s->nfolders; i++)
        kb_side_free(&side[i]);
    return code;
}

int main(int argc, char **argv)
{
    settings s = {0};
    kb_error err = {0};
    kb_program_parse(&history, argc, argv, &s);
    int code = run_history(&s, &err);
    free(s.folder);
    if (code == KB_INVALID || code == KB_NOTHING)
        kb_report("history", &err);
    return code;
}
