/* SPDX-License-Identifier: MIT */
#include "drivers/mechinfo/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drivers/env/environment.h"
#include "pasr/database/recipe.h"
#include "solvers/engine_names.h"
#include "solvers/solver.h"

#define DEFAULT_CARD 141e9     /* [B] an H200 */
#define SHARED_MEMORY 232448.0 /* [B] of a block from compute capability 9.0 on */
#define LOCAL_MEMORY 512000.0  /* [B] of a thread, as Curtis et al. count it */

static double memory_of_gpu(void)
{
    kb_owned char *mib = kb_first_line(
        "nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits 2>/dev/null");
    return 1048576 * atof(mib);
}

/* ---- by method and engine ---- */

/* What travels for an ODE: T, p, Y in, T, Y and counters out */
static double traffic(const kb_mech *m)
{
    return 8.0 * (m->nspecies + 2) + 8.0 * (m->nspecies + 1) + sizeof(kb_count);
}

static void print_solver(const kb_solver_info *info, double io, double card)
{
    printf("  %-14s %-19s %10zu", info->name, info->engine, info->bytes_per_ode);
    if (kb_on_gpu(info->engine))
        printf(" %15.0f", floor(card / ((double)info->bytes_per_ode + io)));
    printf("\n");
}

static void print_solvers(const kb_mech *m, const char *mech, double card)
{
    kb_error err = {0};
    kb_owned char *object = kb_built_solvers(mech);
    const kb_solvers *solvers = object ? kb_solvers_open(object, &err) : NULL;
    double io = traffic(m);
    printf("memory of one ODE, in bytes: states, results and counters %.0f (%.0f ODEs fit a card "
           "of %.4g GB)\n", io, floor(card / io), 1e-9 * card);
    if (!solvers)
        printf("  not built%s%s\n", err.code ? ": " : "", err.code ? err.text : "");
    else if (strcmp(solvers->sha256, m->sha256) != 0)
        printf("  %s was built for another mechanism (sha256 %.12s...)\n", object, solvers->sha256);
    else {
        printf("  %-14s %-19s %10s %15s\n", "solver", "engine", "work", "ODEs at once");
        for (int i = 0; i < solvers->nsolvers; i++)
            print_solver(&solvers->solvers[i]->info, io, card);
        printf("  (a larger batch is taken in slices)\n");
    }
}

/* ---- what papers count ---- */

/* Curtis et al. 2017, Table 3: matrices of Ns^2 doubles in 6 GB, or in a thread's local memory */
typedef struct {
    const char *method;
    int matrices; /* for each ODE */
    double odes;  /* at once; 0: one in local memory */
    int printed;  /* species */
} limit;

static const limit curtis[] = {
    {"Radau-IIA", 3, 0, 146},           {"Radau-IIA", 3, 1e6, 15},
    {"Radau-IIA", 3, 1e5, 50},          {"Radau-IIA", 3, 1e4, 158},
    {"exp4, exprb43", 4, 0, 126},       {"exp4, exprb43", 4, 1e6, 13},
    {"exp4, exprb43", 4, 1e5, 43},      {"exp4, exprb43", 4, 1e4, 136}};

static double species_of(const limit *l, double card)
{
    return floor(sqrt((l->odes > 0 ? card / l->odes : LOCAL_MEMORY) / 8 / l->matrices));
}

static void print_limit(const char *what, int printed, double there, double here, int nsp)
{
    printf("  %-56s %7d %8.0f %6.0f   %s\n", what, printed, there, here,
           nsp <= here ? "yes" : "no");
}

static void print_curtis(const kb_mech *m, double card)
{
    for (size_t i = 0; i < sizeof curtis / sizeof *curtis; i++) {
        const limit *l = &curtis[i];
        kb_owned char *what = l->odes > 0 ? kb_format("curtis2017, %s, %d Ns^2, %g ODEs in 6 GB",
                                                      l->method, l->matrices, l->odes)
                                          : kb_format("curtis2017, %s, %d Ns^2, 512 kB of a thread",
                                                      l->method, l->matrices);
        print_limit(what, l->printed, species_of(l, 6e9), species_of(l, card), m->nspecies);
    }
}

/* Le and Cambier 2013, Fig. 4: matrix and right-hand side of one system, Ns^2 + Ns doubles, in the
 * shared memory of a block, 48 KiB then */
static double dense_in(double bytes) { return floor(0.5 * (sqrt(1 + bytes / 2) - 1)); }

/* Sewerin and Rigopoulos 2015, Table 3: bytes of an ODE with Radau5. msp: places for the species of
 * a reaction, on each side as many as the longest needs (6 for GRI 3.0, 7 for JetSurF, as there) */
static double sewerin(const kb_mech *m)
{
    double nc = m->nspecies + 1, left = 0, right = 0;
    for (int i = 0; i < m->nreactions; i++) {
        const kb_reaction *r = &m->reactions[i];
        left = fmax(left, r->nreactants);
        right = fmax(right, r->nproducts);
    }
    return 8 * (2 + nc * (13 + 4 * nc) + m->nreactions * (left + right)) + 8 * nc;
}

static void print_papers(const kb_mech *m, double card)
{
    printf("largest mechanism, in species, by the storage that papers count\n");
    printf("  %-56s %7s %8s %6s   %s\n", "", "printed", "formula", "here", "this one");
    print_curtis(m, card);
    print_limit("lecambier2013, Ns^2 + Ns, shared memory of a block", 75, dense_in(49152),
                dense_in(SHARED_MEMORY), m->nspecies);
    printf("  sewerin2015, Radau5, bytes of one ODE of this mechanism: %.0f (%.0f ODEs at once)\n",
           sewerin(m), floor(card / sewerin(m)));
}

void kb_memory_print(const kb_mech *m, const char *mech, double card)
{
    card = card > 0 ? card : memory_of_gpu();
    card = card > 0 ? card : DEFAULT_CARD;
    print_solvers(m, mech, card);
    print_papers(m, card);
}
