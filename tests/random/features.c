/* SPDX-License-Identifier: MIT
 *
 * features FOLDER...: mechanisms of few features (mechanism.c), each a folder with mech.yaml and
 * kernels.so, which has kernel.c of several engines: f and J of each engine against mech/ in long
 * double (reference.c) and f against the other engines, from 200 to 6000 K. Engines of any
 * mechanism (KB_ANY=build/any/solvers.so) read mech.yaml, and nothing is compiled for them. Engines
 * of a GPU are skipped without one. Prints a line for each mechanism, then the worst of each
 * engine. Ends with 1 if one is off; a NaN is.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "mech/thermo/rates.h"
#include "mech/thermo/thermo.h"
#include "solvers/solver.h"
#include "tests/larger.h"

static const struct {
    const char *name;
    double most_J; /* largest error of J, relative to its row */
    int floats;    /* J is in floats */
    int inert;     /* J has no columns of species that do not react */
} engines[] = {
    {"cpu-scalar-any", 1e-9, 0, 0}, {"cpu-simd-any", 1e-9, 0, 0},   {"scalar", 1e-9, 0, 0},
    {"scalar_lines", 1e-9, 0, 0},   {"lanes", 1e-9, 0, 0},          {"lanes_lines", 1e-9, 0, 0},
    {"float", 1e-5, 1, 0},          {"team", 1e-9, 0, 0},           {"pair", 1e-4, 1, 0},
    {"straight", 1e-9, 0, 1},       {"unsorted", 1e-9, 0, 0},       {"gpu_thread", 1e-9, 0, 0},
    {"gpu_warp", 1e-9, 0, 0},       {"gpu_pair_float", 1e-4, 1, 0}, {"gpu_straight", 1e-9, 0, 1}};
enum { ENGINES = sizeof engines / sizeof *engines };
static const double most_f = 1e-11;
static const double PLANTED = 1e-3;
/* What J in floats is made of has to be within FLT_MAX 3.4e38 and FLT_MIN 1.2e-38, and so do its
 * products with what turns rates over concentrations [1/s] into entries: coefficients of up to 4,
 * sums of 30 terms and, for T, heats over cp of 1e5 K, at most 1e8 in all. So the largest may be
 * 1e30; of a row, what underflows may be 1.2e-38 times 1e8, which is 1e-5 of 1e-25. Measured with
 * other limits: J is off from 1e38 on, and in rows below 1e-30. */
static const double FLOAT_MOST = 1e30, FLOAT_ROW = 1e-24;
/* [1/s, K/s] what is below this is nothing: a third body that is not there counts as 1e-200 */
static const double least = 1e-60;

typedef struct {
    long mechanisms, numbers;
    long rows, left_out; /* of J that are not 0; of these, that floats may not hold */
    long blind;          /* and rows of which no entry may be wrong by PLANTED and be noticed */
    double f, J, apart; /* worst */
} tally;

typedef struct {
    kb_mech m;
    char *folder;
    int n, ny;
    double *y, *p;                             /* states */
    double *dy[2], *size[2], *J[2], *noise[2]; /* by reactor */
    unsigned char *reacts;
    unsigned char *left_out; /* [n] states that doubles cannot hold */
} sample;

static const double temperatures[] = {205,  1234, 740.5, 5950, 298.15, 2400, 620,  999,
                                      1001, 5000, 252,   1700, 4100,   400,  3300, 801};
enum { STATES = 48 };

/* ---- states and what they should give ---- */

static double uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* no derivative where a concentration is 0, or none that small steps show */
static int is_singular(const kb_mech *m)
{
    int singular = m->nsteady > 0;
    for (int i = 0; i < m->nreactions; i++)
        singular |= m->reactions[i].nforward_orders > 0 || m->reactions[i].collider >= 0 ||
                    m->reactions[i].default_efficiency == 0;
    for (int i = 0; i < m->nreactions; i++)
        for (int k = 1; k < m->reactions[i].ncolliders; k++) /* at C < 0 it turns D's sign */
            singular |= m->reactions[i].colliders[k].eps.A > 1e3;
    for (int i = 0; i < m->nreactions; i++)
        for (int k = 0; k < m->reactions[i].nreactants; k++)
            singular |= m->reactions[i].reactants[k].value !=
                        floor(m->reactions[i].reactants[k].value);
    return singular;
}

