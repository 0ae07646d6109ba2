/* SPDX-License-Identifier: MIT */
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int kb_fail(kb_error *err, int code, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        err->code = code;
        vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
    }
    return code;
}

int kb_fail_at(kb_error *err, const char *file, int line, const char *word, const char *hint,
               const char *format, ...)
{
    if (!err)
        return KB_INVALID;
    char where[32] = "", text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (line > 0)
        snprintf(where, sizeof where, ":%d", line);
    return kb_fail(err, KB_INVALID, "%s%s: %s%s%s%s%s%s%s", file, where, text, word ? " '" : "",
                   word ? word : "", word ? "'" : "", hint ? " (" : "", hint ? hint : "",
                   hint ? ")" : "");
}

int kb_report(const char *program, const kb_error *err)
{
    fprintf(stderr, "%s: error: %s\n", program, err->text);
    return err->code;
}

__thread jmp_buf *kb_no_memory;

void *kb_must(void *memory, size_t count, size_t size)
{
    if (!memory && count && size) {
        if (kb_no_memory)
            longjmp(*kb_no_memory, 1);
        fprintf(stderr, "kinbench: error: out of memory for %zu x %zu bytes\n", count, size);
        exit(KB_INVALID);
    }
    return memory;
}

void *kb_alloc(size_t count, size_t size)
{
    return kb_must(calloc(count ? count : 1, size ? size : 1), count, size);
}

void *kb_realloc(void *old, size_t count, size_t size)
{
    if (size && count > (size_t)-1 / size)
        return kb_must(NULL, count, size);
    return kb_must(realloc(old, count && size ? count * size : 1), count, size);
}

char *kb_strdup(const char *s)
{
    size_t n = strlen(s) + 1;
    return memcpy(kb_alloc(n, 1), s, n);
}

char *kb_format_list(const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    char *s = kb_alloc((size_t)n + 1, 1);
    vsnprintf(s, (size_t)n + 1, format, again);
    va_end(again);
    return s;
}

char *kb_format(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *s = kb_format_list(format, args);
    va_end(args);
    return s;
}

FILE *kb_open_text(char **text, size_t *length)
{
    return kb_must(open_memstream(text, length), 1, BUFSIZ);
}

void kb_close_text(FILE *stream)
{
    int failed = ferror(stream);
    if (fclose(stream) || failed)
        kb_must(NULL, 1, BUFSIZ);
}

int kb_ends_in(const char *path, const char *ending)
{
    size_t n = strlen(path), k = strlen(ending);
    return n > k && !strcmp(path + n - k, ending);
}
