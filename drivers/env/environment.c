/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched_getaffinity */
#include "drivers/env/environment.h"

#include <ctype.h>
#include <gnu/libc-version.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>
#include <time.h>

int kb_processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

/* "0-3,8" of a set; caller frees */
static char *list_of(const cpu_set_t *set)
{
    char *text;
    size_t length;
    const char *comma = "";
    FILE *to = kb_open_text(&text, &length);
    for (int first = 0, last; first < CPU_SETSIZE; first = last + 1) {
        last = first;
        if (!CPU_ISSET(first, set))
            continue;
        while (CPU_ISSET(last + 1, set)) /* none is behind the last */
            last++;
        fprintf(to, last > first ? "%s%d-%d" : "%s%d", comma, first, last);
        comma = ",";
    }
    kb_close_text(to);
    return text;
}

/* Processors that the cgroup's quota allows, 0 without one */
static double cgroup_share(void)
{
    double quota = 0, period = 0;
    FILE *f = fopen("/sys/fs/cgroup/cpu.max", "r");
    int read = f ? fscanf(f, "%lf %lf", &quota, &period) : 0;
    if (f)
        fclose(f);
    return read == 2 ? quota / period : 0;
}

char *kb_placement(void)
{
    const char *bind = getenv("OMP_PROC_BIND"), *places = getenv("OMP_PLACES");
    bool pinned = (bind && strcasecmp(bind, "false")) || (!bind && places);
    double share = cgroup_share();
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set))
        return kb_strdup("unknown processors");
    kb_owned char *list = list_of(&set),
                  *quota = share > 0 && share < CPU_COUNT(&set)
                               ? kb_format(", of which the cgroup allows %.3g", share)
                               : kb_strdup("");
    return kb_format("%d processor%s (%s)%s, threads %s", CPU_COUNT(&set),
                     CPU_COUNT(&set) == 1 ? "" : "s", list, quota,
                     pinned ? "pinned" : "may move (OMP_PROC_BIND=true pins them)");
}

char *kb_first_line(const char *command)
{
    char line[1024] = "", rest[1024];
    FILE *pipe = popen(command, "r");
    if (pipe && !fgets(line, sizeof line, pipe))
        line[0] = 0;
    while (pipe && fread(rest, 1, sizeof rest, pipe) > 0) /* or the command fails */
        ;
    if (pipe && pclose(pipe) != 0)
        line[0] = 0;
    line[strcspn(line, "\n")] = 0;
    return kb_strdup(line);
}

/* First line of a file, or otherwise */
static char *file_line(const char *path, const char *otherwise)
{
    char line[256] = "";
    FILE *f = fopen(path, "r");
    if (!f || !fgets(line, sizeof line, f))
        snprintf(line, sizeof line, "%s", otherwise);
    if (f)
        fclose(f);
    line[strcspn(line, "\n")] = 0;
    return kb_strdup(line);
}

/* Value of the first line "name : value" of a file such as /proc/cpuinfo */
static char *proc_value(const char *path, const char *name)
{
    char line[8192];
    FILE *f = fopen(path, "r");
    char *value = NULL;
    while (f && !value && fgets(line, sizeof line, f)) {
        char *colon = strchr(line, ':');
        if (strncmp(line, name, strlen(name)) || !colon)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        colon[strcspn(colon, "\n")] = 0;
        value = kb_strdup(colon);
    }
    if (f)
        fclose(f);
    return value ? value : kb_strdup("unknown");
}

/* Those of the CPU's flags that name vector instruction sets */
static char *vector_flags(void)
{
    static const char *const names[] = {"sse4_2", "avx", "fma", "avx2", "avx512f", "avx512dq",
                                        "avx512vl", "asimd", "sve", "sve2"};
    char *key = proc_value("/proc/cpuinfo", "flags");
    if (!strcmp(key, "unknown")) { /* Arm's name for them */
        free(key);
        key = proc_value("/proc/cpuinfo", "Features");
    }
    char *all = kb_format(" %s ", key), found[128] = "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char word[16];
        snprintf(word, sizeof word, " %s ", names[i]);
        if (strstr(all, word))
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s",
                     *found ? " " : "", names[i]);
    }
    free(key);
    free(all);
    return kb_strdup(found);
}

/* Lower case, words that say nothing left out, anything else than letters and digits one '-' */
static char *plain_name(const char *model)
{
    static const char *const noise[] = {"r", "tm", "cpu", "processor", "core", "with"};
    char *copy = kb_strdup(model), *out = kb_alloc(strlen(model) + 2, 1);
    copy[strcspn(copy, "@")] = 0;
    for (char *p = copy; *p; p++)
        *p = isalnum((unsigned char)*p) ? (char)tolower((unsigned char)*p) : ' ';
    for (char *save, *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        bool skip = false;
        for (size_t i = 0; i < sizeof noise / sizeof *noise; i++)
            skip |= !strcmp(word, noise[i]);
        if (!skip)
            sprintf(out + strlen(out), "%s%s", *out ? "-" : "", word);
    }
    free(copy);
    return out;
}

