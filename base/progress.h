/* SPDX-License-Identifier: MIT
 *
 * What the program is doing, on stderr: one line that is rewritten on a terminal, otherwise a plain
 * line every few seconds.
 */
#pragma once

#include <stdbool.h>

typedef struct {
    bool quiet, terminal, open; /* open: the terminal's line has no newline yet */
    double last;                /* when the last line was written [s] */
} kb_progress;

void kb_progress_start(kb_progress *p, bool quiet);
/* eta [s]; negative: unknown. On a terminal always, otherwise at most every 5 s */
void kb_progress_show(kb_progress *p, long done, long total, double eta, const char *what);
/* A line that stays (a warning, a skipped cell): always written unless quiet */
void kb_progress_note(kb_progress *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same, also if quiet: why nothing happens, or what the result lacks */
void kb_progress_warn(kb_progress *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Clears the line of a terminal */
void kb_progress_end(kb_progress *p);

/* "1h05m", "3m20s", "12 s", "0.25 s"; text [32]; returns text */
const char *kb_duration(double seconds, char *text);