/* differences need a smooth neighbourhood */
static double away_from_Tmid(const kb_mech *m, double T)
{
    for (int k = 0; k < m->nspecies + m->nsteady; k++)
        if (fabs(T / m->species[k].Tmid - 1) < 1e-3)
            T = m->species[k].Tmid * 1.002;
    return T;
}

/* the first half: each T at every p; the second: the T in ascending order, so that vectors of lanes
 * are on one side of Tmid. A third of the states lacks one species; none is so rare that steps of
 * differences would leave the range where rates are smooth. */
static void draw_states(sample *a)
{
    static const double bars[] = {1, 0.002, 40, 0.3, 900};
    uint64_t random = 7;
    int singular = is_singular(&a->m), n = a->m.nspecies;
    double *X = kb_alloc((size_t)n, sizeof *X);
    for (int i = 0; i < a->n; i++) {
        double *y = a->y + i * a->ny, sum = 0;
        for (int k = 0; k < n; k++) {
            double u = uniform(&random);
            X[k] = singular ? 0.05 + u : i % 3 == 0 && k == i / 3 % n ? 0 : 0.01 + u * u * u;
            sum += X[k];
        }
        for (int k = 0; k < n; k++)
            X[k] /= sum;
        kb_X_to_Y(&a->m, X, y + 1);
        int half = i < STATES / 2;
        y[0] = away_from_Tmid(&a->m, half ? temperatures[i % 16]
                                          : 203 + 5790.0 * (i - STATES / 2) / (STATES / 2));
        a->p[i] = 1e5 * bars[i % 5] * (1 + 0.1 * uniform(&random));
    }
    free(X);
}

static void note_reacting(sample *a)
{
    for (int i = 0; i < a->m.nreactions; i++)
        for (int side = 0; side < 2; side++) {
            const kb_reaction *r = &a->m.reactions[i];
            const kb_term *t = side ? r->products : r->reactants;
            for (int k = 0; k < (side ? r->nproducts : r->nreactants); k++)
                a->reacts[t[k].species] = 1;
        }
}

static int write_states(const sample *a, const char *path)
{
    FILE *f = fopen(path, "w");
    for (int i = 0; f && i < a->n; i++) {
        const double *y = a->y + i * a->ny;
        double rho = kb_density(&a->m, y[0], a->p[i], y + 1);
        fprintf(f, "%.17g %.17g", y[0], a->p[i]);
        for (int k = 0; k < a->m.nspecies; k++)
            fprintf(f, " %.17g", rho * y[k + 1] / a->m.species[k].weight);
        fprintf(f, "\n");
    }
    return !f || fclose(f);
}

static int read_numbers(FILE *f, double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (fscanf(f, "%lf", &x[i]) != 1)
            return KB_INVALID;
    return KB_OK;
}

/* J by columns -> by rows */
static void transpose(double *J, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double x = J[i * n + j];
            J[i * n + j] = J[j * n + i];
            J[j * n + i] = x;
        }
}

static int read_reference(sample *a, const char *reference)
{
    char *states = kb_format("%s/states", a->folder);
    char *command = kb_format("%s %s/mech.yaml %s both", reference, a->folder, states);
    FILE *f = write_states(a, states) ? NULL : popen(command, "r");
    int code = f ? KB_OK : KB_INVALID, ny = a->ny;
    for (int i = 0; i < 2 * a->n && !code; i++) {
        int r = i % 2, k = i / 2;
        code = read_numbers(f, a->dy[r] + k * ny, ny) || read_numbers(f, a->size[r] + k * ny, ny) ||
               read_numbers(f, a->J[r] + k * ny * ny, ny * ny) ||
               read_numbers(f, a->noise[r] + k * ny, ny);
        transpose(a->J[r] + k * ny * ny, ny);
    }
    if (f && pclose(f))
        code = KB_INVALID;
    free(command);
    free(states);
    return code;
}

/* Whether the rate of a direction over a concentration is above most, or a species in steady state
 * is consumed at a frequency [1/s] outside of [least, most]: f and J may not have them, but what
 * they are made of. Doubles and floats hold 1e-308 to 1e308 and 1e-38 to
 * 1e38; products of two or three such numbers are compared where these are decades within. */
