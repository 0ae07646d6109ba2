/* SPDX-License-Identifier: MIT
 *
 * Codes and texts of errors.
 */
#include <stdarg.h>
#include <stdio.h>

#include "library/inside.h"

static _Thread_local kb_error last;

const char *kb_library_version(void)
{
    return KINBENCH_VERSION;
}

const char *kb_last_error(void)
{
    return last.text;
}

const char *kb_status_text(int status)
{
    return kb_ode_status_name(status);
}

int kb_fail_with(int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(last.text, sizeof last.text, format, args);
    va_end(args);
    return code;
}

int kb_fail_as(const kb_error *err)
{
    return kb_fail_with(err->code == KB_NOTHING ? KB_ERROR_DEVICE : KB_ERROR_ARGUMENT, "%s",
                        err->text);
}
