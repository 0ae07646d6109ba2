/* SPDX-License-Identifier: MIT
 *
 * What a sample is recorded with: the time of day, and the clock of the processor.
 */
#pragma once

/* Seconds since 1970, to the millisecond */
double kb_now(void);
/* Processor time of this process [s], of all its threads */
double kb_cpu_time(void);
/* Mean clock [MHz] of the cores that may be used, as the kernel tells it below root (""): cpufreq
 * of each, else what /proc/cpuinfo lists; 0: not known */
double kb_cpu_clock(const char *root);
/* Clock of the multiprocessors of the first GPU [MHz] by NVML; 0: not known */
double kb_gpu_clock(void);
