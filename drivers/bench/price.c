/* SPDX-License-Identifier: MIT */
#include "drivers/bench/price.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/arguments.h"
#include "solvers/engine_names.h"

int kb_price_read(kb_price *price, const char *text, kb_error *err)
{
    double *list = NULL;
    int n = 0, code = kb_list_numbers("price", text, 0, &list, &n, err);
    if (!code && n > 2)
        code = kb_fail(err, KB_INVALID, "--price: %d numbers, expected CPU,GPU or CPU alone", n);
    if (!code)
        *price = (kb_price){n > 0 ? list[0] : 0, n > 1 ? list[1] : 0};
    free(list);
    return code;
}

void kb_price_fill(const kb_price *price, kb_csv *t)
{
    for (long row = 0; row < t->nrows; row++) {
        bool cpu = !kb_on_gpu(kb_csv_get(t, row, "engine"));
        double own = cpu ? price->cpu : price->gpu, rate = kb_csv_value(t, row, "ode_per_s");
        if (!(own > 0))
            continue;
        kb_csv_number(t, row, "price", own, 0);
        kb_csv_number(t, row, "ode_per_s_per_price", rate / own, 6);
    }
}
