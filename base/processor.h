/* SPDX-License-Identifier: MIT
 *
 * The instructions that a shared object needs, said by the object itself as data: to call one of
 * its functions may be too late. On processors other than x86-64 the table is empty.
 */
#pragma once

typedef struct {
    char name[20]; /* as in processor.def; "" after the last */
    int needed;
} kb_feature;

#define KB_NEEDS_SYMBOL "kb_processor_needs"
