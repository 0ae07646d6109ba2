/* SPDX-License-Identifier: MIT */
#include "mech/names.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* FNV-1a */
static uint32_t hash(const char *s, size_t n)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)s[i]) * 16777619u;
    return h;
}

static void insert(kb_names *x, const char *name, int index)
{
    int mask = x->nslots - 1, slot = hash(name, strlen(name)) & mask;
    while (x->slots[slot])
        slot = (slot + 1) & mask;
    x->slots[slot] = index + 1;
}

void kb_names_add(kb_names *x, const kb_mech *m, int index)
{
    int length = strlen(m->species[index].name);
    if (length > x->longest)
        x->longest = length;
    if (2 * (index + 1) < x->nslots) {
        insert(x, m->species[index].name, index);
        return;
    }
    free(x->slots);
    x->nslots = x->nslots ? 4 * x->nslots : 64;
    x->slots = kb_alloc(x->nslots, sizeof *x->slots);
    for (int k = 0; k <= index; k++)
        insert(x, m->species[k].name, k);
}

int kb_names_find(const kb_names *x, const kb_mech *m, const char *name, size_t n)
{
    if (!x->nslots || n > (size_t)x->longest)
        return -1;
    for (int slot = hash(name, n) & (x->nslots - 1); x->slots[slot];
         slot = (slot + 1) & (x->nslots - 1)) {
        const char *have = m->species[x->slots[slot] - 1].name;
        if (!strncmp(have, name, n) && !have[n])
            return x->slots[slot] - 1;
    }
    return -1;
}

void kb_names_hint(const kb_mech *m, const char *name, const char *other, char *hint, size_t size)
{
    snprintf(hint, size, "%s", other);
    for (int k = 0; k < m->nspecies; k++)
        if (!strcasecmp(m->species[k].name, name))
            snprintf(hint, size, "case matters: did you mean %.64s?", m->species[k].name);
}
