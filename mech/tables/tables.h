/* SPDX-License-Identifier: MIT
 *
 * A mechanism as flat tables of constants, which solvers/chemistry and solvers/linalg evaluate.
 * mechc prints them as one header, constants.h: each table below under its name with the prefix
 * kb_, and the sizes that the comments name.
 *
 * A table reaction is one mechanism entry; an entry with an explicit reverse rate becomes two
 * one-way ones. They are sorted into four ranges: plain with at most 2 + 2 slots, plain with 3 + 3,
 * three-body with 2 + 2, three-body with 3 + 3. A slot is one molecule of a side: A + A fills two.
 * Unused slots name the padding species nall (concentration 1); the products of a one-way reaction
 * name nall + 1 (concentration 0). Reactions that slots cannot express (orders, real coefficients,
 * long sides) are general: their slots are empty, and a list of powers gives the rate.
 *
 * Unsorted, they stay in the order of the mechanism, to measure what sorting gains: all are in the
 * first range, the falloffs are all counted as the first kind, and tables hold the range and the
 * kind of each one (NTROE_ALL and NSRI_ALL count them in either order).
 *
 * Positions count the rows and columns of the Newton matrix in the order of elimination (sparse.h);
 * a storage index is one into the array A [NNZ] that holds the matrix and then its factors. The
 * first NHEAD positions are the head, the others the dense tail. A bundle is 32 sums of one length,
 * one for each thread of a warp (solvers/portable/bundles.h).
 */
#pragma once

#include "mech/mech.h"
#include "mech/tables/sparse.h"

typedef struct {
    int n, cap;
    int *v;
} kb_ints;

typedef struct {
    int n, cap;
    double *v;
} kb_reals;

/* of bundles: an empty row; the number of coefficient 0 */
enum { KB_NO_TARGET = 0x7fffffff };
enum { KB_BURKE_OF_M, KB_BURKE_FALLOFF, KB_BURKE_PLOG, KB_BURKE_CHEBYSHEV };
enum { KB_BUNDLE_STRIDE = 4 }; /* the steps of a bundle are a multiple of it */
enum { KB_NPOW = 7, KB_SLOTS = 6 }; /* x[0..6] = T^-3 .. T^3; 3 reactant and 3 product slots */

static inline int kb_padded(int n, int of) { return (n + of - 1) / of * of; }

