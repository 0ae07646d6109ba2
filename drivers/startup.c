/* SPDX-License-Identifier: MIT
 *
 * Linked into every program: memory that is too little ends it at once, with a message. Two limits
 * would end it in other ways. Under `ulimit -v` OpenBLAS, which LAPACK brings along, waits for ever
 * for its buffers while it is loaded, before main: so the first function here runs before those of
 * the libraries (.preinit_array) and calls the kernel alone. A control group (cgroups(7), version
 * 2) kills a program that touches more than memory.max: the data of the program is limited to what
 * is left of that, so that allocations fail instead.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"

/* What argp prints for --version, in every program. */
const char *argp_program_version = "kinbench " KB_VERSION;

#ifndef __SANITIZE_ADDRESS__ /* which maps far more than it uses */

#define NEEDED ((size_t)256 << 20) /* bytes of any program with its libraries */
#define THREADS "OPENBLAS_NUM_THREADS"

static void too_little(void)
{
    static const char text[] = "kinbench: error: out of memory: less than 256 MB may be used "
                               "(ulimit -v, ulimit -d or memory.max of the control group)\n";
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        _exit(KB_INVALID);
    _exit(KB_INVALID);
}

static void check_room(void)
{
    void *room = mmap(NULL, NEEDED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS |
                      MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        too_little();
    munmap(room, NEEDED);
}

/* With little room OpenBLAS is to have one thread, as it is used, not one for each processor. */
static void before_libraries(int argc, char **argv, char **environment)
{
    static char *changed[4096], one[] = THREADS "=1";
    struct rlimit room;
    int n = 0;
    (void)argc;
    check_room();
    if (getrlimit(RLIMIT_AS, &room) || room.rlim_cur == RLIM_INFINITY)
        return;
    for (; environment[n] && n < 4094; n++) {
        changed[n] = environment[n];
        if (!strncmp(environment[n], THREADS "=", sizeof THREADS))
            return;
    }
    changed[n] = one;
    execve("/proc/self/exe", argv, changed);
}

__attribute__((section(".preinit_array"), used))
static void (*const first)(int, char **, char **) = before_libraries;

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
            left = here > 0 ? here : 0;
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
    check_room();
}

#endif
