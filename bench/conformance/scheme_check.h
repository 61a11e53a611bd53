/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scheme_check.h - conformance tests of a scheme on a system.
 *
 * Each test returns a finding. Errors of the functions are those of memory and of signals; a fault of the scheme is a
 * finding. Options name the scheme; they must fit the system. */
#pragma once

#include <macrostep/options.h>
#include <macrostep/system.h>

typedef enum ms_verdict_of_check { MS_CHECK_HOLDS, MS_CHECK_FAILS, MS_CHECK_NOT_ASKED } ms_verdict_of_check;

typedef struct ms_finding {
    ms_verdict_of_check verdict;
    char text[320]; /* what is wrong and what would be right, or what was seen */
} ms_finding;

/* Three macro-steps of lengths about H, taken back and repeated, after a detour, and restored into another co-simulation, have the same
 * bits, and so has a second run. Where subsystems keep their states themselves, as FMUs for co-simulation do, these are states that are known, and
 * outputs, in the same co-simulation. gives_up: a macro-step may end without convergence where the scheme takes it again. Not asked: a
 * subsystem cannot be taken back. Errors: those of ms_cosim_of_options, MS_NO_MEMORY. */
int ms_check_restore(const ms_system *system, const ms_options *options, double H, bool gives_up,
                     ms_finding *finding, ms_error *error);

/* Two co-simulations have the same bits, step by step: nothing that one leaves changes the other. */
int ms_check_repeat(const ms_system *system, const ms_options *options, double H, ms_finding *finding,
                    ms_error *error);

/* Nothing is allocated in macro-steps after the first two, in which libraries may. ms_allocations_install comes first. */
int ms_check_allocations(const ms_system *system, const ms_options *options, double H, ms_finding *finding,
                         ms_error *error);

/* With every capability of a subsystem masked in turn the co-simulation is refused in a line, or steps. */
int ms_check_masks(const ms_system *system, const ms_options *options, double H, ms_finding *finding,
                   ms_error *error);

/* From the slopes of the largest errors of three runs over one macro-step of the system, whose own deviation is about proportional to H.
 * finer: halvings more. NaN: one of them gave up. Errors: those of the runs; MS_INVALID: the error is round-off. */
int ms_observe_order(const ms_system *system, const ms_options *options, int claimed, int finer,
                     double *order, ms_error *error);

/* The observed order is the claimed one, up to factors of log(1/H). Not asked: none is claimed there, or the system is not linear. */
int ms_check_order(const ms_system *system, const ms_options *options, ms_finding *finding, ms_error *error);
