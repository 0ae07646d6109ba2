/* SPDX-License-Identifier: MIT
 *
 * Rank tests, which hold for times of any distribution, and Benjamini and Hochberg's correction for
 * many of them.
 */
#pragma once

/* Two-sided p of Wilcoxon's rank-sum test (Mann and Whitney 1947): do a [na] and b [nb] come from
 * one distribution? Exact, also with ties, up to 80 values together; beyond that by the normal
 * distribution. 1 when na or nb is 0. */
double kb_rank_sum(const double *a, long na, const double *b, long nb);

/* The least p that the test can give for na and nb values: 1 when one of them is 0 */
double kb_rank_sum_least(long na, long nb);
/* Values of each side with which one test alone, of so many, can be adjusted (kb_false_discovery)
 * to at most share, 0 < share < 1 */
long kb_rank_sum_repeats(long tests, double share);

/* q [n]: p [n] adjusted so that among those with q <= x at most the share x is false (Benjamini and
 * Hochberg 1995); q may be p. NAN (no test) stays and does not count. */
void kb_false_discovery(const double *p, long n, double *q);
