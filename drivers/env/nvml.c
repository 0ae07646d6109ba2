/* SPDX-License-Identifier: MIT */
#include "drivers/env/nvml.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* how a device is found */
typedef struct {
    int (*init)(void);
    int (*numbered)(unsigned index, void **device);
    int (*named)(const char *uuid, void **device);
} finders;

static void find(void *library, const char *name, void *function)
{
    *(void **)function = library ? dlsym(library, name) : NULL;
}

/* The first of CUDA_VISIBLE_DEVICES, which NVML does not look at; a number (of equal GPUs both
 * count the same way) or a name. NULL: there is none */
static void *used_device(const finders *f)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    void *device = NULL;
    char uuid[96], *end;
    if (!visible)
        return f->numbered(0, &device) ? NULL : device;
    unsigned long number = strtoul(visible, &end, 10);
    if (end > visible && number < 1024)
        return f->numbered((unsigned)number, &device) ? NULL : device;
    snprintf(uuid, sizeof uuid, "%.*s", (int)strcspn(visible, ","), visible);
    return !f->named || f->named(uuid, &device) ? NULL : device;
}

const kb_nvml *kb_nvml_open(void)
{
    static kb_nvml n;
    static int tried;
    if (!tried++) {
        finders f;
        void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
        find(library, "nvmlInit_v2", &f.init);
        find(library, "nvmlDeviceGetHandleByIndex_v2", &f.numbered);
        find(library, "nvmlDeviceGetHandleByUUID", &f.named);
        find(library, "nvmlDeviceGetClockInfo", &n.clock);
        find(library, "nvmlDeviceGetTotalEnergyConsumption", &n.energy);
        find(library, "nvmlDeviceGetEnforcedPowerLimit", &n.power_limit);
        find(library, "nvmlDeviceGetMemoryInfo", &n.memory);
        n.device = f.init && f.numbered && n.clock && !f.init() ? used_device(&f) : NULL;
    }
    return &n;
}
