/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target of the CHEMKIN reader: no input may crash it, hang it or leak.
 * A line "====" parts the mechanism from a separate thermo file. Seeds: tests/corpus/chemkin/.
 */
#include "tests/fuzz/files.h"

#include "mech/check.h"
#include "mech/chemkin/chemkin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char mark[] = "\n====\n";
    const char *text = (const char *)data;
    const char *cut = memmem(text, size, mark, sizeof mark - 1);
    const char *thermo = cut ? cut + sizeof mark - 1 : NULL;
    kb_mech m;
    kb_error err = {0};
    if (ck_read_bytes(&m, text, cut ? (size_t)(cut - text) : size, thermo,
                      thermo ? size - (size_t)(thermo - text) : 0, &err))
        return 0;
    kb_mech_check(&m, &err);
    for (int i = 0; i < m.nreactions; i++)
        free(kb_equation(&m, &m.reactions[i]));
    kb_mech_free(&m);
    return 0;
}
