/* SPDX-License-Identifier: MIT
 *
 * The error estimate of a step that was taken, by the family of the method.
 */
static inline void method_estimate(drive *d, double h, const METHOD_work *before, lane *e)
{
    (void)h, (void)before;
#if defined KB_FAMILY_ROSENBROCK
    memcpy(e, rosenbrock_error(d->w), N * sizeof *e);
#elif defined KB_FAMILY_EXPLICIT_RK /* h sum_s e_s k_s, the difference of the two solutions */
    for (int i = 0; i < N; i++) {
        e[i] = splat(0);
        for (int s = 0; s < EXPLICIT_STAGES; s++)
            e[i] += h * explicit_e[s] * d->w->k[s][i];
    }
#elif defined KB_FAMILY_EXPONENTIAL
    memcpy(e, d->w->d, N * sizeof *e);
#elif defined KB_FAMILY_RADAU2A /* the filtered estimate of Hairer and Wanner, Eq. IV.8.19 */
    memcpy(e, d->w->g[0], N * sizeof *e);
#elif defined KB_FAMILY_SEULEX /* T_kk - T_k,k-1 of the last column */
    memcpy(e, d->w->g, N * sizeof *e);
#else
    (void)d;
    memset(e, 0, N * sizeof *e);
    fail_msg("estimate.h does not know the error estimate of this method");
#endif
}
