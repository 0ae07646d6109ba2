/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched_getaffinity */
#include "drivers/env/clock.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

#include "drivers/env/nvml.h"

enum { NVML_CLOCK_SM = 1 };

double kb_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec + (double)(t.tv_nsec / 1000000) / 1000;
}

double kb_cpu_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* cpufreq of one core [MHz], 0 where there is none */
static double scaled_clock(const char *root, int core)
{
    char path[256];
    double kHz = 0;
    snprintf(path, sizeof path, "%s/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", root,
             core);
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%lf", &kHz) != 1)
        kHz = 0;
    if (f)
        fclose(f);
    return kHz / 1000;
}

/* Mean "cpu MHz" of /proc/cpuinfo over the set, 0 where there is none */
static double listed_clock(const char *root, const cpu_set_t *set)
{
    char line[8192];
    double sum = 0, value;
    int core = -1, n = 0;
    snprintf(line, sizeof line, "%s/proc/cpuinfo", root);
    FILE *f = fopen(line, "r");
    while (f && fgets(line, sizeof line, f)) {
        sscanf(line, "processor : %d", &core);
        if (sscanf(line, "cpu MHz : %lf", &value) == 1 && core >= 0 && CPU_ISSET(core, set)) {
            sum += value;
            n++;
        }
    }
    if (f)
        fclose(f);
    return n ? round(sum / n) : 0;
}

double kb_cpu_clock(const char *root)
{
    cpu_set_t set;
    double sum = 0;
    int n = 0;
    if (sched_getaffinity(0, sizeof set, &set))
        return 0;
    for (int core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &set)) {
            double clock = scaled_clock(root, core);
            if (clock <= 0)
                return listed_clock(root, &set);
            sum += clock;
            n++;
        }
    return n ? round(sum / n) : 0;
}

double kb_gpu_clock(void)
{
    const kb_nvml *n = kb_nvml_open();
    unsigned MHz = 0;
    return n->device && !n->clock(n->device, NVML_CLOCK_SM, &MHz) ? MHz : 0;
}
