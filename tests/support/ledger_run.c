#include "ledger_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support.h"

ms_trial ledger_run(const ms_system *system, const char *text)
{
    const ms_options options = support_options(text);
    const ms_trial_wants wants = {.energies = true, .trajectory = true};
    ms_trial trial;
    ms_error error = {""};
    if (ms_trial_run(system, &options, &wants, &trial, &error) != MS_OK)
        fail_msg("%s: %s", text, error.text);
    return trial;
}

double ledger_total(const ms_trial *trial, long n)
{
    return ms_energy_row(&trial->ledger, n)[ms_energy_of(trial->system->n)];
}

double ledger_sum(const ms_trial *trial, long n, int which)
{
    return ms_energy_row(&trial->ledger, n)[ms_energy_sums(&trial->ledger) + which];
}
