/* SPDX-License-Identifier: MIT */
#include "base/stats.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/owned.h"
#include "base/random.h"

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void kb_sort(double *x, long n)
{
    for (long i = 0; i < n; i++)
        x[i] = isnan(x[i]) ? INFINITY : x[i];
    qsort(x, (size_t)(n > 0 ? n : 0), sizeof *x, ascending);
}

static double *sorted(const double *x, long n)
{
    double *s = kb_alloc((size_t)n, sizeof *s);
    memcpy(s, x, (size_t)n * sizeof *s);
    kb_sort(s, n);
    return s;
}

static double quantile_of_sorted(const double *s, long n, double q)
{
    double place = q * (double)(n - 1);
    long below = (long)place;
    double part = place - (double)below;
    return part > 0 ? s[below] + part * (s[below + 1] - s[below]) : s[below];
}

double kb_quantile(const double *x, long n, double q)
{
    if (n < 1)
        return NAN;
    kb_owned double *s = sorted(x, n);
    return quantile_of_sorted(s, n, q);
}

double kb_median(const double *x, long n) { return kb_quantile(x, n, 0.5); }

double kb_percentile(const double *x, long n, double q)
{
    long rank = (long)ceil(q * (double)n);
    return n < 1 ? NAN : x[rank < 1 ? 0 : rank - 1];
}

/* P(B = k) of the binomial distribution with n draws of probability q */
static double binomial(long n, long k, double q)
{
    return exp(lgamma((double)n + 1) - lgamma((double)k + 1) - lgamma((double)(n - k) + 1) +
               (double)k * log(q) + (double)(n - k) * log1p(-q));
}

void kb_percentile_interval(const double *x, long n, double q, double *lo, double *hi)
{
    /* far below the mean, ten standard deviations and more, the probabilities add up to nothing */
    long far = (long)(q * (double)n - 10 * sqrt(q * (1 - q) * (double)n) - 10), low = 1, high = n;
    double below = 0; /* P(B < rank) */
    *lo = *hi = NAN;
    if (n < 1)
        return;
    for (long rank = far < 1 ? 1 : far; rank <= n; rank++) {
        below += binomial(n, rank - 1, q);
        if (below <= 0.025)
            low = rank;
        if (below >= 0.975) {
            high = rank;
            break;
        }
    }
    *lo = x[low - 1];
    *hi = x[high - 1];
}

/* The median of as many draws from x as it has; draw [n] is overwritten */
static double resampled(const double *x, long n, double *draw, kb_random *random)
{
    for (long i = 0; i < n; i++)
        draw[i] = x[kb_random_below(random, (uint64_t)n)];
    return kb_median(draw, n);
}

static void middle_95(const double *values, double *lo, double *hi)
{
    *lo = kb_quantile(values, KB_RESAMPLES, 0.025);
    *hi = kb_quantile(values, KB_RESAMPLES, 0.975);
}

void kb_bootstrap(const double *x, long n, double *lo, double *hi)
{
    double medians[KB_RESAMPLES];
    kb_random random = {1};
    *lo = *hi = NAN;
    if (n < 1)
        return;
    kb_owned double *draw = kb_alloc((size_t)n, sizeof *draw);
    for (int r = 0; r < KB_RESAMPLES; r++)
        medians[r] = resampled(x, n, draw, &random);
    middle_95(medians, lo, hi);
}

void kb_bootstrap_mean_ratio(const kb_sample_pair *pairs, int n, double *lo, double *hi)
{
    double means[KB_RESAMPLES];
    kb_random random = {1};
    long most = 0;
    *lo = *hi = NAN;
    for (int i = 0; i < n; i++) {
        if (pairs[i].na < 1 || pairs[i].nb < 1)
            return;
        most = pairs[i].na > most ? pairs[i].na : most;
        most = pairs[i].nb > most ? pairs[i].nb : most;
    }
    if (n < 1)
        return;
    kb_owned double *draw = kb_alloc((size_t)most, sizeof *draw);
    for (int r = 0; r < KB_RESAMPLES; r++) {
        means[r] = 0;
        for (int i = 0; i < n; i++) {
            double below = resampled(pairs[i].a, pairs[i].na, draw, &random);
            means[r] += log(resampled(pairs[i].b, pairs[i].nb, draw, &random) / below) / n;
        }
        means[r] = exp(means[r]);
    }
    middle_95(means, lo, hi);
}

