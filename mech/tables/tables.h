/* SPDX-License-Identifier: MIT
 *
 * A mechanism as flat tables of constants, the form in which solvers/chemistry/rhs.h, jacobian.h and lu.h evaluate
 * it. mechc prints them as one header. Each table below is printed under its own name with the prefix kb_.
 *
 * A table reaction is one mechanism entry; an entry with an explicit reverse rate becomes two one-way ones.
 * They are sorted into four ranges: plain with at most 2 + 2 slots, plain with 3 + 3, three-body with 2 + 2,
 * three-body with 3 + 3. A slot is one molecule of a side: A + A fills two. Unused slots name the padding
 * species nsp (concentration 1); the products of a one-way reaction name nsp + 1 (concentration 0).
 * Reactions that slots cannot express (orders, real coefficients, long sides) are `gen`eral: their slots are
 * empty and a list of powers does the work.
 *
 * Not sorted, they stay in the order of the mechanism, as a measure of what sorting is worth: all are in the first
 * range, the falloffs are all counted as the first kind, and tables say of what class and kind each one is (NTROE_ALL
 * and NSRI_ALL count them in either order).
 */
#ifndef KB_TABLES_H
#define KB_TABLES_H

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

enum { KB_NO_TARGET = 0x7fffffff, KB_NU_ZERO = 128 }; /* of slices: no row; number of coefficient 0 */
enum { KB_SLICE_STRIDE = 4 }; /* the steps of a slice are a multiple of it */
enum { KB_NPOW = 7, KB_SLOTS = 6 }; /* x[0..6] = T^-3 .. T^3; 3 reactant and 3 product slots */

