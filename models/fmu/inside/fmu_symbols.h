/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_symbols.h - names that a binary defines and this process has as well: the dynamic linker would have the binary call ours. */
#ifndef MS_FMU_SYMBOLS_H
#define MS_FMU_SYMBOLS_H

#include <stdbool.h>

enum { MS_FMU_SYMBOL = 80 };

/* Is there one that a shared object in the folder, or below it, defines? name: the first one. What the C library, and a sanitizer, have is in every
 * process, and is no such name. */
bool ms_fmu_symbol_of_both(const char *folder, char name[MS_FMU_SYMBOL]);

#endif
