/* SPDX-License-Identifier: MIT
 *
 * Where the solvers of a mechanism are: installed beside the library, in the source tree, in the
 * user's cache, or built into that now.
 */
#define _GNU_SOURCE /* dladdr, memrchr */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/owned.h"
#include "base/shared_object.h"
#include "library/inside.h"
#include "solvers/run_time.h"

#define TAIL 600 /* an error quotes so many characters of a failed build, the last ones */

extern char **environ;

static const char *source_tree(void)
{
    const char *given = getenv("KINBENCH_SOURCE");
    return given && *given ? given : KB_SOURCE_TREE;
}

/* path [size]: the user's folder of what is built from this source tree, as the XDG specification
 * of base directories has it; false: the user has none */
static bool cache_of(const char *source, char *path, size_t size)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    kb_owned char *whole = realpath(source, NULL);
    uint64_t hash = 14695981039346656037u; /* FNV-1a: each tree has a folder of its own */
    for (const char *c = whole ? whole : source; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    bool given = cache && *cache == '/';
    if (!given && !(home && *home == '/'))
        return false;
    int n = snprintf(path, size, "%s%s/kinbench/%016llx", given ? cache : home,
                     given ? "" : "/.cache", (unsigned long long)hash);
    return n < (int)size;
}

/* makes the folders of a path; false: the last is none that can be written to */
static bool make_folders(const char *path)
{
    char part[KB_PATH];
    for (const char *slash = path; slash; slash = strchr(slash + 1, '/'))
        if (slash > path) {
            snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
            mkdir(part, 0777);
        }
    mkdir(path, 0777);
    return access(path, W_OK | X_OK) == 0;
}

/* ---- building ---- */

/* The environment of make: without what an outer make would hand on. Caller frees the list. */
static char **build_environment(void)
{
    size_t n = 0, kept = 0;
    while (environ[n])
        n++;
    char **list = calloc(n + 1, sizeof *list);
    for (size_t i = 0; list && i < n; i++)
        if (strncmp(environ[i], "MAKE", 4) && strncmp(environ[i], "MFLAGS", 6))
            list[kept++] = environ[i];
    return list;
}

/* make in the source tree, what it says into the file; 0 if it ended well. mech: a name, a file, or
 * "FILE,THERMO", NULL: the engines of any mechanism; into NULL: into the source tree */
static int run_make(const char *source, const char *mech, const char *into, int log)
{
    /* ci/names.mk refuses what a shell or make would expand */
    char define[sizeof "MECH=" + KB_PATH], build[sizeof "BUILD=" + KB_PATH];
    char thermo[sizeof "THERMO=" + KB_PATH];
    const char *comma = mech ? strchr(mech, ',') : NULL;
    int words = 5, length = comma ? (int)(comma - mech) : mech ? (int)strlen(mech) : 0;
    char *argv[9] = {"make", "-s", "-C", (char *)source,
                     mech ? "library-mechanism" : "library-any"};
    if (length >= KB_PATH || (comma && strlen(comma) >= KB_PATH))
        return -1;
    snprintf(define, sizeof define, "MECH=%.*s", length, mech ? mech : "");
    snprintf(thermo, sizeof thermo, "THERMO=%s", comma ? comma + 1 : "");
    snprintf(build, sizeof build, "BUILD=%s", into ? into : "");
    if (mech)
        argv[words++] = define;
    if (comma)
        argv[words++] = thermo;
    if (into)
        argv[words++] = build;
    kb_owned char **env = build_environment();
    posix_spawn_file_actions_t files;
    if (!env || posix_spawn_file_actions_init(&files))
        return -1;
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, log, 1);
    posix_spawn_file_actions_adddup2(&files, log, 2);
    pid_t pid;
    int status = -1, code = posix_spawnp(&pid, argv[0], &files, NULL, argv, env);
    posix_spawn_file_actions_destroy(&files);
    if (code)
        return -1;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) /* where the caller ignores SIGCHLD nobody knows how make ended */
            return errno == ECHILD ? 0 : -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* the end of what make said; text [TAIL + 1] */
