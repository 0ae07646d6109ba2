/* SPDX-License-Identifier: MIT
 *
 * In front of mech/'s sources (-include): they calculate in long double. Numbers of messages and of
 * the writer are wrong then, and not used.
 */
#pragma once

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <tgmath.h>
#include <time.h>
#include <unistd.h>
#include <yaml.h>

#define double long double
#define strtod strtold
