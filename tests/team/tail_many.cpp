/* SPDX-License-Identifier: MIT
 *
 * The dense tail by a block of gpu-many-float, whose threads take turns on the host: its factors
 * have the bits of plain elimination, and a solve leaves a residual of roundings. The tail has more
 * tiles than the block has warps.
 */
#include "tests/team/warps.h"

#include <cmath>
#include <cstring>

#include "solvers/portable/branch_free.h"
static float __fdividef(float a, float b) { return a / b; }
static double __hiloint2double(int high, int low) { return from_words(high, low); }

#define __CUDACC__
#include "solvers/linalg/lu.h"
#include "tests/test.h"

enum { PLACES = NNZ_HEAD + NTAIL * TAIL_STRIDE };
typedef float line[KB_MANY];
static line A[PLACES], before[PLACES], v[NNEWTON + 1], z[NNEWTON + 1], right[NTAIL];
static double reach_of[THREADS];

/* what the calling thread has of lines */
static kb_stored *own(line *lines) { return (kb_stored *)(lines[0] + many_lane()); }

static void draw()
{
    auto number = [] { return (float)(random() % 1000) / 1000 - 0.5f; };
    for (int i = 0; i < NTAIL; i++)
        for (int l = 0; l < KB_MANY; l++) {
            right[i][l] = v[NHEAD + i][l] = number();
            for (int j = 0; j < NTAIL; j++)
                before[TAIL_AT(i, j)][l] = A[TAIL_AT(i, j)][l] = number() + (i == j ? 10 : 0);
        }
}

/* of one ODE, to t, with inverse pivots; returns the largest of these */
static float eliminate(int l, kb_stored t[NTAIL][NTAIL])
{
    float reach = 0;
    for (int i = 0; i < NTAIL; i++)
        for (int j = 0; j < NTAIL; j++)
            t[i][j] = stored_of(before[TAIL_AT(i, j)][l]);
    for (int p = 0; p < NTAIL; p++) {
        t[p][p] = vinverse(t[p][p]);
        if (NHEAD + p != POS_S)
            reach = fmaxf(reach, t[p][p].x);
        for (int i = p + 1; i < NTAIL; i++) {
            t[i][p] = t[i][p] * t[p][p];
            for (int j = p + 1; j < NTAIL; j++)
                t[i][j] = t[i][j] - t[i][p] * t[p][j];
        }
    }
    return reach;
}

TEST(test_tail)
{
    static kb_stored t[NTAIL][NTAIL];
    assert_true(2 * NTAIL / KB_TILE - 2 > KB_TEAM);
    draw();
    team([](unsigned thread) {
        lane reach = splat(0);
        lu_tail_tiles(own(A), &reach);
        team_sync();
        lu_tail_product(own(A), own(v), own(z));
        reach_of[thread] = lane_get(team_max(reach, KB_TEAM), 0);
    });
    for (int l = 0; l < KB_MANY; l++) {
        float reach = eliminate(l, t);
        assert_true((float)reach_of[l] == reach);
        for (int i = 0; i < NTAIL; i++) {
            double left = right[i][l];
            for (int j = 0; j < NTAIL; j++) {
                assert_memory_equal(&A[TAIL_AT(i, j)][l], &t[i][j].x, sizeof(float));
                left -= (double)before[TAIL_AT(i, j)][l] * z[NHEAD + j][l];
            }
            assert_true(fabs(left) < 1e-5);
        }
    }
}

TESTS(NULL, NULL)