static void read_end(FILE *log, char *text)
{
    fseek(log, 0, SEEK_END);
    long size = ftell(log), from = size > TAIL ? size - TAIL : 0;
    fseek(log, from, SEEK_SET);
    size_t n = fread(text, 1, TAIL, log);
    while (n && (text[n - 1] == '\n' || text[n - 1] == ' '))
        n--;
    text[n] = 0;
}

/* Builds, under a lock; path [size]: of the solvers, the last line of make; mech: as run_make */
static int build(const char *source, const char *mech, char *path, size_t size)
{
    char end[TAIL + 1], cache[KB_PATH];
    snprintf(cache, sizeof cache, "%s/Makefile", source);
    if (access(cache, R_OK))
        return kb_fail_with(KB_ERROR_ARGUMENT, "%s%s%s not installed, and there is no "
                            "source tree %s to build it from (set KINBENCH_SOURCE)",
                            mech ? "mechanism '" : "", mech ? mech : "the engine of any mechanism",
                            mech ? "' is" : " is", source);
    const char *into = cache_of(source, cache, sizeof cache) && make_folders(cache) ? cache : NULL;
    int lock = open(into ? into : source, O_RDONLY | O_CLOEXEC);
    FILE *log = lock < 0 ? NULL : tmpfile();
    if (!log) {
        int why = errno;
        close(lock);
        return kb_fail_with(KB_ERROR_ARGUMENT, "no file for the build of '%s': %s",
                            mech ? mech : "any", strerror(why));
    }
    while (flock(lock, LOCK_EX) && errno == EINTR) /* by a signal of the caller's */
        ;
    int code = run_make(source, mech, into, fileno(log));
    close(lock);
    read_end(log, end);
    fclose(log);
    if (code)
        return kb_fail_with(KB_ERROR_ARGUMENT, "mechanism '%s' cannot be built (make -C %s "
                            "%s%s): %s", mech ? mech : "any", source,
                            mech ? "solvers MECH=" : "any", mech ? mech : "",
                            *end ? end : "make could not be started");
    const char *line = strrchr(end, '\n');
    snprintf(path, size, "%s", line ? line + 1 : end);
    return KB_SUCCESS;
}

/* ---- finding ---- */

static bool readable(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, R_OK) == 0;
}

/* kinbench/ beside this library, where make install puts mechanisms, wherever the folders have been
 * moved to. Found at loading: a relative path holds until the program changes its folder. */
static char installed[KB_PATH / 2];
__attribute__((constructor)) static void find_installed(void)
{
    Dl_info library;
    kb_owned char *path = dladdr(installed, &library) ? realpath(library.dli_fname, NULL) : NULL;
    if (path)
        snprintf(installed, sizeof installed, "%.*s/kinbench", (int)(strrchr(path, '/') - path),
                 path);
}

/* path [size]: the installed solvers of name, of the highest level of x86-64 that this processor
 * runs; if it runs none, of the lowest, whose opening fails and says what is missing.
 * False: none is installed. */
static bool best_installed(const char *name, char *path, size_t size)
{
    static const char *const levels[] = {"v4/", "v3/", "v2/", ""};
    char at[KB_PATH];
    bool found = false, runs = false;
    for (size_t i = 0; i < sizeof levels / sizeof *levels && !runs; i++) {
        snprintf(at, sizeof at, "%s/%.1000s/%ssolvers.so", installed, name, levels[i]);
        if (!*installed || !readable(at))
            continue;
        snprintf(path, size, "%s", at);
        found = true;
        runs = kb_shared_runs(at);
    }
    return found;
}

/* path [size]: the built solvers of name, in the source tree or in the cache; folder: "mech/"
 * or "" */
static bool is_built(const char *folder, const char *name, char *path, size_t size)
{
    char cache[KB_PATH / 2];
    snprintf(path, size, "%s/build/%s%s/solvers.so", source_tree(), folder, name);
    if (readable(path) || !cache_of(source_tree(), cache, sizeof cache))
        return readable(path);
    snprintf(path, size, "%s/%s%s/solvers.so", cache, folder, name);
    return readable(path);
}

