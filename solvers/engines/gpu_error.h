/* SPDX-License-Identifier: MIT
 *
 * Messages for errors of CUDA, with what to do about each.
 */
#pragma once

#include <cuda_runtime.h>
#include "base/error.h"

static inline const char *gpu_advice(cudaError_t e)
{
    switch (e) {
    case cudaErrorMemoryAllocation:
        return "end other programs on the device, or take smaller slices (option slice) or blocks "
               "(bench --block)";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
        return "the solvers were built for another architecture: make clean, then make with "
               "CUDA_ARCH= the device's, 80 for 8.0";
    case cudaErrorInsufficientDriver:
    case cudaErrorCallRequiresNewerDriver:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
        return "the driver is older than the toolkit of the build: update it (nvidia-smi shows "
               "what it supports), or build with that toolkit";
    case cudaErrorLaunchTimeout:
        return "a display's watchdog ended the kernel: take smaller slices (option slice), a "
               "shorter dt, or a device without a display";
    case cudaErrorLaunchOutOfResources:
    case cudaErrorInvalidConfiguration:
        return "too many registers or threads for one block: take a smaller one (bench --block)";
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorHardwareStackError:
        return "the device reports a hardware fault: see nvidia-smi -q, and reset or change the "
               "device";
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorIllegalInstruction:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
        return "a fault of the program: start it again, since the device is lost to this one, and "
               "look with compute-sanitizer";
    case cudaErrorDevicesUnavailable:
    case cudaErrorSystemNotReady:
        return "another program holds the device, or its services are not up: see nvidia-smi";
    default: return "nvidia-smi shows the state of the device";
    }
}

static inline int gpu_failed(cudaError_t e, const char *what, kb_error *err)
{
    if (e == cudaSuccess)
        return 0;
    cudaGetLastError(); /* clears it: the next call does not report it again */
    kb_fail(err, KB_INVALID, "CUDA: %.60s: %s, %s (%s)", what, cudaGetErrorName(e),
            cudaGetErrorString(e), gpu_advice(e));
    return 1;
}

#define CHECK(call)                                                                               \
    do {                                                                                          \
        if (gpu_failed((call), #call, err))                                                       \
            return KB_INVALID;                                                                    \
    } while (0)

/* KB_OK, or KB_NOTHING and why there is no device to run on */
static inline int gpu_available(kb_error *err)
{
    int devices = 0, driver = 0, runtime = 0;
    cudaError_t e = cudaGetDeviceCount(&devices);
    if (e == cudaSuccess && devices > 0)
        return KB_OK;
    cudaGetLastError();
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    if (e == cudaSuccess || e == cudaErrorNoDevice || driver == 0)
        return kb_fail(err, KB_NOTHING, "no CUDA device on this machine");
    if (e == cudaErrorInsufficientDriver)
        return kb_fail(err, KB_NOTHING, "the CUDA driver supports %d.%d, the solvers were built "
                       "with %d.%d (%s)", driver / 1000, driver % 1000 / 10, runtime / 1000,
                       runtime % 1000 / 10, gpu_advice(e));
    return kb_fail(err, KB_NOTHING, "no CUDA device can be used: %s (%s)", cudaGetErrorString(e),
                   gpu_advice(e));
}
