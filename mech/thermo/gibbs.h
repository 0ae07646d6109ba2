/* SPDX-License-Identifier: MIT
 *
 * Equilibrium at a given T and p, or T and V: the inner part of equilibrium.c.
 *
 * Newton's method of Gordon and McBride (NASA RP-1311, 1994, chapters 2 and 3) on the
 * logarithms of the mole numbers. Their unknowns are the potentials of the elements; here they are
 * those of "components", the most abundant independent species (Brinkley, J. Chem. Phys. 15, 1947;
 * Smith and Missen, Chemical Reaction Equilibrium Analysis, 1982): with n_j <= n_c for every
 * species j that contains c, the matrix scaled by sqrt(n_c) has entries of order one and stays
 * regular where an element matrix does not (stoichiometric mixtures, pure species at 300 K).
 */
#pragma once

#include "mech/mech.h"

typedef struct {
    const kb_mech *m;
    double elements[KB_MAX_ELEMENTS]; /* [kmol/kg] */
    int n;           /* species whose elements are all present */
    int *species;    /* [n] their indices in m */
    int rank;        /* components */
    int component[KB_MAX_ELEMENTS];
    double *nu;      /* rank x n: moles of component c in one mole of species j */
    double *start;   /* [n] mole numbers at the beginning [kmol/kg] */
    double *ln_n;    /* [n] */
    double *moles;   /* [n] exp(ln_n), not below the floor */
    double *mu;      /* [n] chemical potential / RT */
    double *dln;     /* [n] a change of ln_n */
    double *gap;     /* [n] mu_j - sum_c nu_cj mu_c */
    int *order;      /* [n] species by falling mole number */
    double total, ln_N; /* sum of moles; ln of the total as an unknown of its own */
    bool constant_v;
    double T, p, V;  /* [K], [Pa], [m^3/kg]; p is not used when V is fixed */
} kb_gibbs;

/* Starts from (Y [nspecies]; negative values count as zero); keeps the species that the elements
 * present can form. T, p, V, constant_v are the caller's to set. */
void kb_gibbs_make(kb_gibbs *x, const kb_mech *m, const double *Y);
void kb_gibbs_free(kb_gibbs *x);

/* Equilibrium at T and p or V, from the present mole numbers, else afresh; true if found. */
bool kb_gibbs_solve(kb_gibbs *x);

/* Chooses the most abundant independent species as components and fills nu (gibbs_components.c). */
void kb_gibbs_components(kb_gibbs *x);

/* Along equilibrium at the solution: the energy h (p fixed) or u (V fixed) [J/kg], its slope in T
 * [J/(kg K)] */
double kb_gibbs_energy(kb_gibbs *x, double *slope);

/* Y [nspecies] with the element balance mended to rounding; returns p [Pa] */
double kb_gibbs_result(const kb_gibbs *x, double *Y);
