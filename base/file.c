/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/owned.h"

enum { READ_AT_ONCE = 1 << 18 };

char *kb_file_read(const char *path, size_t *length, kb_error *err)
{
    FILE *f = kb_file_open(path);
    char *bytes = NULL;
    size_t room = 0;
    *length = 0;
    while (f && *length == room) {
        room += READ_AT_ONCE;
        bytes = kb_realloc(bytes, room + 1, 1);
        *length += fread(bytes + *length, 1, room - *length, f);
    }
    if (!f || ferror(f)) {
        kb_fail_at(err, path, 0, NULL, NULL, "cannot be read: %s", strerror(errno));
        free(bytes);
        bytes = NULL;
    } else {
        bytes[*length] = 0;
    }
    if (f)
        fclose(f);
    return bytes;
}

static int write_part(int file, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t done = write(file, bytes, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return -1;
        bytes += done;
        n -= (size_t)done;
    }
    return 0;
}

/* A temporary file is locked by who writes it: one that can be locked is of a program that was
 * killed, on this machine or another. */
static void remove_if_stale(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    if (!flock(file, LOCK_EX | LOCK_NB))
        unlink(path);
    close(file);
}

/* those beside path that earlier writers of it have left */
static void remove_stale(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    kb_owned char *start = kb_format("%s.tmp", path + folder);
    kb_owned char *place = kb_format("%.*s.", (int)folder, path);
    DIR *all = opendir(place);
    for (struct dirent *e; all && (e = readdir(all));)
        if (!strncmp(e->d_name, start, strlen(start)) &&
            strspn(e->d_name + strlen(start), "0123456789") == strlen(e->d_name + strlen(start))) {
            kb_owned char *stale = kb_format("%.*s%s", (int)folder, path, e->d_name);
            remove_if_stale(stale);
        }
    if (all)
        closedir(all);
}

/* Open and locked; again, where another program took it for stale between the two */
static int open_temporary(const char *path)
{
    for (;;) {
        struct stat info;
        int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (file < 0 || flock(file, LOCK_EX) || fstat(file, &info) || info.st_nlink > 0)
            return file;
        close(file);
    }
}

/* What is no file keeps its place: a pipe or a device is written to, as it comes. */
static int write_through(const char *path, const void *head, size_t nhead, const void *body,
                         size_t nbody)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);
    int bad = file < 0 || write_part(file, head, nhead) || write_part(file, body, nbody);
    int why = errno;
    if (file >= 0)
        close(file);
    errno = why;
    return bad;
}

static int write_whole(const char *path, const void *head, size_t nhead, const void *body,
                       size_t nbody)
{
    kb_owned char *temporary = kb_format("%s.tmp%ld", path, (long)getpid());
    remove_stale(path);
    int file = open_temporary(temporary);
    int bad = file < 0 || write_part(file, head, nhead) || write_part(file, body, nbody) ||
              fsync(file);
    int why = errno;
    if (file >= 0 && close(file) && !bad)
        bad = 1, why = errno;
    if (!bad && rename(temporary, path))
        bad = 1, why = errno;
    if (bad)
        unlink(temporary);
    errno = why;
    return bad;
}

int kb_file_write(const char *path, const void *head, size_t nhead, const void *body, size_t nbody,
                  kb_error *err)
{
    struct stat what;
    kb_owned char *target = realpath(path, NULL); /* a link stays one */
    int there = target && !stat(path, &what);
    int bad = there && !S_ISREG(what.st_mode) && !S_ISDIR(what.st_mode)
                  ? write_through(path, head, nhead, body, nbody)
                  : write_whole(target ? target : path, head, nhead, body, nbody);
    int why = errno;
    return bad ? kb_fail(err, KB_INVALID, "%s: not written (%zu bytes): %s", path, nhead + nbody,
                         strerror(why))
               : KB_OK;
}

int kb_file_write_text(const char *path, const char *text, kb_error *err)
{
    return kb_file_write(path, text, strlen(text), NULL, 0, err);
}

int kb_file_append(const char *path, const char *text, size_t length, kb_error *err)
{
    int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    off_t before = file < 0 ? 0 : lseek(file, 0, SEEK_END);
    int code = KB_OK;
    if (file < 0 || write_part(file, text, length) || fsync(file)) {
        code = kb_fail(err, KB_INVALID, "%s: not written: %s", path, strerror(errno));
        if (file >= 0 && ftruncate(file, before))
            kb_fail(err, KB_INVALID, "%s: not written, and its last line is cut", path);
    }
    if (file >= 0)
        close(file);
    return code;
}

/* the byte order mark that some editors and spreadsheets write before a text: no part of it */
static FILE *skip_mark(FILE *f)
{
    const char *mark = "\xef\xbb\xbf";
    int c = 0, n = 0;
    while (n < 3 && (c = getc(f)) == (unsigned char)mark[n])
        n++;
    if (n < 3)
        ungetc(c, f); /* none at the end */
    while (n < 3 && n > 0)
        ungetc((unsigned char)mark[--n], f);
    return f;
}

FILE *kb_file_open(const char *path)
{
    struct stat what;
    FILE *f = fopen(path, "rb");
    if (f && !fstat(fileno(f), &what) && (S_ISREG(what.st_mode) || S_ISFIFO(what.st_mode)))
        return skip_mark(f);
    if (!f)
        return f;
    fclose(f);
    errno = S_ISDIR(what.st_mode) ? EISDIR : ENODEV;
    return NULL;
}

/* ENOTDIR: something else is there */
static bool is_folder(const char *path)
{
    struct stat what;
    bool folder = !stat(path, &what) && S_ISDIR(what.st_mode);
    errno = folder ? EISDIR : ENOTDIR;
    return folder;
}

int kb_make_folders(const char *path, kb_error *err)
{
    kb_owned char *folder = kb_strdup(path);
    int code = KB_OK;
    for (char *at = strchr(folder + 1, '/'); at && !code; at = strchr(at + 1, '/')) {
        *at = '\0';
        if (mkdir(folder, 0777) && (errno != EEXIST || !is_folder(folder)))
            code = kb_fail(err, KB_INVALID, "%s: cannot make folder: %s", folder, strerror(errno));
        *at = '/';
    }
    char *last = strrchr(folder, '/');
    if (last)
        last[last == folder] = '\0';
    const char *place = last ? folder : ".";
    if (!code && access(path, F_OK) && access(place, W_OK))
        code = kb_fail(err, KB_INVALID, "%s: cannot be written to: %s", place, strerror(errno));
    if (!code && is_folder(path) && path[strlen(path) - 1] != '/')
        code = kb_fail(err, KB_INVALID, "%s: cannot be written to: %s", path, strerror(errno));
    return code;
}
