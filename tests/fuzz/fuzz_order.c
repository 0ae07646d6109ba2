/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: an order kept beside five states. The first byte is the length of its .json,
 * then come the .json and the .npy.
 */
#include "tests/fuzz/files.h"

#include "pasr/database/order.h"

enum { N = 5 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int json, npy;
    char path[128], *about = NULL;
    kb_error err = {0};
    kb_database db = {.n = N, .columns = 3, .sha256 = "0123"};
    int64_t values[N];
    long order[N];
    if (size < 1 || data[0] + 1u > size)
        return 0;
    fuzz_file(&json, "a.order-similar.json", data + 1, data[0]);
    fuzz_file(&npy, "a.order-similar.npy", data + 1 + data[0], size - 1 - data[0]);
    db.path = (char *)fuzz_path("a.npy", path);
    int code = kb_column_read(&db, "order-similar", values, &about, &err);
    fuzz_said(code, &err);
    for (int i = 0; i < N && !code; i++)
        order[i] = (long)values[i];
    if (!code)
        fuzz_said(kb_order_check(path, order, N, &err), &err);
    free(about);
    return 0;
}
