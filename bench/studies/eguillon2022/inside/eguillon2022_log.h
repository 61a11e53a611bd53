/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eguillon2022_log.h - the steps of each subsystem of a run on its clock, and their evaluation by the formulas of the
 * paper.
 *
 * Communication 0 is the start; step n runs from communication n to n + 1. Everything here is computed from the
 * communicated values only, by formulas other than the scheme's: so it can verify the scheme. */
#pragma once

#include "study.h"

enum { MS_LOG_DEGREE = 2, MS_LOG_COEFFICIENTS = 4 };

typedef struct ms_clock_log {
    int nx, nu, ny;
    long steps, capacity;
    int columns;       /* time, x, y, then for each input the coefficients of the step that begins here */
    double *row;       /* ((steps + 1) x columns) */
    long idle;         /* communications of others at which this subsystem was inside a step */
    bool ends_exactly; /* it communicated at the last communication, the end of the run: the same double */
} ms_clock_log;

typedef struct ms_run_log {
    ms_study study;
    ms_clock_log *clock;   /* (system->n) */
    double *communication; /* (communications x (1 + n)): times of communications, and the time each
                                  subsystem had reached */
    long communications, capacity;
    int degraded; /* lines of what capabilities made of the scheme */
    int status;
} ms_run_log;

/* As ms_study_run. ms_run_log_destroy is safe after an error, too. */
int ms_run_log_create(ms_drawing *drawing, const ms_simulation_options *request, ms_run_log *log,
                      ms_error *error, const char *command);
void ms_run_log_destroy(ms_run_log *log);

static inline const double *ms_clock_row(const ms_clock_log *clock, long n)
{
    return clock->row + (size_t)n * (size_t)clock->columns;
}

static inline double ms_clock_time(const ms_clock_log *clock, long n)
{
    return ms_clock_row(clock, n)[0];
}

static inline double ms_clock_state(const ms_clock_log *clock, long n, int j)
{
    return ms_clock_row(clock, n)[1 + j];
}

static inline double ms_clock_output(const ms_clock_log *clock, long n, int j)
{
    return ms_clock_row(clock, n)[1 + clock->nx + j];
}

/* Coefficients of input l in step n, local to its beginning. */
static inline const double *ms_clock_input(const ms_clock_log *clock, long n, int l)
{
    return ms_clock_row(clock, n) + 1 + clock->nx + clock->ny + l * MS_LOG_COEFFICIENTS;
}

/* Input l of step n, or its derivative (order 1), at t. */
double ms_clock_input_at(const ms_clock_log *clock, long n, int l, int order, double t);

/* Its degree, coefficients of round-off left out. */
int ms_clock_input_degree(const ms_clock_log *clock, long n, int l);

/* The last communication at or before t, (25). */
long ms_clock_latest(const ms_clock_log *clock, double t);

/* The value at t of the polynomial of degree q through communications m, m - 1, .., m - q of output j (11),
 * by Neville's scheme. */
double ms_clock_extrapolation(const ms_clock_log *clock, int j, long m, int q, double t);

/* The degree of the estimate from communication m on (18)-(20); the errors of degrees 0 .. min(2, m - 1),
 * their number in *candidates. Errors that differ by round-off tie, ties go to the lowest degree. errors
 * and candidates may be NULL. */
int ms_clock_degree(const ms_clock_log *clock, int j, long m, double errors[MS_LOG_DEGREE + 1],
                    int *candidates);

/* The estimate of output j from communication m on in either mode: coefficients local to that time. */
void ms_clock_estimate(const ms_clock_log *clock, int j, long m, bool cls, double c[MS_LOG_DEGREE + 1]);

/* The subsystem of an output of the system. */
int ms_output_owner(const ms_system *s, int output);

/* Input l of subsystem i in its step n as (24), (25) make it from the estimates by extrapolation, at t. */
double ms_run_log_input(const ms_run_log *log, int i, int l, long n, double t);

/* The largest |value| of input l of a clock at the communications. */
double ms_clock_input_scale(const ms_clock_log *clock, int l);
