/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: the lines of claims, each judged over a folder without runs. The first byte
 * says whether the heads of columns are put in front.
 */
#include "tests/fuzz/files.h"

#include "drivers/claims/judge.h"

static const char head[] =
    "id\tpaper\twhere\tquantity\tprinted\tprinted_lo\tprinted_hi\tkind\tportable\texperiment\tquery"
    "\tdirection\tband\tguard\tnote\n";

static void judge(const kb_claim *c)
{
    static kb_results results;
    char path[128];
    kb_error err = {0};
    kb_judgement j;
    if (!results.folder && kb_results_open(&results, fuzz_path("", path), &err))
        abort();
    fuzz_said(kb_judge(&results, c, &j, &err), &err);
    if (j.verdict < 0 || j.verdict >= KB_VERDICTS)
        abort();
    kb_judgement_free(&j);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int file;
    char path[128];
    kb_error err = {0};
    kb_ledger l;
    if (size < 1)
        return 0;
    int n = data[0] % 4 ? (int)strlen(head) : 0;
    char *text = kb_alloc((size_t)n + size, 1);
    memcpy(text, head, (size_t)n);
    memcpy(text + n, data + 1, size - 1);
    fuzz_file(&file, "claims.tsv", text, (size_t)n + size - 1);
    int code = kb_ledger_read(&l, fuzz_path("claims.tsv", path), &err);
    fuzz_said(code, &err);
    for (int i = 0; i < l.count; i++)
        judge(&l.of[i]);
    kb_ledger_free(&l);
    free(text);
    return 0;
}
