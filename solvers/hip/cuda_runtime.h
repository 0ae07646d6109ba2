/* SPDX-License-Identifier: MIT
 *
 * The names of CUDA's runtime that the engines use, over HIP: AMD's compiler includes this file
 * before each source (HIP=1, solvers/mechanism.mk), and finds it under the name of CUDA's header.
 * What CUDA calls a warp is half a wave of 64 threads here: exchanges stay within 32 threads, and
 * two halves that differ take turns.
 */
#pragma once

#include <hip/hip_runtime.h>
#include <tuple>
#include <type_traits>
#include <utility>

#define __CUDACC__ 1
/* HIP's second number is one of waves on each of the four processors of a compute unit */
#undef __launch_bounds__
#define __launch_bounds__(threads, blocks)                                                         \
    __attribute__((amdgpu_flat_work_group_size(1, threads),                                        \
                   amdgpu_waves_per_eu(((blocks) * (threads) + 255) / 256)))
#define cudaDevAttrClockRate hipDeviceAttributeClockRate
#define cudaDevAttrMaxSharedMemoryPerBlockOptin hipDeviceAttributeMaxSharedMemoryPerBlock
#define cudaDevAttrMemoryClockRate hipDeviceAttributeMemoryClockRate
#define cudaDeviceGetAttribute hipDeviceGetAttribute
#define cudaDeviceSynchronize hipDeviceSynchronize
#define cudaDriverGetVersion hipDriverGetVersion
#define cudaErrorDevicesUnavailable hipErrorNotReady
#define cudaErrorECCUncorrectable hipErrorECCNotCorrectable
#define cudaErrorIllegalAddress hipErrorIllegalAddress
#define cudaErrorInsufficientDriver hipErrorInsufficientDriver
#define cudaErrorInvalidConfiguration hipErrorInvalidConfiguration
#define cudaErrorInvalidDeviceFunction hipErrorInvalidDeviceFunction
#define cudaErrorLaunchFailure hipErrorLaunchFailure
#define cudaErrorLaunchOutOfResources hipErrorLaunchOutOfResources
#define cudaErrorLaunchTimeout hipErrorLaunchTimeOut
#define cudaErrorMemoryAllocation hipErrorOutOfMemory
#define cudaErrorNoDevice hipErrorNoDevice
#define cudaErrorNoKernelImageForDevice hipErrorNoBinaryForGpu
#define cudaErrorNotReady hipErrorNotReady
#define cudaError_t hipError_t
#define cudaEventCreate hipEventCreate
#define cudaEventDestroy hipEventDestroy
#define cudaEventElapsedTime hipEventElapsedTime
#define cudaEventQuery hipEventQuery
#define cudaEventRecord hipEventRecord
#define cudaEventSynchronize hipEventSynchronize
#define cudaEvent_t hipEvent_t
#define cudaFree hipFree
#define cudaFreeHost hipHostFree
#define cudaFuncAttributeMaxDynamicSharedMemorySize hipFuncAttributeMaxDynamicSharedMemorySize
#define cudaFuncAttributePreferredSharedMemoryCarveout hipFuncAttributePreferredSharedMemoryCarveout
#define cudaFuncAttributes hipFuncAttributes
#define cudaFuncGetAttributes(a, f) hipFuncGetAttributes(a, (const void *)(f))
#define cudaFuncSetAttribute(f, a, v) hipFuncSetAttribute((const void *)(f), a, v)
#define cudaGetDeviceCount hipGetDeviceCount
#define cudaGetErrorName hipGetErrorName
#define cudaGetErrorString hipGetErrorString
#define cudaGetLastError hipGetLastError
#define cudaHostRegister hipHostRegister
#define cudaHostRegisterPortable hipHostRegisterPortable
#define cudaHostUnregister hipHostUnregister
#define cudaMalloc hipMalloc
#define cudaMallocHost hipHostMalloc
#define cudaMemGetInfo hipMemGetInfo
#define cudaMemcpy hipMemcpy
#define cudaMemcpy2DAsync hipMemcpy2DAsync
#define cudaMemcpyAsync hipMemcpyAsync
#define cudaMemcpyDeviceToDevice hipMemcpyDeviceToDevice
#define cudaMemcpyDeviceToHost hipMemcpyDeviceToHost
#define cudaMemcpyHostToDevice hipMemcpyHostToDevice
#define cudaMemoryTypeDevice hipMemoryTypeDevice
#define cudaMemoryTypeHost hipMemoryTypeHost
#define cudaMemset hipMemset
#define cudaMemsetAsync hipMemsetAsync
#define cudaOccupancyMaxActiveBlocksPerMultiprocessor(n, f, b, s)                                  \
    hipOccupancyMaxActiveBlocksPerMultiprocessor(n, (const void *)(f), b, s)
