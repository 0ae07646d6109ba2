/* SPDX-License-Identifier: MIT
 *
 * Host memory of batches: page-locked where there is a device, so that the GPU engines copy from it
 * and to it without packing (gpu_slices.cuh); ordinary memory otherwise.
 */
#include <cstdlib>
#include <cuda_runtime.h>

extern "C" {
void *kb_memory_new(size_t size);
void kb_memory_free(void *memory);
void kb_memory_lock(void *memory, size_t size);
}

void *kb_memory_new(size_t size)
{
    void *memory;
    if (cudaMallocHost(&memory, size) == cudaSuccess)
        return memory;
    cudaGetLastError();
    return malloc(size);
}

void kb_memory_free(void *memory)
{
    cudaPointerAttributes a;
    bool locked = memory && cudaPointerGetAttributes(&a, memory) == cudaSuccess &&
                  a.type == cudaMemoryTypeHost;
    cudaGetLastError();
    if (locked)
        cudaFreeHost(memory);
    else
        free(memory);
}

/* for all contexts; without a device nothing is locked */
void kb_memory_lock(void *memory, size_t size)
{
    if (size)
        cudaHostRegister(memory, size, cudaHostRegisterPortable);
    else
        cudaHostUnregister(memory);
    cudaGetLastError();
}
