/* SPDX-License-Identifier: MIT */
#include "rows/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

void kb_lines_open(kb_lines *l, const char *path, kb_error *err)
{
    *l = (kb_lines){.path = path, .file = kb_file_open(path)};
    if (!l->file)
        l->code = kb_fail(err, KB_INVALID, "%s: %s", path, strerror(errno));
}

bool kb_lines_next(kb_lines *l, kb_error *err)
{
    if (l->code)
        return false;
    ssize_t length = getline(&l->text, &l->room, l->file);
    l->number += length >= 0;
    if (length < 0 && ferror(l->file))
        l->code = kb_fail(err, KB_INVALID, "%s: %s", l->path, strerror(errno));
    else if (length >= 0 && memchr(l->text, 0, (size_t)length))
        l->code = kb_fail_at(err, l->path, l->number, NULL, NULL, "a NUL character");
    return length >= 0 && !l->code;
}

int kb_lines_close(kb_lines *l)
{
    int code = l->code;
    if (l->file)
        fclose(l->file);
    free(l->text);
    *l = (kb_lines){0};
    return code;
}
