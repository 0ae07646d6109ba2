/* SPDX-License-Identifier: MIT */
#include "base/interrupt.h"

#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

#define SAME 0.2 /* [s] between signals that are one */

volatile int kb_stop;
static volatile sig_atomic_t interrupted, late;
static timer_t watch;
static struct itimerspec patience = {.it_value = {.tv_sec = 20}};

/* a program that goes on none the less, in a kernel of the GPU or in another library */
static void on_patience(int signal)
{
    static const char text[] = "kinbench: error: interrupted, and still busy; what was written "
                               "before is whole\n";
    (void)signal;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        _exit(KB_INTERRUPTED);
    _exit(KB_INTERRUPTED);
}

/* One press of Ctrl-C may come twice: timeout(1) and mpirun send it to a program and to its group.
 */
static void on_interrupt(int number)
{
    static volatile double first;
    if (!interrupted) {
        first = kb_clock();
        interrupted = 1;
        kb_stop = 1;
        timer_settime(watch, 0, &patience, NULL);
    } else if (kb_clock() - first > SAME) {
        signal(number, SIG_DFL);
        raise(number); /* comes when this returns */
    }
}

static void on_alarm(int signal)
{
    (void)signal;
    late = 1;
    kb_stop = 1;
}

void kb_interrupt_install(void)
{
    struct sigaction asked = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART};
    struct sigaction last = {.sa_handler = on_patience};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 3};
    const char *shorter = getenv("KB_PATIENCE"); /* for the tests */
    patience.it_value.tv_sec = shorter ? atoi(shorter) : 20;
    sigaction(SIGRTMIN + 3, &last, NULL);
    timer_create(CLOCK_MONOTONIC, &event, &watch);
    struct sigaction alarm = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    sigaction(SIGINT, &asked, NULL);
    sigaction(SIGTERM, &asked, NULL);
    sigaction(SIGALRM, &alarm, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file-size limit then shows as an error of write */
}

bool kb_interrupted(void) { return interrupted; }

static void set_timer(double seconds)
{
    struct itimerval t = {0};
    t.it_value.tv_sec = (time_t)seconds;
    t.it_value.tv_usec = (suseconds_t)((seconds - (double)t.it_value.tv_sec) * 1e6);
    setitimer(ITIMER_REAL, &t, NULL);
}

void kb_limit(double seconds)
{
    late = 0;
    set_timer(seconds < 1e-3 ? 1e-3 : seconds > 1e8 ? 1e8 : seconds);
}

bool kb_limit_end(void)
{
    set_timer(0);
    bool reached = late;
    late = 0;
    kb_stop = interrupted;
    return reached;
}

double kb_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
