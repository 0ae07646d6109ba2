/* SPDX-License-Identifier: MIT
 *
 * exp, log and 1/x of 8 lanes in line: a call of the library's functions saves and loads what the
 * caller has in registers, and a division takes as long as ten multiply-adds. Their errors against
 * long double are below 2 ulp (tests/lanes). A NaN stays a NaN.
 */
#pragma once

#include <immintrin.h>

#define KB_VEXP_FINITE
#define KB_VCHOSEN

/* element i of a where m, else of b, in one instruction; GCC makes two of vselect */
kb_fn lane vchosen(mask m, const double *a, const double *b, int i)
{
    return (lane)_mm512_mask_blend_pd(_mm512_movepi64_mask((__m512i)m), _mm512_set1_pd(b[i]),
                                      _mm512_set1_pd(a[i]));
}

/* 1/x from 14 bits and two steps of Newton; NaN of 0 and of infinity */
kb_fn lane vinverse(lane x)
{
    lane y = (lane)_mm512_rcp14_pd((__m512d)x);
    y += y * (1.0 - x * y);
    return y + y * (1.0 - x * y);
}

/* number n of 16, n the low bits of an element */
kb_fn lane of_16(lane n, const lane table[2])
{
    return (lane)_mm512_permutex2var_pd((__m512d)table[0], (__m512i)n, (__m512d)table[1]);
}

/* 2^(n/16) */
kb_fn lane power_of_16th(lane n)
{
    static const lane power[2] = {
        {1.0, 1.0442737824274138, 1.0905077326652577, 1.1387886347566916, 1.189207115002721,
         1.241857812073484, 1.2968395546510096, 1.3542555469368927},
        {1.4142135623730951, 1.4768261459394993, 1.5422108254079407, 1.6104903319492543,
         1.681792830507429, 1.7562521603732995, 1.8340080864093424, 1.9152065613971474}};
    return of_16(n, power);
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

/* 2^x of a finite x = 2^floor(x) 2^(n/16) 2^r, r >= 0: the integer part needs no instruction of its
 * own, since scalef takes the floor. 2^r to r^6 (Chebyshev). */
#define KB_EXP_UNIT 1.4426950408889634
kb_fn lane vexp_units(lane x)
{
    enum { DOWN = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC, SIXTEENTHS = 4 << 4 };
    lane shifted = (lane)_mm512_add_round_pd((__m512d)x, (__m512d)splat(KB_SHIFT_16TH), DOWN);
    lane r = (lane)_mm512_reduce_pd((__m512d)x, SIXTEENTHS | DOWN);
    lane p = r * 0.00015692444190046448 + 0.0013331520045529266;
    p = p * r + 0.009618135722740813;
    p = p * r + 0.0555041085678426;
    p = p * r + 0.24022650695962044;
    p = p * r + 0.6931471805599448;
    lane scale = power_of_16th(shifted);
    return (lane)_mm512_scalef_pd((__m512d)(scale + scale * r * p), (__m512d)x);
}

/* e^x of any x */
kb_fn lane vexp(lane x)
{
    x = (lane)_mm512_min_pd(_mm512_set1_pd(1e4), (__m512d)x);
    return vexp_finite((lane)_mm512_max_pd(_mm512_set1_pd(-1e4), (__m512d)x));
}

/* ln x = k ln 2 + ln m, m in [0.75, 1.5), with c = 16/n nearest to 1/m: ln m = ln(1/c) + ln(1 + r),
 * r = c m - 1, |r| <= 1/24; ln(1 + r) to r^9 (Chebyshev). Near 1 c is 1. */
kb_fn lane vlog(lane x)
{
    static const lane c[2] = {{1, 16.0 / 17, 16.0 / 18, 16.0 / 19, 16.0 / 20, 16.0 / 21, 16.0 / 22,
                               16.0 / 23},
                              {16.0 / 24, 0, 0, 0, 16.0 / 12, 16.0 / 13, 16.0 / 14, 16.0 / 15}};
    static const lane ln[2] = {
        {0, 0.060624621816434854, 0.11778303565638351, 0.17185025692665928, 0.2231435513142097,
         0.2719337154836418, 0.3184537311185346, 0.3629054936893685},
        {0.40546510810816444, 0, 0, 0, -0.28768207245178085, -0.20763936477824455,
         -0.13353139262452257, -0.06453852113757116}};
    __m512d mantissa = _mm512_getmant_pd((__m512d)x, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_nan);
    lane k = (lane)_mm512_getexp_pd((__m512d)x) - (lane)_mm512_getexp_pd(mantissa);
    lane m = (lane)mantissa, n = m + splat(KB_SHIFT_16TH), r = m * of_16(n, c) - 1.0;
    lane q = r * 0.11138781862404196 - 0.12530436978723666;
    q = q * r + 0.14285690252725636;
    q = q * r - 0.16666640231336033;
    q = q * r + 0.2000000000521645;
    q = q * r - 0.2500000000573787;
    q = q * r + 0.3333333333333333;
    q = q * r - 0.5;
    return k * 6.93147180559945309417e-01 + of_16(n, ln) + r + r * r * q;
}
