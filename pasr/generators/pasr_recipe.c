/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stddef.h>

#include "pasr/generators/pasr.h"

static const char *const inflows[] = {"premixed", "non-premixed", NULL};

#define AT(member) offsetof(kb_pasr, member)
#define TEXT(key, option, member, optional, help) \
    {key, option, help, KB_FIELD_TEXT, AT(member), 0, 0, NULL, optional}
#define NUMBER(key, option, member, low, high, optional, help) \
    {key, option, help, KB_FIELD_NUMBER, AT(member), low, high, NULL, optional}
#define WHOLE(key, option, member, low, high, help) \
    {key, option, help, KB_FIELD_WHOLE, AT(member), low, high, NULL, 0}
#define AXIS(key, option, member, low, high, help) \
    {key, option, help, KB_FIELD_AXIS, AT(member), low, high, NULL, 0}
static const kb_field fields[] = {
    TEXT("mech", "mech", mech, 0, "mechanism: a name in datasets/mechanisms or a file"),
    TEXT("thermo", "thermo", thermo, 1, "separate thermo file of a CHEMKIN mechanism"),
    TEXT("fuel", "fuel", fuel, 0, "species and moles"),
    TEXT("oxidizer", "oxidizer", oxidizer, 0, "species and moles"),
    {"inflow", "inflow", "premixed or non-premixed", KB_FIELD_CHOICE, AT(inflow), 0, 0, inflows, 0},
    NUMBER("phi", "phi", phi, 1e-3, 1e3, 0, "equivalence ratio of the inflow as a whole"),
    NUMBER("pilot_share", "pilot", pilot, 0, 1, 0, "share of burnt gas in the mass of the inflow"),
    AXIS("T0_K", "T0", T0, 200, 3000, "temperatures of the unburnt streams in K"),
    AXIS("p_atm", "p", p, 1e-3, 1e3, "pressures in atm"),
    WHOLE("particles", "particles", particles, 2, 1e6, "particles of one condition, an even number"),
    NUMBER("tau_res_s", "tau-res", tau_res, 1e-12, 1e6, 0, "residence time in s"),
    NUMBER("tau_mix_s", "tau-mix", tau_mix, 1e-12, 1e6, 0, "mixing time in s"),
    NUMBER("tau_pair_s", "tau-pair", tau_pair, 1e-12, 1e6, 0, "pairing time in s"),
    NUMBER("residence_times", "times", times, 1e-6, 1e6, 0, "length in residence times"),
    NUMBER("dt_s", "dt", dt, 1e-15, 1e6, 1, "time step in s (default 0.1 min(tau_mix, tau_pair))"),
    NUMBER("start_residence_times", "start", start, 0, 1e6, 0,
           "residence times before the first state that is kept"),
    WHOLE("keep_every", "keep-every", every, 1, 1e9, "keep the states of every so many steps"),
    WHOLE("seed", "seed", seed, 0, 1e15, "seed; condition k has seed + k"),
    TEXT("solver", "solver", solver, 0, "solver of the reaction step"),
    NUMBER("rtol", "rtol", rtol, 1e-14, 0.1, 0, "its relative tolerance"),
    NUMBER("atol", "atol", atol, 1e-300, 0.1, 0, "its absolute tolerance"),
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

long kb_pasr_steps(const kb_pasr *r)
{
    return lround(r->times * r->tau_res / kb_pasr_dt(r));
}

int kb_pasr_conditions(const kb_pasr *r)
{
    return r->T0.n * r->p.n;
}

long kb_pasr_kept(const kb_pasr *r)
{
    long first = lround(r->start * r->tau_res / kb_pasr_dt(r));
    return (kb_pasr_steps(r) - first) / r->every + 1;
}
