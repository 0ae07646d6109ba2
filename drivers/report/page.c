/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "drivers/report/html.h"
#include "drivers/report/report.h"

/* style.css and script.js, as they are */
__asm__(".section .rodata\n"
        "report_style: .incbin \"drivers/report/style.css\"\n.byte 0\n"
        "report_script: .incbin \"drivers/report/script.js\"\n.byte 0\n"
        ".previous\n");
extern const char report_style[], report_script[];

static void begin(const kb_report_of *r, bool claims, FILE *to)
{
    fprintf(to,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    kb_html_format(to, "kinbench: %s", r->folder);
    fprintf(to,
            "</title>\n<style>\n%s</style>\n</head>\n<body>\n"
            "<a class=\"skip\" href=\"#verdict\">To the verdict</a>\n<header>\n<h1>",
            report_style);
    const kb_csv *t = &r->side.runs[0].cells;
    if (r->side.nruns == 1)
        kb_html_format(to, "%s on %s", kb_csv_get(t, 0, "mech"), kb_csv_get(t, 0, "machine"));
    else
        kb_html_format(to, "%d runs on %s", r->side.nruns, kb_csv_get(t, 0, "machine"));
    fprintf(to, "</h1>\n<p>Measured by kinbench; ");
    kb_html_text(to, r->folder);
    fprintf(to,
            "</p>\n</header>\n<nav aria-label=\"Sections\"><ul>\n"
            "<li><a href=\"#verdict\">Verdict</a></li>\n%s<li><a href=\"#runs\">Runs</a></li>\n"
            "</ul></nav>\n<main>\n",
            claims ? "<li><a href=\"#claims\">Claims</a></li>\n" : "");
}

int kb_report_page(kb_report_of *r, FILE *to, kb_error *err)
{
    char *claims;
    size_t length;
    bool any = false;
    FILE *section = kb_open_text(&claims, &length);
    int code = kb_report_claims(r, section, &any, err);
    kb_close_text(section);
    if (!code) {
        begin(r, any, to);
        fprintf(to,
                "<h2 id=\"verdict\">Verdict</h2>\n<p>Error: the 95th percentile over ODEs of "
                "the largest |y − ref| / (|ref| + 10<sup>−6</sup>). Ratio: the time of the "
                "fastest "
                "CVODE as accurate over that of the fastest. A time with ~ has an interval wider "
                "than a fifth of it.</p>\n");
        kb_report_verdict(r, to);
        fputs(claims, to);
        fprintf(to, "<h2 id=\"runs\">Runs</h2>\n");
        for (int i = 0; i < r->side.nruns; i++)
            kb_report_run(r, i, to);
        fprintf(to,
                "</main>\n<footer><p>Columns: docs/results-format.md. Intervals: 95 %%, "
                "bootstrap of the median.</p></footer>\n<script>\n%s</script>\n</body>\n</html>\n",
                report_script);
    }
    free(claims);
    return code;
}
