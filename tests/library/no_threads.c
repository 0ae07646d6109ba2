/* SPDX-License-Identifier: MIT
 *
 * A user's batch on more threads than a limit of memory lets start, for which the OpenMP library
 * would end the program: it has the results of one thread. (CVODE is left out: where memory ends,
 * SUNDIALS may end the program, too.)
 *
 *     (ulimit -s 8192; ulimit -v 300000; no_threads solvers.so)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kinbench.h>

enum { N = 15000, THREADS = 100 };
static double T[2][N], p[2][N], *Y[2];

static void set_states(const kb_mechanism *m, int k)
{
    static const char *const name[] = {"H2", "O2", "N2"};
    static const double part[] = {0.028, 0.226, 0.746};
    int species = kb_mechanism_species(m);
    memset(Y[k], 0, sizeof *Y[k] * N * (size_t)species);
    for (int i = 0; i < N; i++) {
        T[k][i] = 900 + 0.1 * i;
        p[k][i] = 101325;
        for (int s = 0; s < 3; s++)
            Y[k][i * species + kb_mechanism_find_species(m, name[s])] = part[s];
    }
}

/* on one thread and on more than there are; Y is packed on several from 1e5 numbers on */
static int differs(const kb_mechanism *m, const char *method)
{
    kb_integrator *it;
    if (kb_integrator_create(m, method, "cpu-simd", 1e-3, 1e-6, KB_CONSTANT_PRESSURE, &it))
        return 1;
    int code = 0;
    for (int k = 0; k < 2 && !code; k++) {
        set_states(m, k);
        code = kb_integrator_set(it, "threads", k ? THREADS : 1) ||
               kb_integrate(it, N, T[k], p[k], Y[k], 1e-9, NULL, NULL);
    }
    kb_integrator_free(it);
    return code || memcmp(T[0], T[1], sizeof T[0]) ||
           memcmp(Y[0], Y[1], sizeof *Y[0] * N * (size_t)kb_mechanism_species(m));
}

int main(int argc, char **argv)
{
    static const char *const method[] = {"rodas4", "radau2a", "auto"};
    kb_mechanism *m;
    if (argc != 2 || kb_mechanism_open(argv[1], &m)) {
        fprintf(stderr, "no_threads: %s\n", kb_last_error());
        return 2;
    }
    for (int k = 0; k < 2; k++)
        Y[k] = malloc(sizeof *Y[k] * N * (size_t)kb_mechanism_species(m));
    int failed = 0;
    for (int k = 0; k < 3; k++)
        if (differs(m, method[k])) {
            printf("not ok - %s: other results than on one thread: %s\n", method[k],
                   kb_last_error());
            failed = 1;
        }
    kb_mechanism_close(m);
    return failed;
}
