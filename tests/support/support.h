/* SPDX-License-Identifier: GPL-3.0-or-later */
/* support.h - what test programs share: systems, options and runs from short texts, and the variants of the
 * explicit family one by one. Whatever fails here fails the test. */
#pragma once

#include <macrostep/cosim.h>
#include <macrostep/options.h>
#include <macrostep/run.h>
#include <macrostep/system.h>
#include <macrostep/system_file.h>
#include "model_fmu.h"

/* A model of the catalogue with "NAME=VALUE NAME=VALUE ..": parameters, and `case` by name. NULL or "": as
 * it is. */
ms_system *support_system(const char *model, const char *settings);

/* The same with settings as the library takes them. */
ms_system *support_system_with(const char *model, const ms_setting *settings, int n);

/* Fails unless |value - expected| <= tolerance. */
void support_near(double value, double expected, double tolerance);
/* The same for n values. */
void support_near_all(int n, const double *values, const double *expected, double tolerance);

/* Fails unless |values[j] - expected[j]| <= tolerance (1 + |expected[j]|) for all n. */
void support_near_states(int n, const double *values, const double *expected, double tolerance);

/* A parameter by name, and its value in the system. */
const ms_parameter *support_parameter(const ms_system *system, const char *name);
double support_value(const ms_system *system, const char *name);

/* The same system with its subsystems in another order: new subsystem i is old subsystem order[i]. */
ms_system *support_permuted(const ms_system *system, const int *order);

/* Any model as it is; with settings; one from the text of a JSON file, with its FMUs read so or as usual, which the caller
 * destroys. */
ms_system *support_system_of(const ms_model *model);
ms_system *support_system_set(const ms_model *model, const ms_setting *settings, int n);
/* The pattern of a name for a new file or folder, for mkstemp and mkdtemp: in TMPDIR, or where there is none in the
 * folder of the system. */
void support_temporary(char *path, size_t size);
/* A new file with that text, which the caller removes. */
void support_temporary_file(const char *text, char *path, size_t size);
ms_model *support_model_read(const char *json);
ms_model *support_model_read_with(const char *json, const ms_fmu_reading *reading);
/* All bytes of a file and one of zero behind them, owned by the caller. size may be NULL. */
char *support_read_file(const char *path, size_t *size);

/* Wires as of a system, and room for as many subsystems: the beginning of a model's build. */
void support_build_like(const ms_system *system, ms_structure *s);

/* Defaults, then "name=value name=value ..", names without dashes, a bare name for an option without a
 * value. */
ms_options support_options(const char *text);
void support_options_add(ms_options *options, const char *text);
/* support_options of a formatted text. */
ms_options support_options_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

ms_cosim *support_cosim(const ms_system *system, const ms_options *options);

/* Macro-steps first .. end - 1 of length h, which must succeed: step n begins at n h. */
void support_steps(ms_cosim *cosim, int first, int end, double h);
/* The state between macro-steps (ms_cosim_save), owned by the caller. */
double *support_state(const ms_cosim *cosim);
/* Fails unless that is the state, bit by bit; `what` is being done. */
void support_has_state(const ms_cosim *cosim, const double *state, const char *what);

/* Creates, runs to the stop time and destroys. x (nx) and y (ny) at the end; both may be NULL. */
ms_run_result support_run(const ms_system *system, const ms_options *options, double *x, double *y);
/* The same, where the run must reach its end. */
void support_finish(const ms_system *system, const ms_options *options, double *x, double *y);

/* The status of creating a co-simulation, and the line. */
int support_refusal(const ms_system *system, const ms_options *options, char *line, size_t size);
/* Fails unless the line has this part. */
void support_says(const char *line, const char *part);
/* Fails unless a co-simulation with these options ends with that status and a line that has this part. */
void support_system_refuses(const ms_system *system, const char *options, int status, const char *part);
/* Fails unless a model of the catalogue with these options is refused with a line that has this part. */
void support_refuses(const char *model, const char *options, const char *part);

/* States (nx) of the monolithic model at t, from the start values at 0. */
void support_reference(const ms_system *system, double t, double *x);

/* max |a - b| / (1 + max |b|); not a number counts as infinite. */
double support_distance(int n, const double *a, const double *b);

/* Variant k of the explicit family, k = 0, 1, ..; false beyond the last. text: its options. */
typedef struct support_variant {
    bool gauss_seidel, analytic;
    int order;
    ms_outputs outputs;
    ms_smoothing smoothing;
    char text[160];
} support_variant;

bool support_variant_at(int k, support_variant *variant);

/* Uniform in [-1, 1], the same sequence on every machine. */
double support_random(unsigned long long *seed);
/* Uniform in 0 .. n - 1. */
int support_random_below(unsigned long long *seed, int n);

/* How many of n random cases: n, or a tenth and at least two of them where TEST_EFFORT=short is set. */
int support_ensemble(int n);
/* How many models the catalogue has. */
int support_models(void);
/* Whether case k of n, from 0, is among as many of them, evenly spaced. */
bool support_in_ensemble(int k, int n);
