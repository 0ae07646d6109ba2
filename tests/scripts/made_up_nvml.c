/* SPDX-License-Identifier: MIT
 *
 * An NVML of two cards that are not there: libnvidia-ml.so.1 for tests of bench. Card k has a clock
 * of 1000 + k MHz and a limit of 300 + k W; each look at its energy finds 2 + k J more.
 */
#include <stdint.h>
#include <string.h>

#include "drivers/env/nvml.h"

static int cards[2] = {1, 2};
static unsigned long long millijoules = 5000;

int nvmlInit_v2(void)
{
    return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device)
{
    *device = index < 2 ? &cards[index] : NULL;
    return index < 2 ? 0 : 2;
}

int nvmlDeviceGetHandleByUUID(const char *uuid, void **device)
{
    *device = &cards[1];
    return strcmp(uuid, "GPU-one");
}

static unsigned number_of(void *device)
{
    return (unsigned)((int *)device - cards);
}

int nvmlDeviceGetClockInfo(void *device, int of, unsigned *MHz)
{
    *MHz = 1000 + number_of(device);
    return of != 1; /* of multiprocessors */
}

int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *energy)
{
    *energy = millijoules += 2000 + 1000 * number_of(device);
    return 0;
}

int nvmlDeviceGetEnforcedPowerLimit(void *device, unsigned *milliwatts)
{
    *milliwatts = 1000 * (300 + number_of(device));
    return 0;
}

int nvmlDeviceGetMemoryInfo(void *device, kb_nvml_memory *memory)
{
    *memory = (kb_nvml_memory){.used = 999700000 + number_of(device)};
    return 0;
}
