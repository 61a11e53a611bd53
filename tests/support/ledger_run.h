/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ledger_run.h - what the tests of the energy ledger share. Whatever fails here fails the test. */
#pragma once

#include <macrostep/simulation.h>

/* A run with all rows of its ledger and the trajectory beside them. */
ms_simulation support_ledger_run(const ms_system *system, const char *text);

/* Energy of all subsystems in row n [J]. */
double support_ledger_total(const ms_simulation *simulation, long n);

/* One of the sums in row n: residual, drift or supplied. */
double support_ledger_sum(const ms_simulation *simulation, long n, int which);
