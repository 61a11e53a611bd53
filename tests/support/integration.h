/* SPDX-License-Identifier: GPL-3.0-or-later */
/* integration.h - integrations in tests, from short texts. Whatever fails here fails the test. */
#pragma once

#include <macrostep/integrate.h>

/* Integrates with options as support_options takes them, errors against the reference or not, and with the
 * history. For the caller to destroy. */
ms_integration support_integration(const ms_system *system, const char *options, int output_points,
                                   bool errors);

/* Values of event n: x (nx) then z (nz), before and after it. */
const double *support_integration_left(const ms_integration *run, long n);
const double *support_integration_right(const ms_integration *run, long n);

/* Did indicator k (from 1) rise (1), fall (-1), or neither (0) in event n? */
int support_integration_crossed(const ms_integration *run, long n, int k);
