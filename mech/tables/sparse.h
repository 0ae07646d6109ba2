/* SPDX-License-Identifier: MIT
 *
 * The sparse Newton matrix. Unknowns: z_i = Y_i/W_i of the nsp species, then T (index nsp), then
 * s = sum_j z_j (index nsp + 1), which carries the rank-one part of the exact Jacobian, so that the
 * species block has the pattern of d omega_i / d C_j at constant p/(RT) and no more.
 *
 * Ordering: Markowitz (smallest (row - 1)(column - 1) count first), T and s last; LU without
 * pivoting. The rows from `tail` on are stored as one dense block, since elimination fills them.
 * For a team the rows before it, the head, are inverted by Gauss-Jordan steps, which fill more, or
 * factored level by level, which takes more syncs in a solve.
 */
#pragma once

#include "mech/mech.h"

/* how a team eliminates the head: the cheaper way, or one of the two */
typedef enum { KB_HEAD_CHEAPER, KB_HEAD_INVERTED, KB_HEAD_FACTORED } kb_head;

typedef struct {
    int n;        /* nsp + 2 */
    int nnz;      /* of the Newton matrix before elimination, borders included */
    int nnz_lu;   /* of L + U in this order; natural: in the order of the mechanism */
    int nnz_natural;
    long lu_flops, solve_flops; /* one division or multiply or add: 1 flop */
    int tail;     /* first position of the dense tail; (n - tail) is a multiple of 4 */
    int *perm;    /* [n] position -> unknown */
    int *inv;     /* [n] unknown -> position */
    bool inverted; /* the head of a team, else factored */
    int *level; /* [tail] of a team: pivots of one level do not touch each other */
    unsigned char *pattern; /* [n x n] by position: 1 where the matrix has an entry */
    unsigned char *fill; /* [n x n] by position: 1 where the factors have an entry */
} kb_sparse;

/* Mechanisms of at most so many reactions have straight-line code (lines.h): measured, as
 * results/trials/rates.md says. */
enum { KB_LINES_REACTIONS = 1000 };

/* team: threads that factorise one matrix together; 1: no team, and no matter how */
void kb_sparse_build(const kb_mech *m, int team, kb_head how, kb_sparse *s);
void kb_sparse_free(kb_sparse *s);

/* The order for an LU of the large entries alone (solvers/linalg/lu_drop.h), whichever those are:
 * Markowitz on the entries that are large in mixtures of equal mass fractions. order [n]: the
 * position in s of each pivot in turn, T and s last. Returns the entries of L + U in this order
 * when none is left out. */
int kb_sparse_drop_order(const kb_mech *m, const kb_sparse *s, int *order);

/* Gauss-Jordan step with pivot k on the pattern a [n x n]: what row and column k meet, before k
 * too; returns the number of products */
long kb_sweep(unsigned char *a, int n, int k);

/* pattern [n x n], n = nspecies + nsteady, row major: 1 where d omega_i / d C_j may differ from 0,
 * and on the diagonal */
void kb_full_pattern(const kb_mech *m, unsigned char *pattern);
/* The same of the species of the state [nspecies x nspecies], by way of those in steady state, too
 */
void kb_omega_pattern(const kb_mech *m, unsigned char *pattern);

/* Third-body concentration of a reaction: [M] = base p/(RT) + sum coef_j C_j. Terms with coef 0 are
 * left out; terms [nspecies] is the caller's. Returns their number; 0 and base 0 when there is no
 * [M]. */
int kb_third_body(const kb_mech *m, const kb_reaction *r, double *base, kb_term *terms);
