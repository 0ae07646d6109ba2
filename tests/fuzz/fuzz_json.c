/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: the record beside a database, against a mechanism.
 */
#include "tests/fuzz/files.h"

#include <string.h>

#include "base/json.h"
#include "pasr/database/origin.h"

/* what the mechanism of a record was read with, into the environment and from there into another */
static void read_as(const json_t *record)
{
    static const char *const key[] = {"qss", "phase", "ideal"};
    static const char *const variable[] = {"KB_QSS", "KB_PHASE", "KB_IDEAL"};
    json_t *again = json_object();
    kb_origin_read_as(record);
    kb_origin_reading(again);
    for (int i = 0; i < 3; i++) {
        const char *was = json_string_value(json_object_get(record, key[i]));
        const char *is = json_string_value(json_object_get(again, key[i]));
        if (was && *was ? !is || (*was != '/' && strcmp(was, is)) : is != NULL)
            abort();
        unsetenv(variable[i]);
    }
    json_decref(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int file;
    char path[128];
    kb_error err = {0};
    fuzz_file(&file, "a.json", data, size);
    kb_origin o = {.path = fuzz_path("a.npy", path), .states_sha256 = "0123", .mech = "h2",
                   .mech_sha256 = "4567"};
    fuzz_said(kb_origin_check(&o, &err), &err);
    json_t *record = kb_json_read(fuzz_path("a.json", path), NULL, &err);
    if (record)
        read_as(record);
    json_decref(record);
    return 0;
}
