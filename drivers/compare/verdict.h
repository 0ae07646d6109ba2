/* SPDX-License-Identifier: MIT
 *
 * Verdicts on pairs of cells. docs/results-format.md has the rules, and how often they are wrong.
 */
#pragma once

#include "drivers/compare/side.h"

typedef enum {
    KB_IS_SLOWER,
    KB_IS_OTHER, /* another error, other failed or wrong ODEs: times of different work */
    KB_IS_FASTER,
    KB_IS_UNCLEAR,
    KB_IS_MISSING, /* measured on one side alone */
    KB_IS_SAME,
    KB_CHANGES
} kb_change;

typedef struct {
    const kb_side_cell *a, *b; /* one of them NULL where it is missing */
    const kb_side_cell *ended; /* of B, where it has the cell without a result */
    bool lost;                 /* measured in A, and B should have it too */
    bool in_turns;             /* the repeats of both were, so that drift is taken out */
    double *ta, *tb;           /* their times, so; owned */
    long na, nb;
    double ratio, lo, hi; /* median time of B over A, its 95 % interval */
    double p, q;          /* rank test; adjusted */
    kb_change verdict;
    bool undecided; /* unclear, and a slow-down may be why: kb_compare_judge */
} kb_cell_pair;

typedef struct {
    kb_cell_pair *pairs;
    long n;
    double smallest; /* effect that matters: 0.03 */
    double noise;    /* effect that repeats of one side show against one another */
    long halves;     /* how many ratios of halves are behind it */
    long count[KB_CHANGES];
    long lost;             /* cells of A that are missing in B, where B was to measure them */
    long tests, undecided; /* cells with a test; pairs that are undecided */
    long enough, more;     /* repeats of a side that decide each; how many more than there are */
} kb_comparison;

#define KB_FALSE_SHARE 0.05 /* of the alarms may be false: Benjamini and Hochberg */
#define KB_OTHER_FACTOR 1.5 /* between errors that are called other */

/* Takes the times a [na] and b [nb] of a pair in: over the median of both in the rounds around, if
 * they were made in turns (then na == nb). Sets ratio and p. */
void kb_pair_times(kb_cell_pair *pair, const double *a, long na, const double *b, long nb);
void kb_pair_free(kb_cell_pair *pair); /* its times */

/* Were the repeats of these cells (NULL: not measured) made in turns? Then none of a round began
 * before the last of the round before it. */
bool kb_in_turns(const kb_side_cell *const *of, int n);

/* Median of all sides in the rounds around round i, two before and two after it, of n */
double kb_around(const double *const *times, int sides, long n, long i);

/* |log| of the ratio of the medians of every second of the times x [n] to the others, over sqrt(2),
 * since these are half as many: what a side differs by from itself. NAN for fewer than 4 */
double kb_self_effect(const double *x, long n);

/* Are the times of these measured cells for different work? */
bool kb_other_error(const kb_side_cell *a, const kb_side_cell *b);
/* Joins and judges; a and b stay there as long as the comparison is used. A cell of A without a
 * result in B is lost if B has its row, or if both sides are one run each; in folders of runs each
 * has cells of its own. */
void kb_compare(kb_comparison *c, kb_side *a, kb_side *b, double smallest);
/* Noise, q, verdicts and counts of pairs whose times are set. An unclear pair is undecided if a
 * change in it alone could not have shown (too few repeats for that many tests), if its whole
 * interval is a slow-down that matters, or if no pair is slower, faster or the same. */
void kb_compare_judge(kb_comparison *c);
void kb_comparison_free(kb_comparison *c);

const char *kb_change_name(kb_change v);
