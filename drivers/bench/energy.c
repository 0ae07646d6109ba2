/* SPDX-License-Identifier: MIT */
#include "drivers/bench/energy.h"

#include <math.h>

/* Runs until the clock is at `until` and the counter has moved in the last run, so that a window
 * begins and ends where it does: NVML's moves ten times a second. */
static int run_to_tick(const kb_energy_source *s, double until, kb_meter *meter, long *runs)
{
    kb_meter from;
    int code;
    *meter = s->meter(s->of);
    do {
        from = *meter;
        code = s->run(s->of);
        *meter = s->meter(s->of);
        ++*runs;
    } while (!code && (s->clock(s->of) < until || kb_meter_between(&from, meter) == 0));
    return code;
}

/* One half of a window from *meter, which is where it ends afterwards; *run: [J] of one run */
static int measure_half(const kb_energy_source *s, double seconds, kb_meter *meter, double *run)
{
    kb_meter from = *meter;
    long runs = 0;
    int code = run_to_tick(s, s->clock(s->of) + seconds, meter, &runs);
    *run = kb_meter_between(&from, meter) / (double)runs;
    return code;
}

int kb_energy_measure(const kb_energy_source *source, double seconds, kb_energy *e)
{
    const kb_energy_source *s = source;
    kb_meter meter;
    long before = 0;
    int code = run_to_tick(s, 0, &meter, &before);
    for (double longest = KB_ENERGY_GROWTH * seconds; !code; seconds *= 2) {
        double half[2], begin = s->clock(s->of);
        for (int i = 0; i < 2 && !code; i++)
            code = measure_half(s, seconds / 2, &meter, &half[i]);
        if (code)
            return code;
        e->seconds = s->clock(s->of) - begin;
        e->run = (half[0] + half[1]) / 2;
        e->spread = fabs(half[0] - half[1]) / e->run;
        if (e->spread <= KB_ENERGY_SPREAD || 2 * seconds > longest)
            break;
    }
    return code;
}
