/* SPDX-License-Identifier: MIT
 *
 * Statistics of timings and of counts over ODEs.
 */
#pragma once

#include <stdint.h>

#ifndef KB_RESAMPLES /* make fuzz has fewer */
#define KB_RESAMPLES 2000
#endif
#define KB_WARP 32

/* Quantile q in [0, 1] of x [n], linear between order statistics (Hyndman and Fan, type 7); NAN
 * when n is 0. x is not changed. */
double kb_quantile(const double *x, long n, double q);
double kb_median(const double *x, long n);

/* Sorts x [n] to rise, for the percentiles; NaN becomes infinite */
void kb_sort(double *x, long n);

/* Nearest-rank percentile: the smallest of x [n], rising, that at least q n of them do not exceed.
 * It never computes with a value, so that infinite errors keep their place. NAN when n is 0. */
double kb_percentile(const double *x, long n, double q);

/* Interval of that percentile, 95 % at least, from order statistics: x, rising, is taken as a
 * sample, and the ranks leave at most 2.5 % of the binomial distribution beyond them on each side
 * (David and Nagaraja 2003, 7.1). Where n is too small for that, lo or hi is the smallest or
 * largest of x. */
void kb_percentile_interval(const double *x, long n, double q, double *lo, double *hi);

/* 95 % percentile-bootstrap interval of the median (Efron 1979): KB_RESAMPLES resamples, a fixed
 * seed. */
void kb_bootstrap(const double *x, long n, double *lo, double *hi);
/* The same of median(b) / median(a): both are resampled. NAN when na or nb is 0. */
void kb_bootstrap_ratio(const double *a, long na, const double *b, long nb, double *lo, double *hi);
/* The same of the geometric mean of median(b) / median(a) over n such pairs. NAN when one of them
 * has no samples, or n is 0. */
typedef struct {
    const double *a, *b;
    long na, nb;
} kb_sample_pair;
void kb_bootstrap_mean_ratio(const kb_sample_pair *pairs, int n, double *lo, double *hi);

/* Tukey's fences at 1.5 interquartile ranges: -1 below, 1 above, 0 inside; all 0 for fewer than 4.
 * */
void kb_outliers(const double *x, long n, int *label);

/* m D of the group of m ODEs d [m]: sum(d) / max(d), or m where max(d) is 0 */
double kb_group_use(const int32_t *d, long m);

/* Divergence of warps of KB_WARP consecutive ODEs: the mean over warps of sum(d) / (m max(d)), m
 * the ODEs in that warp (KB_WARP, fewer only in the last one), weighted by m. 1: no divergence. A
 * warp without any work (max = 0) counts 1. d [n] in the order of the run; NAN when n is 0. */
double kb_divergence(const int32_t *d, long n);

/* Work of n ODEs in the order of a run. That of their attempts is each[first[i]] and the following
 * for ODE i; what d[i] has beyond it no ODE waited for. Where each is NULL it is not known, and
 * taken to be d[i] / attempts[i] in every attempt. */
typedef struct {
    long n;
    const int32_t *d, *attempts; /* [n] */
    const int32_t *each;
    const long *first; /* [n] */
} kb_ode_work;

/* Work of static groups of `lanes` ODEs (at most KB_WARP) over the work in them: m times the time
 * of a group of m / sum(d). What waiting costs when every group waits for its longest ODE; 1:
 * nothing, also without work. The lanes of a group make their attempts together, so that an attempt
 * lasts as long as its longest lane. With the same work in every attempt this is the sum of m
 * max(d) over groups / sum(d). */
double kb_static_slow_down(const kb_ode_work *w, int lanes);

/* The same for one group whose lanes take the next ODE of the n as they finish: lanes x its time /
 * sum(d). The tail makes it fall with growing n; what lanes wait inside attempts stays, and grows
 * where an ODE's attempts differ in work, since lanes are out of step. */
double kb_refill_slow_down(const kb_ode_work *w, int lanes);

/* Largest |y - ref| / (|ref| + 1e-6) over y [m] = (T, Y); INFINITY when y or ref is not finite. */
double kb_ode_error(const double *y, const double *ref, int m);
