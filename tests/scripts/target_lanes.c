/* SPDX-License-Identifier: MIT
 *
 * rodas4 on the lanes of a processor: integrates rows (T, p, Y) of H2 from standard input over
 * 1e-5 s and prints the attempts of each ODE, T and the fraction of water. test_targets.sh compiles
 * it for several processors.
 */
#include <stdio.h>
#include <stdlib.h>
#include "base/error.h"
#include "solvers/solver.h"

extern const kb_solver kb_rodas4_simd;

int main(void)
{
    enum { MOST = 96, NSP = 9, H2O = 6 };
    static double states[MOST * (NSP + 2)], y[MOST * (NSP + 1)];
    static kb_count count[MOST];
    kb_error err = {0};
    kb_job job = {.states = states, .dt = 1e-5, .rtol = 1e-6, .atol = 1e-12, .threads = 1,
                  .schedule = KB_REFILL};
    kb_result result = {.y = y, .count = count};
    job.n = (long)fread(states, sizeof(double) * (NSP + 2), MOST, stdin);
    if (kb_rodas4_simd.run(&kb_rodas4_simd, &job, &result, &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    for (long i = 0; i < job.n; i++)
        printf("%d %d %.9g %.9g\n", count[i].status, count[i].attempted, y[i * (NSP + 1)],
               y[i * (NSP + 1) + 1 + H2O]);
    return 0;
}