/* One line for each table: I integers, R reals; name; [shape] meaning [unit] */
#define KB_TABLE_LIST(I, R)                                                                       \
    I(entry, "[NRX] mechanism entry of a table reaction")                                         \
    R(A, "[NRX] kf = A x[x_index], in kmol, m^3, s; of a falloff the high limit")                 \
    I(x_index, "[NRX] index in x of the temperature factor of kf")                                \
    R(b, "[NRX] temperature exponent of kf")                                                      \
    R(theta, "[NRX] E/R of kf [K]")                                                               \
    R(x_b, "[NX - 7] b of x = T^b exp(-theta/T); each pair (b, theta) once")                      \
    R(x_theta, "[NX - 7] theta of the same [K]")                                                  \
    I(range_of, "[NRX] unless SORTED: the range that it would be in")                             \
    I(mreaction_of, "[NRX] unless SORTED: index of a three-body reaction in mreaction")           \
    I(slot, "[6][NRX] species of reactant slots 0-2 and product slots 3-5")                       \
    I(slot_derivative, "[6][NRX] index in D of dq/dC of that slot, by column; NSLOT: unused")     \
    R(one_minus_forward_order, "[NRX] 1 - order of the forward rate")                             \
    R(one_minus_reverse_order, "[NRX] 1 - order of the reverse rate")                             \
    R(mset_base, "[NMSET] [M] = base p/(RT) + sum coef C, of each distinct set of efficiencies")  \
    I(mset_start, "[NMSET + 1] first term of a set")                                              \
    I(mset_species, "[terms] species of a term")                                                  \
    R(mset_coef, "[terms] efficiency less that of the base")                                      \
    I(mreaction_rx,                                                                               \
      "[NMREACTION] reaction with [M]: those of the three-body ranges, then the falloffs")        \
    I(mreaction_mset, "[NMREACTION] its set of efficiencies")                                     \
    I(falloff_x,                                                                                  \
      "[NFALLOFF] index in x of the low limit; falloff k is mreaction NTHREE_BODY + k")           \
    I(falloff_kind,                                                                               \
      "[NFALLOFF] unless SORTED (else Lindemann, Troe, SRI in turn): its kind, FALLOFF_*")        \
    I(falloff_number, "[NFALLOFF] unless SORTED: number among those of its kind")                 \
    R(falloff_A, "[NFALLOFF] A of the low limit, in kmol, m^3, s")                                \
    R(falloff_rA, "[NFALLOFF] it over A of the high limit")                                       \
    R(falloff_lnA, "[NFALLOFF] ln of that")                                                       \
    R(falloff_db, "[NFALLOFF] b of the low limit less that of the high one")                      \
    R(falloff_dtheta, "[NFALLOFF] theta of the low limit less that of the high one [K]")          \
    R(troe_a, "[NTROE_ALL] a of F_cent")                                                          \
    R(troe_rT3, "[NTROE_ALL] 1/T*** [1/K]")                                                       \
    R(troe_rT1, "[NTROE_ALL] 1/T* [1/K]")                                                         \
    R(troe_T2, "[NTROE_ALL] T** [K]; 1e7: none")                                                  \
    R(troe_F0, "[NTROE_ALL] of Tsang's form, which is listed with Troe's: F_cent = F0 + F1 T")    \
    R(troe_F1, "[NTROE_ALL] the same [1/K]; both 0 of Troe's form")                               \
    R(sri, "[NSRI_ALL][5] a, b [K], c [K], d, e")                                                 \
    I(activated, "[NACTIVATED] falloffs that are chemically activated")                           \
    I(plog_rx, "[NPLOG] reaction")                                                                \
    I(plog_start, "[NPLOG + 1] first pressure of a reaction; then those of colliders (burke)")    \
    R(plog_lnp, "[pressures] ln of the pressure in Pa")                                           \
    I(plog_term, "[pressures + 1] first Arrhenius term of a pressure")                            \
    R(plog_lnA, "[terms] ln of A's magnitude, in kmol, m^3, s")                                   \
    R(plog_sign, "[terms] sign of A: 1 or -1; rates with A = 0 are left out")                     \
    R(plog_b, "[terms] temperature exponent")                                                     \
    R(plog_theta, "[terms] E/R [K]")                                                              \
    I(cheb_rx, "[NCHEB] reaction")                                                                \
    R(cheb_range, "[NCHEB][4] 1/Tmin, 1/Tmax [1/K], log10 of pmin, pmax in Pa")                   \
    I(cheb_size, "[NCHEB][2] nT, np: coefficients in T and in p")                                 \
    I(cheb_start, "[NCHEB] first coefficient; colliders (burke) come behind in these tables")     \
    R(cheb_coef, "[coefficients] rows of np coefficients of log10 k")                             \
    I(blowers_masel_rx, "[NBLOWERS_MASEL] reaction whose theta follows its heat; theta is 0")     \
    R(blowers_masel_theta, "[NBLOWERS_MASEL][2] of heat zero, and of the bonds [K]")              \
    I(blowers_masel_start, "[NBLOWERS_MASEL + 1] first term of its heat")                         \
    I(blowers_masel_species, "[terms] species")                                                   \
    R(blowers_masel_nu, "[terms] net coefficient")                                                \
    I(burke_rx, "[NBURKE] reaction of type linear-Burke")                                         \
    I(burke_start, "[NBURKE + 1] first collider, which is M")                                     \
    I(burke_species, "[NBURKE_COLLIDER] species; of M the padding")                               \
    R(burke_A, "[NBURKE_COLLIDER] efficiency over that of M = A T^b exp(-theta/T)")               \
    R(burke_b, "[NBURKE_COLLIDER] its b")                                                         \
    R(burke_theta, "[NBURKE_COLLIDER] its theta [K]")                                             \
    I(burke_kind, "[NBURKE_COLLIDER] its rate: that of M or one of its own, BURKE_*")             \
    I(burke_number, "[NBURKE_COLLIDER] number of a rate of its own among those of its kind")      \
    R(burke_falloff,                                                                              \
      "[falloffs][10] A, b, theta [K] of high and low limit; a, 1/T***, 1/T* [1/K], T** [K]")     \
    I(burke_derivative, "[NBURKE_COLLIDER] index in D of dq/dC; NSLOT of M")                      \
    I(general_rx, "[NGENERAL] reaction whose rate is a product of powers")                        \
    I(general_start, "[2 NGENERAL + 1] first power: forward, then reverse, of each")              \
    I(general_species, "[powers] species")                                                        \
    R(general_order, "[powers] exponent of its concentration")                                    \
    I(general_derivative, "[powers] index in D of dq/dC")                                         \
    I(general_kc_start, "[NGENERAL + 1] first term of ln 1/Kc")                                   \
    I(general_kc_species, "[terms] species")                                                      \
    R(general_kc_nu, "[terms] net coefficient")                                                   \
    I(steady_rx, "[NSTEADY_RX] reaction that makes or uses a species in steady state")            \
    I(steady_general, "[NSTEADY_RX] its number among the general ones; NGENERAL: it is none")     \
    I(steady_start, "[NSTEADY][NSTEADY + 1] first term of an entry of A, or b, of A C = b; + 1")  \
    I(steady_rate, "[terms] 2 steady_rx + direction: a rate with all C in steady state 1")        \
    R(steady_nu, "[terms] its coefficient")                                                       \
    I(steady_entry_at, "[NSTEADY_ENTRY] index in the rows of steady species (steady.h)")          \
    I(steady_entry_start, "[NSTEADY_ENTRY + 1] first slot of its sum")                            \
    I(steady_entry_slot, "[terms] index in D")                                                    \
    R(steady_entry_nu, "[terms] coefficient")                                                     \
    I(steady_entry_dM_start, "[NSTEADY_ENTRY + 1] first term of third bodies")                    \
    I(steady_entry_mreaction, "[terms] index in mreaction")                                       \
    R(steady_entry_dM_nu, "[terms] coefficient times efficiency")                                 \
    I(steady_column_start, "[NSP + 1] first entry of a row of d omega/dC in steady state")        \
    I(steady_column_of, "[NSTEADY_COLUMN] which of those in steady state")                        \
    I(steady_column_slots, "[NSTEADY_COLUMN + 1] first slot of its sum")                          \
    I(steady_column_slot, "[terms] index in D")                                                   \
    R(steady_column_nu, "[terms] coefficient")                                                    \
    I(steady_reach_start, "[NSTEADY + 1] first species that a steady one depends on")             \
    I(steady_reach, "[terms] species")                                                            \
    I(steady_fill_start, "[NSTEADY_COLUMN] first of:")                                            \
    I(steady_fill, "[terms] index in A of each species of steady_reach, in the entry's row")      \
    I(species_start, "[NALL + 1] first reaction that makes or uses a species")                    \
    I(species_rx, "[terms] reaction")                                                             \
    R(species_nu, "[terms] net coefficient")                                                      \
    I(species_gather_bundle,                                                                      \
      "[NGATHER_BUNDLES + 1] the same sums for teams: first step of a bundle")                    \
    I(species_gather_target, "[NGATHER_BUNDLES][32] piece that a row sums; NO_TARGET: none")      \
    I(species_gather_pair, "[strides][32][4][2] (table reaction, number of its coefficient)")     \
    I(species_gather_of, "[NGATHER_BUNDLES][32] species of a row; none: 0")                       \
    I(species_gather_start, "[NSP + 1] first piece of a species")                                 \
    I(heat_row_bundle,                                                                            \
      "[NHEAT_BUNDLES + 1] sum e_i A_ij of a column, for the energy row, by teams")               \
    I(heat_row_target, "[NHEAT_BUNDLES][32] piece that a row sums; NO_TARGET: none")              \
    I(heat_row_pair, "[strides][32][4][2] (species of the row, index in A)")                      \
    I(heat_row_start, "[NSP + 1] first piece of a column")                                        \
    R(coefficient, "[numbers] coefficients by number; SHORT_NU: unused, see short_nu")            \
    I(jac_column_start, "[NSP + 1] first entry of a column of d omega/d C")                       \
    I(jac_row, "[NJAC] species of the row; sorted by number of slots in a column")                \
    I(jac_storage, "[NJAC] index in A")                                                           \
    I(jac_start, "[NJAC + 1] first slot of an entry's sum")                                       \
    I(jac_slot, "[terms] index in D")                                                             \
    R(jac_nu, "[terms] coefficient; negative, since A = -J")                                      \
    I(jac_entry_bundle, "[NJAC_BUNDLES + 1] the same sums for teams: first step of a bundle")     \
    I(jac_entry_target,                                                                           \
      "[NJAC_BUNDLES][32] index in A, or NNZ + piece of a long sum; NO_TARGET: none")             \
    I(jac_entry_pair, "[strides][32][4][2] (index in D, number of its coefficient)")              \
    I(jac_entry_cut, "[NJAC_CUT] index in A of a sum that is cut in pieces")                      \
    I(jac_entry_start, "[NJAC_CUT + 1] its first piece")                                          \
    I(dwdot_dM_set, "[NMSET + 1] first d omega_i/d [M] of a set of efficiencies")                 \
    I(dwdot_dM_species, "[NDWDOT_DM] species i")                                                  \
    I(dwdot_dM_start, "[NDWDOT_DM + 1] first term of its sum")                                    \
    I(dwdot_dM_mreaction, "[terms] index in mreaction")                                           \
    R(dwdot_dM_nu, "[terms] net coefficient")                                                     \
    I(third_body_entry_storage,                                                                   \
      "[NTHIRD_BODY_ENTRY] index in A of an entry that third bodies add to")                      \
    I(third_body_entry_start, "[NTHIRD_BODY_ENTRY + 1] first term of its sum")                    \
    I(third_body_entry_dwdot_dM, "[terms] index in dwdot_dM")                                     \
    R(third_body_entry_coef, "[terms] efficiency of the column's species")                        \
    I(efficiency_start, "[NSP + 1] first set in which a species has an efficiency")               \
    I(efficiency_mset, "[terms] set of efficiencies")                                             \
    R(efficiency_coef, "[terms] efficiency less that of the base")                                \
    I(lu_perm, "[NNEWTON] position -> index in (T, Y): T is 0; NSP + 1 is the unknown s")         \
    I(lu_diag, "[NHEAD] index in A of a head pivot; its U row follows it")                        \
    I(lu_u_count, "[NHEAD] entries of that U row")                                                \
    I(lu_l_start, "[NHEAD + 1] first L entry below a head pivot")                                 \
    I(lu_l, "[L entries] index in A")                                                             \
    I(lu_target, "[L entries][lu_u_count] index in A below each entry of the pivot's U row")      \
    I(lu_row_start, "[NNEWTON + 1] index in A of the first L entry of a row (head columns)")      \
    I(lu_l_count, "[NNEWTON] L entries of a row in head columns")                                 \
    I(lu_column, "[NNZ_HEAD] position of the column of an entry of A")                            \
    I(lu_fill, "[NFILL] indices in A that hold 0 before elimination")                             \
    I(lu_T_row, "[NNEWTON] index in A of row T, by position of the column")                       \
    I(lu_T_col, "[NNEWTON] index in A of column T, by position of the row")                       \
    I(lu_s_row, "[NNEWTON] index in A of row s, by position of the column")                       \
    I(lu_s_col, "[NNEWTON] index in A of column s, by position of the row")                       \
    I(lu_position, "[NSP] position of a species")                                                 \
    I(drop_order,                                                                                 \
      "[NNEWTON] of one thread: position of each pivot in turn where small entries are dropped")  \
    I(level_start, "[NLEVEL + 1] first pivot of a level, whose pivots do not touch each other")   \
    I(level_pivot, "[NHEAD] index in A of a pivot")                                               \
    I(level_scaled_start, "[NLEVEL + 2] first entry scaled before a level, and at the end")       \
    I(level_scaled, "[entries] index in A")                                                       \
    I(level_scaled_pivot, "[entries] index in A of the pivot of its column (head factored: of "   \
      "its row); NO_TARGET: none")                                                                \
    I(level_scaled_inverse, "[entries] of the inverse pivot of its row (head factored: of its "   \
      "column); NO_TARGET: none")                                                                 \
    I(update_level, "[NLEVEL + 1] first bundle of a level: A of the target gains sum l u")        \
    I(update_bundle, "[bundles + 1] first step of a bundle")                                      \
    I(update_target, "[bundles][32] index in A; NO_TARGET: none")                                 \
    I(update_pair, "[strides][32][4][2] (index in A of l, index in A of u)")                      \
    I(block_start, "[NBLOCK + 1] first bundle of a product: B A_ht, A_th B A_ht, A_th B")         \
    I(block_bundle, "[bundles + 1] first step of a bundle")                                       \
    I(block_target, "[bundles][32] index in A; NO_TARGET: none")                                  \
    I(block_pair, "[strides][32][4][2] (index in A, index in A)")                                 \
    I(tail_left, "[NHEAD_PADDED][NTAIL_PADDED] by k, i: index in A of A_th (i, k), else of a 0")  \
    I(tail_right, "[NHEAD_PADDED][NTAIL_PADDED] by k, j: index in A of A_ht (k, j), else of a 0") \
    I(solve_phase, "[NSOLVE + 1] first bundle of a phase. Head inverted: times its columns, the " \
      "tail's. Factored: rows of each level times L, rows of the tail, rows of each level, the "  \
      "last one first, times -U")                                                                 \
    I(solve_share, "[NSOLVE] neighbouring threads that share a row of a phase")                   \
    I(solve_bundle, "[bundles + 1] first step of a bundle")                                       \
    I(solve_target, "[bundles][32] index in z, the same for all that share it; NO_TARGET: none")  \
    I(solve_pair, "[strides][32][4][2] (index in A, index in z)")                                 \
    I(single_storage, "[NNZ] of teams: index in A of one thread; NO_TARGET: none, and 0")         \
    R(W, "[NSP] kg/kmol")                                                                         \
    R(rW, "[NSP] kmol/kg")                                                                        \
    R(Tmid, "[NALL] K")                                                                           \
    R(lo, "[7][NALL] NASA-7 coefficients below Tmid")                                             \
    R(hi, "[7][NALL] NASA-7 coefficients above Tmid")                                             \
    R(lo9, "[2][NALL] if NASA9: coefficients of T^-2 and T^-1 in cp/R")                           \
    R(hi9, "[2][NALL] the same above Tmid")                                                       \
    R(Tlow, "[NALL] where the lower range begins [K]")                                            \
    R(Thigh, "[NALL] where the upper one ends [K]")                                               \
    R(cold, "[4][NALL] kb_beyond of thermo.h below Tlow")                                         \
    R(hot, "[4][NALL] the same above Thigh")                                                      \
    R(Rp0, "[NALL] R / standard pressure [m^3/(kmol K)]")

