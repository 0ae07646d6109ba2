/* SPDX-License-Identifier: MIT
 *
 * NVML as far as it is needed, opened when it is first asked: it comes with the driver.
 */
#pragma once

typedef struct {
    unsigned long long total, free, used; /* [B] */
} kb_nvml_memory;

typedef struct {
    void *device; /* the GPU that this process uses; NULL: none, and nothing below may be called */
    int (*clock)(void *device, int type, unsigned *MHz);
    /* the following may be NULL */
    int (*energy)(void *device, unsigned long long *millijoules);
    int (*power_limit)(void *device, unsigned *milliwatts);
    int (*memory)(void *device, kb_nvml_memory *memory);
} kb_nvml;

const kb_nvml *kb_nvml_open(void);
