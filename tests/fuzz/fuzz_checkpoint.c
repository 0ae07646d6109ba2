/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: the checkpoint of a march and its kept rows. The first byte is the length of
 * the .kept, and whether it is odd says that the hashes are made right, so that what lies behind
 * them is reached; then come .kept and .checkpoint.
 */
#include "tests/fuzz/files.h"

#include <sha2.h>

#include "pasr/generators/common/march.h"

/* of the head: magic [8], hash of the recipe [72], size of the state, its hash, that of .kept */
enum { HASH = 8, SIZE = 80, STATE_HASH = 88, KEPT_HASH = 160, HEAD = 232, STATE = 16, ROOM = 4096 };

static int step(void *work, kb_error *err)
{
    (void)work;
    (void)err;
    return KB_OK;
}

static void keep(void *work, long k)
{
    (void)work;
    (void)k;
}

/* bytes [n]: with the hashes that fit them and the kept rows; their rows are 2 numbers a time */
static void make_right(uint8_t *bytes, size_t n, const kb_march *m, const uint8_t *kept, size_t nk)
{
    uint64_t size = m->size;
    if (n < HEAD + m->size)
        return;
    memcpy(bytes, "kbstep2", 8);
    memset(bytes + HASH, 0, SIZE - HASH);
    memcpy(bytes + HASH, m->hash, sizeof m->hash);
    memcpy(bytes + SIZE, &size, sizeof size);
    SHA256Data(bytes + HEAD, m->size, (char *)bytes + STATE_HASH);
    SHA256Data(kept, nk / 16 * 16, (char *)bytes + KEPT_HASH);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int kept, checkpoint;
    static uint8_t bytes[ROOM];
    char path[128];
    kb_error err = {0};
    double rows[20];
    if (size < 1 || data[0] + 1u > size || size > ROOM)
        return 0;
    kb_march_how how = {.path = fuzz_path("a.npy", path)};
    kb_march m = {.how = &how, .step = step, .keep = keep, .steps = 9, .first = 0, .every = 1,
                  .groups = 1, .times = 10, .rows = 1, .kept = {{rows, 2}}, .hash = "89ab"};
    size_t n = size - 1 - data[0];
    kb_march_state(&m, STATE);
    memcpy(bytes, data + 1 + data[0], n);
    if (data[0] % 2)
        make_right(bytes, n, &m, data + 1, data[0]);
    fuzz_file(&kept, "a.kept", data + 1, data[0]);
    fuzz_file(&checkpoint, "a.checkpoint", bytes, n);
    int code = kb_checkpoint_read(&m, &err);
    fuzz_said(code, &err);
    if (!code && (m.clock->step < 0 || m.clock->step > m.steps || m.written != kb_march_kept(&m)))
        abort();
    kb_march_free(&m);
    return 0;
}
