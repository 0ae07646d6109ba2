/* SPDX-License-Identifier: MIT
 *
 * A file read line by line: templates, claims, their causes, figures.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

typedef struct {
    const char *path;
    FILE *file;
    char *text; /* the line, with its end */
    size_t room;
    int number; /* of the line, from 1 */
    int code;   /* KB_OK, or of what was refused */
} kb_line_reader;

/* Opens a file or a pipe; folders and devices are refused, as code says. */
void kb_line_reader_open(kb_line_reader *l, const char *path, kb_error *err);
/* The next line. false: there is none, or code says that it has a NUL character, which would hide
 * what follows, or that it cannot be read. */
bool kb_line_reader_next(kb_line_reader *l, kb_error *err);
/* returns code */
int kb_line_reader_close(kb_line_reader *l);
