/* SPDX-License-Identifier: MIT
 *
 * Memory of the made-up device for tests in C: filled from the host's.
 */
#include "tests/gpu/fake_cuda/cuda_runtime.h"

extern "C" {
void *fake_device_new(const void *from, size_t size);
void fake_device_free(void *memory);
}

void *fake_device_new(const void *from, size_t size)
{
    char *memory = nullptr;
    cudaMalloc(&memory, size);
    return memory && from ? memcpy(memory, from, size) : memory;
}

void fake_device_free(void *memory)
{
    cudaFree(memory);
}
