/* SPDX-License-Identifier: MIT
 *
 * Writing of CSV: every write reaches the disk or leaves what was there.
 */
#include "base/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

typedef struct {
    char *text;
    size_t length, room;
} buffer;

static void put(buffer *b, char c)
{
    if (b->length == b->room) {
        b->room = b->room ? 2 * b->room : 4096;
        b->text = kb_realloc(b->text, b->room, 1);
    }
    b->text[b->length++] = c;
}

static void put_field(buffer *b, const char *text)
{
    bool quote = strpbrk(text, ",\"\r\n") != NULL;
    if (quote)
        put(b, '"');
    for (; *text; text++) {
        if (*text == '"')
            put(b, '"');
        put(b, *text);
    }
    if (quote)
        put(b, '"');
}

static void put_row(buffer *b, char *const *fields, int n)
{
    for (int i = 0; i < n; i++) {
        put_field(b, fields[i]);
        put(b, i + 1 < n ? ',' : '\n');
    }
}

static int write_all(int file, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t done = write(file, text, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return -1;
        text += done;
        length -= (size_t)done;
    }
    return fsync(file);
}

int kb_csv_write(const kb_csv *t, const char *path, kb_error *err)
{
    buffer b = {0};
    put_row(&b, t->names, t->ncolumns);
    for (long r = 0; r < t->nrows; r++)
        put_row(&b, t->rows[r], t->ncolumns);
    int code = kb_file_write(path, b.text, b.length, NULL, 0, err);
    free(b.text);
    return code;
}

int kb_csv_append_line(const char *path, char *const *fields, int n, kb_error *err)
{
    buffer b = {0};
    put_row(&b, fields, n);
    int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    off_t before = file < 0 ? 0 : lseek(file, 0, SEEK_END);
    int code = KB_OK;
    if (file < 0 || write_all(file, b.text, b.length)) {
        code = kb_fail(err, KB_INVALID, "%s: not written: %s", path, strerror(errno));
        if (file >= 0 && ftruncate(file, before))
            kb_fail(err, KB_INVALID, "%s: not written, and its last line is cut", path);
    }
    if (file >= 0)
        close(file);
    free(b.text);
    return code;
}