/* One line for each table: I integers, R reals; name and what it holds */
#define KB_TABLE_LIST(I, R)                                                                       \
    I(entry, "[NRX] mechanism entry of a table reaction")                                         \
    R(A, "[NRX] kf = A x[kx], kmol m s; high limit of a falloff")                                 \
    I(kx, "[NRX]")                                                                                \
    R(b, "[NRX] temperature exponent of kf")                                                      \
    R(theta, "[NRX] E/R of kf [K]")                                                               \
    R(xb, "[NX - 7] x = T^b exp(-theta/T), each pair once")                                       \
    R(xtheta, "[NX - 7]")                                                                         \
    I(rx_class, "[NRX] unless SORTED: the range that it would be in")                             \
    I(rx_mr, "[NRX] unless SORTED: number of a three-body reaction among those with [M]")         \
    I(slot, "[6][NRX] species of reactant slots 0-2 and product slots 3-5")                       \
    I(slot_pos, "[6][NRX] where the derivative by that slot's species goes, by column; NSLOT: nowhere") \
    R(nf1, "[NRX] 1 - order of the forward rate")                                                 \
    R(nr1, "[NRX] 1 - order of the reverse rate")                                                 \
    R(mset_base, "[NMSET] [M] = base p/(RT) + sum coef C")                                        \
    I(mset_start, "[NMSET + 1]")                                                                  \
    I(mset_sp, "")                                                                                \
    R(mset_coef, "")                                                                              \
    I(mr_r, "[NMR] table reactions with [M]: the three-body ranges, then the falloff list")       \
    I(mr_mset, "[NMR]")                                                                           \
    I(fo_x, "[NFO] low limit of falloff k, reaction mr_r[NTB + k]; Lindemann, Troe, SRI in turn") \
    I(fo_kind, "[NFO] unless SORTED: 0 Lindemann, 1 Troe, 2 SRI")                                 \
    I(fo_among, "[NFO] unless SORTED: number among those of Troe, of SRI")                        \
    R(fo_A, "[NFO]")                                                                              \
    R(fo_db, "[NFO] b of the low limit less that of the high one")                                \
    R(fo_dtheta, "[NFO]")                                                                         \
    R(troe_a, "[NTROE]")                                                                          \
    R(troe_rT3, "[NTROE] 1/T*** [1/K]")                                                           \
    R(troe_rT1, "[NTROE] 1/T*")                                                                   \
    R(troe_T2, "[NTROE] T** [K]; 1e30: none")                                                     \
    R(sri, "[NSRI][5] a, b, c, d, e")                                                             \
    I(act, "[NACT] falloffs that are chemically activated")                                       \
    I(plog_r, "[NPLOG] reaction")                                                                 \
    I(plog_start, "[NPLOG + 1] pressures")                                                        \
    R(plog_lnp, "")                                                                               \
    I(plog_term, "[pressures + 1] first term of a pressure")                                      \
    R(plog_lnA, "")                                                                               \
    R(plog_sign, "")                                                                              \
    R(plog_b, "")                                                                                 \
    R(plog_theta, "")                                                                             \
    I(cheb_r, "[NCHEB] reaction")                                                                 \
    R(cheb_range, "[NCHEB][4] 1/Tmin, 1/Tmax, log10 pmin, log10 pmax")                            \
    I(cheb_size, "[NCHEB][2] nT, np")                                                             \
    I(cheb_start, "[NCHEB]")                                                                      \
    R(cheb_coef, "")                                                                              \
    I(gen_r, "[NGEN] reaction")                                                                   \
    I(gen_start, "[2 NGEN + 1] powers: forward, then reverse, of each")                           \
    I(gen_sp, "")                                                                                 \
    R(gen_order, "")                                                                              \
    I(gen_pos, "slot position of each power")                                                     \
    I(gen_kstart, "[NGEN + 1] net coefficients for 1/Kc")                                         \
    I(gen_ksp, "")                                                                                \
    R(gen_knu, "")                                                                                \
    I(sp_start, "[NSP + 1] gather: the reactions that make or use a species")                     \
    I(sp_rx, "")                                                                                  \
    R(sp_nu, "net coefficients")                                                                  \
    I(ga_slice, "teams: the same sums; [slices + 1] first step, [slices][32] targets, [steps][32] terms")  \
    I(ga_target, "piece")                                                                         \
    I(ga_pair, "table reaction, number of its coefficient")                                       \
    I(ga_start, "[NSP + 1] first piece of a species")                                             \
    I(he_slice, "teams: e_i A_ij over the entries of a column, for the energy row; as ga")        \
    I(he_target, "piece")                                                                         \
    I(he_pair, "species of the row, LU place")                                                    \
    I(he_start, "[NSP + 1] first piece of a column")                                              \
    R(coef, "[NCOEF] coefficients by number, unless INTEGER_NU: then number - 128")              \
    I(col_start, "[NSP + 1] entries of d omega/d C, by column")                                   \
    I(ent_row, "[NENT]; within a column by number of slots, so that loops of one length follow")   \
    I(ent_pos, "[NENT] place in the LU storage")                                                  \
    I(ent_start, "[NENT + 1] slots that add up to an entry")                                       \
    I(ent_slot, "")                                                                               \
    R(ent_nu, "their coefficients, negative since A = -J")                                         \
    I(en_slice, "teams: the same sums, as ga")                                                    \
    I(en_target, "LU place, or NNZ + piece of a long one")                                        \
    I(en_pair, "slot, number of its coefficient")                                                 \
    I(en_whole, "LU places that are in pieces")                                                   \
    I(en_start, "their first pieces, and one more")                                               \
    I(v_set, "[NMSET + 1] first d omega_row / d [M] of a set")                                    \
    I(v_row, "[NV]")                                                                              \
    I(v_start, "[NV + 1] M-reactions that add up to it")                                           \
    I(v_mr, "")                                                                                   \
    R(v_nu, "")                                                                                   \
    I(mt_pos, "[NMT] LU places that third bodies add to")                                         \
    I(mt_start, "[NMT + 1] their terms, coef v")                                                  \
    I(mt_v, "")                                                                                   \
    R(mt_coef, "")                                                                                \
    I(eff_start, "[NSP + 1] sets in which a species has an efficiency")                           \
    I(eff_mset, "")                                                                               \
    R(eff_coef, "")                                                                               \
    I(lu_perm, "[N] position -> index in (T, Y): T is 0; N is the unknown s")                     \
    I(lu_diag, "[NHEAD] place of a head pivot; its U row follows it")                             \
    I(lu_nu, "[NHEAD] entries of that U row")                                                     \
    I(lu_col_start, "[NHEAD + 1] L entries below a head pivot")                                   \
    I(lu_l, "their places")                                                                       \
    I(lu_target, "for each of them, the place under each entry of the pivot's U row")             \
    I(lu_row, "[N + 1] first L place of a row (head columns)")                                    \
    I(lu_nl, "[N] L entries of a row in head columns")                                            \
    I(lu_colidx, "[NNZ_HEAD] column of a place")                                                  \
    I(lu_fill, "places that hold 0 before elimination")                                           \
    I(lu_T_row, "[N] place of row T, by position")                                                \
    I(lu_T_col, "[N] place of column T, by position")                                             \
    I(lu_s_row, "[N] place of row s")                                                             \
    I(lu_s_col, "[N] place of column s")                                                          \
    I(lu_pos_sp, "[NSP] position of a species")                                                   \
    I(lvl_start, "[NLEVEL + 1] head pivots that do not touch each other")                         \
    I(lvl_pivot, "[NHEAD] their places")                                                          \
    I(lvl_l_start, "[NLEVEL + 1] L places under the pivots of a level")                           \
    I(lvl_l, "")                                                                                  \
    I(lvl_d, "place of the pivot above each of them")                                             \
    I(up_level, "[NLEVEL + 1] slices of a level: target -= sum of l u")                           \
    I(up_slice, "")                                                                               \
    I(up_target, "")                                                                              \
    I(up_pair, "places l, u")                                                                     \
    I(so_phase, "[2 NLEVEL + 2] slices of a phase of the solve: z of target -= sum of A z")       \
    I(so_slice, "")                                                                               \
    I(so_target, "")                                                                              \
    I(so_pair, "place, position")

typedef struct {
    const kb_mech *m;
    kb_sparse lu;
    bool sorted;
    int nsp, nrx;
    int range[5]; /* ends of the four ranges, from 0 */
    int nslot, nlind, ntroe, nsri, ntb;
    int nnz;      /* doubles of LU storage, dense tail included */
    int tail_place, tail_stride; /* of the dense tail */
    int zero_place;  /* one behind the tail's first row: holds 0 */
    int nga, nen, nhe; /* pieces of the sums ga, en and he */
    bool integer_nu; /* all coefficients of ga and en are small integers */
#define KB_INTS(name, comment) kb_ints name;
#define KB_REALS(name, comment) kb_reals name;
    KB_TABLE_LIST(KB_INTS, KB_REALS)
#undef KB_INTS
#undef KB_REALS
} kb_tables;

/* how the tables are laid out: reactions by range or else in the order of the mechanism; for teams of so many
 * threads (1: none) */
typedef struct {
    bool sorted;
    int team;
} kb_layout;

/* Errors: a mechanism beyond the limits of the tables (message names the reaction). */
int kb_tables_build(const kb_mech *m, const kb_layout *layout, kb_tables *t, kb_error *err);
void kb_tables_free(kb_tables *t);

#endif
