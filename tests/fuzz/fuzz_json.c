/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: the record beside a database, against a mechanism.
 */
#include "tests/fuzz/files.h"

#include "base/json.h"
#include "pasr/database/origin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int file;
    char path[128];
    kb_error err = {0};
    fuzz_file(&file, "a.json", data, size);
    kb_origin o = {.path = fuzz_path("a.npy", path), .states_sha256 = "0123", .mech = "h2",
                   .mech_sha256 = "4567"};
    fuzz_said(kb_origin_check(&o, &err), &err);
    json_decref(kb_json_read(fuzz_path("a.json", path), NULL, &err));
    return 0;
}
