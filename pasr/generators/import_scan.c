/* SPDX-License-Identifier: MIT */
#include "pasr/generators/import_scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/owned.h"

int kb_scan_open(kb_scan *w, const char *path, const char *blank, const char *single,
                  kb_error *err)
{
    *w = (kb_scan){.path = path, .blank = blank, .single = single};
    w->text = kb_file_read(path, &w->size, err);
    return w->text ? KB_OK : KB_INVALID;
}

static bool starts(const kb_scan *w, const char *with)
{
    return *w->single && !strncmp(w->text + w->at, with, strlen(with));
}

static void skip_blank(kb_scan *w)
{
    for (;;) {
        const char *end = NULL;
        while (w->at < w->size && w->text[w->at] && strchr(w->blank, w->text[w->at]))
            w->at++;
        if (starts(w, "//"))
            end = strchr(w->text + w->at, '\n');
        else if (starts(w, "/*"))
            end = strstr(w->text + w->at + 2, "*/");
        else
            return;
        w->at = end ? (size_t)(end - w->text) + (*end == '*' ? 2 : 1) : w->size;
    }
}

static const char *take_word(kb_scan *w, size_t end)
{
    size_t n = end - w->start < sizeof w->word ? end - w->start : sizeof w->word - 1;
    memcpy(w->word, w->text + w->start, n);
    w->word[n] = 0;
    w->at = end;
    return w->word;
}

const char *kb_scan_next(kb_scan *w)
{
    skip_blank(w);
    w->start = w->at;
    size_t end = w->at;
    if (end < w->size && w->text[end] && strchr(w->single, w->text[end]))
        return take_word(w, end + 1);
    if (end < w->size && w->text[end] == '"') {
        const char *close = strchr(w->text + end + 1, '"');
        return take_word(w, close ? (size_t)(close - w->text) + 1 : w->size);
    }
    while (end < w->size && w->text[end] && !strchr(w->blank, w->text[end]) &&
           !strchr(w->single, w->text[end]))
        end++;
    return take_word(w, end);
}

const char *kb_scan_line(kb_scan *w)
{
    w->at += strspn(w->text + w->at, " \t\r");
    w->at += w->text[w->at] == '\n';
    w->start = w->at;
    take_word(w, w->at + strcspn(w->text + w->at, "\r\n"));
    return w->word;
}

int kb_scan_fail(const kb_scan *w, const char *hint, const char *text, kb_error *err)
{
    int line = 1;
    for (size_t i = 0; i < w->start; i++)
        line += w->text[i] == '\n';
    return kb_fail_at(err, w->path, line, *w->word ? w->word : NULL, hint, "%s%s", text,
                      *w->word ? "" : " at the end of the file");
}

static int not_in_place(kb_scan *w, const char *what, kb_error *err)
{
    kb_owned char *text = kb_format("expected %s, found", what);
    return kb_scan_fail(w, *w->word ? NULL : "is the file cut off?", text, err);
}

int kb_scan_number(kb_scan *w, double *x, const char *what, kb_error *err)
{
    char *end;
    *x = strtod(kb_scan_next(w), &end);
    return *end || end == w->word ? not_in_place(w, what, err) : KB_OK;
}

int kb_scan_whole(kb_scan *w, long least, long most, long *x, const char *what, kb_error *err)
{
    char *end;
    *x = strtol(kb_scan_next(w), &end, 10);
    return *end || end == w->word || *x < least || *x > most ? not_in_place(w, what, err) : KB_OK;
}
