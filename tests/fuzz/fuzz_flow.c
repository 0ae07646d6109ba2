/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: checkpoints of a run of flow. The first byte says whether the engine is fused,
 * a foil is kept, and the rest replaces bytes of a right checkpoint, with a right hash.
 */
#include "tests/fuzz/files.h"

#include <sha2.h>

#include "flow/run/checkpoint.h"

enum { PLANE = 4, MORE = 8, FUSED = 1, FOIL = 2, RIGHT = 4, ROOM = 8192 };
enum { HASH = 1168, HEAD = HASH + 72 }; /* bytes of the head */

static double block[3 * 4 * PLANE + 2 * 6 * PLANE + PLANE];

static kb_flow make_flow(int which, kb_flow_engine *engine)
{
    kb_flow f = {.engine = engine, .block = block, .stage.grid = {.nsp = 1, .plane = PLANE}};
    engine->fused = which & FUSED;
    for (int k = 0; k < 3; k++)
        f.q[k] = block + k * 4 * PLANE;
    f.w = block + 3 * 4 * PLANE;
    f.next = which & FUSED ? f.w + 6 * PLANE : f.w;
    f.foil = which & FOIL ? block + 3 * 4 * PLANE + 2 * 6 * PLANE : NULL;
    return f;
}

/* what a run writes, with the bytes of data in place of its own from `from` on */
static size_t overwrite(const kb_flow *f, const uint8_t *data, size_t n, size_t from, uint8_t *out)
{
    static const char more[MORE];
    char path[128], hash[65];
    if (kb_flow_checkpoint_write(f, fuzz_path("b", path), "a run", more, MORE, NULL))
        abort();
    FILE *whole = fopen(path, "rb");
    size_t size = whole ? fread(out, 1, ROOM, whole) : 0;
    if (whole)
        fclose(whole);
    if (from + n > size)
        return size;
    memcpy(out + from, data, n);
    memset(out + HASH, 0, HEAD - HASH);
    SHA256Data(out, size, hash);
    memcpy(out + HASH, hash, sizeof hash);
    return size;
}

static void check(const kb_flow *f)
{
    for (int k = 0; k < 3; k++)
        if (f->q[k] < block || f->q[k] > block + 2 * 4 * PLANE || f->q[k] == f->q[(k + 1) % 3])
            abort();
    if (f->step < 0 || f->w < block + 3 * 4 * PLANE)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int file;
    static uint8_t bytes[ROOM];
    char path[128], more[MORE];
    kb_error err = {0};
    kb_flow_engine engine = {0};
    bool found;
    if (size < 3 || size > ROOM)
        return 0;
    kb_flow f = make_flow(data[0], &engine);
    size_t n = size - 3, from = data[1] + 256u * data[2];
    if (data[0] & RIGHT) {
        n = overwrite(&f, data + 3, n, from, bytes);
        fuzz_file(&file, "a", bytes, n);
    } else {
        fuzz_file(&file, "a", data + 3, n);
    }
    int code = kb_flow_checkpoint_read(&f, fuzz_path("a", path), "a run", more, MORE, &found, &err);
    fuzz_said(code, &err);
    if (!code)
        check(&f);
    return 0;
}
