/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "pasr/generators/common/fields.h"
#include "pasr/generators/pasr.h"

static const char *const inflows[] = {"premixed", "non-premixed", NULL};
const char *const kb_pasr_states[] = {[KB_ROWS_AFTER] = "after", [KB_ROWS_BEFORE] = "before",
                                      [KB_ROWS_BOTH] = "both", NULL};

#define KB_RECIPE_TYPE kb_pasr
static const kb_field fields[] = {
    KB_ROWS_MECHANISM,
    KB_ROWS_STREAMS,
    KB_ROW_CHOICE("inflow", "inflow", inflow, inflows, "premixed or non-premixed"),
    KB_ROW_NUMBER("phi", "phi", phi, 1e-3, 1e3, 0, "equivalence ratio of the inflow as a whole"),
    KB_ROW_NUMBER("pilot_share", "pilot", pilot, 0, 1, 0,
                  "share of burnt gas in the mass of the inflow"),
    KB_ROW_AXIS("T0_K", "T0", T0, 200, 3000, "temperatures of the unburnt streams in K"),
    KB_ROW_AXIS("p_atm", "p", p, 1e-3, 1e3, "pressures in atm"),
    KB_ROW_WHOLE("particles", "particles", particles, 2, 1e6, 0,
                 "particles of one condition, an even number"),
    KB_ROW_NUMBER("tau_res_s", "tau-res", tau_res, 1e-12, 1e6, 0, "residence time in s"),
    KB_ROW_NUMBER("tau_mix_s", "tau-mix", tau_mix, 1e-12, 1e6, 0, "mixing time in s"),
    KB_ROW_NUMBER("tau_pair_s", "tau-pair", tau_pair, 1e-12, 1e6, 0, "pairing time in s"),
    KB_ROW_NUMBER("residence_times", "times", times, 1e-6, 1e6, 0, "length in residence times"),
    KB_ROW_NUMBER("dt_s", "dt", dt, 1e-15, 1e6, 1,
                  "time step in s (default 0.1 min(tau_mix, tau_pair))"),
    KB_ROW_NUMBER("coarse_dt_s", "coarse-dt", coarse, 1e-15, 1e6, 1,
                  "time step in s if none of the next states is kept within 0.1 min(tau_mix, "
                  "tau_pair); a multiple of the other"),
    KB_ROW_NUMBER("start_residence_times", "start", start, 0, 1e6, 0,
                  "residence times before the first state that is kept"),
    KB_ROW_WHOLE("keep_every", "keep-every", every, 1, 1e9, 0,
                 "steps from one that is kept to the next"),
    KB_ROW_WHOLE("n", "n", least, 0, 1e9, 1,
                 "states at least: spread over the length, which grows if it is too short; in "
                 "place of keep_every"),
    KB_ROW_CHOICE("states", "states", states, kb_pasr_states,
                  "rows: after the reaction of a step, before it, or both"),
    KB_ROW_WHOLE("seed", "seed", seed, 0, 1e15, 0, "seed; condition k has seed + k"),
    KB_ROW_TEXT("solver", "solver", solver, 0, "solver of the reaction step"),
    KB_ROWS_TOLERANCES(1e-14, "the reaction step"),
    {0}};
const kb_recipe_form kb_pasr_form = {"pasr", KB_PASR_VERSION, fields};

void kb_pasr_defaults(kb_pasr *r)
{
    *r = (kb_pasr){.mech = kb_strdup("gri30"), .fuel = kb_strdup("CH4:1"),
                   .oxidizer = kb_strdup("O2:1,N2:3.76"), .phi = 1, .pilot = 0.05,
                   .T0 = {1, {400}}, .p = {1, {1}}, .particles = 100, .tau_res = 5e-3,
                   .tau_mix = 1e-3, .tau_pair = 1e-3, .times = 10, .every = 1, .seed = 1,
                   .solver = kb_strdup("rodas4"), .rtol = 1e-5, .atol = 1e-11};
}

double kb_pasr_dt(const kb_pasr *r)
{
    return r->dt > 0 ? r->dt : 0.1 * fmin(r->tau_mix, r->tau_pair);
}

int kb_pasr_conditions(const kb_pasr *r) { return r->T0.n * r->p.n; }

long kb_pasr_at_once(const kb_pasr *r)
{
    return r->particles * kb_pasr_conditions(r) * (r->states == KB_ROWS_BOTH ? 2 : 1);
}

/* the steps over a time of ticks dt before a state that is kept; a coarse one is ratio dt */
static kb_pasr_split split(const kb_pasr *r, long ratio, long ticks)
{
    kb_pasr_split s = {0};
    long fine = (long)fmin(ceil(KB_PASR_FINE * fmin(r->tau_mix, r->tau_pair) / kb_pasr_dt(r)),
                           1e18);
    s.coarse = ratio > 1 && ticks > fine ? (ticks - fine) / ratio : 0;
    ticks -= s.coarse * ratio;
    int k = 0;
    long length = 1;
    for (; fine > KB_PASR_MANY && 10 * length < ratio && k < KB_PASR_LENGTHS - 1; k++)
        length *= 10;
    for (; k > 0; k--, length /= 10) {
        s.fine[k] = ticks > 10 * length ? (ticks - 10 * length) / length : 0;
        ticks -= s.fine[k] * length;
    }
    s.fine[0] = ticks;
    return s;
}

static long steps_of(const kb_pasr_split *s)
{
    long steps = s->coarse;
    for (int k = 0; k < KB_PASR_LENGTHS; k++)
        steps += s->fine[k];
    return steps;
}

kb_pasr_plan kb_pasr_plan_of(const kb_pasr *r)
{
    double dt = kb_pasr_dt(r);
    long once = kb_pasr_at_once(r), first = lround(r->start * r->tau_res / dt);
    long length = lround(r->times * r->tau_res / dt) - first; /* these and every: in dt */
    long kept = r->least ? (r->least + once - 1) / once : length / r->every + 1;
    long intervals = kept - 1, every = r->every, ratio = lround(r->coarse / dt);
    if (r->least)
        every = intervals && length > intervals ? length / intervals : 1;
    kb_pasr_plan p = {.dt = dt, .coarse_dt = (double)ratio * dt, .kept = kept,
                      .first_at = first, .every_at = every,
                      .to_first = split(r, ratio, first), .to_next = split(r, ratio, every)};
    p.first = steps_of(&p.to_first);
    p.every = steps_of(&p.to_next);
    p.steps = p.first + (r->least || p.every < every ? intervals * p.every : length);
    return p;
}

double kb_pasr_step_dt(const kb_pasr_plan *p, long step)
{
    bool first = step <= p->first;
    const kb_pasr_split *s = first ? &p->to_first : &p->to_next;
    long at = first ? step - 1 : (step - p->first - 1) % p->every;
    if (at < s->coarse)
        return p->coarse_dt;
    int k = KB_PASR_LENGTHS - 1;
    for (at -= s->coarse; k > 0 && at >= s->fine[k]; k--)
        at -= s->fine[k];
    return pow(10, k) * p->dt;
}
