/* SPDX-License-Identifier: MIT */
#include <sha2.h>
#include <string.h>

#include "drivers/report/html.h"
#include "drivers/report/report.h"

/* style.css and script.js, as they are */
__asm__(".section .rodata\n"
        "report_style: .incbin \"drivers/report/style.css\"\n.byte 0\n"
        "report_script: .incbin \"drivers/report/script.js\"\n.byte 0\n"
        ".previous\n");
extern const char report_style[], report_script[];

/* What the page may do: its own script alone, known by its hash; nothing that a text or a picture
 * brings along runs, whatever it is. */
static void write_policy(FILE *to)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint8_t hash[SHA256_DIGEST_LENGTH + 1] = {0}; /* 0 behind its 32 bytes */
    SHA2_CTX sha;
    SHA256Init(&sha);
    SHA256Update(&sha, (const uint8_t *)"\n", 1); /* behind <script> */
    SHA256Update(&sha, (const uint8_t *)report_script, strlen(report_script));
    SHA256Final(hash, &sha);
    fprintf(to, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "img-src data:; base-uri 'none'; form-action 'none'; style-src 'unsafe-inline'; "
                "script-src 'sha256-");
    for (int i = 0; i < SHA256_DIGEST_LENGTH; i += 3) { /* base64: 32 bytes are 43 digits and = */
        unsigned v = (unsigned)hash[i] << 16 | (unsigned)hash[i + 1] << 8 | hash[i + 2];
        for (int k = 18; k >= (i + 2 < SHA256_DIGEST_LENGTH ? 0 : 6); k -= 6)
            fputc(digits[v >> k & 63], to);
    }
    fprintf(to, "='\">\n");
}

void kb_page_begin(const char *title, const char *heading, const char *below, FILE *to)
{
    fprintf(to, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    write_policy(to);
    fprintf(to,
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    kb_html_format(to, "kinbench: %s", title);
    fprintf(to,
            "</title>\n<style>\n%s</style>\n</head>\n<body>\n"
            "<a class=\"skip\" href=\"#verdict\">To the verdict</a>\n<header>\n<h1>",
            report_style);
    kb_html_text(to, heading);
    fprintf(to, "</h1>\n<p>");
    kb_html_text(to, below);
    fprintf(to, "</p>\n</header>\n");
}

void kb_page_end(const char *footer, FILE *to)
{
    fprintf(to, "</main>\n<footer><p>%s</p></footer>\n<script>\n%s</script>\n</body>\n</html>\n",
            footer, report_script);
}

static void begin(const kb_report_of *r, bool claims, FILE *to)
{
    const kb_csv *t = &r->side.runs[0].cells;
    const char *machine = kb_csv_get(t, 0, "machine");
    kb_owned char *heading = r->side.nruns == 1
                                 ? kb_format("%s on %s", kb_csv_get(t, 0, "mech"), machine)
                                 : kb_format("%d runs on %s", r->side.nruns, machine);
    kb_owned char *below = kb_format("Measured by kinbench; %s", r->folder);
    kb_page_begin(r->folder, heading, below, to);
    fprintf(to,
            "<nav aria-label=\"Sections\"><ul>\n"
            "<li><a href=\"#verdict\">Verdict</a></li>\n%s<li><a href=\"#runs\">Runs</a></li>\n"
            "</ul></nav>\n<main>\n",
            claims ? "<li><a href=\"#claims\">Claims</a></li>\n" : "");
}

int kb_report_page(kb_report_of *r, FILE *to, kb_error *err)
{
    kb_owned char *claims = NULL;
    size_t length;
    bool any = false;
    FILE *section = kb_open_text(&claims, &length);
    int code = kb_report_claims(r, section, &any, err);
    kb_close_text(section);
    if (!code) {
        begin(r, any, to);
        fprintf(to,
                "<h2 id=\"verdict\">Verdict</h2>\n");
        kb_report_verdict(r, to);
        fprintf(to,
                "<p>Error: the 95th percentile over ODEs of "
                "the largest |y − ref| / (|ref| + 10<sup>−6</sup>). Ratio: the time of the "
                "fastest CVODE that is as accurate over the time of the fastest solver. No ODE of "
                "either failed, or is off by "
                "more than 1000 times the error of the line; methods without error control are not "
                "ranked. A time with ~ has an interval wider than a fifth of it.</p>\n");
        fputs(claims, to);
        fprintf(to, "<h2 id=\"runs\">Runs</h2>\n");
        for (int i = 0; i < r->side.nruns; i++)
            kb_report_run(r, i, to);
        kb_page_end("Columns: docs/results-format.md. Intervals: 95 %, bootstrap of the median.",
                    to);
    }
    return code;
}
