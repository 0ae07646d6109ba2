/* SPDX-License-Identifier: MIT
 *
 * Work structs: the arrays whose sizes are those of the mechanism, each struct as one list
 * FIELDS(ARRAY, ROWS, PART) of
 *   ARRAY(type, name, n)       n elements
 *   ROWS(type, name, rows)     rows of N elements; rows is a constant of the program
 *   PART(type, name)           another such struct
 * In engines compiled for a mechanism they are arrays. With KB_RUN_TIME, where the sizes are read
 * when the program runs, they are pointers into one allocation, which <struct>_place sets.
 */
#pragma once

#ifndef __CUDACC__
#include <stdlib.h>
#include <string.h>

static inline size_t kb_aligned_size(size_t n) { return (n + 63) / 64 * 64; }

/* memory of zeros, NULL: there is none */
static inline void *kb_work_memory(size_t size)
{
    size = kb_aligned_size(size);
    void *w = aligned_alloc(64, size);
    return w ? memset(w, 0, size) : NULL;
}
#endif

#ifdef KB_RUN_TIME
#define KB_WORK_JOIN_(a, b) a##b
#define KB_WORK_JOIN(a, b) KB_WORK_JOIN_(a, b)
#define KB_WORK_SIZE(type)                                                                         \
    ({                                                                                             \
        type none_;                                                                                \
        KB_WORK_JOIN(type, _place)(&none_, NULL, kb_aligned_size(sizeof none_));                   \
    })
#define KB_NEW_WORK(type, n)                                                                       \
    ({                                                                                             \
        type *work_ = kb_work_memory(KB_WORK_SIZE(type));                                          \
        if (work_)                                                                                 \
            KB_WORK_JOIN(type, _place)(work_, (char *)work_, kb_aligned_size(sizeof *work_));      \
        work_;                                                                                     \
    })
#define KB_ARRAY(type, name, n) type *name;
#define KB_ROWS(type, name, rows) type *name[rows];
#define KB_PLACE_ARRAY(type, name, n)                                                              \
    w->name = base ? (void *)(base + at) : NULL;                                                   \
    at = kb_aligned_size(at + (size_t)(n) * sizeof *w->name);
#define KB_PLACE_ROWS(type, name, rows)                                                            \
    for (int row = 0; row < (rows); row++) {                                                       \
        KB_PLACE_ARRAY(type, name[row], N)                                                         \
    }
#define KB_PLACE_PART(type, name) at = type##_place(&w->name, base, at);
/* from base + at on; returns where it ends. base NULL: only counts */
#define KB_PLACED(type, FIELDS)                                                                    \
    __attribute__((unused)) static size_t type##_place(type *w, char *base, size_t at)             \
    {                                                                                              \
        FIELDS(KB_PLACE_ARRAY, KB_PLACE_ROWS, KB_PLACE_PART)                                       \
        return at;                                                                                 \
    }
#define kb_overlay struct /* what does not hold at the same time, but for its pointers */
#else
/* n of zeros, run time: 1; NULL: no memory */
#define KB_NEW_WORK(type, n) ((type *)kb_work_memory((n) * sizeof(type)))
#ifdef KB_MANY
#define KB_ARRAY(type, name, n) many_array<type, (n)> name;
#else
#define KB_ARRAY(type, name, n) type name[n];
#endif
#define KB_ROWS(type, name, rows) type name[rows][N];
#define KB_PLACED(type, FIELDS)
#define kb_overlay union
#endif

#define KB_PART(type, name) type name;
#define KB_MEMBERS(FIELDS) FIELDS(KB_ARRAY, KB_ROWS, KB_PART)
#define KB_WORK(type, FIELDS)                                                                      \
    typedef struct {                                                                               \
        KB_MEMBERS(FIELDS)                                                                         \
    } type;                                                                                        \
    KB_PLACED(type, FIELDS)
