/* SPDX-License-Identifier: MIT */
#include "pasr/generators/common/streams.h"

#include <math.h>

#include "mech/thermo/thermo.h"
#include "pasr/generators/common/mixture.h"

int kb_stream(const kb_mech *m, const char *what, const char *moles, double T, double p,
              double *state, kb_error *err)
{
    double *X = kb_alloc((size_t)m->nspecies, sizeof *X);
    int code = kb_mole_fractions(m, what, moles, X, err);
    state[0] = T;
    state[1] = p;
    if (!code)
        kb_X_to_Y(m, X, state + 2);
    free(X);
    return code;
}

int kb_mix_streams(const kb_mech *m, const double *fuel, const double *oxidizer, double z,
                   double *state, kb_error *err)
{
    double hf = kb_mix_h(m, fuel[0], fuel + 2), ho = kb_mix_h(m, oxidizer[0], oxidizer + 2);
    for (int i = 0; i < m->nspecies + 2; i++)
        state[i] = z * fuel[i] + (1 - z) * oxidizer[i];
    state[1] = oxidizer[1];
    state[0] = kb_T_from_h(m, z * hf + (1 - z) * ho, state + 2, state[0]);
    return isfinite(state[0]) ? KB_OK : kb_fail(err, KB_INVALID, "no temperature for the unburnt "
                                                "mixture at z = %g", z);
}
