/* SPDX-License-Identifier: MIT
 *
 * mechanism SEED [si]: a made-up mechanism of every rate type and thermo model as YAML on stdout,
 * the same for a seed; those of odd seeds have species in steady state. si: in m, kmol, J instead
 * of cm, mol, cal. Species S_k of 1 to 4 atoms of H, so that every reaction can be balanced.
 *
 * mechanism KIND+KIND...: one of these rate types and thermo models alone (kinds[] below), small,
 * with parameters that are legal but extreme, the same for a name. mechanism all: the names of all
 * subsets of one to three kinds; mechanism few: of each alone, and of some pairs.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 10, FREE = 4 }; /* S0 to S3 are never in steady state */

static uint64_t state, seed;
static int nspecies = MOST, atoms[MOST], si;
static int alone;   /* one kind: tables of all others are empty */
static int extreme; /* some parameters are far from what is usual */
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
/* one of the list now and then, if parameters are extreme; else the usual number */
#define RARELY(usual, ...)                                                                         \
    rarely(usual, (const double[]){__VA_ARGS__}, sizeof(double[]){__VA_ARGS__} / sizeof(double))
static double rarely(double usual, const double *list, int n)
{
    return extreme && below(5) == 0 ? list[below(n)] : usual;
}

/* ---- species ---- */

static void nasa7(void)
{
    double a0 = between(2.5, 6), a6 = between(0, 6);
    double a5 = RARELY(between(-2e3, 2e3), 2e4, -2e4);
    double Tmid = RARELY(between(900, 1500), 201, 5999);
    int ranges = extreme && below(4) == 0 ? 1 : 2;
    printf("{model: NASA7, temperature-ranges: [200, ");
    if (ranges == 2)
        printf("%g, ", Tmid);
    printf("%d], data: [", extreme ? 6000 : 4000);
    for (int high = 0; high < ranges; high++)
        printf("%s[%.9g, %.9g, %.9g, %.9g, %.9g, %.9g, %.9g]", high ? ", " : "",
               a0 + between(-0.02, 0.02), between(0, 1e-3), between(-1e-7, 1e-7),
               between(-1e-11, 1e-11), between(-1e-15, 1e-15), a5 + between(-5, 5), a6);
    printf("]}");
}

static void nasa9(void)
{
    static const char *const ends[] = {"6000", "1000, 6000", "1000, 6000, 20000"};
    static int n; /* the first of a seed's has the first or the last Tmid of all */
    const char *first = extreme || n++ ? NULL : seed % 2 ? "1500, 6000" : "800, 6000";
    double a7 = RARELY(between(-2e3, 2e3), 2e4, -2e4), a8 = between(0, 6);
    int ranges = extreme ? 1 + below(3) : 2;
    printf("{model: NASA9, temperature-ranges: [200, %s], data: [",
           first ? first : ends[ranges - 1]);
    for (int high = 0; high < ranges; high++)
        printf("%s[%.9g, %.9g, %.9g, %.9g, 1e-8, 1e-12, 1e-16, %.9g, %.9g]", high ? ", " : "",
               between(-100, 100), between(-2, 2), between(3, 4), between(0, 1e-4), a7, a8);
    printf("]}");
}

static void constant_cp(void)
{
    printf("{model: constant-cp, h0: %.9g kJ/mol, s0: %.9g J/mol/K, cp0: %.9g J/mol/K}",
           RARELY(between(0, 20), 150, -150), between(100, 200), between(21, 60));
}

static void shomate(void)
{
    int ranges = extreme ? 1 + below(2) : 1;
    double E = between(-0.1, 0.1), F = RARELY(between(0, 20), 150, -150);
    printf("{model: Shomate, temperature-ranges: [%s], data: [",
           ranges == 2 ? "250, 1300, 6000" : extreme ? "250, 6000" : "250, 4000");
    for (int high = 0; high < ranges; high++)
        printf("%s[%.9g, %.9g, 0.2, -0.02, %.9g, %.9g, %.9g]", high ? ", " : "", between(21, 40),
               between(-1, 5), E, F, between(100, 200));
    printf("]}");
}