/* of a file, or "FILE,THERMO" */
static int build_file(const char *name, char *path, size_t size)
{
    char files[2 * KB_PATH] = "";
    kb_owned char *rest = kb_strdup(name);
    char *list = rest;
    for (char *file; (file = strsep(&list, ","));) {
        kb_owned char *whole = realpath(file, NULL);
        size_t used = strlen(files);
        if (!whole)
            return kb_fail_with(KB_ERROR_ARGUMENT, "%s: %s", file, strerror(errno));
        snprintf(files + used, sizeof files - used, "%s%s", used ? "," : "", whole);
    }
    return build(source_tree(), files, path, size);
}

int kb_place_of(const char *name, char *path, size_t size)
{
    if (kb_ends_in(name, ".so")) {
        snprintf(path, size, "%s", name);
        return KB_SUCCESS;
    }
    if (strchr(name, '/') || kb_is_mechanism_file(name))
        return build_file(name, path, size);
    if (best_installed(name, path, size) || is_built("mech/", name, path, size))
        return KB_SUCCESS;
    return build(source_tree(), name, path, size);
}

int kb_place_of_any(char *path, size_t size)
{
    if (best_installed("any", path, size) || is_built("", "any", path, size))
        return KB_SUCCESS;
    return build(source_tree(), NULL, path, size);
}

/* ---- solvers that were compiled for a mechanism that was read ---- */

typedef struct {
    const char *engines;
    const kb_solvers *solvers;
    char likeness[KB_LIKENESS]; /* "": not known yet */
} read_mechanism;

/* does folder/likeness name a mechanism like that one? */
static bool is_like(read_mechanism *m, const char *folder)
{
    char path[KB_PATH], text[KB_LIKENESS];
    int nsp = 0, nrx = 0;
    snprintf(path, sizeof path, "%s/likeness", folder);
    FILE *f = fopen(path, "re");
    bool there = f && fgets(text, sizeof text, f) && sscanf(text, "%d %d", &nsp, &nrx) == 2;
    if (f)
        fclose(f);
    if (!there || nsp != m->solvers->nsp || nrx != m->solvers->nrxn)
        return false;
    if (!*m->likeness)
        kb_solvers_likeness(m->engines, m->solvers, m->likeness);
    return !strcmp(text, m->likeness);
}

/* of all that are installed the first by name, on each file system; NULL: none is like it */
static const kb_solvers *find_like(read_mechanism *m)
{
    const kb_solvers *found = NULL;
    kb_owned struct dirent **entry = NULL;
    int n = *installed ? scandir(installed, &entry, NULL, alphasort) : 0;
    for (int i = 0; i < n; i++) {
        const char *name = entry[i]->d_name;
        char path[KB_PATH];
        kb_error err = {0};
        snprintf(path, sizeof path, "%s/%s", installed, name);
        if (!found && *name != '.' && is_like(m, path) && best_installed(name, path, sizeof path))
            found = kb_solvers_open(path, &err);
        free(entry[i]);
    }
    return found;
}

const kb_solvers *kb_compiled_for(const char *engines, const kb_solvers *read, const char *file)
{
    char path[KB_PATH], name[256];
    kb_error err = {0};
    read_mechanism m = {engines, read, ""};
    size_t whole = strcspn(file, ",");
    const char *stem = memrchr(file, '/', whole);
    stem = stem ? stem + 1 : file;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(stem, "."), stem);
    bool here = best_installed(name, path, sizeof path);
    bool built = !here && is_built("mech/", name, path, sizeof path);
    const kb_solvers *s = here || built ? kb_solvers_open(path, &err) : NULL;
    if (s && s->nsp == read->nsp && !strcmp(s->sha256, read->sha256))
        return s;
    if (s && built)
        *strrchr(path, '/') = 0;
    return s && built && is_like(&m, path) ? s : find_like(&m);
}