static int made_beyond(const sample *a, int state, double least, double most)
{
    const kb_mech *m = &a->m;
    const double *y = a->y + state * a->ny;
    double *C = kb_alloc((size_t)(m->nspecies + 2 * m->nsteady + 2 * m->nreactions), sizeof *C);
    double *steady = C + m->nspecies, *used = steady + m->nsteady, *q[2] = {used + m->nsteady};
    int beyond = 0;
    q[1] = q[0] + m->nreactions;
    double rho = kb_density(m, y[0], a->p[state], y + 1);
    for (int k = 0; k < m->nspecies; k++)
        C[k] = rho * y[k + 1] / m->species[k].weight;
    kb_mech_rates(m, y[0], a->p[state], C, NULL, NULL, q[0], q[1]);
    kb_steady_concentrations(m, y[0], a->p[state], C, steady);
    for (int i = 0; i < 2 * m->nreactions && m->nsteady; i++) {
        int k = kb_steady_power(m, &m->reactions[i / 2], i % 2);
        if (k >= 0)
            used[k] += q[i % 2][i / 2] / steady[k];
    }
    for (int i = 0; i < 2 * m->nreactions; i++) {
        int n;
        const kb_term *t = kb_powers(&m->reactions[i / 2], i % 2, &n);
        for (int k = 0; k < n; k++)
            beyond |= t[k].species < m->nspecies && C[t[k].species] > 0 &&
                      q[i % 2][i / 2] / C[t[k].species] > most;
    }
    for (int k = 0; k < m->nsteady; k++)
        beyond |= !(used[k] >= least && used[k] <= most);
    free(C);
    return beyond;
}

static int beyond_doubles(const sample *a, int state)
{
    return made_beyond(a, state, 1e-290, 1e290);
}

static int parts_beyond_floats(const sample *a, int state)
{
    return made_beyond(a, state, 1 / FLOAT_MOST, FLOAT_MOST);
}

static int make_sample(sample *a, char *folder, const char *reference)
{
    char *path = kb_format("%s/mech.yaml", folder);
    kb_error err = {0};
    *a = (sample){.folder = folder, .n = STATES};
    int code = kb_mech_load(&a->m, path, NULL, &err);
    free(path);
    if (code) {
        printf("not ok - %s: %s\n", folder, err.text);
        return code;
    }
    size_t n = STATES, ny = (size_t)(a->ny = a->m.nspecies + 1);
    a->y = kb_alloc(n * ny, sizeof *a->y);
    a->p = kb_alloc(n, sizeof *a->p);
    a->reacts = kb_alloc(ny + (size_t)a->m.nsteady, 1);
    for (int r = 0; r < 2; r++) {
        a->dy[r] = kb_alloc(n * ny, sizeof(double));
        a->size[r] = kb_alloc(n * ny, sizeof(double));
        a->noise[r] = kb_alloc(n * ny, sizeof(double));
        a->J[r] = kb_alloc(n * ny * ny, sizeof(double));
    }
    draw_states(a);
    note_reacting(a);
    a->left_out = kb_alloc(n, 1);
    for (int i = 0; i < a->n; i++)
        a->left_out[i] = (unsigned char)beyond_doubles(a, i);
    code = read_reference(a, reference);
    if (code)
        printf("not ok - %s: no reference\n", folder);
    return code;
}

static void free_sample(sample *a)
{
    double **pairs[] = {a->dy, a->size, a->J, a->noise};
    for (int i = 0; i < 8; i++)
        free(pairs[i / 2][i % 2]);
    free(a->y);
    free(a->p);
    free(a->reacts);
    free(a->left_out);
    kb_mech_free(&a->m);
}

/* ---- one engine ---- */

typedef int kernel(const kb_evaluation *);

static void note(const char *what, const sample *a, const char *engine, int reactor, int state,
                 int row, int column, double is, double should)
{
    if (getenv("FEATURES_SHOW"))
        printf("  %s %s%d of %s, constant %c, T %g, p %g: %.17g for %.17g\n", what,
               column < 0 ? "row " : "column ", column < 0 ? row : column, engine, "pv"[reactor],
               a -> y[state * a->ny], a -> p[state], is, should);
}

