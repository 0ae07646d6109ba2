/* SPDX-License-Identifier: MIT
 *
 * `kb_owned char *path = kb_format(...);` is freed at the end of its block, also by a return. Not
 * for what is stored or returned. Of JSON json_auto_t does the same.
 */
#pragma once

#include <stdlib.h>
#include <string.h>

#define kb_owned __attribute__((cleanup(kb_free_owned)))

static inline void kb_free_owned(void *pointer)
{
    void *memory;
    memcpy(&memory, pointer, sizeof memory);
    free(memory);
}
