/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_arithmetic.h - how the processor calculates: rounding, numbers below the normal ones, exceptions that end the program. An FMU
 * may change that for itself, and a library that was linked for fast arithmetic does so where it is opened; not for us. */
#pragma once

#include <fenv.h>
#include <stdbool.h>

typedef struct ms_fmu_arithmetic {
    unsigned control;      /* of doubles; elsewhere than on x86-64 the rounding mode */
    unsigned short longer; /* of long doubles */
} ms_fmu_arithmetic;

/* As it is now. It is read after each call of an FMU: two instructions, no call. */
static inline ms_fmu_arithmetic ms_fmu_arithmetic_now(void)
{
    ms_fmu_arithmetic now = {0};
#ifdef __x86_64__
    enum { RAISED = 0x3f }; /* exceptions raised before, which are cleared */
    now.control = __builtin_ia32_stmxcsr() & ~(unsigned)RAISED;
    __asm__ volatile("fnstcw %0" : "=m"(now.longer));
#else
    now.control = (unsigned)fegetround();
#endif
    return now;
}

static inline void ms_fmu_arithmetic_restore(ms_fmu_arithmetic as)
{
#ifdef __x86_64__
    __builtin_ia32_ldmxcsr(as.control);
    __asm__ volatile("fnclex\n\tfldcw %0" : : "m"(as.longer));
#else
    (void)fesetround((int)as.control);
#endif
}

/* What an FMU has changed is as it was. */
static inline void ms_fmu_arithmetic_keep(const ms_fmu_arithmetic *as)
{
    const ms_fmu_arithmetic now = ms_fmu_arithmetic_now();
    if (now.control != as->control || now.longer != as->longer)
        ms_fmu_arithmetic_restore(*as);
}
