/* SPDX-License-Identifier: MIT
 *
 * Threads that take turns on one thread of the host. No signal masks: a switch is no call of the
 * system, two of which swapcontext makes.
 */
#pragma once

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <ucontext.h>

typedef struct {
    ucontext_t start;
    jmp_buf at;
    bool begun; /* then `at` is where it goes on */
} turn;

/* By its own name: where programs are fortified (Ubuntu's gcc), the header's longjmp ends one that
 * jumps to another stack. */
#ifdef __cplusplus
extern "C"
#endif
void turn_jump(jmp_buf to, int value) __asm__("_longjmp") __attribute__((noreturn));

/* at its first turn a thread calls run, which must not return */
static inline void turn_prepare(turn *t, void *stack, size_t size, void (*run)(void))
{
    getcontext(&t->start);
    t->start.uc_stack.ss_sp = stack;
    t->start.uc_stack.ss_size = size;
    makecontext(&t->start, run, 0);
    t->begun = false;
}

/* from a thread to another one, until that or a third one comes back */
static __attribute__((noinline)) void turn_to(turn *from, turn *to)
{
    from->begun = true;
    if (_setjmp(from->at))
        return;
    if (to->begun)
        turn_jump(to->at, 1);
    setcontext(&to->start);
}
