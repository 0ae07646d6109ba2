/* SPDX-License-Identifier: MIT
 *
 * The table update_pair of a team whose head is factored, from the places of the matrix's entries.
 * mechc writes it; of the largest mechanisms it is longer than all other tables together, and the
 * engines of a GPU make it before their first batch.
 */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* where the entries of a matrix are whose head is factored, as in the tables of a team */
typedef struct {
    int n, head; /* NNEWTON, NHEAD */
    const int *row_start, *column; /* lu_row_start, lu_column */
    int tail_stride, zero;         /* TAIL_STRIDE; index of an entry that holds 0 */
    int bytes, scale;              /* of a number of the matrix; STORED_SCALE */
} kb_factored_head;

/* The table update_pair of these, the caller's to free. The program ends where there is no memory,
 * 12 bytes for each product. */
int *kb_update_pairs(const kb_factored_head *h, int *length);

#ifdef __cplusplus
}
#endif
