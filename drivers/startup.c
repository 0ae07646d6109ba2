/* SPDX-License-Identifier: MIT
 *
 * Linked into every program. A control group (cgroups(7), version 2) kills a program that touches
 * more than memory.max, without a word: so the program's data is limited to what the group has left
 * at its start, and allocations fail with a message. Output that was not written whole, as on a
 * full disk, is no success either.
 */
#define _GNU_SOURCE /* program_invocation_short_name */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"

/* What argp prints for --version, in every program. */
__attribute__((visibility("default"))) const char *argp_program_version = "kinbench " KB_VERSION;

/* The last of what runs at the end. A verdict that nobody could read is no result; codes of
 * failures stay, whose message was said. */
static void check_output(int code, void *unused)
{
    (void)unused;
    bool result = code == KB_OK || code == KB_DIFFERS || code == KB_INCOMPLETE ||
                  code == KB_UNDECIDED;
    errno = 0;
    if ((!fflush(stdout) && !ferror(stdout)) || !result)
        return;
    const char *why = errno ? strerror(errno) : "a part of it is lost";
    fprintf(stderr, "%s: error: the output is not written: %s\n", program_invocation_short_name,
            why);
    _exit(KB_INVALID);
}
__attribute__((constructor)) static void check_output_at_end(void) { on_exit(check_output, NULL); }

#ifndef __SANITIZE_ADDRESS__ /* which maps far more than it uses */

/* The number in folder/file, behind the word name where there is one; -1: none */
static double read_number(const char *folder, const char *file, const char *name)
{
    char path[1024], text[4096];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    int in = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = in < 0 ? -1 : read(in, text, sizeof text - 1);
    if (in >= 0)
        close(in);
    text[n < 0 ? 0 : n] = '\0';
    const char *at = n < 0 ? NULL : strstr(text, name);
    char *end;
    double x = at ? strtod(at + strlen(name), &end) : -1;
    return at && end != at + strlen(name) ? x : -1;
}

/* What the control group of this process and those above it leave to it [bytes]; -1: no limit */
static double left_by_groups(void)
{
    const char *root = getenv("KB_CGROUP"); /* for the tests */
    char own[512] = "", folder[1024];
    double left = -1;
    FILE *f = fopen("/proc/self/cgroup", "r");
    while (f && fgets(own, sizeof own, f) && strncmp(own, "0::", 3))
        ;
    if (f)
        fclose(f);
    char *path = own + 3;
    path[strncmp(own, "0::", 3) || root ? 0 : strcspn(path, "\n")] = '\0';
    for (;;) {
        snprintf(folder, sizeof folder, "%s%s", root ? root : "/sys/fs/cgroup", path);
        double most = read_number(folder, "memory.max", "");
        double used = read_number(folder, "memory.stat", "anon ");
        double here = most - (used > 0 ? used : 0);
        if (most >= 0 && (left < 0 || here < left))
            left = here > 1 ? here : 1; /* to Linux RLIMIT_DATA = 0 is no limit */
        char *slash = strrchr(path, '/');
        if (!slash)
            return left;
        *slash = '\0';
    }
}

__attribute__((constructor)) static void limit_data(void)
{
    struct rlimit data;
    double left = left_by_groups();
    if (left < 0 || getrlimit(RLIMIT_DATA, &data) || (double)data.rlim_cur < left)
        return;
    data.rlim_cur = (rlim_t)left;
    setrlimit(RLIMIT_DATA, &data);
}

#endif
