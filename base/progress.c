/* SPDX-License-Identifier: MIT */
#include "base/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/interrupt.h"

#define PLAIN_INTERVAL 5.0 /* [s] */

void kb_progress_start(kb_progress *p, bool quiet)
{
    *p = (kb_progress){.quiet = quiet, .terminal = isatty(STDERR_FILENO), .last = kb_clock()};
}

const char *kb_duration(double s, char *text)
{
    if (s < 1)
        snprintf(text, 32, "%.2g s", s);
    else if (s < 60)
        snprintf(text, 32, "%.0f s", s);
    else if (s < 3600)
        snprintf(text, 32, "%dm%02ds", (int)s / 60, (int)s % 60);
    else if (s < 1e9)
        snprintf(text, 32, "%ldh%02ldm", (long)(s / 3600), (long)(s / 60) % 60);
    else
        snprintf(text, 32, "%.2g years", s / (365.25 * 86400));
    return text;
}

static int terminal_width(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 20 ? 80 : size.ws_col;
}

void kb_progress_show(kb_progress *p, long done, long total, double eta, const char *what)
{
    char line[512], left[32];
    if (p->quiet || (!p->terminal && kb_clock() - p->last < PLAIN_INTERVAL))
        return;
    snprintf(line, sizeof line, "[%ld/%ld] %s%s  %s", done, total, eta < 0 ? "" : "ETA ",
             eta < 0 ? "" : kb_duration(eta, left), what);
    if (p->terminal)
        fprintf(stderr, "\r\033[K%.*s", terminal_width() - 1, line);
    else
        fprintf(stderr, "%s\n", line);
    fflush(stderr);
    p->open = p->terminal;
    p->last = kb_clock();
}

void kb_progress_end(kb_progress *p)
{
    if (p->open)
        fprintf(stderr, "\r\033[K");
    p->open = false;
}

static void write_line(kb_progress *p, const char *format, va_list args)
{
    kb_progress_end(p);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

void kb_progress_note(kb_progress *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!p->quiet)
        write_line(p, format, args);
    va_end(args);
}

void kb_progress_warn(kb_progress *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_line(p, format, args);
    va_end(args);
}
