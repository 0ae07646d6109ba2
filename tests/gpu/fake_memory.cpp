/* SPDX-License-Identifier: MIT
 *
 * Memory of the made-up device for tests in C: filled from the host's; and another device, whose
 * variables nobody wrote.
 */
#include "tests/gpu/fake_cuda/cuda_runtime.h"

extern "C" {
void *fake_device_new(const void *from, size_t size);
void fake_device_free(void *memory);
void fake_next_device(void);
bool fake_variable_holds(const void *bytes, size_t size);
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

void fake_next_device(void)
{
    for (auto [variable, size] : fake_variables)
        memset(variable, 0, size);
    fake_variables.clear();
}

/* whether the host wrote these bytes into a variable */
bool fake_variable_holds(const void *bytes, size_t size)
{
    fake_finish(&fake_default);
    for (auto [variable, its_size] : fake_variables)
        if (its_size == size && !memcmp(variable, bytes, size))
            return true;
    return false;
}
