/* SPDX-License-Identifier: GPL-3.0-or-later */
/* choices.h - the values of choices among the options of a run, as types, for users of a chosen
 * scheme (variant.h) rather than of the options themselves (options.h). */
#pragma once

#include <macrostep/c_linkage.h>

MS_C_LINKAGE_BEGIN

typedef struct ms_options ms_options;

typedef enum ms_derivatives { MS_DERIVATIVES_DIFFERENCES, MS_DERIVATIVES_ANALYTIC } ms_derivatives;
typedef enum ms_outputs { MS_OUTPUTS_INCONSISTENT, MS_OUTPUTS_CONSISTENT, MS_OUTPUTS_CORRECTED } ms_outputs;
typedef enum ms_smoothing { MS_SMOOTHING_NONE, MS_SMOOTHING_C0, MS_SMOOTHING_C1 } ms_smoothing;
typedef enum ms_error_control {
    MS_CONTROL_NONE,
    MS_CONTROL_RICHARDSON,
    MS_CONTROL_PYFMI,
    MS_CONTROL_PREDICTOR_CORRECTOR,
    MS_CONTROL_ECCO,
    MS_CONTROL_OMS
} ms_error_control;
typedef enum ms_order_control { MS_ORDER_CONTROL_ON, MS_ORDER_CONTROL_OFF } ms_order_control;
typedef enum ms_ecco_scale { MS_ECCO_CODE, MS_ECCO_ENERGY } ms_ecco_scale;
typedef enum ms_history_start { MS_START_DERIVATIVES, MS_START_HOLD } ms_history_start;
typedef enum ms_initial_inputs {
    MS_INITIAL_CONSISTENT,
    MS_INITIAL_ZERO,
    MS_INITIAL_PASSES,
    MS_INITIAL_UNSET
} ms_initial_inputs;
typedef enum ms_output_derivatives {
    MS_YDOT_EXACT,
    MS_YDOT_DIFFERENCES,
    MS_YDOT_MIXED /* differences for y', exact y'' */
} ms_output_derivatives;
typedef enum ms_balance_error { MS_BALANCE_RAW, MS_BALANCE_USED } ms_balance_error;
typedef enum ms_balance_integral { MS_INTEGRAL_TRAPEZOID, MS_INTEGRAL_EXACT } ms_balance_integral;
typedef enum ms_hat { MS_HAT_BOX, MS_HAT_TRIANGLE, MS_HAT_SMOOTH } ms_hat;
typedef enum ms_at_events { MS_EVENTS_KEEP, MS_EVENTS_DROP } ms_at_events;
typedef enum ms_at_time_events { MS_TIME_EVENTS_IGNORE, MS_TIME_EVENTS_COMMUNICATE } ms_at_time_events;
typedef enum ms_fallback { MS_FALLBACK_STEP, MS_FALLBACK_POINTWISE, MS_FALLBACK_THROUGH } ms_fallback;
typedef enum ms_calibration { MS_CALIBRATION_EXTRAPOLATION, MS_CALIBRATION_CLS } ms_calibration;
typedef enum ms_estimate_degree {
    MS_DEGREE_FLEXIBLE,
    MS_DEGREE_0,
    MS_DEGREE_1,
    MS_DEGREE_2
} ms_estimate_degree;
typedef enum ms_scheduler { MS_SCHEDULER_SYNCHRONOUS, MS_SCHEDULER_ASYNCHRONOUS } ms_scheduler;
typedef enum ms_backend { MS_BACKEND_NATIVE, MS_BACKEND_PETSC, MS_BACKEND_KINSOL } ms_backend;
typedef enum ms_iteration_sweep { MS_SWEEP_JACOBI, MS_SWEEP_GAUSS_SEIDEL } ms_iteration_sweep;
typedef enum ms_step_rule { MS_STEP_RULE_PAPER, MS_STEP_RULE_FIXED } ms_step_rule;
typedef enum ms_rollback { MS_ROLLBACK_EXACT, MS_ROLLBACK_ESTIMATED } ms_rollback;
typedef enum ms_sensitivity {
    MS_SENSITIVITY_EXACT,
    MS_SENSITIVITY_DIRECTIONAL,
    MS_SENSITIVITY_DIFFERENCES
} ms_sensitivity;
typedef enum ms_update { MS_UPDATE_ALWAYS, MS_UPDATE_SLOW } ms_update;
typedef enum ms_first { MS_FIRST_PARALLEL, MS_FIRST_SLOW, MS_FIRST_FAST } ms_first;
typedef enum ms_points { MS_POINTS_MICRO, MS_POINTS_MACRO, MS_POINTS_COMMON } ms_points;
typedef enum ms_wave_start { MS_WAVES_SPRING, MS_WAVES_ZERO_FORCE, MS_WAVES_ZERO } ms_wave_start;
typedef enum ms_execution { MS_EXECUTION_SERIAL, MS_EXECUTION_PARALLEL, MS_EXECUTION_MPI } ms_execution;
typedef enum ms_error_scaling { MS_SCALE_NONE, MS_SCALE_NOMINAL, MS_SCALE_RANGE } ms_error_scaling;
typedef enum ms_errors_against { MS_AGAINST_REFERENCE, MS_AGAINST_NONE } ms_errors_against;

/* Formulas that are taken as they are printed where they are wrong (bits). */
enum ms_as_printed { MS_PRINTED_QUADRATIC = 1, MS_PRINTED_SMOOTHING = 2 };

enum { MS_BALANCE_STEPS_MAX = 8 };

MS_C_LINKAGE_END