/* the thermo models that species take in turn */
static void (*models[4])(void) = {nasa7, nasa9, constant_cp, shomate};
static int nmodels = 4;

static void species(int steady)
{
    printf("phases:\n- name: g\n  thermo: ideal-gas\n  kinetics: gas\n  species: [S0");
    for (int k = 1; k < nspecies; k++)
        printf(", S%d", k);
    if (steady) {
        printf("]\n  drop-nonlinear: true\n  steady-state-species: [S%d", FREE);
        for (int k = FREE + 2; k < FREE + 4 && k < nspecies; k++)
            printf(", S%d", k);
    }
    printf("]\nspecies:\n");
    for (int k = 0; k < nspecies; k++) {
        printf("- {name: S%d, composition: {H: %d}, thermo: ", k, atoms[k]);
        models[k % nmodels]();
        printf("}\n");
    }
}

/* ---- rates ---- */

static int zero; /* the next rate has A = 0 */

/* {A, b, Ea} in braces, with more keys before; order: of the rate */
static void rate(const char *more, double lgA, double order)
{
    double A = pow(10, lgA + between(-1, 1)), Ea = RARELY(between(0, 15000), -20000, 1e5, 4e5);
    double b = RARELY(between(-1, 1), 10, -10, 0, 2);
    if (fabs(b) > 2)
        A *= pow(1000, -b);
    A *= zero ? 0 : RARELY(1, 1e-30, 1e10);
    printf("{%sA: %.15g, b: %.9g, Ea: %.15g}", more, si ? A * pow(1e-3, order - 1) : A, b,
           si ? Ea * 4184 : Ea);
}

static void limits(double order)
{
    static int n;
    int none = extreme && n++ ? below(8) : 2; /* limits that are 0, not of the first */
    printf("high-P-rate-constant: ");
    zero = none == 0;
    rate("", 13, order);
    printf(", low-P-rate-constant: ");
    zero = none <= 1;
    rate("", 17, order + 1);
    zero = 0;
}

static int nplogs; /* the first has two rates at 1 atm, of which one is 0 */

static void plog(double order)
{
    static const double p[] = {0.05, 1, 1, 10, 60};
    int first = extreme ? below(5) : 0, last = extreme ? first + 1 + below(5 - first) : 5;
    if (extreme && nplogs++ == 0) {
        first = 0;
        last = 3;
    }
    int none = extreme && first <= 1 && last > 2 ? 1 + (nplogs > 1) * below(4) : -1;
    char more[40];
    printf("type: pressure-dependent-Arrhenius, rate-constants: [");
    for (int k = first; k < last; k++) {
        snprintf(more, sizeof more, "P: %g atm, ", p[k]);
        printf(k > first ? ", " : "");
        zero = k == none && k <= 2;
        rate(more, 12, order);
    }
    zero = 0;
    printf("]");
}

static void chebyshev(double order)
{
    int nT = extreme ? 1 + below(4) : 3, np = extreme ? 1 + below(3) : 3;
    printf("type: Chebyshev, temperature-range: [290, 3500], pressure-range: [0.01 atm, 90 atm], "
           "data: [");
    for (int i = 0; i < nT; i++) {
        printf("%s[%.9g", i ? ", " : "",
               i ? between(-1, 1) : between(8, 10) - (si ? 3 * (order - 1) : 0));
        for (int j = 1; j < np; j++)
            printf(", %.9g", j == 1 ? between(-0.5, 0.5) : between(-0.1, 0.1));
        printf("]");
    }
    printf("]");
}