/* One line for each size of a mechanism: name, its value in the tables t */
#define KB_SIZE_LIST(S)                                                                           \
    S(N, t->nsp + 1) S(NSP, t->nsp) S(NALL, t->nall) S(NSTEADY, t->nall - t->nsp)                 \
    S(NSTEADY_RX, t->steady_rx.n) S(NSTEADY_ENTRY, t->steady_entry_at.n)                          \
    S(NSTEADY_COLUMN, t->steady_column_of.n) S(NENTRY, t->m->nreactions) S(NRX, t->nrx)           \
    S(PLAIN_2, t->plain[0]) S(FALLOFFS_2, t->other[0]) S(PLAIN_3, t->plain[1])                    \
    S(FALLOFFS_3, t->other[1]) S(RX1, t->range[1]) S(RX2, t->range[2]) S(RX3, t->range[3])        \
    S(NX, KB_NPOW + t->x_b.n) S(NSLOT, t->nslot) S(NMSET, t->mset_base.n)                         \
    S(NMREACTION, t->mreaction_rx.n) S(NTHREE_BODY, t->ntb) S(NFALLOFF, t->falloff_A.n)           \
    S(NLIND, t->nlind) S(NTROE, t->ntroe) S(NSRI, t->nsri) S(NTROE_ALL, t->troe_a.n)              \
    S(NSRI_ALL, t->sri.n / 5) S(NACTIVATED, t->activated.n) S(NPLOG, t->plog_rx.n)                \
    S(NCHEB, t->cheb_rx.n) S(NTSANG, t->ntsang) S(NBLOWERS_MASEL, t->blowers_masel_rx.n)          \
    S(NBURKE, t->burke_rx.n) S(NBURKE_COLLIDER, t->burke_species.n)                               \
    S(NBURKE_FALLOFF, t->burke_falloff.n / 10)                                                    \
    S(NBURKE_PLOG, t->plog_start.n - 1 - t->plog_rx.n)                                            \
    S(NBURKE_CHEBYSHEV, t->cheb_start.n - t->cheb_rx.n) S(NGENERAL, t->general_rx.n)              \
    S(NJAC, t->jac_row.n) S(NDWDOT_DM, t->dwdot_dM_species.n)                                     \
    S(NTHIRD_BODY_ENTRY, t->third_body_entry_storage.n)                                           \
    S(NLEVEL, t->level_start.n ? t->level_start.n - 1 : 0)                                        \
    S(NGATHER_BUNDLES, t->species_gather_bundle.n - 1) S(NGATHER_PIECES, t->gather_pieces)        \
    S(NHEAT_BUNDLES, t->heat_row_bundle.n - 1) S(NHEAT_PIECES, t->heat_pieces)                    \
    S(LANE_SCALE, t->scale[KB_LANE]) S(STORED_SCALE, t->scale[KB_STORED])                         \
    S(NJAC_BUNDLES, t->jac_entry_bundle.n - 1) S(NJAC_DIRECT, t->jac_direct)                      \
    S(NJAC_CUT, t->jac_entry_cut.n) S(NJAC_PIECES, t->jac_pieces) S(SHORT_NU, t->short_nu)        \
    S(NBLOCK, t->block_start.n ? t->block_start.n - 1 : 0) S(BLOCK_BACK, t->block_back)           \
    S(BLOCK_HELD, t->block_held) S(HEAD_INVERTED, t->lu.inverted)                                 \
    S(NSOLVE, t->solve_share.n) S(SOLVE_SHARE, t->inverted_share[0])                              \
    S(SOLVE_SHARE_BACK, t->inverted_share[1]) S(NNEWTON, t->lu.n) S(NHEAD, t->lu.tail)            \
    S(NTAIL, t->lu.n - t->lu.tail) S(NTAIL_PADDED, kb_padded(t->lu.n - t->lu.tail, 8))            \
    S(NHEAD_PADDED, kb_padded(t->lu.tail, 4)) S(TAIL_STRIDE, t->tail_stride)                      \
    S(NNZ_HEAD, t->tail_storage) S(NNZ, t->nnz) S(NNZ_SINGLE, t->nnz_single)                      \
    S(NNZ_DROP, t->nnz_drop)                                                                    \
    S(NFILL, t->lu_fill.n) S(POS_T, t->lu.inv[t->nsp]) S(POS_S, t->lu.inv[t->nsp + 1])            \
    S(NASA9, t->nasa9)
