/* SPDX-License-Identifier: MIT
 *
 * A run on many ranks: each advances some rows of the grid. Every rank has the arrays of the whole
 * grid, so that places, files and pictures are those of one rank, but touches its own rows and the
 * KB_GHOST rows on either side alone: memory that is not touched is not taken.
 */
#pragma once

#include <stdbool.h>

#include "base/error.h"

/* What ranks say to each other; each is called by all of them (drivers/ranks). */
typedef struct kb_flow_world {
    int rank, ranks;
    /* n numbers for the ranks south and north of this one (-1: none), and theirs in return */
    void (*swap)(int south, int north, double *const to[2], double *const from[2], long n);
    /* the largest, and the sum, of each of n numbers over all ranks; on all ranks */
    void (*most)(double *x, int n);
    void (*sum)(double *x, int n);
    /* what rank `from` has */
    void (*tell)(int from, void *data, size_t size);
    /* to rank 0: what the ranks have of x; rank r has x[first[r]] to x[first[r + 1] - 1] */
    void (*collect)(double *x, const long *first);
} kb_flow_world;

struct kb_flow;

/* the rows of this rank; KB_INVALID where one would have fewer than the stencil reaches, more than
 * the engine takes, or longer ones than ranks can swap */
int kb_flow_share_rows(struct kb_flow *f, kb_error *err);
/* Ghost rows between ranks: of q and w, from the ranks beside this one. */
void kb_flow_swap(struct kb_flow *f, double *q, double *w);
/* The rows of all ranks to rank 0, into the same arrays. */
void kb_flow_collect(const struct kb_flow *f);

/* The cell at this place of a plane; is its row this rank's? */
bool kb_flow_place(const struct kb_flow *f, long at, int *i, int *j);

/* With world NULL each of these gives back what it was given. */
/* the same code and message on all ranks: those of the first rank that has one */
int kb_flow_agree(const kb_flow_world *world, int code, kb_error *err);
/* what rank 0 says */
int kb_flow_told(const kb_flow_world *world, int value);
/* sums over all ranks, and the largest */
void kb_flow_sum(const kb_flow_world *world, double *x, int n);
void kb_flow_most(const kb_flow_world *world, double *x, int n);
/* does this rank write files and tables? */
int kb_flow_writes(const kb_flow_world *world);