/* what published sets switch F_cent off with: it underflows, all of it or two terms */
static int put_switched_off(int four)
{
    static int done[2];
    if (!extreme || done[four]++)
        return 0;
    printf(four ? ", Troe: {A: 0.525, T3: 1e-15, T1: 1e-15, T2: 1e15}"
                : ", Troe: {A: 0.5, T3: 1, T1: 1}");
    return 1;
}

static void troe(int four)
{
    if (put_switched_off(four))
        return;

#define TIMES 1e-30, 1e-15, 1e-3, 0.5, 1, 2, 1e15, 1e30
    printf(", Troe: {A: %.9g, T3: %.9g, T1: %.9g", RARELY(between(0.2, 0.9), 0, 0.5, 1, 1.5, -2),
           RARELY(between(50, 400), TIMES), RARELY(between(500, 3000), TIMES));
    printf(four ? ", T2: %.9g}" : "}", RARELY(between(500, 5000), -300, TIMES));
}

static void sri(int five)
{
    printf(", SRI: {A: %.9g, B: %.9g, C: %.9g", RARELY(between(0.3, 1.2), 0, 1e-30),
           RARELY(between(100, 800), 0, -500, 1e5, 4e5),
           RARELY(between(500, 2000), 1e-30, 1, 1e30));
    printf(five ? ", D: %.9g, E: %.9g}" : "}", RARELY(between(0.5, 2), 1e-30, 1e10),
           RARELY(between(-0.2, 0.5), -10, 10));
}

static void efficiencies(void)
{
    int first = below(nspecies), second = (first + 3) % nspecies;
    printf(", efficiencies: {S%d: %.9g, S%d: %.9g, S%d: 0}", first,
           RARELY(between(0.2, 12), 1e-30, 1e3), second, between(0.2, 12),
           (first + (extreme ? 1 : 7)) % nspecies);
}

static void collider_rate(int kind, double order)
{
    if (kind == 0) {
        printf("type: falloff, ");
        limits(order);
        troe(below(2));
    } else if (kind == 1) {
        nplogs++;
        plog(order);
    } else {
        chebyshev(order);
    }
}

static void linear_burke(double order)
{
    int kind = alone ? 0 : below(3), second = alone ? 0 : (kind + 1) % 3;
    printf("type: linear-Burke, colliders: [{name: M, ");
    collider_rate(kind, order);
    printf("}, {name: S1, efficiency: ");
    printf("{A: %.9g, b: %.9g, Ea: %g}}", RARELY(between(0.5, 9), 1e-10, 1e5), between(-0.2, 0.2),
           RARELY(0, -3000, 3000));
    if (!extreme || below(2)) {
        printf(", {name: S2, efficiency: {A: %.9g, b: 0.1, Ea: 0}, ", between(0.5, 9));
        collider_rate(second, order);
        printf("}");
    }
    printf("]");
}

/* ---- reactions ---- */

