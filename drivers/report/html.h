/* SPDX-License-Identifier: MIT
 *
 * HTML: texts, tables, pictures. What comes from files is escaped.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* text with & < > " ' as references, and a sign for a control character, which HTML has not */
void kb_html_text(FILE *to, const char *text);
/* printf, whose result is escaped */
void kb_html_format(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "<table>" with a caption and heads; class NULL: none */
void kb_html_table_begin(FILE *to, const char *class, const char *caption, const char *const *heads,
                         int n);
/* A cell; right: a number */
void kb_html_cell(FILE *to, const char *text, bool right);
/* The same, and frees the text */
void kb_html_taken_cell(FILE *to, char *text, bool right);
void kb_html_table_end(FILE *to);
/* Is this one word for a shell and for make as it stands, and no option? */
bool kb_html_is_word(const char *text);
/* A command in a box of its own, which a script can copy */
void kb_html_command(FILE *to, const char *command);

/* The picture of an SVG file, inside the page: without prolog, its ids made the page's own by
 * `prefix`; label says what it shows. Returns the bytes that were written: 0 where there is no such
 * file, or it has more than `most`. */
long kb_html_svg(FILE *to, const char *path, const char *prefix, const char *label, long most);
