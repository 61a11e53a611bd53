/* SPDX-License-Identifier: GPL-3.0-or-later */
/* integers.h - whole numbers of steps. */
#pragma once

/* The greatest common divisor of a, b > 0. */
static inline int ms_greatest_common_divisor(int a, int b)
{
    while (b > 0) {
        const int rest = a % b;
        a = b;
        b = rest;
    }
    return a > 0 ? a : 1;
}

static inline int ms_least_common_multiple(int a, int b)
{
    return a / ms_greatest_common_divisor(a, b) * b;
}
