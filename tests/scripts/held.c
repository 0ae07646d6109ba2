/* SPDX-License-Identifier: MIT
 *
 * For LD_PRELOAD: a program stops, as by Ctrl-Z, once it has put a file in place whose name ends as
 * KB_HELD says, so that a signal reaches it there however fast it is (held in check.sh).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

int rename(const char *from, const char *to)
{
    static int held;
    const char *end = getenv("KB_HELD");
    size_t n = strlen(to), most = end ? strlen(end) : n + 1;
    int (*next)(const char *, const char *) =
        (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    int code = next(from, to);
    if (!code && most <= n && !strcmp(to + n - most, end) && !held++)
        raise(SIGSTOP);
    return code;
}
