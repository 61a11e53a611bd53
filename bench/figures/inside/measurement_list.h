/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measurement_list.h - what figure files have measured in C, measurement.h. figure_measurements.c includes the list twice
 * (declarations, registry). No include guard. */
MS_MEASUREMENT(ms_measurement_left_mass)
MS_MEASUREMENT(ms_measurement_damped_bounds)
MS_MEASUREMENT(ms_measurement_growth)
MS_MEASUREMENT(ms_measurement_stability_line)
MS_MEASUREMENT(ms_measurement_stability_map)
MS_MEASUREMENT(ms_measurement_stability_probe)
MS_MEASUREMENT(ms_measurement_modes)
MS_MEASUREMENT(ms_measurement_random_starts)
MS_MEASUREMENT(ms_measurement_event_steps)
MS_MEASUREMENT(ms_measurement_energy_range)
MS_MEASUREMENT(ms_measurement_limit_region)
MS_MEASUREMENT(ms_measurement_power_bonds)
MS_MEASUREMENT(ms_measurement_pendulum_loop)
MS_MEASUREMENT(ms_measurement_envelope)
MS_MEASUREMENT(ms_measurement_reference_motion)
MS_MEASUREMENT(ms_measurement_input_limits)
