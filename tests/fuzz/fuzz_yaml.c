/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: whatever the bytes are, the YAML reader ends with a mechanism or a message, and
 * what it read comes back from its canonical form.
 */
#include "tests/fuzz/files.h"

#include "base/owned.h"
#include "mech/check.h"
#include "mech/mech.h"

static int read_bytes(kb_mech *m, const void *data, size_t size, kb_error *err)
{
    static int file;
    char path[128];
    fuzz_file(&file, "a.yaml", data, size);
    return kb_yaml_read(m, fuzz_path("a.yaml", path), err);
}

static void read_again(const char *text)
{
    kb_mech m;
    kb_error err = {0};
    if (read_bytes(&m, text, strlen(text), &err)) {
        fprintf(stderr, "%s\n%s", err.text, text);
        abort();
    }
    kb_owned char *again = kb_yaml_text(&m, true);
    if (strcmp(text, again) != 0) {
        fprintf(stderr, "%s\n--- becomes ---\n%s", text, again);
        abort();
    }
    kb_mech_free(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    kb_mech m;
    kb_error err = {0};
    int code = read_bytes(&m, data, size, &err);
    fuzz_said(code, &err);
    if (code)
        return 0;
    kb_owned char *text = kb_yaml_text(&m, true);
    read_again(text);
    kb_mech_check(&m, &err);
    kb_mech_free(&m);
    return 0;
}
