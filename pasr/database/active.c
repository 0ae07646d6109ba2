/* SPDX-License-Identifier: MIT */
#include "pasr/database/active.h"

#include <string.h>

static json_t *summarise(double dt, long n, const kb_count *count)
{
    long least = count[0].attempted, most = 0, active = 0;
    double sum = 0;
    for (long i = 0; i < n; i++) {
        least = count[i].attempted < least ? count[i].attempted : least;
        most = count[i].attempted > most ? count[i].attempted : most;
        sum += count[i].attempted;
    }
    for (long i = 0; i < n; i++)
        active += count[i].attempted > least;
    return json_pack("{s:f, s:f, s:I, s:f, s:I}", "dt_s", dt, "share", (double)active / (double)n,
                     "least_substeps", (json_int_t)least, "mean_substeps", sum / (double)n,
                     "most_substeps", (json_int_t)most);
}

/* every k-th row so that at most KB_ACTIVE_SAMPLE remain; caller frees */
static double *sample_rows(long *n, int columns, const double *states)
{
    long step = (*n + KB_ACTIVE_SAMPLE - 1) / KB_ACTIVE_SAMPLE, m = 0;
    double *rows = kb_alloc((size_t)(*n / step + 1) * (size_t)columns, sizeof *rows);
    for (long i = 0; i < *n; i += step, m++)
        memcpy(rows + m * columns, states + i * columns, (size_t)columns * sizeof *rows);
    *n = m;
    return rows;
}

json_t *kb_active(const kb_solvers *s, long n, const double *states, int threads,
                  const volatile int *stop, kb_error *err)
{
    static const double dt[] = {1e-6, 1e-4};
    const kb_solver *solver = kb_solver_find(s, "rodas4", "cpu-simd");
    if (!solver) {
        kb_fail(err, KB_INVALID, "the share of active states needs rodas4 on cpu-simd");
        return NULL;
    }
    double *rows = sample_rows(&n, s->nsp + 2, states);
    kb_result result = {.y = kb_alloc((size_t)n * ((size_t)s->nsp + 1), sizeof *result.y),
                        .count = kb_alloc((size_t)n, sizeof *result.count)};
    json_t *list = json_array();
    int code = KB_OK;
    for (size_t i = 0; i < sizeof dt / sizeof *dt && !code; i++) {
        kb_job job = {.n = n, .states = rows, .dt = dt[i], .rtol = KB_ACTIVE_RTOL,
                      .atol = KB_ACTIVE_ATOL, .schedule = KB_REFILL, .threads = threads,
                      .stop = stop};
        code = solver->run(solver, &job, &result, err);
        if (!code)
            json_array_append_new(list, summarise(dt[i], n, result.count));
    }
    free(rows);
    free(result.y);
    free(result.count);
    if (!code)
        return json_pack("{s:s, s:I, s:o}", "criterion", "rodas4, rtol 1e-4, atol 1e-10: more "
                         "attempted substeps than the least of the sample", "sample",
                         (json_int_t)n, "steps", list);
    json_decref(list);
    return NULL;
}