void kb_bootstrap_ratio(const double *a, long na, const double *b, long nb, double *lo, double *hi)
{
    kb_bootstrap_mean_ratio(&(kb_sample_pair){a, b, na, nb}, 1, lo, hi);
}

void kb_outliers(const double *x, long n, int *label)
{
    memset(label, 0, (size_t)(n > 0 ? n : 0) * sizeof *label);
    if (n < 4)
        return;
    double q1 = kb_quantile(x, n, 0.25), q3 = kb_quantile(x, n, 0.75);
    double reach = 1.5 * (q3 - q1);
    for (long i = 0; i < n; i++)
        label[i] = (x[i] > q3 + reach) - (x[i] < q1 - reach);
}

double kb_group_use(const int32_t *d, long m)
{
    double sum = 0, most = 0;
    for (long i = 0; i < m; i++) {
        sum += d[i];
        most = d[i] > most ? d[i] : most;
    }
    return most > 0 ? sum / most : (double)m;
}

double kb_divergence(const int32_t *d, long n)
{
    double total = 0;
    for (long first = 0; first < n; first += KB_WARP)
        total += kb_group_use(d + first, n - first < KB_WARP ? n - first : KB_WARP);
    return n > 0 ? total / (double)n : NAN;
}

static long attempts_of(const kb_ode_work *w, long ode)
{
    if (w->each)
        return w->attempts[ode];
    return w->d[ode] > 0 ? (w->attempts[ode] > 0 ? w->attempts[ode] : 1) : 0;
}

/* work of the attempt after which the ODE has left - 1 */
static double work_of(const kb_ode_work *w, long ode, long left)
{
    long attempts = attempts_of(w, ode);
    return w->each ? w->each[w->first[ode] + attempts - left]
                   : (double)w->d[ode] / (double)attempts;
}

/* Time of lanes that go from attempt to attempt together and take the next of the ODEs from .. to
 * - 1 as they finish, in units of work: an attempt lasts as long as the longest of the lanes */
static double time_together(const kb_ode_work *w, long from, long to, int lanes)
{
    double time = 0;
    long ode[KB_WARP], left[KB_WARP] = {0}; /* of each lane; attempts that are left */
    for (;;) {
        double longest = 0;
        long until = 0; /* attempts until the work of a lane changes */
        for (int l = 0; l < lanes; l++) {
            for (; !left[l] && from < to; from++)
                left[l] = attempts_of(w, ode[l] = from);
            if (!left[l])
                continue;
            longest = fmax(longest, work_of(w, ode[l], left[l]));
            until = w->each ? 1 : !until || left[l] < until ? left[l] : until;
        }
        if (!until)
            return time;
        time += (double)until * longest;
        for (int l = 0; l < lanes; l++)
            left[l] -= left[l] ? until : 0;
    }
}

static double sum_of(const int32_t *d, long n)
{
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += d[i];
    return sum;
}

/* work beyond the attempts */
static double apart(const kb_ode_work *w)
{
    double sum = w->each ? sum_of(w->d, w->n) : 0;
    for (long i = 0; w->each && i < w->n; i++)
        sum -= sum_of(w->each + w->first[i], w->attempts[i]);
    return sum;
}

double kb_static_slow_down(const kb_ode_work *w, int lanes)
{
    double waited = apart(w), sum = sum_of(w->d, w->n);
    for (long first = 0; first < w->n; first += lanes) {
        long m = w->n - first < lanes ? w->n - first : lanes;
        waited += (double)m * time_together(w, first, first + m, (int)m);
    }
    return sum > 0 ? waited / sum : 1;
}

double kb_refill_slow_down(const kb_ode_work *w, int lanes)
{
    double sum = sum_of(w->d, w->n);
    lanes = w->n < lanes ? (int)w->n : lanes;
    return sum > 0 ? (apart(w) + lanes * time_together(w, 0, w->n, lanes)) / sum : 1;
}

double kb_ode_error(const double *y, const double *ref, int m)
{
    double worst = 0;
    for (int i = 0; i < m; i++) {
        double e = fabs(y[i] - ref[i]) / (fabs(ref[i]) + 1e-6);
        if (!isfinite(e))
            return INFINITY;
        worst = fmax(worst, e);
    }
    return worst;
}
