/* SPDX-License-Identifier: MIT
 *
 * Texts of other programs as words: what the readers of OpenFOAM's and AMReX's files share.
 */
#pragma once

#include "pasr/generators/import.h"

typedef struct {
    const char *path;
    const char *blank;  /* what stands between words */
    const char *single; /* characters that are words; with some, comments of C++ are blank, too */
    char *text;
    size_t size, at;    /* read up to there */
    size_t start;       /* of the last word, */
    char word[128];     /* which this is: "" at the end; longer ones are cut */
} kb_scan;

/* Reads the file. Errors: KB_INVALID. The caller frees w->text. */
int kb_scan_open(kb_scan *w, const char *path, const char *blank, const char *single,
                  kb_error *err);
const char *kb_scan_next(kb_scan *w);
/* The rest of the line, or of the next one if nothing is left of it, as w->word */
const char *kb_scan_line(kb_scan *w);
/* "path:line: text 'word' (hint)" of the last word */
int kb_scan_fail(const kb_scan *w, const char *hint, const char *text, kb_error *err);
/* The next word as a number; what it is, for the message */
int kb_scan_number(kb_scan *w, double *x, const char *what, kb_error *err);
int kb_scan_whole(kb_scan *w, long least, long most, long *x, const char *what, kb_error *err);
