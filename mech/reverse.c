/* SPDX-License-Identifier: MIT */
#include "mech/reverse.h"

kb_reaction kb_one_way(const kb_reaction *r, bool exchange)
{
    kb_reaction v = *r;
    if (exchange) {
        v.reactants = r->products;
        v.nreactants = r->nproducts;
        v.products = r->reactants;
        v.nproducts = r->nreactants;
        v.forward_orders = r->reverse_orders;
        v.nforward_orders = r->nreverse_orders;
    }
    v.reversible = v.has_reverse = false;
    v.kr = (kb_arrhenius){0, 0, 0};
    v.reverse_orders = NULL;
    v.nreverse_orders = 0;
    return v;
}

static kb_arrhenius scaled(const kb_arrhenius *a, const kb_arrhenius *times,
                           const kb_arrhenius *over)
{
    return (kb_arrhenius){over->A != 0 ? a->A * times->A / over->A : 0, a->b + times->b - over->b,
                          a->theta + times->theta - over->theta};
}

kb_reaction kb_reverse_half(const kb_reaction *r)
{
    kb_reaction v = kb_one_way(r, true);
    v.kf = r->kr;
    if (r->type == KB_FALLOFF)
        v.low = scaled(&r->low, &r->kr, &r->kf);
    if (r->type == KB_ACTIVATED) {
        v.low = r->kr;
        v.kf = scaled(&r->kf, &r->kr, &r->low);
    }
    if (r->type == KB_PLOG || r->type == KB_CHEBYSHEV) {
        v.type = KB_ELEMENTARY;
        v.plog = NULL;
        v.nplog = 0;
        v.cheb = (kb_chebyshev){0};
    }
    return v;
}
