/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: arrays as databases, repaired or not, and as arrays of any shape.
 */
#include "tests/fuzz/files.h"

#include "pasr/database/database.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int file;
    char path[128];
    fuzz_file(&file, "a.npy", data, size);
    fuzz_path("a.npy", path);
    for (int repair = 0; repair < 2; repair++) {
        kb_error err = {0};
        kb_database db;
        int code = kb_database_read(&db, path, 0, repair, &err);
        fuzz_said(code, &err);
        if (!code && kb_states_check(path, db.n, db.columns, db.states, NULL, &err))
            abort();
        kb_database_free(&db);
    }
    kb_error err = {0};
    kb_npy a;
    fuzz_said(kb_npy_load(path, size & 1 ? "<f8" : "<i8", 1, KB_NPY_DIMS, &a, &err), &err);
    free(a.data);
    return 0;
}