/* n molecules of a side, or as many as balance `left` atoms; returns the atoms */
static int side(int *list, int *n, int left)
{
    int sum = 0;
    if (!left) {
        for (int k = 0; k < *n; k++)
            sum += atoms[list[k] = below(nspecies)];
        return sum;
    }
    for (*n = 0; left > 0; left -= atoms[list[(*n)++]])
        do
            list[*n] = *n < 2 ? below(nspecies) : below(2);
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

/* "A + B <=> C + third": no species on both sides; returns the forward order. Where parameters are
 * extreme no side is long. Of one reactant there may be no more equations: then of two. */
static double equation(const char *arrow, const char *third)
{
    int left[4], right[32], n = 1 + below(2), m = 0, common = 1;
    if (!*third && below(8) == 0)
        n = 3;
    for (int draws = 0; common; draws++) {
        if (draws == 10000)
            n = 2;
        side(right, &m, side(left, &n, 0));
        common = 0;
        for (int i = 0; i < m; i++)
            common |= has(left, n, right[i]);
        common = common || (extreme && m > 3) || is_repeated(left, n, right, m);
    }
    printf("- {equation: ");
    put_side(left, n, third);
    printf(" %s ", arrow);
    put_side(right, m, third);
    printf(", ");
    return n;
}

static void falloff(int kind, int activated)
{
    static const char *const third[] = {" (+M)", " (+S3)"};
    int named = kind == 0 && below(2);
    double order = equation("<=>", third[named]);
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

static void blowers_masel(double A, double order)
{
    double unit = si ? 4184 : 1, E0 = RARELY(7e3, 0, 1e-3, 3e5), w = RARELY(9e4, 1, 1e9);
    printf("{A: %.15g, b: %g, Ea0: %.15g, w: %.15g}", A * (si ? pow(1e-3, order - 1) : 1),
           RARELY(0.3, 3, -3), E0 * unit, w * unit);
}

static void three_body(int kind)
{
    double order = equation("<=>", kind == 2 ? " + S3" : " + M");
    printf("type: three-body%s, rate-constant: ", kind == 3 ? "-Blowers-Masel" : "");
    if (kind == 3)
        blowers_masel(1e15, order + 1);
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
        printf("type: Blowers-Masel, rate-constant: ");
        blowers_masel(1e13, order);
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

/* each whole power of T that needs no exponential */
static void whole_powers(void)
{
    for (int b = -3; b <= 3; b++)
        printf("- {equation: S1 <=> 2 S0, duplicate: true, "
               "rate-constant: {A: %.9g, b: %d, Ea: 0}}\n", 1e9 * pow(1000, -b), b);
}

/* what stands before the reactions */
static void start(int steady)
{
    for (int k = 0; k < nspecies; k++)
        atoms[k] = k < 2 ? k + 1 : 1 + below(4);
    printf("units: {%s}\n", si ? "length: m, quantity: kmol, activation-energy: J/kmol"
                               : "length: cm, quantity: mol, activation-energy: cal/mol");
    species(steady);
    for (int k = 1; k < nspecies; k++) { /* those at the end */
        int zeros[4] = {0};
        is_repeated(&k, 1, zeros, atoms[k]);
    }
    printf("reactions:\n");
}

/* each of the species that may be in steady state by one reaction */
static void use_others(void)
{
    for (int k = FREE; k < nspecies; k++) {
        printf("- {equation: S%d => %d S0, rate-constant: ", k, atoms[k]);
        rate("", 8, 1);
        printf("}\n");
    }
}

static void every_kind(void)
{
    start((int)(state % 2));
    for (int round = 0; round < 2; round++) {
        for (int kind = 0; kind < 6; kind++)
            falloff(kind, kind > 1 && below(3) == 0);
        for (int kind = 0; kind < 4; kind++)
            three_body(kind);
        for (int kind = 0; kind < 6; kind++)
            other(kind);
    }
    powers();
    whole_powers();
    use_others();
}

/* ---- one kind ---- */

static void one_way(void) { other(1); }
static void arrhenius(void)
{
    static int n;
    if (n++ == 0)
        whole_powers();
    other(0);
}
static void plogs(void) { other(2); }
static void chebyshevs(void) { other(3); }
static void burke(void) { other(4); }
static void third_body(void) { three_body(below(3)); }
static void heat_of_reaction(void) { below(2) ? other(5) : three_body(3); }
static void lindemann(void) { falloff(0, 0); }
static void tsang(void) { falloff(1, 0); }
static void troes(void)
{
    static int n;
    falloff(2 + n++ % 2, 0);
}
static void sris(void) { falloff(4 + below(2), 0); }
static void activated(void) { falloff(below(6), 1); }

/* the same reaction twice, one of them negative */
static void duplicate(void)
{
    double A = pow(10, between(8, 14)), Ea = between(0, 1e4);
    for (int k = 0; k < 2; k++)
        printf("- {equation: S1 <=> 2 S0, duplicate: true, negative-A: true, rate-constant: "
               "{A: %.9g, b: 0.5, Ea: %.9g}}\n", k ? -0.3 * A : A, Ea);
}

/* of reactions, or of species */
static const struct {
    const char *name;
    void (*reaction)(void), (*model)(void);
} kinds[] = {{"arrhenius", arrhenius, NULL}, {"one-way", one_way, NULL},
             {"duplicate", duplicate, NULL}, {"third-body", third_body, NULL},
             {"lindemann", lindemann, NULL}, {"troe", troes, NULL}, {"sri", sris, NULL},
             {"tsang", tsang, NULL}, {"activated", activated, NULL}, {"plog", plogs, NULL},
             {"chebyshev", chebyshevs, NULL}, {"burke", burke, NULL},
             {"blowers-masel", heat_of_reaction, NULL}, {"powers", powers, NULL},
             {"steady", NULL, NULL}, {"nasa9", NULL, nasa9}, {"shomate", NULL, shomate},
             {"constant-cp", NULL, constant_cp}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* which kinds a name has, as bits; ends the program if one is unknown */
static unsigned kinds_of(const char *name)
{
    unsigned which = 0;
    for (const char *s = name; *s; s += strcspn(s, "+"), s += *s == '+') {
        int k = 0;
        while (k < KINDS && (strncmp(s, kinds[k].name, strcspn(s, "+")) != 0 ||
                             strlen(kinds[k].name) != strcspn(s, "+")))
            k++;
        if (k == KINDS) {
            fprintf(stderr, "mechanism: there is no kind '%s'\n", s);
            exit(2);
        }
        which |= 1u << k;
        state = state * 31 + (uint64_t)k + 1;
    }
    return which;
}

/* two reactions of each kind, or those that it always has */
static int put_reactions(unsigned which)
{
    int n = 0;
    for (int k = 0; k < KINDS; k++) {
        void (*put)(void) = kinds[k].reaction;
        if (!(which & 1u << k) || !put)
            continue;
        int more = put == troes ? 3 : put != duplicate && put != powers; /* two F_cent are 0 */
        put();
        while (more-- > 0)
            put();
        n++;
    }
    return n;
}

static void put_kinds(const char *name)
{
    unsigned which = kinds_of(name);
    int steady = 0;
    extreme = 1;
    alone = !strchr(name, '+');
    nmodels = 0;
    for (int k = 0; k < KINDS; k++) {
        if (!(which & 1u << k))
            continue;
        if (kinds[k].model)
            models[nmodels++] = kinds[k].model;
        steady |= !kinds[k].model && !kinds[k].reaction;
    }
    if (nmodels == 0 || below(2))
        models[nmodels++] = nasa7;
    nspecies = FREE + (steady ? 1 : below(2));
    start(steady);
    if (!put_reactions(which))
        arrhenius();
    if (steady)
        use_others();
}

static void put_names(int few)
{
    for (int a = 0; a < KINDS; a++) {
        puts(kinds[a].name);
        for (int b = a + 1; b < KINDS; b++) {
            if (!few || (a + b) % 7 < 2)
                printf("%s+%s\n", kinds[a].name, kinds[b].name);
            for (int c = b + 1; c < KINDS && !few; c++)
                printf("%s+%s+%s\n", kinds[a].name, kinds[b].name, kinds[c].name);
        }
    }
    if (few) /* a linear-Burke rate of 0 at C = 0 of its collider; SRI with exp(-645), with 0 */
        puts("troe+sri+burke\ntroe+activated+burke\nsri+powers+constant-cp\ntroe+sri+plog");
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "1";
    si = argc > 2 && strcmp(argv[2], "si") == 0;
    if (strcmp(what, "all") == 0 || strcmp(what, "few") == 0) {
        put_names(strcmp(what, "few") == 0);
    } else if (strspn(what, "0123456789") < strlen(what)) {
        put_kinds(what);
    } else {
        state = seed = strtoull(what, NULL, 10);
        every_kind();
    }
    return 0;
}
