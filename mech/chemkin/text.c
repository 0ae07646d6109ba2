/* SPDX-License-Identifier: MIT
 *
 * Text of a CHEMKIN file: lines without comments, words and numbers.
 */
#include "mech/chemkin/chemkin.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"

void *ck_grow(void *list, int count, size_t size)
{
    if (count & (count - 1))
        return list;
    return kb_realloc(list, count ? 2 * (size_t)count : 1, size);
}

/* Line ends of all systems become \n; a byte-order mark is dropped. */
static void clean(char *s, size_t n)
{
    if (n >= 3 && !memcmp(s, "\xEF\xBB\xBF", 3))
        memmove(s, s + 3, n - 3), memset(s + n - 3, '\n', 3);
    for (size_t i = 0; i < n; i++)
        if (s[i] == '\r')
            s[i] = i + 1 < n && s[i + 1] == '\n' ? ' ' : '\n';
}

static void cut_line(char *line)
{
    line[strcspn(line, "!")] = '\0';
    size_t n = strlen(line);
    while (n && isspace((unsigned char)line[n - 1]))
        line[--n] = '\0';
}

static void split(ck_text *t)
{
    char *next = t->buffer;
    for (int number = 1; next; number++) {
        char *line = strsep(&next, "\n");
        cut_line(line);
        t->lines = ck_grow(t->lines, t->nlines, sizeof *t->lines);
        t->lines[t->nlines++] = (ck_line){.text = line, .number = number};
    }
}

int ck_text_bytes(ck_text *t, kb_mech *m, const char *name, const char *bytes, size_t n,
                  kb_error *err)
{
    *t = (ck_text){.file = kb_add_file(m, name)};
    if (n > INT32_MAX)
        return kb_fail_at(err, name, 0, NULL, NULL, "the file is larger than 2 GB");
    t->buffer = kb_alloc(n + 1, 1);
    memcpy(t->buffer, bytes, n);
    clean(t->buffer, n);
    const char *nul = memchr(t->buffer, '\0', n);
    int line = 1;
    for (const char *c = t->buffer; nul && c < nul; c++)
        line += *c == '\n';
    if (nul)
        return kb_fail_at(err, name, line, NULL, "is this a text file?", "a NUL character");
    split(t);
    return KB_OK;
}

int ck_text_file(ck_text *t, kb_mech *m, const char *path, kb_error *err)
{
    *t = (ck_text){0};
    size_t n;
    char *bytes = kb_file_read(path, &n, err);
    int code = bytes ? ck_text_bytes(t, m, path, bytes, n, err) : KB_INVALID;
    free(bytes);
    return code;
}

void ck_text_free(ck_text *t)
{
    free(t->buffer);
    free(t->lines);
    *t = (ck_text){0};
}

char *ck_word(char **cursor)
{
    char *start = *cursor + strspn(*cursor, " \t\v\f");
    if (!*start) {
        *cursor = start;
        return NULL;
    }
    char *end = start + strcspn(start, " \t\v\f");
    *cursor = *end ? end + 1 : end;
    *end = '\0';
    return start;
}

bool ck_number(const char *word, double *x)
{
    char copy[64];
    size_t n = strlen(word);
    if (!n || n >= sizeof copy || strspn(word, "0123456789+-.eEdD") != n)
        return false;
    for (size_t i = 0; i <= n; i++)
        copy[i] = word[i] == 'd' || word[i] == 'D' ? 'e' : word[i];
    char *end;
    *x = strtod(copy, &end);
    return end == copy + n && isfinite(*x);
}

bool ck_is(const char *word, const char *names)
{
    size_t n = strlen(word);
    for (const char *s = names; s && *s; s += *s == '|') {
        size_t len = strcspn(s, "|");
        if (len == n && !strncasecmp(word, s, n))
            return true;
        s += len;
    }
    return false;
}

void ck_index_add(ck_reader *rd, int species) { kb_names_add(&rd->names, rd->m, species); }

int ck_index_find(const ck_reader *rd, const char *name, size_t n)
{
    return kb_names_find(&rd->names, rd->m, name, n);
}

int ck_unknown_species(ck_reader *rd, const ck_text *t, int line, const char *name)
{
    char hint[128];
    kb_names_hint(rd->m, name, "declare it in the SPECIES section", hint, sizeof hint);
    return kb_fail_at(rd->err, t->file, line, name, hint, "unknown species");
}
