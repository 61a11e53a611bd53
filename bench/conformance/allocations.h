/* SPDX-License-Identifier: GPL-3.0-or-later */
/* allocations.h - counts, and refuses, allocations of the program and all shared libraries, including libc.
 *
 * Each of them calls malloc and its like through addresses that the dynamic linker has written into it by its
 * relocations (ELF), which are redirected to functions that count and then call the original: that of libc, valgrind
 * or AddressSanitizer. Functions that merely replaced libc's by name would never run under valgrind. */
#pragma once

#include <stdbool.h>

/* Once: at the start of main, or when all that is counted has been opened. */
void ms_allocations_install(void);

/* From now on, from 0; or no longer. Returns the allocations counted so far. One thread at a time. */
long ms_allocations_count(bool on);

/* The n-th one from now on is refused; 0: none is (any longer). */
void ms_allocations_refuse(long n);
