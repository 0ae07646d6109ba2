/* SPDX-License-Identifier: MIT
 *
 * mechanism SEED [si]: a made-up mechanism of every rate type and thermo model as YAML on stdout,
 * the same for a seed; those of odd seeds have species in steady state. si: in m, kmol, J instead
 * of cm, mol, cal. Species S_k of 1 to 4 atoms of H, so that every reaction can be balanced.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPECIES = 10, FREE = 4 }; /* S0 to S3 are never in steady state */

static uint64_t state;
static int atoms[SPECIES], si;
static double seen[200][2]; /* both sides of each reaction that is there */
static int nseen;

/* splitmix64, in [0, 1) */
static double uniform(void)
{
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double between(double a, double b) { return a + (b - a) * uniform(); }
static int below(int n) { return (int)(uniform() * n); }

/* ---- species ---- */

static void nasa7(void)
{
    double a0 = between(2.5, 6), a5 = between(-2e3, 2e3), a6 = between(0, 6);
    printf("{model: NASA7, temperature-ranges: [200, %g, 4000], data: [", between(900, 1500));
    for (int high = 0; high < 2; high++)
        printf("%s[%.9g, %.9g, %.9g, %.9g, %.9g, %.9g, %.9g]", high ? ", " : "",
               a0 + between(-0.02, 0.02), between(0, 1e-3), between(-1e-7, 1e-7),
               between(-1e-11, 1e-11), between(-1e-15, 1e-15), a5 + between(-5, 5), a6);
    printf("]}");
}

static void nasa9(void)
{
    double a7 = between(-2e3, 2e3), a8 = between(0, 6);
    printf("{model: NASA9, temperature-ranges: [200, 1000, 6000], data: [");
    for (int high = 0; high < 2; high++)
        printf("%s[%.9g, %.9g, %.9g, %.9g, 1e-8, 1e-12, 1e-16, %.9g, %.9g]", high ? ", " : "",
               between(-100, 100), between(-2, 2), between(3, 4), between(0, 1e-4), a7, a8);
    printf("]}");
}

static void thermo(int k)
{
    if (k % 4 == 1)
        nasa9();
    else if (k % 4 == 2)
        printf("{model: constant-cp, h0: %.9g kJ/mol, s0: %.9g J/mol/K, cp0: %.9g J/mol/K}",
               between(0, 20), between(100, 200), between(21, 60));
    else if (k % 4 == 3)
        printf("{model: Shomate, temperature-ranges: [250, 4000], data: [[%.9g, %.9g, 0.2, -0.02, "
               "%.9g, %.9g, %.9g]]}", between(21, 40), between(-1, 5), between(-0.1, 0.1),
               between(0, 20), between(100, 200));
    else
        nasa7();
}

static void species(int steady)
{
    printf("phases:\n- name: g\n  thermo: ideal-gas\n  kinetics: gas\n  species: [S0");
    for (int k = 1; k < SPECIES; k++)
        printf(", S%d", k);
    if (steady)
        printf("]\n  drop-nonlinear: true\n  steady-state-species: [S%d, S%d, S%d", FREE, FREE + 2,
               FREE + 3);
    printf("]\nspecies:\n");
    for (int k = 0; k < SPECIES; k++) {
        printf("- {name: S%d, composition: {H: %d}, thermo: ", k, atoms[k]);
        thermo(k);
        printf("}\n");
    }
}

/* ---- rates ---- */

/* {A, b, Ea} in braces, with more keys before; order: of the rate */
static void rate(const char *more, double lgA, double order)
{
    double A = pow(10, lgA + between(-1, 1)), Ea = between(0, 15000);
    printf("{%sA: %.15g, b: %.9g, Ea: %.15g}", more, si ? A * pow(1e-3, order - 1) : A,
           between(-1, 1), si ? Ea * 4184 : Ea);
}

static void limits(double order)
{
    printf("high-P-rate-constant: ");
    rate("", 13, order);
    printf(", low-P-rate-constant: ");
    rate("", 17, order + 1);
}

static void plog(double order)
{
    static const double p[] = {0.05, 1, 1, 10, 60};
    char more[40];
    printf("type: pressure-dependent-Arrhenius, rate-constants: [");
    for (int k = 0; k < 5; k++) {
        snprintf(more, sizeof more, "P: %g atm, ", p[k]);
        printf(k ? ", " : "");
        rate(more, 12, order);
    }
    printf("]");
}

static void chebyshev(double order)
{
    printf("type: Chebyshev, temperature-range: [290, 3500], pressure-range: [0.01 atm, 90 atm], "
           "data: [");
    for (int i = 0; i < 3; i++)
        printf("%s[%.9g, %.9g, %.9g]", i ? ", " : "",
               i ? between(-1, 1) : between(8, 10) - (si ? 3 * (order - 1) : 0), between(-0.5, 0.5),
               between(-0.1, 0.1));
    printf("]");
}

static void troe(int four)
{
    printf(", Troe: {A: %.9g, T3: %.9g, T1: %.9g", between(0.2, 0.9), between(50, 400),
           between(500, 3000));
    printf(four ? ", T2: %.9g}" : "}", between(500, 5000));
}

static void sri(int five)
{
    printf(", SRI: {A: %.9g, B: %.9g, C: %.9g", between(0.3, 1.2), between(100, 800),
           between(500, 2000));
    printf(five ? ", D: %.9g, E: %.9g}" : "}", between(0.5, 2), between(-0.2, 0.5));
}

static void efficiencies(void)
{
    int first = below(SPECIES);
    printf(", efficiencies: {S%d: %.9g, S%d: %.9g, S%d: 0}", first, between(0.2, 12),
           (first + 3) % SPECIES, between(0.2, 12), (first + 7) % SPECIES);
}

static void collider_rate(int kind, double order)
{
    if (kind == 0) {
        printf("type: falloff, ");
        limits(order);
        troe(below(2));
    } else if (kind == 1) {
        plog(order);
    } else {
        chebyshev(order);
    }
}

static void linear_burke(double order)
{
    int kind = below(3);
    printf("type: linear-Burke, colliders: [{name: M, ");
    collider_rate(kind, order);
    printf("}, {name: S1, efficiency: ");
    printf("{A: %.9g, b: %.9g, Ea: 0}}", between(0.5, 9), between(-0.2, 0.2));
    printf(", {name: S2, efficiency: {A: %.9g, b: 0.1, Ea: 0}, ", between(0.5, 9));
    collider_rate((kind + 1) % 3, order);
    printf("}]");
}

/* ---- reactions ---- */

/* n molecules of a side, or as many as balance `left` atoms; returns the atoms */
static int side(int *list, int *n, int left)
{
    int sum = 0;
    if (!left) {
        for (int k = 0; k < *n; k++)
            sum += atoms[list[k] = below(SPECIES)];
        return sum;
    }
    for (*n = 0; left > 0; left -= atoms[list[(*n)++]])
        do
            list[*n] = *n < 2 ? below(SPECIES) : below(2);
        while (atoms[list[*n]] > left);
    return sum;
}

static int has(const int *list, int n, int k)
{
    for (int i = 0; i < n; i++)
        if (list[i] == k)
            return 1;
    return 0;
}

static double sum_of(const int *list, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += pow(17, list[i]);
    return sum;
}

/* no: it is one of those seen, now */
static int is_repeated(const int *left, int n, const int *right, int m)
{
    double a = sum_of(left, n), b = sum_of(right, m);
    for (int i = 0; i < nseen; i++)
        if ((seen[i][0] == a && seen[i][1] == b) || (seen[i][0] == b && seen[i][1] == a))
            return 1;
    seen[nseen][0] = a;
    seen[nseen++][1] = b;
    return 0;
}

static void put_side(const int *list, int n, const char *third)
{
    for (int i = 0; i < n; i++)
        printf("%sS%d", i ? " + " : "", list[i]);
    printf("%s", third);
}

/* "A + B <=> C + third": no species on both sides; returns the forward order */
static double equation(const char *arrow, const char *third)
{
    int left[4], right[32], n = 1 + below(2), m = 0, common = 1;
    if (!*third && below(8) == 0)
        n = 3;
    while (common) {
        side(right, &m, side(left, &n, 0));
        common = 0;
        for (int i = 0; i < m; i++)
            common |= has(left, n, right[i]);
        common = common || is_repeated(left, n, right, m);
    }
    printf("- {equation: ");
    put_side(left, n, third);
    printf(" %s ", arrow);
    put_side(right, m, third);
    printf(", ");
    return n;
}

static void falloff(int kind)
{
    static const char *const third[] = {" (+M)", " (+S3)"};
    int named = kind == 0 && below(2);
    double order = equation("<=>", third[named]);
    int activated = kind > 1 && below(3) == 0;
    printf("type: %s, ", activated ? "chemically-activated" : "falloff");
    limits(activated ? order - 1 : order);
    if (kind == 1)
        printf(", Tsang: {A: %.9g, B: %.9g}", between(0.5, 0.9), between(-1e-4, 0));
    else if (kind == 2 || kind == 3)
        troe(kind == 3);
    else if (kind > 3)
        sri(kind == 5);
    if (!named && below(2))
        efficiencies();
    printf("}\n");
}

static void three_body(int kind)
{
    double order = equation("<=>", kind == 2 ? " + S3" : " + M");
    printf("type: three-body%s, rate-constant: ", kind == 3 ? "-Blowers-Masel" : "");
    if (kind == 3)
        printf("{A: %.15g, b: 0.3, Ea0: %g, w: %g}", 1e15 * (si ? pow(1e-3, order) : 1),
               si ? 6e3 * 4184 : 6e3, si ? 9e4 * 4184 : 9e4);
    else
        rate("", 16, order + 1);
    if (kind == 1 || kind == 3)
        efficiencies();
    printf("%s}\n", kind == 1 ? ", default-efficiency: 0" : "");
}

static void other(int kind)
{
    double order = equation(kind == 1 ? "=>" : "<=>", kind == 4 ? " (+M)" : "");
    if (kind == 2) {
        plog(order);
    } else if (kind == 3) {
        chebyshev(order);
    } else if (kind == 4) {
        linear_burke(order);
    } else if (kind == 5) {
        printf("type: Blowers-Masel, rate-constant: {A: %.15g, b: 0.1, Ea0: %g, w: %g}",
               1e13 * (si ? pow(1e-3, order - 1) : 1), si ? 8e3 * 4184 : 8e3,
               si ? 1e5 * 4184 : 1e5);
    } else {
        printf("rate-constant: ");
        rate("", 13, order);
    }
    printf("}\n");
}

/* a power of a species that does not react, a negative one, a real coefficient */
static void powers(void)
{
    printf("- {equation: S%d => %d S0, orders: {S1: 0.7, S2: -0.2}, "
           "nonreactant-orders: true, negative-orders: true, rate-constant: ", FREE - 1,
           atoms[FREE - 1]);
    rate("", 9, 1.5);
    printf("}\n- {equation: %g S1 + S0 <=> %g S0, rate-constant: ", 0.5,
           1 + 0.5 * atoms[1]);
    rate("", 10, 1.5);
    printf("}\n");
}

int main(int argc, char **argv)
{
    state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    si = argc > 2 && strcmp(argv[2], "si") == 0;
    int steady = (int)(state % 2);
    for (int k = 0; k < SPECIES; k++)
        atoms[k] = k < 2 ? k + 1 : 1 + below(4);
    printf("units: {%s}\n", si ? "length: m, quantity: kmol, activation-energy: J/kmol"
                               : "length: cm, quantity: mol, activation-energy: cal/mol");
    species(steady);
    for (int k = 1; k < SPECIES; k++) { /* those at the end */
        int zeros[4] = {0};
        is_repeated(&k, 1, zeros, atoms[k]);
    }
    printf("reactions:\n");
    for (int round = 0; round < 2; round++) {
        for (int kind = 0; kind < 6; kind++)
            falloff(kind);
        for (int kind = 0; kind < 4; kind++)
            three_body(kind);
        for (int kind = 0; kind < 6; kind++)
            other(kind);
    }
    powers();
    for (int k = FREE; k < SPECIES; k++) { /* each is used by one reaction */
        printf("- {equation: S%d => %d S0, rate-constant: ", k, atoms[k]);
        rate("", 8, 1);
        printf("}\n");
    }
    return 0;
}
