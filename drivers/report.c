/* SPDX-License-Identifier: MIT
 *
 * report: a run of bench, or all runs of a machine, as one HTML file that needs nothing else.
 */

#include "base/file.h"
#include "base/json.h"
#include "base/options.h"
#include "drivers/report/report.h"

/* bytes of a page; pictures have what its texts leave */
#define MOST 4900000
#define MOST_RUNS 1950000 /* of many runs */

typedef struct {
    kb_report_of r;
    const char *out;
    bool papers, json;
} settings;

#define AT(member) offsetof(settings, member)

static const kb_program_option options[] = {
    {"out", 'o', "FILE", KB_OPT_TEXT, AT(out), 0, 0, ": plots/out/<folder>/report.html", 0,
     "the page"},
    {"plots", 0, "FOLDER", KB_OPT_TEXT, AT(r.plots), 0, 0, "plots/out", 0,
     "pictures of the runs, as plots/draw makes them"},
    {"claims", 0, "FILE", KB_OPT_TEXT, AT(r.claims), 0, 0, "datasets/claims.tsv", 0,
     "the claims of the papers"},
    {"papers", 0, 0, KB_OPT_SWITCH, AT(papers), 0, 0, 0, 0,
     "the page of the papers, by FOLDER/claims.csv, in place of runs"},
    {"figures", 0, "FILE", KB_OPT_TEXT, AT(r.figures), 0, 0, "datasets/figures.tsv", 0,
     "with --papers: their figures"},
    {"json", 0, 0, KB_OPT_SWITCH, AT(json), 0, 0, 0, 0,
     "print the fastest at each error as JSON, and write no page"},
    {0}};

static int rest(int key, char *arg, struct argp_state *state, void *set)
{
    const settings *s = set;
    (void)arg;
    if (key == ARGP_KEY_END && s->out &&
        (kb_ends_in(s->out, ".csv") || kb_ends_in(s->out, ".json")))
        argp_error(state, "--out: '%s' would be a table of a run; a page is an .html", s->out);
    if (key == ARGP_KEY_END && s->json && (s->papers || s->out))
        argp_error(state, "--json goes without --papers and --out");
    return ARGP_ERR_UNKNOWN;
}

static const kb_program report = {
    options, "FOLDER",
    "Writes one HTML page about a run of bench, or about all runs of a folder: the fastest at each "
    "error, pictures, claims of the papers, divergence, environment, commands, tables.\v"
    "FOLDER is of a run, or has several (results/gpu). The page loads nothing and needs no "
    "scripts.\n\n"
    "Example: build/report results/latest --out report.html", "folder", AT(r.folder), .rest = rest};

static void read_environments(kb_report_of *r)
{
    r->environment = kb_alloc((size_t)r->side.nruns, sizeof *r->environment);
    for (int i = 0; i < r->side.nruns; i++) {
        kb_owned char *path = kb_format("%s/environment.json", r->side.runs[i].folder);
        r->environment[i] = kb_json_read(path, NULL, NULL);
    }
}

static int check_rows(const kb_report_of *r, kb_error *err)
{
    for (int i = 0; i < r->side.nruns; i++)
        if (r->side.runs[i].cells.nrows == 0)
            return kb_fail(err, KB_INVALID,
                           "%s/cells.csv has no rows (measure it again, or delete "
                           "the folder)",
                           r->side.runs[i].folder);
    return KB_OK;
}

/* The page with pictures of at most `room` bytes together; caller frees *text, also on failure */
static int make_page(settings *s, long room, char **text, size_t *length, kb_error *err)
{
    FILE *f = kb_open_text(text, length);
    s->r.room = room;
    int code = s->papers ? kb_papers_page(&s->r, f, err) : kb_report_page(&s->r, f, err);
    kb_close_text(f);
    return code;
}

static int write_page(settings *s, kb_error *err)
{
    kb_owned char *first = NULL, *text = NULL;
    kb_owned char *path = s->out ? kb_strdup(s->out)
                                 : kb_format("%s/%s/report.html", s->r.plots,
                                             kb_report_name(s->r.folder));
    size_t length;
    long most = !s->papers && s->r.side.nruns > 1 ? MOST_RUNS : MOST;
    int code = make_page(s, 0, &first, &length, err);
    code = code ? code : make_page(s, most - (long)length, &text, &length, err);
    code = code ? code : kb_make_folders(path, err);
    code = code ? code : kb_file_write(path, text, length, NULL, 0, err);
    if (!code)
        printf("%s (%.1f MB)\n", path, (double)length / 1e6);
    return code;
}

static int print_json(const kb_report_of *r, kb_error *err)
{
    json_t *runs = json_array();
    for (int i = 0; i < r->side.nruns; i++) {
        const kb_csv *t = &r->side.runs[i].cells;
        json_array_append_new(
            runs, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:o}", "run",
                            kb_report_name(r->side.runs[i].folder), "machine",
                            kb_csv_get(t, 0, "machine"), "git", kb_csv_get(t, 0, "git"), "mech",
                            kb_csv_get(t, 0, "mech"), "database", kb_csv_get(t, 0, "database"),
                            "states", kb_csv_get(t, 0, "states"), "cells", (json_int_t)t->nrows,
                            "fastest", kb_report_fastest_json(r, i)));
    }
    json_auto_t *all = json_pack("{s:s, s:o}", "folder", r->folder, "runs", runs);
    return kb_json_print(stdout, all, 6, err);
}

int main(int argc, char **argv)
{
    settings s = {0};
    kb_error err = {0};
    kb_program_parse(&report, argc, argv, &s);
    int code = s.papers ? KB_OK : kb_side_read(&s.r.side, s.r.folder, "time_s", &err);
    code = code ? code : check_rows(&s.r, &err);
    if (!code) {
        read_environments(&s.r);
        code = s.json ? print_json(&s.r, &err) : write_page(&s, &err);
    }
    if (code)
        kb_report("report", &err);
    for (int i = 0; s.r.environment && i < s.r.side.nruns; i++)
        json_decref(s.r.environment[i]);
    free(s.r.environment);
    kb_side_free(&s.r.side);
    return code;
}
