/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counted.h - stands before every file of a build with CONFIG=coverage (gcc -include): a process that ends by _exit, or by a
 * signal that it raises itself, writes the counters of gcov first, as one that returns from main does. It includes nothing, since
 * the file behind it says which names the C library is to have; the library's own declarations then declare what stands here. */
#ifndef SUPPORT_COUNTED_H /* the Makefile defines it for a file that says itself what _exit is */
#define SUPPORT_COUNTED_H

#define SUPPORT_UNCOUNTED __attribute__((weak, no_profile_instrument_function))

void __gcov_dump(void);
void support_really_exit(int status) __asm__("_exit") __attribute__((noreturn));
int support_really_raise(int number) __asm__("raise");

SUPPORT_UNCOUNTED __attribute__((noreturn)) void support_counted_exit(int status)
{
    __gcov_dump();
    support_really_exit(status);
}

SUPPORT_UNCOUNTED int support_counted_raise(int number)
{
    __gcov_dump();
    return support_really_raise(number);
}

#define _exit           support_counted_exit
#define _Exit           support_counted_exit
#define raise           support_counted_raise
#define SUPPORT_COUNTED 1

#endif
