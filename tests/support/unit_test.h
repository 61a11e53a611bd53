/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unit_test.h - cmocka, and the headers that it wants before it. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
