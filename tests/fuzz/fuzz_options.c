/* SPDX-License-Identifier: MIT
 *
 * libFuzzer target: a method with its options as text, as users of the library write it. What is
 * taken lies within the ranges of the table.
 */
#include "tests/fuzz/files.h"

#include <math.h>

#include "solvers/auto.h"
#include "solvers/options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const kb_option options[] = {{"h0", "first substep [s]", 0, 0, INFINITY, KB_REAL},
                                        {"max_order", "order", 5, 1, 5, KB_WHOLE},
                                        {"reach", "growth", 0, 0, 1, KB_WHOLE},
                                        {"low", "below 0", 0, -1e300, -1, KB_REAL}, {0}};
    static const kb_solver_info info = {.name = "cvode", .engine = "cpu-scalar",
                                        .options = options};
    kb_error err = {0};
    kb_choice c = {.rtol = 1e-6, .atol = 1e-10};
    char *text = kb_format("%.*s", (int)size, (const char *)data);
    kb_is_auto(text);
    int code = kb_solver_options(&info, text, &c, &err);
    fuzz_said(code, &err);
    if (!code && (!(c.rtol > 0) || !(c.atol > 0) || !isfinite(c.rtol + c.atol) || !c.text))
        abort();
    for (int i = 0; options[i].name && !code; i++)
        if (c.options[i] != options[i].value && !kb_option_allows(&options[i], c.options[i]))
            abort();
    free(c.options);
    free(c.text);
    free(text);
    return 0;
}
