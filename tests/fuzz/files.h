/* SPDX-License-Identifier: MIT
 *
 * Files in memory under names in a folder of their own, for readers that take a path.
 */
#pragma once

#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char fuzz_folder[64];

static inline void fuzz_clear(void)
{
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", fuzz_folder);
    if (system(command))
        abort();
}

/* "<folder>/<name>" */
static inline const char *fuzz_path(const char *name, char path[128])
{
    if (!*fuzz_folder) {
        strcpy(fuzz_folder, access("/dev/shm", W_OK) ? "/tmp/kb-fuzz-XXXXXX"
                                                     : "/dev/shm/kb-fuzz-XXXXXX");
        if (!mkdtemp(fuzz_folder))
            abort();
        atexit(fuzz_clear);
    }
    snprintf(path, 128, "%s/%s", fuzz_folder, name);
    return path;
}

/* Makes a folder of that name */
static inline void fuzz_folder_in(const char *name)
{
    char path[128];
    if (mkdir(fuzz_path(name, path), 0777))
        abort();
}

/* The file of that name holds these bytes; *file is its descriptor, to be 0 at first. */
static inline void fuzz_file(int *file, const char *name, const void *data, size_t size)
{
    if (!*file) {
        char path[128], target[64];
        *file = memfd_create(name, 0);
        snprintf(target, sizeof target, "/proc/%ld/fd/%d", (long)getpid(), *file);
        if (*file < 0 || symlink(target, fuzz_path(name, path)))
            abort();
    }
    if (ftruncate(*file, 0) || pwrite(*file, data, size, 0) != (ssize_t)size)
        abort();
}

/* a reader that fails says why */
static inline void fuzz_said(int code, const kb_error *err)
{
    if (code && !*err->text)
        abort();
}
