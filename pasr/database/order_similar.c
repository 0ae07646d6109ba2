/* SPDX-License-Identifier: MIT
 *
 * The order "similar": states along a Hilbert curve through the unit cube of T, log p and the mass
 * fractions that vary most. Points that are close on the curve are close in the cube.
 */
#include <math.h>
#include <string.h>

#include "pasr/database/order.h"

#define AXES 5           /* T, log p and three species */
#define BITS (64 / AXES) /* of each axis */

/* Coordinates x [AXES] of BITS bits to their place on the curve: Skilling, AIP Conf. Proc. 707
 * (2004) 381, AxestoTranspose; then the bits interleaved, axis 0 first. */
static uint64_t hilbert(uint32_t *x)
{
    for (uint32_t q = 1u << (BITS - 1); q > 1; q >>= 1)
        for (int i = 0; i < AXES; i++) {
            uint32_t swap = (x[0] ^ x[i]) & (q - 1);
            if (x[i] & q) {
                x[0] ^= q - 1;
            } else {
                x[0] ^= swap;
                x[i] ^= swap;
            }
        }
    for (int i = 1; i < AXES; i++)
        x[i] ^= x[i - 1];
    uint32_t flip = 0;
    for (uint32_t q = 1u << (BITS - 1); q > 1; q >>= 1)
        if (x[AXES - 1] & q)
            flip ^= q - 1;
    uint64_t place = 0;
    for (int b = BITS - 1; b >= 0; b--)
        for (int i = 0; i < AXES; i++)
            place = place << 1 | ((x[i] ^ flip) >> b & 1);
    return place;
}

typedef struct {
    int column;
    double low, high;
} axis;

static double coordinate(const double *state, int column)
{
    return column == 1 ? log(state[1]) : state[column];
}

static axis range(const kb_database *db, int column)
{
    axis a = {column, INFINITY, -INFINITY};
    for (long i = 0; i < db->n; i++) {
        double x = coordinate(db->states + i * db->columns, column);
        a.low = fmin(a.low, x);
        a.high = fmax(a.high, x);
    }
    return a;
}

/* T, log p and the species of the largest ranges, the largest first */
static int choose(const kb_database *db, axis *axes)
{
    int n = 2;
    axes[0] = range(db, 0);
    axes[1] = range(db, 1);
    for (int j = 2; j < db->columns; j++) {
        axis a = range(db, j);
        int at = n;
        while (at > 2 && axes[at - 1].high - axes[at - 1].low < a.high - a.low)
            at--;
        if (at == AXES)
            continue;
        n += n < AXES;
        memmove(axes + at + 1, axes + at, (size_t)(n - 1 - at) * sizeof *axes);
        axes[at] = a;
    }
    return n;
}

void kb_order_curve(const kb_database *db, uint64_t *place)
{
    axis axes[AXES];
    int n = choose(db, axes);
    for (long i = 0; i < db->n; i++) {
        uint32_t x[AXES] = {0};
        for (int k = 0; k < n; k++) {
            double width = axes[k].high - axes[k].low;
            double at = coordinate(db->states + i * db->columns, axes[k].column) - axes[k].low;
            if (width > 0)
                x[k] = (uint32_t)(at / width * ((1u << BITS) - 1));
        }
        place[i] = hilbert(x);
    }
}
