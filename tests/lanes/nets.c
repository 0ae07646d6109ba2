/* SPDX-License-Identifier: MIT
 *
 * The nets of flow (flow/scheme/positive.h, variables.h) on made-up states, most of which need
 * them: the moved states and fluxes against searches for the largest share that is allowed, one
 * lane and one state at a time. Lanes differ. And what ADER makes of conserved variables.
 */
#include "base/random.h"
#include "flow/scheme/ader.h"
#include "flow/scheme/evolve.h"
#include "tests/test.h"

enum { ROUNDS = 3000, RHO = 0, MU = NSP, MV = NSP + 1, E = NSP + 2 };
static const kb_flow_gas gas = {{287, 200}, {717.5, 500}, 0.4, 2.5};
static kb_random random_state;

static double between(double low, double high)
{
    return low + (high - low) * kb_random_unit(&random_state);
}

static void draw(lane *x, double low, double high)
{
    for (int l = 0; l < KB_LANES; l++)
        lane_put(x, l, between(low, high));
}

/* a possible state */
static face_side draw_cell(void)
{
    face_side a = {0};
    for (int s = 0; s < NSP; s++)
        draw(&a.rho[s], s ? 0 : 0.1, 2);
    a.density = sum_species(a.rho);
    draw(&a.un, -2, 2);
    draw(&a.ut, -2, 2);
    draw(&a.p, 0, 1);
    a.p = 1e-4 + 2.0 * a.p * a.p * a.p * a.p; /* mostly low */
    face_energy(&gas, &a, 1.0 / a.density);
    return a;
}

typedef struct {
    double q[NQ];
} content;

static content lane_of(const lane Q[NQ], int l)
{
    content s;
    for (int k = 0; k < NQ; k++)
        s.q[k] = lane_get(Q[k], l);
    return s;
}

static content mixed(content a, content b, double share)
{
    for (int k = 0; k < NQ; k++)
        a.q[k] += share * (b.q[k] - a.q[k]);
    return a;
}

static double density(content s)
{
    double sum = 0;
    for (int k = 0; k < NSP; k++)
        sum += s.q[k];
    return sum;
}

/* rho times the internal energy above least */
static double warm(content s, double least)
{
    return density(s) * (s.q[E] - least) - 0.5 * (s.q[MU] * s.q[MU] + s.q[MV] * s.q[MV]);
}

static double apart(content a, content b)
{
    double most = 0;
    for (int k = 0; k < NQ; k++)
        most = larger(most, fabs(a.q[k] - b.q[k]));
    return most;
}

#if NSP == 1
/* the largest share of the way from a to b that keeps the energy; a keeps it */
static double warm_part(content a, content b, double least)
{
    double low = 0, high = 1;
    if (warm(b, least) >= 0)
        return 1;
    for (int k = 0; k < 60; k++) {
        double middle = 0.5 * (low + high);
        *(warm(mixed(a, b, middle), least) >= 0 ? &low : &high) = middle;
    }
    return low;
}

TEST(conserved_variables)
{
    int thin = 0, cold = 0, fine = 0;
    for (int round = 0; round < ROUNDS; round++) {
        face_side cell = draw_cell();
        lane C[NQ], Q[NQ], before[NQ];
        face_conserved(&cell, C);
        draw(&Q[RHO], -1, 3);
        draw(&Q[MU], -3, 3);
        draw(&Q[MV], -3, 3);
        draw(&Q[E], round % 3 ? -1 : 8, 16);
        memcpy(before, Q, sizeof Q);
        mask low = scale_conserved(Q, &cell, gas.ratio);
        for (int l = 0; l < KB_LANES; l++) {
            content c = lane_of(C, l), q = lane_of(before, l), expected = q;
            double share = 1, least = 1e-3 * c.q[RHO], p = 1e-3 * lane_get(cell.p, l);
            if (q.q[RHO] < least)
                share = (c.q[RHO] - least) / (c.q[RHO] - q.q[RHO]);
            int moved = share < 1 || warm(q, p / gas.ratio) < 0;
            thin += share < 1;
            expected = mixed(c, q, share);
            share = warm_part(c, expected, p / gas.ratio);
            cold += share < 1;
            fine += !moved;
            expected = mixed(c, expected, share);
            assert_int_equal(mask_get(low, l) != 0, moved);
            assert_true(apart(lane_of(Q, l), expected) < 1e-7);
        }
    }
    assert_true(thin > ROUNDS / 20 && cold > ROUNDS / 20 && fine > ROUNDS / 20);
}
#endif

TEST(primitive_variables)
{
    int moved = 0, cut = 0;
    for (int round = 0; round < ROUNDS; round++) {
        face_side cell = draw_cell(), a = draw_cell(), was;
        if (round % 2)
            draw(&a.p, -1, 1);
        if (round % 3)
            draw(&a.rho[NSP - 1], round % 5 ? -1 : -1e-6, round % 5 ? 1 : 1e-6);
        was = a;
        mask low = scale_primitive(&a, &cell);
        for (int l = 0; l < KB_LANES; l++) {
            double share = 1, rho = lane_get(cell.density, l), sum = 0;
            double p = lane_get(cell.p, l), from = lane_get(was.p, l);
            for (int s = 0; s < NSP; s++) {
                double c = lane_get(cell.rho[s], l), x = lane_get(was.rho[s], l);
                sum += x;
                if (NSP > 1 && x < -1e-6 * rho)
                    share = fmin(share, (c + 1e-6 * rho) / (c - x));
            }
            if (from < 1e-3 * p)
                share = fmin(share, 0.999 * p / (p - from));
            if (sum < 1e-3 * rho)
                share = fmin(share, 0.999 * rho / (rho - sum));
            assert_int_equal(mask_get(low, l) != 0, share < 1);
            moved += share < 1;
            for (int s = 0; s < NSP; s++) {
                double c = lane_get(cell.rho[s], l);
                double right = c + share * (lane_get(was.rho[s], l) - c);
                cut += NSP > 1 && right < 0;
                right = NSP > 1 ? fmax(right, 0) : right;
                assert_true(fabs(lane_get(a.rho[s], l) - right) < 1e-14);
            }
            assert_true(fabs(lane_get(a.p, l) - p - share * (from - p)) < 1e-14);
            double un = lane_get(cell.un, l), ut = lane_get(cell.ut, l);
            un += share * (lane_get(was.un, l) - un);
            ut += share * (lane_get(was.ut, l) - ut);
            assert_true(fabs(lane_get(a.un, l) - un) < 1e-14 &&
                        fabs(lane_get(a.ut, l) - ut) < 1e-14);
        }
    }
    assert_true(moved > ROUNDS / 20 && (NSP == 1 || cut > ROUNDS / 20));
}

