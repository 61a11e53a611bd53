/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ledger_run.h"

#include "support.h"
#include "unit_test.h"

ms_simulation support_ledger_run(const ms_system *system, const char *text)
{
    const ms_options options = support_options(text);
    const ms_simulation_options request = {.energies = true, .trajectory = true};
    ms_simulation simulation;
    ms_error error = {""};
    if (ms_simulation_run(system, &options, &request, &simulation, &error) != MS_OK)
        fail_msg("%s: %s", text, error.text);
    return simulation;
}

double support_ledger_total(const ms_simulation *simulation, long n)
{
    return ms_energy_row(&simulation->ledger, n)[ms_energy_of(simulation->system->n)];
}

double support_ledger_sum(const ms_simulation *simulation, long n, int which)
{
    return ms_energy_row(&simulation->ledger, n)[ms_energy_sums(&simulation->ledger) + which];
}
