/* SPDX-License-Identifier: MIT
 *
 * Defines the table of processor.h, by the -march of the file that includes this one: once in a
 * shared object.
 */
#include "base/processor.h"

extern const kb_feature kb_processor_needs[];

/* a macro that is defined is 1; one that is not stays a name */
#define KB_FEATURE_TEXT(macro) #macro
#define KB_FEATURE_IS_ON(macro) (sizeof KB_FEATURE_TEXT(macro) == sizeof "1")
__attribute__((visibility("default"))) const kb_feature kb_processor_needs[] = {
#ifdef __x86_64__
#define FEATURE(name, macro) {name, KB_FEATURE_IS_ON(macro)},
#include "base/processor.def"
#undef FEATURE
#endif
    {"", 0}};