static char *machine_name(const kb_environment *e)
{
    kb_owned char *cpu = plain_name(e->cpu), *gpu = plain_name(e->gpu);
    return kb_format("%s-%dc%s%s", *cpu ? cpu : "unknown", e->cores, *gpu ? "-" : "", gpu);
}

static char *gpu_query(const char *fields)
{
    kb_owned char *command = kb_format(
        "nvidia-smi --query-gpu=%s --format=csv,noheader 2>/dev/null", fields);
    return kb_first_line(command);
}

/* the commit of the working tree; without one (programs carried to another machine) KB_GIT */
static void read_git(kb_environment *e)
{
    e->git = kb_first_line("git rev-parse HEAD 2>/dev/null");
    if (!*e->git) {
        const char *given = getenv("KB_GIT");
        free(e->git);
        e->git = kb_strdup(given && *given ? given : "unknown");
        return;
    }
    kb_owned char *changed = kb_first_line(
        "git status --porcelain --untracked-files=no 2>/dev/null");
    e->dirty = *changed != 0;
}

void kb_environment_read(kb_environment *e)
{
    struct utsname u;
    char *memory = proc_value("/proc/meminfo", "MemTotal");
    *e = (kb_environment){.cores = kb_processors(), .memory = atof(memory) / 1048576};
    free(memory);
    e->cpu = proc_value("/proc/cpuinfo", "model name");
    e->isa = vector_flags();
    e->kernel = uname(&u) ? kb_strdup("unknown")
                          : kb_format("%s %s %s", u.sysname, u.release, u.machine);
    e->libc = kb_format("glibc %s", gnu_get_libc_version());
    e->governor = file_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "unknown");
    e->gpu = gpu_query("name");
    e->machine = machine_name(e);
    if (*e->gpu) {
        free(e->gpu);
        e->gpu = gpu_query("name,driver_version,memory.total");
    }
    read_git(e);
}

void kb_environment_free(kb_environment *e)
{
    char *all[] = {e->machine, e->cpu, e->isa, e->kernel, e->libc, e->governor, e->gpu, e->git};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    *e = (kb_environment){0};
}

/* Name of each solver and a hash of its sources, if all is committed and the script is there */
static json_t *sources(const kb_environment *e)
{
    json_t *all = json_object();
    char line[256], name[64], hash[64];
    FILE *pipe = e->dirty ? NULL : popen("plots/papers/sources 2>/dev/null", "r");
    while (pipe && fgets(line, sizeof line, pipe))
        if (sscanf(line, "%63s %63s", name, hash) == 2)
            json_object_set_new(all, name, json_string(hash));
    if (pipe)
        pclose(pipe);
    return all;
}

json_t *kb_environment_json(const kb_environment *e, const kb_solvers *s)
{
    json_t *o = json_pack(
        "{s:s, s:s, s:i, s:s, s:f, s:s, s:s, s:s, s:s, s:s, s:b}", "machine", e->machine, "cpu",
        e->cpu, "cores", e->cores, "isa", e->isa, "memory_GiB", e->memory, "gpu", e->gpu, "kernel",
        e->kernel, "libc", e->libc, "governor", e->governor, "git", e->git, "dirty", e->dirty);
    if (s) {
        json_object_set_new(o, "solvers_compiler", json_string(s->compiler));
        json_object_set_new(o, "solvers_flags", json_string(s->flags));
    }
    json_object_set_new(o, "bench_compiler", json_string(__VERSION__));
    json_object_set_new(o, "sources", sources(e));
    return o;
}

/* Slowest and fastest "cpu MHz" seen now */
static json_t *cpu_clocks(void)
{
    char line[8192];
    double low = INFINITY, high = 0, value;
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "cpu MHz : %lf", &value) == 1) {
            low = fmin(low, value);
            high = fmax(high, value);
        }
    if (f)
        fclose(f);
    return high > 0 ? json_pack("[f, f]", low, high) : json_array();
}

json_t *kb_environment_now(void)
{
    char date[32];
    double load[3] = {0};
    time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    if (getloadavg(load, 3) < 3)
        load[0] = load[1] = load[2] = -1;
    kb_owned char *gpu = gpu_query("clocks.sm,clocks.mem,temperature.gpu,power.draw");
    kb_owned char *placement = kb_placement();
    return json_pack("{s:s, s:[f, f, f], s:o, s:s, s:s}", "date", date, "load", load[0], load[1],
                     load[2], "cpu_MHz", cpu_clocks(), "gpu", gpu, "placement", placement);
}
