/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: a run compared with itself, which has as many cells as pairs, none of them
 * slower; in two forms of print.
 */
#include "tests/fuzz/sides.h"

#include "drivers/compare/print.h"

static void print(const kb_comparison *c)
{
    char *text;
    size_t size;
    kb_error err = {0};
    FILE *f = kb_open_text(&text, &size);
    kb_compare_report r = {.c = c, .a = "a", .b = "b", .all = true};
    kb_compare_text(&r, f);
    fuzz_said(kb_compare_json(&r, f, &err), &err);
    kb_close_text(f);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    kb_side a, b;
    kb_comparison c;
    kb_error err = {0};
    const char *folder = fuzz_run(data, size, NULL);
    int code = kb_side_read(&a, folder, "time_s", &err);
    fuzz_said(code, &err);
    if (code)
        return kb_side_free(&a), 0;
    if (kb_side_read(&b, folder, "time_s", &err))
        abort();
    kb_compare(&c, &a, &b, 0.03);
    if (c.count[KB_IS_SLOWER] || c.n > a.ncells + b.ncells)
        abort();
    print(&c);
    kb_comparison_free(&c);
    kb_side_free(&a);
    kb_side_free(&b);
    return 0;
}
