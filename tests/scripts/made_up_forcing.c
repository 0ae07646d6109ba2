/* SPDX-License-Identifier: MIT
 *
 * made_up_forcing DB.npy FORCING.npy [SPOILT]: draws each state of the database to the seventh
 * behind it over 1e-5 s. SPOILT [1/s] is added to the last fraction of the third row.
 */
#include <stdlib.h>

#include "pasr/database/database.h"

int main(int argc, char **argv)
{
    kb_error err;
    long n;
    int columns;
    double *s;
    if (argc < 3 || kb_npy_read(argv[1], &n, &columns, &s, &err))
        return argc < 3 ? KB_INVALID : kb_report("made_up_forcing", &err);
    int m = columns - 1;
    double *F = kb_alloc((size_t)n * (size_t)m, sizeof *F);
    for (long k = 0; k < n; k++)
        for (int i = 0; i < m; i++) {
            int j = i ? i + 1 : 0;
            F[k * m + i] = (s[(k + 7) % n * columns + j] - s[k * columns + j]) / 1e-5;
        }
    F[3 * m - 1] += argc > 3 ? atof(argv[3]) : 0;
    int code = kb_npy_write(argv[2], n, m, F, &err);
    free(s);
    free(F);
    return code ? kb_report("made_up_forcing", &err) : KB_OK;
}
