/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* sched_getaffinity */
#include "drivers/env/clock.h"

#include <dlfcn.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
static double scaled_clock(int core)
{
    char path[96];
    double kHz = 0;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", core);
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%lf", &kHz) != 1)
        kHz = 0;
    if (f)
        fclose(f);
    return kHz / 1000;
}

/* Mean "cpu MHz" of /proc/cpuinfo over the set, 0 where there is none */
static double listed_clock(const cpu_set_t *set)
{
    char line[8192];
    double sum = 0, value;
    int core = -1, n = 0;
    FILE *f = fopen("/proc/cpuinfo", "r");
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

double kb_cpu_clock(void)
{
    cpu_set_t set;
    double sum = 0;
    int n = 0;
    if (sched_getaffinity(0, sizeof set, &set))
        return 0;
    for (int core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &set)) {
            double clock = scaled_clock(core);
            if (clock <= 0)
                return listed_clock(&set);
            sum += clock;
            n++;
        }
    return n ? round(sum / n) : 0;
}

/* NVML as far as it is needed; it comes with the driver, not with CUDA */
typedef struct {
    int (*init)(void);
    int (*device)(unsigned index, void **device);
    int (*named)(const char *uuid, void **device);
    int (*clock)(void *device, int type, unsigned *MHz);
} nvml;
enum { NVML_CLOCK_SM = 1 };

static void find(void *library, const char *name, void *function)
{
    *(void **)function = library ? dlsym(library, name) : NULL;
}

/* The GPU that this process uses: the first of CUDA_VISIBLE_DEVICES, which NVML does not look at;
 * a number (of equal GPUs both count the same way) or a name. NULL: there is none */
static void *used_device(const nvml *f)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    void *device = NULL;
    char uuid[96], *end;
    if (!visible)
        return f->device(0, &device) ? NULL : device;
    unsigned long number = strtoul(visible, &end, 10);
    if (end > visible && number < 1024)
        return f->device((unsigned)number, &device) ? NULL : device;
    snprintf(uuid, sizeof uuid, "%.*s", (int)strcspn(visible, ","), visible);
    return !f->named || f->named(uuid, &device) ? NULL : device;
}

double kb_gpu_clock(void)
{
    static void *device;
    static nvml f;
    static int tried;
    unsigned MHz = 0;
    if (!tried++) {
        void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
        find(library, "nvmlInit_v2", &f.init);
        find(library, "nvmlDeviceGetHandleByIndex_v2", &f.device);
        find(library, "nvmlDeviceGetHandleByUUID", &f.named);
        find(library, "nvmlDeviceGetClockInfo", &f.clock);
        device = f.init && f.device && f.clock && !f.init() ? used_device(&f) : NULL;
    }
    return device && !f.clock(device, NVML_CLOCK_SM, &MHz) ? MHz : 0;
}
