/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <macrostep/options.h>
#include "simulation_parts.h"

int ms_simulation_run(const ms_system *system, const ms_options *options,
                      const ms_simulation_options *request, ms_simulation *simulation, ms_error *error)
{
    int status = ms_simulation_alone(system, options, request, simulation, error);
    if (status != MS_OK || !request->errors || options->errors != MS_AGAINST_REFERENCE ||
        request->against == NULL || simulation->result.reason != MS_REASON_END_TIME)
        return status;
    status = ms_simulation_compare(simulation, request, error);
    if (status == MS_OK)
        ms_simulation_note_horizon(simulation);
    return ms_simulation_end(simulation, status);
}
