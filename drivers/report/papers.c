/* SPDX-License-Identifier: MIT
 *
 * The page of the papers: what each claims, what was found here, and how to repeat it.
 */
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "drivers/report/html.h"
#include "drivers/report/report.h"
#include "rows/line_reader.h"

static void write_steps(const char *head, const char *const *steps, int n, FILE *to)
{
    fprintf(to, "<h3>%s</h3>\n", head);
    for (int i = 0; i < n; i += 2) {
        fprintf(to, "<p>%s</p>\n", steps[i]);
        kb_html_command(to, steps[i + 1]);
    }
}

static void write_checks(FILE *to)
{
    static const char *const here[] = {
        "Judges every claim again by the committed rows; ends with 1 if a verdict differs.",
        "make claims", "Draws every figure of the papers from the same rows.",
        "make figures PAPER=all", "This page, after both.", "make papers"};
    static const char *const card[] = {
        "Says cells and time of a paper's experiments, and builds nothing.",
        "make reproduce PAPER=curtis2017 PLAN=1", "Measures them on this machine.",
        "make reproduce PAPER=curtis2017"};
    fprintf(to, "<h2 id=\"check\">How to check</h2>\n");
    write_steps("Without a GPU", here, 6, to);
    write_steps("With a GPU", card, 4, to);
}

/* ---- figures ---- */

/* PLOTS/papers/ID.svg with the text of ID.txt, or the command that draws it */
static void write_figure(kb_report_of *r, const char *id, const char *title, FILE *to)
{
    size_t length;
    kb_owned char *path = kb_format("%s/papers/%s.svg", r->plots, id),
                  *prefix = kb_format("%s-", id);
    kb_owned char *said = kb_format("%s/papers/%s.txt", r->plots, id);
    char *text = kb_file_read(said, &length, NULL), *word = strchr(id, '-');
    fprintf(to, "<figure>\n");
    long bytes = kb_html_svg(to, path, prefix, title, r->room);
    r->room -= bytes;
    fprintf(to, "<figcaption>");
    kb_html_text(to, text ? text : title);
    if (!bytes && word && kb_html_is_word(id))
        kb_html_format(to, " No drawing here: make figures PAPER=%.*s FIG=%s makes what there is.",
                       (int)(word - id), id, word + 1);
    fprintf(to, "</figcaption>\n</figure>\n");
    free(text);
}

/* A line of datasets/figures.tsv: its first field is PAPER-FIGURE, its eighth the title */
static void write_line(kb_report_of *r, const char *paper, char *line, FILE *to)
{
    char *id = strsep(&line, "\t"), *title = NULL;
    size_t length = strlen(paper);
    for (int i = 1; line && i < 8; i++)
        title = strsep(&line, "\t");
    if (!strncmp(id, paper, length) && id[length] == '-' && line &&
        !strpbrk(id, "/\"'<>&"))
        write_figure(r, id, title, to);
}

static int write_figures(kb_report_of *r, const char *paper, FILE *to, kb_error *err)
{
    kb_line_reader in;
    fprintf(to, "<details class=\"printed\"><summary>Figures</summary>\n");
    kb_line_reader_open(&in, r->figures, err);
    while (kb_line_reader_next(&in, err)) {
        in.text[strcspn(in.text, "\r\n")] = 0;
        write_line(r, paper, in.text, to);
    }
    fprintf(to, "</details>\n");
    return kb_line_reader_close(&in);
}

/* ---- the authors' own code ---- */

/* a row of five fields, if it has a value of theirs; the heads before the first */
static void write_values(char *line, int *rows, FILE *to)
{
    static const char *const heads[] = {"claim", "printed", "the authors' code here", "ours here",
                                        "verdict"};
    char *field[5] = {0};
    line[strcspn(line, "\r\n")] = 0;
    for (int i = 0; i < 5 && line; i++)
        field[i] = strsep(&line, "\t");
    if (!field[4] || !strcmp(field[2], "-"))
        return;
    if (!(*rows)++) {
        fprintf(to, "<section>\n<h2 id=\"witness\">A second witness</h2>\n<p>accelerInt and "
                    "pyJac beside ours on the same states, tolerances and card "
                    "(docs/peers.md).</p>\n");
        kb_html_table_begin(to, NULL, "The authors' own code", heads, 5);
    }
    fprintf(to, "<tr>");
    for (int i = 0; i < 5; i++)
        kb_html_cell(to, field[i], i == 2 || i == 3);
    fprintf(to, "</tr>\n");
}

/* PLOTS/papers/witness.tsv (plots/papers/witness), if it is there */
static int write_witness(const kb_report_of *r, FILE *to, kb_error *err)
{
    kb_owned char *path = kb_format("%s/papers/witness.tsv", r->plots);
    int rows = 0;
    if (access(path, F_OK))
        return KB_OK;
    kb_line_reader in;
    kb_line_reader_open(&in, path, err);
    while (kb_line_reader_next(&in, err))
        write_values(in.text, &rows, to);
    if (rows) {
        kb_html_table_end(to);
        fprintf(to, "</section>\n");
    }
    return kb_line_reader_close(&in);
}

/* ---- the page ---- */

static int write_papers(kb_report_of *r, const kb_claims_of *c, FILE *to, kb_error *err)
{
    int code = KB_OK;
    for (int i = 0; i < c->ledger.count && !code; i++) {
        const char *paper = c->ledger.of[i].field[KB_PAPER];
        if (kb_ledger_find(&c->ledger, KB_PAPER, paper) != &c->ledger.of[i])
            continue;
        fprintf(to, "<section>\n<h2>");
        kb_html_text(to, paper);
        fprintf(to, "</h2>\n");
        code = write_figures(r, paper, to, err);
        kb_claims_table(c, paper, to);
        fprintf(to, "</section>\n");
    }
    return code;
}

int kb_papers_page(kb_report_of *r, FILE *to, kb_error *err)
{
    bool any;
    kb_claims_of c;
    int code = kb_claims_open(&c, r, &any, err);
    if (!code && !any)
        code = kb_fail(err, KB_INVALID, "%s/claims.csv is missing (make claims writes it)",
                       r->folder);
    if (!code) {
        kb_owned char *below = kb_format("%ld claims of papers on chemical-kinetics integrators, "
                                         "judged by the rows of %s", c.verdicts.nrows, r->folder);
        kb_page_begin("the papers", "Papers, claim by claim", below, to);
        fprintf(to, "<main>\n<h2 id=\"verdict\">Verdicts</h2>\n<p>docs/results-format.md says what "
                    "they mean; behind \"does not hold\" stands by what: the machine, a choice of "
                    "ours, or the paper.</p>\n");
        kb_claims_totals(&c, to);
        write_checks(to);
        code = write_witness(r, to, err);
        code = code ? code : write_papers(r, &c, to, err);
        kb_page_end("Intervals: 95 %, bootstrap of the median.", to);
    }
    kb_claims_close(&c);
    return code;
}
