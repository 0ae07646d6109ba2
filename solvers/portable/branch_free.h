/* SPDX-License-Identifier: MIT
 *
 * exp, log and 1/x without branches, for code that is one long sequence (straight-line kinetics):
 * there a branch of the library's functions keeps the compiler from interleaving them. A NaN stays
 * a NaN. Their errors against long double are below 1 ulp (tests/straight/number.cpp).
 */
#ifndef KB_BRANCH_FREE_H
#define KB_BRANCH_FREE_H

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
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    return y;
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

/* e^x = 2^n e^r, |r| <= ln 2 / 2, the series of e^r to r^13. Below -708 as at -708, above 709 as
 * at 709. */
branch_free double exponential(double x)
{
    x = x < -708.0 ? -708.0 : x > 709.0 ? 709.0 : x;
    double shifted = fma(x, 1.4426950408889634,
                         6755399441055744.0); /* 1.5 2^52: n in the low word */
    double n = shifted - 6755399441055744.0;
    double r = fma(n, -1.90821492927058770002e-10, fma(n, -6.93147180369123816490e-01, x));
    double r2 = r * r, r4 = r2 * r2;
    double a = fma(r, 1.0 / 6, 0.5), b = fma(r, 1.0 / 120, 1.0 / 24);
    double c = fma(r, 1.0 / 5040, 1.0 / 720), d = fma(r, 1.0 / 362880, 1.0 / 40320);
    double e = fma(r, 1.0 / 39916800, 1.0 / 3628800),
           f = fma(r, 1.0 / 6227020800.0, 1.0 / 479001600);
    double high = fma(r4, fma(r2, f, e), fma(r2, d, c));
    double p = fma(r2, fma(r4, high, fma(r2, b, a)), r);
    return (1.0 + p) * from_words((low_word(shifted) + 1023) << 20, 0);
}

/* ln x = k ln 2 + ln m, m in [sqrt(1/2), sqrt(2)), ln m = 2 atanh(s), s = (m - 1)/(m + 1), to
 * s^21. NaN for x <= 0; x is not subnormal. */
branch_free double logarithm(double x)
{
    int high = high_word(x), k = (high - 0x3fe6a09e) >> 20;
    double m = from_words(high - (k << 20), low_word(x)), g = m - 1.0;
    double s = g * inverse(m + 1.0), z = s * s, w = z * z, v = w * w;
    double a = fma(z, 2.0 / 5, 2.0 / 3), b = fma(z, 2.0 / 9, 2.0 / 7),
           c = fma(z, 2.0 / 13, 2.0 / 11);
    double d = fma(z, 2.0 / 17, 2.0 / 15), e = fma(z, 2.0 / 21, 2.0 / 19);
    double series = fma(v, fma(v, e, fma(w, d, c)), fma(w, b, a));
    /* 2 s = g - s g exactly enough: the large part g is not rounded twice */
    double rest = fma(s, fma(z, series, -g), k * 1.90821492927058770002e-10);
    double value = fma((double)k, 6.93147180369123816490e-01, g + rest);
    return x > 0.0 ? value : x - x + NAN;
}

#endif
