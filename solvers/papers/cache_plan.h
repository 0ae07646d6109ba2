/* SPDX-License-Identifier: MIT
 *
 * Algorithm 1 of Curtis et al. (2017): which elements of a vector lie in a thread's few places of
 * shared memory while a reaction is computed, decided when code is generated. Here a compiler
 * decides, since all is constexpr. What the paper leaves open is as in its authors' generator
 * (pyJac, shared_memory.py): an element that is in the cache stays as it is; one that took part in
 * the reaction before has L = 1; where P or L are alike the first counts. The second loop of the
 * algorithm finds no room that the first has left.
 */
#pragma once

/* which items each of R reactions uses, at most W of them */
template <int R, int W> struct cache_uses {
    int n[R], item[R][W];
};

/* Before reaction r its step[r]: item[k] goes to place[k], from where old[k] goes (-1: it was
 * empty). at[r][j]: place of item number j of the reaction, -1: it is read where it is. last: what
 * is in each place at the end, -1: nothing */
template <int W> struct cache_step {
    int n, item[W], place[W], old[W];
};

template <int R, int W, int PLACES> struct cache_plan {
    cache_step<W> step[R];
    int at[R][W], last[PLACES + 1];
};

/* place of the item in the list of reaction r, -1: the list does not have it */
template <int R, int W> constexpr int cache_find(const cache_uses<R, W> &u, int r, int item)
{
    for (int j = 0; j < u.n[r]; j++)
        if (u.item[r][j] == item)
            return j;
    return -1;
}

/* P: how many consecutive reactions from r + 1 on use it */
template <int R, int W> constexpr int cache_ahead(const cache_uses<R, W> &u, int r, int item)
{
    int n = 0;
    while (r + 1 + n < R && cache_find(u, r + 1 + n, item) >= 0)
        n++;
    return n;
}

/* order: the numbers of the items of reaction r by P, largest first */
template <int R, int W>
constexpr void cache_sort(const cache_uses<R, W> &u, int r, int *order, int *ahead)
{
    for (int j = 0; j < u.n[r]; j++) {
        int p = cache_ahead(u, r, u.item[r][j]), k = j;
        for (; k > 0 && ahead[k - 1] < p; k--)
            order[k] = order[k - 1], ahead[k] = ahead[k - 1];
        order[k] = j, ahead[k] = p;
    }
}

template <int PLACES, int R, int W>
constexpr cache_plan<R, W, PLACES> make_cache_plan(const cache_uses<R, W> &u)
{
    cache_plan<R, W, PLACES> plan = {};
    int held[PLACES + 1] = {}, idle[PLACES + 1] = {}, used = 0; /* idle: L */
    for (int r = 0; r < R; r++) {
        int order[W] = {}, ahead[W] = {};
        cache_step<W> *s = &plan.step[r];
        for (int k = 0; k < used; k++)
            idle[k] = cache_find(u, r, held[k]) >= 0 ? 0 : idle[k] + 1;
        cache_sort(u, r, order, ahead);
        for (int j = 0; j < u.n[r]; j++) {
            int item = u.item[r][order[j]], place = 0, old = -1, k = 0;
            while (k < used && held[k] != item)
                k++;
            if (k < used || PLACES == 0)
                continue;
            if (used < PLACES) {
                place = used++;
            } else {
                for (k = 1; k < used; k++)
                    if (idle[k] > idle[place])
                        place = k;
                if (idle[place] < 2 || ahead[j] <= 1)
                    continue;
                old = held[place];
            }
            held[place] = item, idle[place] = 0;
            s->item[s->n] = item, s->place[s->n] = place, s->old[s->n++] = old;
        }
        for (int j = 0; j < u.n[r]; j++) {
            plan.at[r][j] = -1;
            for (int k = 0; k < used; k++)
                if (held[k] == u.item[r][j])
                    plan.at[r][j] = k;
        }
    }
    for (int k = 0; k <= PLACES; k++)
        plan.last[k] = k < used ? held[k] : -1;
    return plan;
}
