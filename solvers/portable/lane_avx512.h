/* SPDX-License-Identifier: MIT
 *
 * exp, log and 1/x of 8 lanes in line: a call of the library's functions saves and loads what the
 * caller has in registers, and a division takes as long as ten multiply-adds. Their errors against
 * long double are below 2 ulp (tests/lanes). A NaN stays a NaN.
 */
#ifndef KB_LANE_AVX512_H
#define KB_LANE_AVX512_H

#include <immintrin.h>

#define KB_VEXP_FINITE

/* 1/x from 14 bits and two steps of Newton; NaN of 0 and of infinity */
kb_fn lane vinverse(lane x)
{
    lane y = (lane)_mm512_rcp14_pd((__m512d)x);
    y += y * (1.0 - x * y);
    return y + y * (1.0 - x * y);
}

/* 2^(k/16), k the low bits of an element */
kb_fn lane power_of_16th(lane k)
{
    static const lane power[2] = {
        {1.0, 1.0442737824274138, 1.0905077326652577, 1.1387886347566916, 1.189207115002721,
         1.241857812073484, 1.2968395546510096, 1.3542555469368927},
        {1.4142135623730951, 1.4768261459394993, 1.5422108254079407, 1.6104903319492543,
         1.681792830507429, 1.7562521603732995, 1.8340080864093424, 1.9152065613971474}};
    return (lane)_mm512_permutex2var_pd((__m512d)power[0], (__m512i)k, (__m512d)power[1]);
}

#define KB_SHIFT_16TH (6755399441055744.0 / 16) /* 1.5 2^52/16: n in the low bits */

/* e^x of a finite x = 2^(n/16) e^r, |r| <= ln 2/32: the powers of 2^(1/16) lie in two registers; of
 * the series of e^r, r^7 is spread over r^5 and r^3 (Chebyshev). Beyond the range of a double: 0
 * and infinity. */
kb_fn lane vexp_finite(lane x)
{
    const double end = 0.6931471805599453 / 32, end2 = end * end;
    lane shift = splat(KB_SHIFT_16TH);
    lane shifted = x * 1.4426950408889634 + shift, n = shifted - shift;
    lane r = x - n * 6.93147180369123816490e-01 - n * 1.90821492927058770002e-10, r2 = r * r;
    lane a = r * (1.0 / 6 - 7.0 / 8 * end2 * end2 / 5040) + 0.5;
    lane b = r * (1.0 / 120 + 7.0 / 4 * end2 / 5040) + 1.0 / 24;
    lane p = r2 * (r2 * (r2 * (1.0 / 720) + b) + a) + r;
    lane scale = power_of_16th(shifted);
    return (lane)_mm512_scalef_pd((__m512d)(scale + scale * p), (__m512d)n);
}

/* 2^x likewise: two multiplications less, which have one port where additions have another */
#define KB_EXP_UNIT 1.4426950408889634
kb_fn lane vexp_units(lane x)
{
    const double u = 0.6931471805599453, u2 = u * u, end = u / 32, end2 = end * end;
    lane shift = splat(KB_SHIFT_16TH), shifted = x + shift, n = shifted - shift;
    lane r = x - n, r2 = r * r;
    lane a = r * (u2 * u * (1.0 / 6 - 7.0 / 8 * end2 * end2 / 5040)) + u2 / 2;
    lane b = r * (u2 * u2 * u * (1.0 / 120 + 7.0 / 4 * end2 / 5040)) + u2 * u2 / 24;
    lane p = r2 * (r2 * (r2 * (u2 * u2 * u2 / 720) + b) + a) + r * u;
    lane scale = power_of_16th(shifted);
    return (lane)_mm512_scalef_pd((__m512d)(scale + scale * p), (__m512d)n);
}

/* the same of any x */
kb_fn lane vexp(lane x)
{
    x = (lane)_mm512_min_pd(_mm512_set1_pd(1e4), (__m512d)x);
    return vexp_finite((lane)_mm512_max_pd(_mm512_set1_pd(-1e4), (__m512d)x));
}

/* ln x = k ln 2 + ln m, m in [0.75, 1.5), ln m = 2 atanh(s), s = (m - 1)/(m + 1), to s^21 */
kb_fn lane vlog(lane x)
{
    __m512d mantissa = _mm512_getmant_pd((__m512d)x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan);
    lane k = (lane)_mm512_getexp_pd((__m512d)x) - (lane)_mm512_getexp_pd(mantissa);
    lane m = (lane)mantissa, s = (m - 1.0) * vinverse(m + 1.0), z = s * s, w = z * z, v = w * w;
    lane a = z * (2.0 / 5) + 2.0 / 3, b = z * (2.0 / 9) + 2.0 / 7, c = z * (2.0 / 13) + 2.0 / 11;
    lane d = z * (2.0 / 17) + 2.0 / 15, e = z * (2.0 / 21) + 2.0 / 19;
    lane series = v * (v * e + (w * d + c)) + (w * b + a);
    return k * 6.93147180559945309417e-01 + (2.0 * s + s * z * series);
}

#endif
