/* SPDX-License-Identifier: MIT */
#include "drivers/env/meter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drivers/env/nvml.h"

/* the number in SYS/intel-rapl:PACKAGE/name (AMD's processors use that name, too) in millionths;
 * NAN: it cannot be read */
static double millionths(const char *sys, int package, const char *name)
{
    char path[512];
    double value = NAN;
    snprintf(path, sizeof path, "%s/intel-rapl:%d/%s", sys, package, name);
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%lf", &value) != 1)
        value = NAN;
    if (f)
        fclose(f);
    return value * 1e-6;
}

void kb_meter_read(kb_meter *meter, bool gpu, const char *sys)
{
    *meter = (kb_meter){0};
    if (gpu) {
        const kb_nvml *n = kb_nvml_open();
        unsigned long long millijoules = 0;
        meter->parts = n->device && n->energy && !n->energy(n->device, &millijoules);
        meter->joules[0] = (double)millijoules * 1e-3;
        return;
    }
    for (int i = 0; i < KB_METER_PARTS; i++) {
        double joules = millionths(sys, i, "energy_uj");
        double range = millionths(sys, i, "max_energy_range_uj");
        if (isnan(joules))
            return;
        meter->joules[meter->parts] = joules;
        meter->range[meter->parts++] = isnan(range) ? 0 : range;
    }
}

double kb_meter_between(const kb_meter *from, const kb_meter *to)
{
    double sum = 0;
    for (int i = 0; i < from->parts; i++) {
        double more = to->joules[i] - from->joules[i];
        sum += more < 0 ? more + from->range[i] : more;
    }
    return from->parts > 0 && from->parts == to->parts && sum >= 0 ? sum : NAN;
}

const char *kb_meter_scope(bool gpu)
{
    return gpu ? "gpu" : "packages";
}

double kb_power_cap(bool gpu, const char *sys)
{
    if (gpu) {
        const kb_nvml *n = kb_nvml_open();
        unsigned milliwatts = 0;
        bool known = n->device && n->power_limit && !n->power_limit(n->device, &milliwatts);
        return known ? milliwatts * 1e-3 : NAN;
    }
    double sum = NAN;
    for (int i = 0; i < KB_METER_PARTS; i++) {
        double watts = millionths(sys, i, "constraint_0_power_limit_uw");
        if (isnan(watts))
            return sum;
        sum = i ? sum + watts : watts;
    }
    return sum;
}

double kb_gpu_memory(void)
{
    const kb_nvml *n = kb_nvml_open();
    kb_nvml_memory memory = {0};
    bool known = n->device && n->memory && !n->memory(n->device, &memory);
    return known ? (double)memory.used : NAN;
}

void kb_peak_restart(void)
{
    FILE *f = fopen("/proc/self/clear_refs", "w");
    if (f) {
        fputs("5", f); /* proc(5): resets the peak resident set size */
        fclose(f);
    }
}

double kb_peak_memory(void)
{
    char line[256];
    double kB = NAN;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f) && sscanf(line, "VmHWM: %lf", &kB) != 1)
        ;
    if (f)
        fclose(f);
    return kB * 1024;
}
