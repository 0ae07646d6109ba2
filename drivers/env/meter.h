/* SPDX-License-Identifier: MIT
 *
 * Energy and memory of what an engine runs on: the first GPU by NVML, the processors by the Linux
 * counters of RAPL, this process by /proc.
 */
#pragma once

#include <stdbool.h>

#define KB_METER_PARTS 16
#define KB_METER_SYS "/sys/class/powercap"

/* Counters of energy at a time. Processors have one for each package of the host, so that other
 * programs on it count, too */
typedef struct {
    double joules[KB_METER_PARTS]; /* since some start */
    double range[KB_METER_PARTS];  /* [J] after which the counter begins anew; 0: never */
    int parts;                     /* 0: nothing can be read */
} kb_meter;

/* sys: folder of the counters of processors, KB_METER_SYS but in tests */
void kb_meter_read(kb_meter *meter, bool gpu, const char *sys);
/* Energy [J] between two readings; NAN if a part of one is not in the other */
double kb_meter_between(const kb_meter *from, const kb_meter *to);
/* "gpu" or "packages": what is counted */
const char *kb_meter_scope(bool gpu);
/* What limits the power [W]; NAN: not known */
double kb_power_cap(bool gpu, const char *sys);

/* Memory in use on the first GPU [B], by all programs; NAN: not known */
double kb_gpu_memory(void);
/* Largest resident memory of this process [B] since kb_peak_restart; NAN: not known */
void kb_peak_restart(void);
double kb_peak_memory(void);
