/* SPDX-License-Identifier: MIT
 *
 * Where the kinetics of one ODE (or vector of lanes) keep their vectors: the work structs, and the
 * map of a team, whose vectors lie over each other.
 */
#pragma once

#include "solvers/chemistry/gas.h"
#include "solvers/linalg/lu_float.h"
#include "solvers/portable/lines.h"
#include "solvers/portable/shared_vectors.h"
#include "solvers/portable/work.h"

#if KB_TEAM > 1
/* A team's memory is short: it has no x but an exponential for each reaction, its rates of progress
 * overwrite the rate constants, and partial sums over reactions overwrite C, E and I. */
enum { KIN_ROOM = 3 * (NALL + 2), KIN_ROOM_FITS = (int)NGATHER_PIECES <= (int)KIN_ROOM };
#define KIN_RATES(ARRAY)                                                                           \
    union {                                                                                        \
        struct {                                                                                   \
            lane C[NALL + 2], E[NALL + 2], I[NALL + 2];                                            \
        };                                                                                         \
        lane room[KIN_ROOM];                                                                       \
    };                                                                                             \
    union {                                                                                        \
        lane kf[NRX];                                                                              \
        lane q[NRX];                                                                               \
    };
#else
/* x: T^b exp(-theta/T), until the rate constants are there; q: rates of progress [kmol/(m^3 s)] */
#if KB_LINED /* both at the same time */
#define KIN_PROGRESS(ARRAY) ARRAY(lane, x, NX) ARRAY(lane, q, NRX)
#elif defined(KB_RUN_TIME) /* q of no elements begins where x does */
#define KIN_PROGRESS(ARRAY) ARRAY(lane, q, 0) ARRAY(lane, x, NX > NRX ? NX : NRX)
#else
#define KIN_PROGRESS(ARRAY)                                                                        \
    union {                                                                                        \
        lane x[NX];                                                                                \
        lane q[NRX];                                                                               \
    };
#endif
#define KIN_RATES(ARRAY)                                                                           \
    KIN_C_VECTOR(ARRAY, C)   /* [kmol/m^3]; the last two are the padding 1 and 0 */                \
    ARRAY(lane, E, NALL + 2) /* exp(g/RT) RT/p0, padding 1 and 0; and its inverse, 1 and 1 */      \
    ARRAY(lane, I, NALL + 2)                                                                       \
    ARRAY(lane, kf, NRX) /* forward rate constants; without the M of three-body reactions */       \
    KIN_PROGRESS(ARRAY)                                                                            \
    ARRAY(lane, Z, NGENERAL > 0 ? NALL + 2 : 1) /* kin_products */                                 \
    ARRAY(lane, lnM, NMSET + 1) /* ln of M */
#endif
/* falloff: pr: reduced pressure (no team: low limit times [M]); for the Jacobian gT: dlnk/dT, gP:
 * dlnk/dlnPr; lF, dlF: log10 of Troe's F_cent, and d ln F_cent/dT. pT, pP: dlnk/dT, dlnk/dlnp of
 * PLOG, Chebyshev; bT: of Blowers-Masel, beyond that of T^b. burke_*: linear_burke.h; steady*:
 * steady.h */
#define KIN_FIELDS(ARRAY, ROWS, PART)                                                              \
    KIN_RATES(ARRAY)                                                                               \
    ARRAY(lane, u, NALL + 2)  /* h/RT - 1; padding 0 */                                            \
    ARRAY(lane, cp, NALL)     /* cp/R */                                                           \
    ARRAY(lane, M, NMSET + 1) /* third-body concentrations of the distinct sets */                 \
    ARRAY(lane, pr, NFALLOFF + 1) ARRAY(lane, gT, NFALLOFF + 1) ARRAY(lane, gP, NFALLOFF + 1)      \
    ARRAY(lane, lF, NTROE_ALL + 1) ARRAY(lane, dlF, NTROE_ALL + 1)                                 \
    ARRAY(lane, pT, NPLOG + NCHEB + 1)                                                             \
    ARRAY(lane, bT, NBLOWERS_MASEL + 1)                                                            \
    ARRAY(lane, pP, NPLOG + NCHEB + 1)                                                             \
    ARRAY(lane, burke_k, NBURKE_COLLIDER + 1) ARRAY(lane, burke_C, NBURKE_COLLIDER + 1)            \
    ARRAY(lane, burke_M, NBURKE + 1) ARRAY(lane, burke_T, NBURKE + 1)                              \
    ARRAY(lane, steady, NSTEADY * (NSTEADY + 1) + 1) ARRAY(lane, steady_rate, 2 * NSTEADY_RX + 1)
