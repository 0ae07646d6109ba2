/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: whatever the bytes are, the YAML reader ends with a mechanism or a message, and
 * what it read comes back from its canonical form.
 *   clang -g -O1 -std=gnu11 -fsanitize=fuzzer,address,undefined -o fuzz_yaml \
 *       tests/fuzz/fuzz_yaml.c <the library's sources> -lyaml -lmd -lm
 *   ./fuzz_yaml -max_len=4096 -dict=tests/corpus/yaml.dict <scratch folder> tests/corpus/yaml
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mech/check.h"
#include "mech/mech.h"

/* a file in memory and the path that leads to it */
static int memory_file(const void *data, size_t size, char path[64])
{
    int fd = memfd_create("fuzz", 0);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, 64, "/proc/self/fd/%d", fd);
    return fd;
}

static void read_again(const char *text)
{
    char path[64];
    kb_mech m;
    kb_error err = {0};
    int fd = memory_file(text, strlen(text), path);
    if (kb_yaml_read(&m, path, &err)) {
        fprintf(stderr, "%s\n%s", err.text, text);
        abort();
    }
    char *again = kb_yaml_text(&m, true);
    if (strcmp(text, again) != 0) {
        fprintf(stderr, "%s\n--- becomes ---\n%s", text, again);
        abort();
    }
    free(again);
    kb_mech_free(&m);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    kb_mech m;
    kb_error err = {0};
    int fd = memory_file(data, size, path);
    if (kb_yaml_read(&m, path, &err)) {
        if (!err.text[0])
            abort();
        close(fd);
        return 0;
    }
    char *text = kb_yaml_text(&m, true);
    read_again(text);
    kb_mech_check(&m, &err);
    free(text);
    kb_mech_free(&m);
    close(fd);
    return 0;
}