static double rates_error(const sample *a, const char *engine, int reactor, const double *dy)
{
    double worst = 0;
    for (int i = 0; i < a->n * a->ny; i++) {
        if (a->left_out[i / a->ny])
            continue;
        double right = a->dy[reactor][i];
        double e = larger(0, fabs(dy[i] - right) / (a->size[reactor][i] + least));
        if (e > most_f)
            note("f", a, engine, reactor, i / a->ny, i % a->ny, -1, dy[i], right);
        worst = larger(worst, e);
    }
    return worst;
}

/* whether an entry of J [ny][ny], times the natural size of its column, is beyond what floats can
 * multiply */
static int beyond_floats(int ny, const double *J, const double *natural)
{
    for (int i = 0; i < ny * ny; i++)
        if (fabs(J[i]) * natural[i % ny] > FLOAT_MOST)
            return 1;
    return 0;
}

/* J of a state by an engine against the reference: worst error relative to the largest entry of its
 * row and to f, all times natural sizes */
static void jacobian_error(const sample *a, int engine, int reactor, int state, const double *J,
                           tally *t)
{
    int ny = a->ny, floats = engines[engine].floats;
    const double *right = a->J[reactor] + (size_t)state * ny * ny, *y = a->y + state * ny;
    const double most = engines[engine].most_J;
    double sigma = 0, natural[64];
    for (int k = 0; k < a->m.nspecies; k++)
        sigma += y[k + 1] / a->m.species[k].weight;
    for (int j = 0; j < ny; j++)
        natural[j] = j ? a->m.species[j - 1].weight * sigma : y[0];
    int beyond = floats && (beyond_floats(ny, right, natural) || parts_beyond_floats(a, state));
    for (int i = 0; i < ny; i++) {
        double row = a->size[reactor][state * ny + i] + least, planted = 0;
        double noise = a->noise[reactor][state * ny + i];
        for (int j = 0; j < ny; j++)
            row = fmax(row, fabs(right[i * ny + j]) * natural[j]);
        int there = row > 1e-50, held = !beyond && !(floats && row < FLOAT_ROW);
        t->rows += there;
        t->left_out += there && !held;
        if (!held)
            continue;
        for (int j = 0; j < ny; j++) {
            double own = J[i * ny + j] * natural[j], should = right[i * ny + j] * natural[j];
            double e = larger(0, (fabs(own - should) - noise) / row);
            if (engines[engine].inert && j && !a->reacts[j - 1])
                continue;
            if (e > most)
                note("J", a, engines[engine].name, reactor, state, i, j, own, should);
            t->J = larger(t->J, e);
            planted = fmax(planted, (PLANTED * fabs(own) - noise) / row);
        }
        t->blind += there && planted <= most;
    }
}

/* what evaluates on an engine: a function of kernels.so, or solvers of any mechanism */
typedef struct {
    kernel *kernel;
    const kb_solvers *any;
} evaluator;

static evaluator evaluator_of(int engine, void *library, const kb_solvers *any)
{
    char *symbol = kb_format("kernel_%s", engines[engine].name);
    evaluator e = {.kernel = (kernel *)dlsym(library, symbol),
                   .any = kb_ends_in(symbol, "-any") ? any : NULL};
    free(symbol);
    return e;
}

static long states_in(const sample *a)
{
    long n = a->n;
    for (int i = 0; i < a->n; i++)
        n -= a->left_out[i];
    return n;
}

/* f with J and without; first: f of the engine before, if there is one. Of no mechanism: without
 * the GPU of the engine */