#define cudaRuntimeGetVersion hipRuntimeGetVersion
#define cudaStreamCreateWithFlags hipStreamCreateWithFlags
#define cudaStreamDestroy hipStreamDestroy
#define cudaStreamNonBlocking hipStreamNonBlocking
#define cudaStreamSynchronize hipStreamSynchronize
#define cudaStreamWaitEvent hipStreamWaitEvent
#define cudaStream_t hipStream_t
#define cudaSuccess hipSuccess

/* errors that HIP does not have: labels of a switch that are never met */
enum {
    cudaErrorCallRequiresNewerDriver = 90001,
    cudaErrorCompatNotSupportedOnDevice,
    cudaErrorHardwareStackError,
    cudaErrorIllegalInstruction,
    cudaErrorInvalidPc,
    cudaErrorMisalignedAddress,
    cudaErrorNvlinkUncorrectable,
    cudaErrorSystemDriverMismatch,
    cudaErrorSystemNotReady,
    cudaErrorUnsupportedPtxVersion
};

/* fields that HIP does not have; a block can have all shared memory of a compute unit */
struct cudaDeviceProp : hipDeviceProp_t {
    size_t reservedSharedMemPerBlock = 0, sharedMemPerMultiprocessor = 0,
           sharedMemPerBlockOptin = 0;
};
static inline hipError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device)
{
    hipError_t e = hipGetDeviceProperties(p, device);
    p->sharedMemPerMultiprocessor = p->maxSharedMemoryPerMultiProcessor;
    p->sharedMemPerBlockOptin = p->sharedMemPerBlock;
    return e;
}
struct cudaPointerAttributes : hipPointerAttribute_t {
    int type;
};
static inline hipError_t cudaPointerGetAttributes(cudaPointerAttributes *a, const void *memory)
{
    hipError_t e = hipPointerGetAttributes(a, memory);
    a->type = a->memoryType;
    return e;
}

struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    hipStream_t stream;
};
template <class... P, class... A>
static inline hipError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *c, void (*kernel)(P...),
                                            A &&...given)
{
    std::tuple<std::decay_t<P>...> all(std::forward<A>(given)...);
    return std::apply(
        [&](auto &...one) {
            void *pointers[] = {(void *)&one...};
            return hipLaunchKernel((const void *)kernel, c->gridDim, c->blockDim, pointers,
                                   c->dynamicSmemBytes, c->stream);
        },
        all);
}

/* ---- within 32 threads ---- */

#define __shfl_sync(mask, x, from) __shfl(x, from, 32)
#define __shfl_xor_sync(mask, x, apart) __shfl_xor(x, apart, 32)

__device__ static inline unsigned __ballot_half(int x)
{
    return (unsigned)(__ballot(x) >> (__lane_id() & 32));
}
#define __activemask() __ballot_half(1)
#define __any_sync(mask, x) (__ballot_half(x) != 0)
template <class key> __device__ static inline unsigned __match_any_sync(unsigned mask, key mine)
{
    unsigned same = 0;
    for (int i = 0; i < 32; i++)
        same |= (unsigned)(__shfl(mine, i, 32) == mine) << i;
    return same & mask;
}
/* the threads of a wave go together: the compiler alone could move what they write and read */
__device__ static inline void __syncwarp(void)
{
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
    __builtin_amdgcn_wave_barrier();
}