/* what is at a limit of a cell of density 1 and pressure 2 stays, the next number below is low */
TEST(exactly_at_a_limit)
{
    enum { AT_P, AT_DENSITY, AT_TRACE, LIMITS = NSP > 1 ? 3 : 2 };
    face_side cell = {.density = splat(1), .p = splat(2)};
    cell.rho[0] = splat(1);
    for (int k = 0; k < LIMITS; k++)
        for (int below = 0; below < 2; below++) {
            const double limit = (double[]){1e-3 * 2, 1e-3, -1e-6}[k];
            lane at = splat(below ? nextafter(limit, -1) : limit);
            face_side a = cell;
            *(k == AT_P ? &a.p : k == AT_DENSITY ? &a.rho[0] : &a.rho[NSP - 1]) = at;
            mask low = is_low(&a, &cell);
            for (int l = 0; l < KB_LANES; l++)
                assert_int_equal(mask_get(low, l), below);
        }
}

/* does something of all be left of Q from which l F flows? */
static int is_full(content q, content f, double l)
{
    double least = 0;
    for (int k = 0; k < NQ; k++)
        q.q[k] -= l * f.q[k];
    for (int s = 0; s < NSP; s++)
        least = fmin(least, q.q[s]);
    return density(q) > 0 && warm(q, 0) > 0 && (NSP == 1 || least >= -1e-10 * density(q));
}

/* a flux is moved to a safe one by the largest share, in steps of 2^-12, that empties no cell */
TEST(fluxes)
{
    int moved = 0, whole = 0;
    for (int round = 0; round < ROUNDS; round++) {
        face_side c0 = draw_cell(), c1 = draw_cell();
        lane Q0[NQ], Q1[NQ], F[NQ], was[NQ], safe[NQ];
        double l = 0.1;
        face_conserved(&c0, Q0);
        face_conserved(&c1, Q1);
        for (int k = 0; k < NQ; k++) {
            draw(&F[k], -20, 20);
            safe[k] = splat(0);
        }
        memcpy(was, F, sizeof F);
        mask bad = is_empty(&gas, Q0, F, splat(l)) | is_empty(&gas, Q1, F, splat(-l));
        blend(&gas, Q0, Q1, splat(l), F, safe, bad);
        for (int i = 0; i < KB_LANES; i++) {
            content a = lane_of(Q0, i), b = lane_of(Q1, i), f = lane_of(was, i);
            int is_bad = !is_full(a, f, l) || !is_full(b, f, -l), low = 0, high = 4096;
            assert_int_equal(mask_get(bad, i) != 0, is_bad);
            moved += is_bad;
            whole += !is_bad;
            while (is_bad && high - low > 1) {
                int middle = (low + high) / 2;
                content g = mixed((content){{0}}, f, middle / 4096.);
                *(is_full(a, g, l) && is_full(b, g, -l) ? &low : &high) = middle;
            }
            f = mixed((content){{0}}, f, is_bad ? low / 4096. : 1);
            assert_true(apart(lane_of(F, i), f) < 1e-12);
        }
    }
    assert_true(moved > ROUNDS / 20 && whole > ROUNDS / 20);
}

#if NSP == 1
/* c = a b, with their derivatives */
static void multiply(const lane a[3], const lane b[3], lane c[3])
{
    c[D0] = a[D0] * b[D0];
    c[DX] = a[DX] * b[D0] + a[D0] * b[DX];
    c[DXX] = a[DXX] * b[D0] + 2.0 * a[DX] * b[DX] + a[D0] * b[DXX];
}

/* conserved variables of primitive ones, with derivatives in space, and back */
TEST(jets)
{
    for (int round = 0; round < 100; round++) {
        lane Q[3][4], was[4][3], part[4][3], twice[2][3]; /* rho, u, v, p */
        side_jet s;
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++)
                draw(&was[i][k], i % 3 || k ? -1 : 0.5, 2);
        for (int i = 1; i < 3; i++) {
            multiply(was[0], was[i], part[i]);
            multiply(part[i], was[i], twice[i - 1]);
        }
        for (int k = 0; k < 3; k++) {
            Q[k][0] = was[0][k];
            Q[k][1] = part[1][k];
            Q[k][2] = part[2][k];
            Q[k][3] = was[3][k] / gas.ratio + 0.5 * (twice[0][k] + twice[1][k]);
        }
        primitive_jet(Q, gas.ratio, &s);
        const lane *const found[] = {s.rho[0], s.u, s.v, s.p};
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < KB_LANES; l++)
                    assert_true(fabs(lane_get(found[i][k] - was[i][k], l)) < 1e-11);
    }
}
#endif

TESTS(NULL, NULL)