static tally compare(const sample *a, int engine, evaluator with, double *first[2])
{
    size_t n = (size_t)a->n, ny = (size_t)a->ny;
    tally t = {.mechanisms = 1, .numbers = 2 * states_in(a) * a->ny * (a->ny + 2)};
    double *J = kb_alloc(n * ny * ny, sizeof *J), *dy = kb_alloc(n * ny, sizeof *dy);
    for (int k = 0; k < 4; k++) {
        int r = k / 2, with_J = k % 2;
        kb_evaluation e = {.n = a->n,
                           .y = a->y,
                           .p = a->p,
                           .reactor = (kb_reactor)r,
                           .dy = dy,
                           .J = with_J ? J : NULL};
        int code = with.any ? with.any->evaluate(with.any, engines[engine].name, &e, NULL)
                            : with.kernel(&e);
        if (code) {
            t = code == KB_NOTHING ? (tally){0} : (tally){.mechanisms = 1, .f = INFINITY};
            break;
        }
        t.f = larger(t.f, rates_error(a, engines[engine].name, r, dy));
        for (int i = 0; with_J && i < a->n; i++)
            if (!a->left_out[i])
                jacobian_error(a, engine, r, i, J + (size_t)i * ny * ny, &t);
        for (int i = 0; i < a->n * a->ny && first[r]; i++)
            if (!a->left_out[i / a->ny])
                t.apart = larger(t.apart, fabs(dy[i] - first[r][i]) / (a->size[r][i] + least));
        if (!first[r])
            first[r] = memcpy(kb_alloc(n * ny, sizeof *dy), dy, n * ny * sizeof *dy);
    }
    free(J);
    free(dy);
    return t;
}

static void add(tally *sum, const tally *t)
{
    sum->mechanisms += t->mechanisms;
    sum->numbers += t->numbers;
    sum->left_out += t->left_out;
    sum->rows += t->rows;
    sum->blind += t->blind;
    sum->f = larger(sum->f, t->f);
    sum->J = larger(sum->J, t->J);
    sum->apart = larger(sum->apart, t->apart);
}

/* solvers of any mechanism, for the folder's mechanism; NULL without KB_ANY, or with a message */
static const kb_solvers *read_any(const char *folder)
{
    const char *engines_file = getenv("KB_ANY");
    char *path = kb_format("%s/mech.yaml", folder);
    kb_error err = {0};
    const kb_solvers *any = engines_file ? kb_solvers_read(engines_file, path, &err) : NULL;
    if (engines_file && !any)
        printf("not ok - %s: %s\n", folder, err.text);
    free(path);
    return any;
}

/* all engines of one mechanism; returns how many are off */
static int compare_all(char *folder, const char *reference, tally *sums)
{
    char *path = kb_format("%s/kernels.so", folder);
    const char *slash = strrchr(folder, '/'), *name = slash ? slash + 1 : folder;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    sample a;
    double *first[2] = {NULL, NULL};
    int off = 0, engines_there = 0, compiled = 0;
    if (!library)
        printf("not ok - %s: %s\n", name, dlerror());
    free(path);
    if (!library || make_sample(&a, folder, reference))
        return 1;
    const kb_solvers *any = read_any(folder);
    off += !any && getenv("KB_ANY");
    for (int k = 0; k < ENGINES; k++) {
        evaluator with = evaluator_of(k, library, any);
        if (!with.kernel && !with.any)
            continue;
        compiled += with.kernel != NULL;
        tally t = compare(&a, k, with, first);
        add(&sums[k], &t);
        engines_there += t.mechanisms > 0;
        if (t.f <= most_f && t.J <= engines[k].most_J && t.apart <= most_f)
            continue;
        off++;
        printf("not ok - %s, %s: f off by %.1e, J by %.1e, other engines by %.1e\n", name,
               engines[k].name, t.f, t.J, t.apart);
    }
    if (!compiled)
        printf("not ok - %s: no engine\n", name);
    else if (!engines_there)
        printf("skipped - %s: compiled, and not run without a GPU\n", name);
    else if (!off)
        printf("ok - %s, by %d engines\n", name, engines_there);
    free(first[0]);
    free(first[1]);
    free_sample(&a);
    if (any)
        any->close(any);
    dlclose(library);
    return off + !compiled;
}

int main(int argc, char **argv)
{
    tally sums[ENGINES] = {{0}};
    int off = 0;
    for (int i = 2; i < argc; i++)
        off += compare_all(argv[i], argv[1], sums);
    printf("%-14s %10s %10s %8s %8s %8s %8s %8s %8s\n", "engine", "mechanisms", "numbers", "f",
           "J", "apart", "rows", "left_out", "blind");
    for (int k = 0; k < ENGINES; k++)
        printf("%-14s %10ld %10ld %8.1e %8.1e %8.1e %8ld %8ld %8ld\n", engines[k].name,
               sums[k].mechanisms, sums[k].numbers, sums[k].f, sums[k].J, sums[k].apart,
               sums[k].rows, sums[k].left_out, sums[k].blind);
    return off ? 1 : 0;
}
