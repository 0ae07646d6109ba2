/* SPDX-License-Identifier: MIT */
#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* d.ddd x 10^exponent from its digits: a plain decimal between 1e-3 and 1e5, else with exponent */
static void arrange(const char *sign, const char *digits, int exponent, char *out)
{
    int n = (int)strlen(digits);
    if (exponent < -3 || exponent > 4)
        snprintf(out, KB_NUMBER_SIZE, "%s%c.%se%+03d", sign, digits[0], n > 1 ? digits + 1 : "0",
                 exponent);
    else if (exponent < 0)
        snprintf(out, KB_NUMBER_SIZE, "%s0.%.*s%s", sign, -exponent - 1, "000", digits);
    else if (n > exponent + 1)
        snprintf(out, KB_NUMBER_SIZE, "%s%.*s.%s", sign, exponent + 1, digits,
                 digits + exponent + 1);
    else
        snprintf(out, KB_NUMBER_SIZE, "%s%s%.*s.0", sign, digits, exponent + 1 - n, "0000");
}

/* value rounded to n significant digits */
static void with_digits(double value, int n, char *out)
{
    char text[KB_NUMBER_SIZE], digits[20];
    snprintf(text, sizeof text, "%.*e", n - 1, fabs(value));
    char *e = strchr(text, 'e');
    int count = 0;
    for (const char *c = text; c < e && count < 19; c++) {
        if (*c != '.')
            digits[count++] = *c;
    }
    while (count > 1 && digits[count - 1] == '0')
        count--;
    digits[count] = '\0';
    arrange(signbit(value) ? "-" : "", digits, atoi(e + 1), out);
}

static double same(double x, double argument)
{
    (void)argument;
    return x;
}

void kb_shortest(double value, char out[KB_NUMBER_SIZE])
{
    if (!kb_shortest_through(value, value, same, 0, out))
        snprintf(out, KB_NUMBER_SIZE, "%s", value < 0 ? "-.inf" : value > 0 ? ".inf" : ".nan");
}

bool kb_shortest_through(double value, double guess, double (*convert)(double, double),
                         double argument, char out[KB_NUMBER_SIZE])
{
    if (!isfinite(guess) || !isfinite(value))
        return false;
    for (int n = 1; n <= 17; n++) {
        with_digits(guess, n, out);
        if (convert(strtod(out, NULL), argument) == value)
            return true;
    }
    double below = guess, above = guess;
    for (int i = 0; i < 4; i++) {
        below = nextafter(below, -INFINITY);
        above = nextafter(above, INFINITY);
        const double near[] = {below, above};
        for (int k = 0; k < 2; k++) {
            with_digits(near[k], 17, out);
            if (convert(strtod(out, NULL), argument) == value)
                return true;
        }
    }
    return false;
}
