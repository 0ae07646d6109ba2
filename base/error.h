/* SPDX-License-Identifier: MIT
 *
 * Errors: a function that can fail returns an int code (0 is success) and writes one message.
 * The codes are also the exit codes of every program.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    KB_OK = 0,
    KB_DIFFERS = 1,      /* a comparison found a difference or a slow-down */
    KB_INVALID = 2,      /* invalid use or input, or a resource (file, memory) that failed */
    KB_NOTHING = 3,      /* nothing was measured */
    KB_INCOMPLETE = 4,   /* a comparison left cells out: one side has no result, or another error */
    KB_UNDECIDED = 5,    /* a comparison has too few repeats, or too unsteady ones, to decide */
    KB_INTERRUPTED = 130 /* SIGINT or SIGTERM; what was finished is kept */
};

typedef struct {
    int code;
    char text[1024];
} kb_error;

/* Writes "text" into err (which may be NULL) and returns code, for `return kb_fail(...)`. */
int kb_fail(kb_error *err, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for input: "file:line: text 'word' (hint)". line <= 0, word NULL and hint NULL are left
 * out. Returns KB_INVALID. */
int kb_fail_at(kb_error *err, const char *file, int line, const char *word, const char *hint,
               const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Prints "program: error: text" on stderr and returns err->code, for the end of main(). */
int kb_report(const char *program, const kb_error *err);

/* Zeroed memory; ends the program with a message and code KB_INVALID when there is none, or jumps
 * to this thread's kb_no_memory where a library must not end its program (what was allocated
 * before is lost then). */
extern __thread jmp_buf *kb_no_memory; /* NULL unless set */
void *kb_alloc(size_t count, size_t size);
void *kb_realloc(void *old, size_t count, size_t size);
/* Returns memory for count x size bytes as it is; NULL ends the program as kb_alloc does. */
void *kb_must(void *memory, size_t count, size_t size);
char *kb_strdup(const char *s);
/* printf into fresh memory */
char *kb_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *kb_format_list(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* A stream into memory that grows, at *text when it is closed; caller frees. Both end the program
 * as kb_alloc does when there is no memory. */
FILE *kb_open_text(char **text, size_t *length);
void kb_close_text(FILE *stream);

/* true if path is a name followed by this ending (".npy") */
int kb_ends_in(const char *path, const char *ending);

#ifdef __cplusplus
}
#endif
