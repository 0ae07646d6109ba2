/* SPDX-License-Identifier: MIT
 *
 * Files that are written whole or not at all (base/file.c): the message and the file that stay
 * if a call of the system fails, is interrupted or does a part. Signals that come twice. These
 * calls are the test's own.
 */
#define _GNU_SOURCE /* syscall */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/test.h"
#include "base/file.h"
#include "base/interrupt.h"

enum { WRITE, FSYNC, CLOSE, RENAME, TRUNCATE, ACCESS, CALLS };
/* which call fails, the how many-th, and with what; a write of at most so many bytes; 0: none */
static struct {
    int call, number, error, most;
    int calls[CALLS];
    const char *stale; /* the first lock finds that another program has removed this file */
} now;
static char folder[] = "/tmp/kb_file_XXXXXX", path[64];

static int fails(int call)
{
    if (++now.calls[call] != now.number || now.call != call)
        return 0;
    errno = now.error;
    return 1;
}

ssize_t write(int file, const void *bytes, size_t n)
{
    n = now.most && n > (size_t)now.most ? (size_t)now.most : n;
    return fails(WRITE) ? -1 : syscall(SYS_write, file, bytes, n);
}

int fsync(int file) { return fails(FSYNC) ? -1 : (int)syscall(SYS_fsync, file); }
int close(int file)
{
    int failed = fails(CLOSE), error = errno, code = (int)syscall(SYS_close, file);
    errno = failed ? error : errno;
    return failed ? -1 : code;
}
int rename(const char *from, const char *to)
{
    return fails(RENAME) ? -1 : (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}
int ftruncate(int file, off_t length)
{
    return fails(TRUNCATE) ? -1 : (int)syscall(SYS_ftruncate, file, length);
}
int access(const char *name, int how)
{
    return fails(ACCESS) ? -1 : (int)syscall(SYS_faccessat, AT_FDCWD, name, how);
}
static double made_up; /* clock [s]; 0: the real one */
int clock_gettime(clockid_t clock, struct timespec *t)
{
    if (made_up == 0)
        return (int)syscall(SYS_clock_gettime, clock, t);
    *t = (struct timespec){(time_t)made_up, (long)(1e9 * fmod(made_up, 1))};
    return 0;
}
int flock(int file, int how)
{
    if (now.stale && how == LOCK_EX)
        unlink(now.stale);
    now.stale = NULL;
    return (int)syscall(SYS_flock, file, how);
}

FIXTURE(make_folder)
{
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/file", folder);
    return 0;
}

FIXTURE(remove_folder)
{
    return remove(path) || rmdir(folder); /* nothing else is left there */
}

static void has(const char *text)
{
    char found[64] = "";
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    found[fread(found, 1, sizeof found - 1, f)] = 0;
    assert_string_equal(found, text);
    fclose(f);
}

/* of a head and a body; the number-th call fails with error */
static int written(int call, int number, int error, kb_error *err)
{
    memset(&now, 0, sizeof now);
    now.call = call;
    now.number = number;
    now.error = error;
    int code = kb_file_write(path, "head ", 5, "and body", 8, err);
    now.number = 0;
    return code;
}

static void fails_with(int call, int number, int error)
{
    kb_error err = {0};
    char expected[200];
    snprintf(expected, sizeof expected, "%s: not written (13 bytes): %s", path, strerror(error));
    assert_int_equal(written(call, number, error, &err), KB_INVALID);
    assert_string_equal(err.text, expected);
    has("before");
}

/* what was there stays, and no temporary file */
TEST(whole_or_not_at_all)
{
    kb_error err = {0};
    assert_int_equal(kb_file_write_text(path, "before", &err), KB_OK);
    fails_with(WRITE, 1, ENOSPC);
    fails_with(WRITE, 2, EDQUOT);
    fails_with(FSYNC, 1, EIO);
    fails_with(CLOSE, 1, EIO);
    fails_with(RENAME, 1, EACCES);
    for (int number = 1; number < 3; number++) { /* by a signal */
        assert_int_equal(written(WRITE, number, EINTR, &err), KB_OK);
        has("head and body");
        assert_true(now.calls[WRITE] == 3 && now.calls[FSYNC] == 1 && now.calls[RENAME] == 1);
        assert_int_equal(kb_file_write_text(path, "before", &err), KB_OK);
    }
}

TEST(in_parts)
{
    kb_error err = {0};
    memset(&now, 0, sizeof now);
    now.most = 3;
    assert_int_equal(kb_file_write(path, "head ", 5, "and body", 8, &err), KB_OK);
    assert_int_equal(now.calls[WRITE], 2 + 3);
    has("head and body");
    now.most = 0;
}

/* a temporary file that another program has taken for one that was left, before it was locked */
TEST(taken_for_stale)
{
    kb_error err = {0};
    char temporary[128];
    snprintf(temporary, sizeof temporary, "%s.tmp%ld", path, (long)getpid());
    memset(&now, 0, sizeof now);
    now.stale = temporary;
    assert_int_equal(kb_file_write_text(path, "whole", &err), KB_OK);
    assert_null(now.stale);
    assert_int_equal(now.calls[CLOSE], 2);
    has("whole");
}

/* a line that does not fit is taken back; the message says if that fails, too */
TEST(appended)
{
    kb_error err = {0};
    char expected[128];
    assert_int_equal(kb_file_write_text(path, "one\n", &err), KB_OK);
    assert_int_equal(kb_file_append(path, "two\n", 4, &err), KB_OK);
    has("one\ntwo\n");
    for (int k = 0; k < 3; k++) { /* a part was written; all was, but is not on the disk */
        memset(&now, 0, sizeof now);
        now.call = k == 1 ? FSYNC : WRITE;
        now.number = k == 1 ? 1 : 2;
        now.error = ENOSPC;
        now.most = 2;
        assert_int_equal(kb_file_append(path, "three\n", 6, &err), KB_INVALID);
        snprintf(expected, sizeof expected, "%s: not written: %s", path, strerror(ENOSPC));
        assert_string_equal(err.text, expected);
        assert_true(now.calls[TRUNCATE] == 1 && now.calls[CLOSE] == 1);
        has("one\ntwo\n");
    }
    memset(&now, 0, sizeof now);
    now.call = TRUNCATE;
    now.number = 1;
    now.error = EIO;
    now.most = 2;
    assert_int_equal(kb_file_append("/dev/full", "three\n", 6, &err), KB_INVALID);
    assert_string_equal(err.text, "/dev/full: not written, and its last line is cut");
    assert_int_equal(kb_file_append("/nowhere/file", "x", 1, &err), KB_INVALID);
    assert_string_equal(err.text, "/nowhere/file: not written: No such file or directory");
}

TEST(folders)
{
    kb_error err = {0};
    char below[128], expected[200];
    memset(&now, 0, sizeof now);
    snprintf(below, sizeof below, "%s/a/b/c", folder);
    assert_int_equal(kb_make_folders(below, &err), KB_OK);
    assert_int_equal(access(below, F_OK), -1); /* the last one is a file's name */
    assert_int_equal(kb_make_folders(below, &err), KB_OK);
    *strrchr(below, '/') = 0;
    assert_int_equal(rmdir(below), 0);
    *strrchr(below, '/') = 0;
    assert_int_equal(rmdir(below), 0);
    snprintf(below, sizeof below, "%s/b/c", path);
    snprintf(expected, sizeof expected, "%s: cannot make folder: Not a directory", path);
    assert_int_equal(kb_make_folders(below, &err), KB_INVALID);
    assert_string_equal(err.text, expected);
    static const char *const names[][2] = {{"/new", "/"}, {"new", "."}};
    for (int k = 0; k < 2; k++) { /* the second call asks whether the place can be written to */
        memset(&now, 0, sizeof now);
        now.call = ACCESS;
        now.number = 2;
        now.error = EROFS;
        snprintf(expected, sizeof expected, "%s: cannot be written to: %s", names[k][1],
                 strerror(EROFS));
        assert_int_equal(kb_make_folders(names[k][0], &err), KB_INVALID);
        assert_string_equal(err.text, expected);
        assert_int_equal(kb_make_folders("Makefile", &err), KB_OK);
    }
    /* where no file can be: a folder of that name, and what is none in place of its folder */
    assert_int_equal(kb_make_folders("tests", &err), KB_INVALID);
    assert_string_equal(err.text, "tests: cannot be written to: Is a directory");
    assert_int_equal(kb_make_folders("tests/", &err), KB_OK);
    assert_int_equal(kb_make_folders("/dev/null/x", &err), KB_INVALID);
    assert_string_equal(err.text, "/dev/null: cannot make folder: Not a directory");
}

/* two signals of one moment are one press of Ctrl-C; a later one ends the program at once */
TEST(one_signal_comes_twice)
{
    const int later[] = {SIGTERM, SIGINT};
    for (int k = 0; k < 2; k++) {
        int status;
        pid_t child = fork();
        if (!child) {
            signal(SIGINT, SIG_DFL); /* tests in the background ignore it */
            made_up = 100;
            kb_interrupt_install();
            raise(SIGINT);
            made_up = 100.1;
            raise(SIGTERM);
            raise(SIGINT);
            if (!kb_interrupted() || !kb_stop)
                _exit(1);
            made_up = 100.3;
            raise(later[k]);
            _exit(2);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == later[k]);
    }
}

TESTS(make_folder, remove_folder)