/* the same of every mechanism */
#define KB_CONSTANT_LIST(S)                                                                       \
    S(FALLOFF_LINDEMANN, KB_LINDEMANN) S(FALLOFF_TROE, KB_TROE) S(FALLOFF_SRI, KB_SRI)            \
    S(BURKE_OF_M, KB_BURKE_OF_M) S(BURKE_FALLOFF, KB_BURKE_FALLOFF)                               \
    S(BURKE_PLOG, KB_BURKE_PLOG) S(BURKE_CHEBYSHEV, KB_BURKE_CHEBYSHEV)                           \
    S(COLUMN_SUMS, KB_COLUMN_SUMS) S(BUNDLE_STRIDE, KB_BUNDLE_STRIDE)

/* what the places in lists are of: vectors of numbers, and those stored as the matrix is */
typedef enum { KB_LANE, KB_STORED, KB_NO_PLACE, KB_PLACES } kb_place;

typedef struct {
    const kb_mech *m;
    kb_sparse lu;
    bool sorted;
    int team; /* threads */
    int nsp, nrx;
    int nall; /* nsp and the species in steady state, which come behind */
    kb_term none; /* a power of concentration 0: a direction that is left out */
    int range[5]; /* ends of the four ranges, from 0 */
    int nslot, nlind, ntroe, nsri, ntb;
    int ntsang; /* of the Troe falloffs, those of Tsang's form */
    int nnz;      /* doubles of LU storage, dense tail included */
    int nnz_single; /* the same of one thread */
    int nnz_drop;  /* entries of L + U in the order drop_order, at most */
    int tail_storage, tail_stride; /* of the dense tail: storage index, stride of its rows */
    int zero_storage;  /* index of the entry behind the tail's first row, which holds 0 */
    int block_back, block_held; /* chunks of B A_ht; most rows of a chunk that a thread has */
    int inverted_share[2]; /* the first two of solve_share, if the head is inverted */
    int jac_direct; /* bundles of jac_entry whose targets are behind nslot */
    int gather_pieces, jac_pieces, heat_pieces; /* of species_gather, jac_entry, heat_row */
    /* All coefficients of species_gather and jac_entry have no more than 16 bits of a double that
     * are not 0, the first ones: these are their numbers. */
    bool short_nu;
    int bytes[KB_PLACES], scale[KB_PLACES]; /* of kb_layout; what places are multiplied by */
    bool nasa9;                /* any species has terms beyond those of NASA-7 */
    double data_from, data_to; /* T at which all species have data [K] */
    int plain[2]; /* ends of the plain reactions in the ranges 0 and 1; falloffs begin at other */
    int other[2];
#define KB_INTS(name, comment) kb_ints name;
#define KB_REALS(name, comment) kb_reals name;
    KB_TABLE_LIST(KB_INTS, KB_REALS)
#undef KB_INTS
#undef KB_REALS
} kb_tables;

/* how the tables are laid out */
typedef struct {
    bool sorted; /* reactions by range; else in the order of the mechanism */
    int team;    /* threads of a team; 1: no team */
    int bytes[2]; /* of a number, and of one of the matrix (KB_LANE, KB_STORED): 8 or 16 */
    kb_head head; /* of a team */
} kb_layout;

/* Errors: a mechanism beyond the limits of the tables (message names the reaction). */
int kb_tables_build(const kb_mech *m, const kb_layout *layout, kb_tables *t, kb_error *err);
void kb_tables_free(kb_tables *t);
