/* SPDX-License-Identifier: MIT */
#include "rows/line_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

void kb_line_reader_open(kb_line_reader *l, const char *path, kb_error *err)
{
    *l = (kb_line_reader){.path = path, .file = kb_file_open(path)};
    if (!l->file)
        l->code = kb_fail(err, KB_INVALID, "%s: %s", path, strerror(errno));
}

bool kb_line_reader_next(kb_line_reader *l, kb_error *err)
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

int kb_line_reader_close(kb_line_reader *l)
{
    int code = l->code;
    if (l->file)
        fclose(l->file);
    free(l->text);
    *l = (kb_line_reader){0};
    return code;
}