KB_WORK(kb_kinetics, KIN_FIELDS)

#if KB_TEAM == 1
/* C E, the product side of a reaction without I. It overwrites E if nothing needs E after the rates
 * of progress. */
kb_fn lane *kin_products(kb_kinetics *w) { return NGENERAL > 0 ? w->Z : w->E; }
#endif

#if KB_TEAM > 1
/* A team stores the derivatives D inside the matrix A, because no other shared memory is left, and
 * qT, qB and qM behind them. Entries computed from D wait in registers (at most JAC_HELD numbers a
 * thread) until D is dead. Pieces of sums over reactions overwrite the rates of progress; later the
 * pieces of entries and of the energy row, V and G do. fT, border and e overwrite C, E and I. */
enum {
    /* rows of sums over reactions that a thread has */
    GATHER_ROWS = (NGATHER_BUNDLES * 32 + KB_TEAM - 1) / KB_TEAM,
    GATHER_HELD = GATHER_ROWS <= 2 ? GATHER_ROWS : 1,
    JAC_HELD = 26,
    JAC_ROWS = ((NJAC_BUNDLES - NJAC_DIRECT) * 32 + KB_TEAM - 1) / KB_TEAM,
    JAC_D_IN_A = JAC_ROWS * KB_LANES <= JAC_HELD && NSLOT + 1 <= NNZ,
    JAC_HELD_ROWS = JAC_D_IN_A ? JAC_ROWS : 0,
    JAC_AT_QT = JAC_D_IN_A ? NSLOT + 1 : 0,
    JAC_AT_QB = JAC_AT_QT + NRX,
    JAC_AT_QM = JAC_AT_QB + NRX,
    JAC_Q_IN_A = JAC_AT_QM + NMREACTION + 1 <= NNZ,
    JAC_PIECES_IN_Q = (int)GATHERS * NGATHER_PIECES <= NRX && (int)GATHER_ROWS == (int)GATHER_HELD,
    JAC_PIECES = NJAC_PIECES + NHEAT_PIECES + 2,
    JAC_IN_Q = JAC_PIECES + NDWDOT_DM + NMSET + 2 <= NRX,
    JAC_AT_HEAT = JAC_IN_Q ? NJAC_PIECES + 1 : 0,
    JAC_AT_V = JAC_IN_Q ? JAC_PIECES : 0,
    JAC_AT_G = JAC_IN_Q ? JAC_AT_V + NDWDOT_DM + 1 : 0
};
/* 1: only falloffs and three-body reactions need more than jac_reaction; then one thread does all
 * of a reaction, without a sync */
enum {
    JAC_OTHERS = NSTEADY + NGENERAL + NACTIVATED + NPLOG + NCHEB + NBLOWERS_MASEL + NBURKE,
    JAC_TOGETHER = SORTED && JAC_OTHERS == 0
};
#else
enum { JAC_D_IN_A = 0, JAC_Q_IN_A = 0, JAC_IN_Q = 0, JAC_TOGETHER = 0 };
#endif

/* columns of the rows of species in steady state (steady.h) */
#define STEADY_T (NSTEADY + NSP) /* columns */
#define STEADY_BORDER (STEADY_T + 1)
#define STEADY_WIDTH (STEADY_T + 2)
#define STEADY_ROWS (NSTEADY * STEADY_WIDTH)

