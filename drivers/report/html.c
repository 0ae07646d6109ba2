/* SPDX-License-Identifier: MIT */
#include "drivers/report/html.h"

#include <stdarg.h>
#include <string.h>

#include "base/arguments.h"
#include "base/file.h"
#include "base/owned.h"

void kb_html_text(FILE *to, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", to);
            break;
        case '<':
            fputs("&lt;", to);
            break;
        case '>':
            fputs("&gt;", to);
            break;
        case '"':
            fputs("&quot;", to);
            break;
        case '\'':
            fputs("&#39;", to);
            break;
        default:
            if ((unsigned char)*text >= ' ' ? *text != 127 : strchr("\t\n", *text) != NULL)
                fputc(*text, to);
            else
                fputs("\xef\xbf\xbd", to);
        }
}

void kb_html_format(FILE *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    kb_owned char *text = kb_format_list(format, args);
    va_end(args);
    kb_html_text(to, text);
}

/* what a narrow page scrolls sideways */
static void begin_wide(FILE *to, const char *label)
{
    fprintf(to, "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"");
    kb_html_text(to, label);
    fprintf(to, "\">");
}

void kb_html_table_begin(FILE *to, const char *class, const char *caption, const char *const *heads,
                         int n)
{
    begin_wide(to, caption);
    fprintf(to, "<table%s%s%s>\n<caption>", class ? " class=\"" : "", class ? class : "",
            class ? "\"" : "");
    kb_html_text(to, caption);
    fprintf(to, "</caption>\n<thead><tr>");
    for (int i = 0; i < n; i++) {
        fprintf(to, "<th scope=\"col\">");
        kb_html_text(to, heads[i]);
        fprintf(to, "</th>");
    }
    fprintf(to, "</tr></thead>\n<tbody>\n");
}

void kb_html_cell(FILE *to, const char *text, bool right)
{
    fputs(right ? "<td class=\"n\">" : "<td>", to);
    kb_html_text(to, text);
    fputs("</td>", to);
}

void kb_html_taken_cell(FILE *to, char *text, bool right)
{
    kb_html_cell(to, text, right);
    free(text);
}

void kb_html_table_end(FILE *to) { fprintf(to, "</tbody></table></div>\n"); }

bool kb_html_is_word(const char *text)
{
    kb_owned char *word = kb_shell_word(text);
    return *text != '-' && !strcmp(word, text);
}

void kb_html_command(FILE *to, const char *command)
{
    fprintf(to, "<pre class=\"command\" tabindex=\"0\"><code>");
    kb_html_text(to, command);
    fprintf(to, "</code></pre>\n");
}

/* ---- SVG ---- */

/* Does p stand at a reference or an id, id='x' href='#x' url(#x)? How many bytes until its name. */
static size_t before_name(const char *p)
{
    static const char *const marks[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (!strncmp(p, marks[i], strlen(marks[i])))
            return strlen(marks[i]);
    return 0;
}

long kb_html_svg(FILE *to, const char *path, const char *prefix, const char *label, long most)
{
    size_t length;
    char *text = kb_file_read(path, &length, NULL), *p = text ? strstr(text, "<svg") : NULL;
    long before = ftell(to);
    /* its own title and description speak of gnuplot */
    char *body = p ? strstr(p, "</desc>") : NULL, *box = p ? strstr(p, "viewBox=\"") : NULL;
    if (p && body && box && (long)length <= most) {
        box += strlen("viewBox=\"");
        begin_wide(to, label);
        fprintf(to,
                "<svg viewBox=\"%.*s\" xmlns=\"http://www.w3.org/2000/svg\" role=\"img\">"
                "<title>",
                (int)strcspn(box, "\""), box);
        kb_html_text(to, label);
        fprintf(to, "</title>");
        for (p = body + strlen("</desc>"); *p;) {
            size_t name = before_name(p);
            if (name) {
                fprintf(to, "%.*s%s", (int)name, p, prefix);
                p += name;
            } else if (!strncmp(p, "xlink:href", 10)) {
                p += strlen("xlink:"); /* href alone is enough in HTML */
            } else {
                fputc(*p++, to);
            }
        }
        fprintf(to, "</div>\n");
    }
    free(text);
    return ftell(to) - before;
}
