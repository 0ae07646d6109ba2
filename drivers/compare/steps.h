/* SPDX-License-Identifier: MIT
 *
 * Steps in the times of cells over many sides in their order, as commits of a branch: which side
 * brought each, found by the rules of a comparison (verdict.h).
 */
#pragma once

#include "drivers/compare/verdict.h"

/* A cell over all sides */
typedef struct {
    const kb_side_cell **of; /* [nsides] NULL: not measured there */
    double **time;           /* [nsides][of->n] times that are compared */
    bool *cut;               /* [nsides] a step between the last measured side before it and it */
    bool in_turns;           /* the repeats of all sides were: drift is out of the times */
} kb_track;

typedef struct {
    kb_side **sides;
    int nsides;
    kb_track *tracks;
    long ntracks;
    kb_comparison steps;     /* a pair for each: a and b are the cells before and after */
    kb_comparison undivided; /* one for each track, at its likeliest place: noise and undecided */
} kb_history;

/* Joins the sides and finds the steps: in each track the place where the rank-sum test says most
 * clearly that the times before and after differ, its p times the number of places. What the rules
 * of a comparison call slower or faster there is a step, and the times before and behind it are
 * divided again. A place with another error is a step of its own. The ratio of a step is of the
 * times up to the next ones. smallest: the effect that matters, 0.03 */
void kb_history_find(kb_history *h, kb_side *const *sides, int nsides, double smallest);
void kb_history_free(kb_history *h);

/* The side that a cell is of, its number in h; -1: of none */
int kb_history_side(const kb_history *h, const kb_side_cell *cell);
