/* SPDX-License-Identifier: MIT
 *
 * exp, log and 1/x without branches, for code that is one long sequence (straight-line kinetics):
 * there a branch of the library's functions keeps the compiler from interleaving them. A NaN stays
 * a NaN. Their errors against long double are below 1 ulp (tests/straight/number.cpp).
 */
#pragma once

#include <cmath>
#include <cstring>

#ifdef __CUDACC__
#define branch_free static __device__ __forceinline__
#else
#define branch_free static inline __attribute__((unused))
#endif

#ifdef __CUDACC__
branch_free double from_words(int high, int low) { return __hiloint2double(high, low); }
branch_free int high_word(double x) { return __double2hiint(x); }
branch_free int low_word(double x) { return __double2loint(x); }
/* 23 bits of 1/x */
branch_free double rough_inverse(double x)
{
#ifdef __HIP__
    return __builtin_amdgcn_rcp(x);
#else
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    return y;
#endif
}
#else
branch_free double from_words(int high, int low)
{
    long long bits = (long long)high << 32 | (unsigned)low;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
branch_free int high_word(double x)
{
    long long bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)(bits >> 32);
}
branch_free int low_word(double x)
{
    long long bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)bits;
}
branch_free double rough_inverse(double x) { return from_words(high_word(1 / x), 0); }
#endif

/* 1/x to 1 ulp: with e = 1 - x y the rest is y (e + e^2 + e^3) */
branch_free double inverse(double x)
{
    double y = rough_inverse(x), e = fma(-x, y, 1.0);
    return fma(y, fma(e, fma(e, e, e), e), y);
}

/* log2 e and ln 2 in two parts; 1/3!, 1/4! .. of e^r; 2/3, 2/5 .. of ln m */
#define BRANCH_FREE_LIST                                                                           \
    1.4426950408889634, 6.93147180369123816490e-01, 1.90821492927058770002e-10, 1.0 / 6, 1.0 / 24, \
        1.0 / 120, 1.0 / 720, 1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800,                \
        1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800.0, 2.0 / 3, 2.0 / 5, 2.0 / 7, 2.0 / 9,   \
        2.0 / 11, 2.0 / 13, 2.0 / 15, 2.0 / 17, 2.0 / 19, 2.0 / 21
enum { LOG2_E, LN2_HIGH, LN2_LOW, EXP_3, ATANH_3 = EXP_3 + 11 };

/* For pairs they lie in the constant memory of the device: an operand from there takes no
 * instruction of its own. */
#if defined(__CUDACC__) && defined(KB_LANES) && KB_LANES == 2
static __constant__ double branch_free_c[] = {BRANCH_FREE_LIST};
branch_free double coefficient(int k) { return branch_free_c[k]; }
#else
branch_free double coefficient(int k)
{
    const double c[] = {BRANCH_FREE_LIST};
    return c[k];
}
#endif
/* 1/k!, k >= 3; 2/k, k >= 3 and odd */
branch_free double exp_coefficient(int k) { return coefficient(EXP_3 + k - 3); }
branch_free double atanh_coefficient(int k) { return coefficient(ATANH_3 + (k - 3) / 2); }

/* e^x = 2^n e^r, |r| <= ln 2 / 2, the series of e^r to r^13; *n is the exponent */
branch_free double exponential_parts(double x, int *n)
{
    double shifted = fma(x, coefficient(LOG2_E),
                         6755399441055744.0); /* 1.5 2^52: n in the low word */
    double whole = shifted - 6755399441055744.0;
    double r = fma(whole, -coefficient(LN2_LOW), fma(whole, -coefficient(LN2_HIGH), x));
    double r2 = r * r, r4 = r2 * r2;
    double a = fma(r, exp_coefficient(3), 0.5), b = fma(r, exp_coefficient(5), exp_coefficient(4)),
           c = fma(r, exp_coefficient(7), exp_coefficient(6));
    double d = fma(r, exp_coefficient(9), exp_coefficient(8)),
           e = fma(r, exp_coefficient(11), exp_coefficient(10)),
           g = fma(r, exp_coefficient(13), exp_coefficient(12));
    double high = fma(r4, fma(r2, g, e), fma(r2, d, c));
    *n = low_word(shifted);
    return 1.0 + fma(r2, fma(r4, high, fma(r2, b, a)), r);
}

/* below -708 as at -708, above 709 as at 709 */
branch_free double exponential(double x)
{
    int n;
    double p = exponential_parts(x < -708.0 ? -708.0 : x > 709.0 ? 709.0 : x, &n);
    return p * from_words((n + 1023) << 20, 0);
}

/* of |x| < 1e9; below -708 at most 1e-307, above 709 at least 1e307 */
branch_free double exponential_finite(double x)
{
    int n;
    double p = exponential_parts(x, &n);
    n = n < -1022 ? -1022 : n > 1023 ? 1023 : n;
    return p * from_words((n + 1023) << 20, 0);
}

/* ln x = k ln 2 + ln m, m in [sqrt(1/2), sqrt(2)), ln m = 2 atanh(s), s = (m - 1)/(m + 1), to
 * s^21. NaN for x <= 0; x is not subnormal. */
branch_free double logarithm(double x)
{
    int high = high_word(x), k = (high - 0x3fe6a09e) >> 20;
    double m = from_words(high - (k << 20), low_word(x)), g = m - 1.0;
    double s = g * inverse(m + 1.0), z = s * s, w = z * z, v = w * w;
    double a = fma(z, atanh_coefficient(5), atanh_coefficient(3)),
           b = fma(z, atanh_coefficient(9), atanh_coefficient(7)),
           c = fma(z, atanh_coefficient(13), atanh_coefficient(11));
    double d = fma(z, atanh_coefficient(17), atanh_coefficient(15)),
           e = fma(z, atanh_coefficient(21), atanh_coefficient(19));
    double series = fma(v, fma(v, e, fma(w, d, c)), fma(w, b, a));
    /* 2 s = g - s g exactly enough: the large part g is not rounded twice */
    double rest = fma(s, fma(z, series, -g), k * coefficient(LN2_LOW));
    double value = fma((double)k, coefficient(LN2_HIGH), g + rest);
    return x > 0.0 ? value : x - x + NAN;
}