#if KB_LINED /* rate constants with [M]; D holds what slots are not */
#define JAC_RATES(ARRAY) ARRAY(lane, forward, NRX) ARRAY(lane, reverse, NRX)
#else
#define JAC_RATES(ARRAY)
#endif
/* used only while the Jacobian is evaluated */
#define JAC_SCRATCH(ARRAY, ROWS, PART)                                                             \
    /* d q_r / d C by slot, sorted by column; the last takes what is unused */                     \
    ARRAY(kb_stored, D, JAC_D_IN_A ? 1 : NSLOT + 1)                                                \
    /* what column T gathers: d q_r/dT, the change of C with T */                                  \
    ARRAY(kb_stored, qT, JAC_Q_IN_A ? 1 : NRX)                                                     \
    /* what the border gathers; with KB_LINED beyond -q at constant p */                           \
    ARRAY(kb_stored, qB, JAC_Q_IN_A ? 1 : NRX)                                                     \
    JAC_RATES(ARRAY)                                                                               \
    /* d q_r / d [M] of the reactions with a third body */                                         \
    ARRAY(kb_stored, qM, JAC_Q_IN_A ? 1 : NMREACTION + 1)                                          \
    ARRAY(lane, V, JAC_IN_Q ? 1 : NDWDOT_DM + 1) /* d omega_i / d [M] of a set of efficiencies */  \
    ARRAY(lane, G, JAC_IN_Q ? 1 : NMSET + 1)     /* sum_i e_i V of one set */                      \
    ARRAY(lane, e, KB_TEAM > 1 ? 1 : NSP)        /* e_i as in rhs.h */                             \
    /* species in steady state: steady.h */                                                        \
    ARRAY(lane, steady_rows, STEADY_ROWS + 1) ARRAY(lane, steady_column, NSTEADY_COLUMN + 1)       \
    ARRAY(lane, steady_heat, NSTEADY + 1)                                                          \
    ARRAY(kb_stored, kept_jacobian, KB_SCRATCH_GLOBAL ? NNZ : 1) /* -J, kept (problem.h) */
KB_WORK(kb_scratch, JAC_SCRATCH)

/* Teams on a GPU keep the scratch in global memory (kb_ode.scratch), so that more of them fit in
 * shared memory. */
#if KB_SCRATCH_GLOBAL
#define JAC_FIELDS(ARRAY, ROWS, PART) PART(kb_kinetics, k)
#else
#define JAC_FIELDS(ARRAY, ROWS, PART) PART(kb_kinetics, k) PART(kb_scratch, s)
#endif
KB_WORK(kb_jacobian, JAC_FIELDS)

/* where the vectors of kb_scratch lie, and constants of the reactor */
typedef struct {
    kb_kinetics *k;
    kb_scratch *s;
    kb_stored *D, *qT, *qB, *qM;
    lane *V, *G, *e;
    double c1; /* c_i = cp_i/R - c1 */
    kb_reactor reactor;
} jac_work;

/* entries of the matrix, of which a vector of lanes has every JAC_STRIDE-th */
#ifdef KB_FLOAT_MATRIX /* float_jacobian.c */
enum { JAC_STRIDE = FLOAT_VECTORS };
typedef float jac_number __attribute__((vector_size(4 * KB_LANES)));
kb_fn void jac_set(jac_number *A, int k, lane x)
{
    A[JAC_STRIDE * k] = __builtin_convertvector(x, jac_number);
}
kb_fn void jac_add(jac_number *A, int k, lane x)
{
    A[JAC_STRIDE * k] += __builtin_convertvector(x, jac_number);
}
#else
typedef kb_stored jac_number;
kb_fn void jac_set(kb_stored *A, int k, lane x) { A[k] = x; }
kb_fn void jac_add(kb_stored *A, int k, lane x) { A[k] += x; }
#endif

kb_fn jac_work jac_place(kb_kinetics *k, kb_scratch *s, jac_number *A, kb_reactor reactor)
{
    double c1 = at_constant_volume(reactor) ? 1 : 0;
    jac_work w = {k, s, s->D, s->qT, s->qB, s->qM, s->V, s->G, s->e, c1, reactor};
#if KB_TEAM > 1
    w.e = k->room + 2 * NSP;
    if (JAC_D_IN_A)
        w.D = A;
    if (JAC_Q_IN_A) {
        w.qT = A + JAC_AT_QT;
        w.qB = A + JAC_AT_QB;
        w.qM = A + JAC_AT_QM;
    }
    if (JAC_IN_Q) {
        w.V = k->q + JAC_AT_V;
        w.G = k->q + JAC_AT_G;
    }
#else
    (void)A;
#endif
    return w;
}

/* what sums over reactions give for the Jacobian: f, its T column and its border [NSP each] */
typedef struct {
    kin_f f;
    lane *fT, *border;
} jac_columns;
#if KB_TEAM > 1
#define JAC_VECTORS(k, fT, border) lane *fT = (k)->room, *border = (k)->room + NSP
#else
#define JAC_VECTORS(k, fT, border) lane fT[NSP], border[NSP]
#endif
