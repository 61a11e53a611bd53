/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fmu_prober.h - experiments with an FMU for co-simulation: each has a separate component, so that none depends on effects of another
 * one, or on restored states. For the files fmu_probe*.c. */
#pragma once

#include "fmu_abilities.h"
#include "fmu_stepping.h"

/* Small steps that look for what a whole one hides, in parts of it. */
enum { MS_FMU_SMALL = 16 };

/* Relative tolerances for two ways to the same value. */
#define MS_FMU_ALIKE 0.1

typedef struct ms_fmu_prober {
    const ms_fmu *fmu;
    const ms_fmu_flags *flags;
    const ms_fmu_description *d;
    ms_fmu_places *at;
    ms_fmu_setup setup;
    ms_fmu_stepping s;
    ms_fmu_abilities *found;
    ms_fmu_abilities declared;
    int nv;         /* outputs and states that are looked at */
    double h;       /* [s] */
    double part;    /* fraction of the full change of inputs */
    double *u0, *c; /* (nu), (5 x nu): coefficients of the inputs */
    double *v[5];   /* (nv) each */
    double *D;      /* (2 x ny x nu) */
    double *memory;
    bool variable;   /* steps may be of any length */
    int steps, most; /* so far, and altogether */
    bool spent;      /* more than the probe has were asked for, or: */
    bool late;       /* calls took longer than they may */
    bool refused;    /* memory for a component was */
    ms_error *error;
} ms_fmu_prober;

/* Coefficients of inputs, in units of their moves and of tau/h: moves that are held. */
extern const double ms_fmu_still[MS_FMU_ORDERS + 1], ms_fmu_held[MS_FMU_ORDERS + 1],
    ms_fmu_other[MS_FMU_ORDERS + 1];

/* What is said about a trait. */
void ms_fmu_prober_tell(ms_fmu_prober *p, ms_fmu_trait trait, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A new component at the start, initialised with u0 + shift at input i (-1: none). */
int ms_fmu_prober_open(ms_fmu_prober *p, int i, double shift);
/* Outputs and states (nv). */
int ms_fmu_prober_look(ms_fmu_prober *p, double *v);
/* How far input i is moved: whole numbers stay. */
double ms_fmu_prober_move(const ms_fmu_prober *p, int i);
/* p->c: inputs u0 + move sum_k weight[k] (tau/h)^k from `begin` of the step of length p->h on, re-expanded there. */
void ms_fmu_prober_inputs(ms_fmu_prober *p, const double *weight, double begin);
/* A step from t over h under inputs of that degree in p->c; MS_FMU_DISCARD where all steps of the probe are used up. */
int ms_fmu_prober_step(ms_fmu_prober *p, double t, double h, int degree);
/* From the start: `ahead` whole steps with the inputs at the beginning of the next one, which is made in equal parts
 * under these inputs; and the values reached. */
int ms_fmu_prober_go(ms_fmu_prober *p, int ahead, const double *weight, int degree, int parts, double *v);
/* From the start over a number of whole steps with held inputs, and the values reached. */
int ms_fmu_prober_walk(ms_fmu_prober *p, int steps, double *v);

/* Is value j that is looked at a real? */
bool ms_fmu_prober_is_smooth(const ms_fmu_prober *p, int j);
/* The largest difference of reals, in units of 1 + |w|; infinite where one is no number. */
double ms_fmu_prober_apart(const ms_fmu_prober *p, const double *v, const double *w);
bool ms_fmu_prober_same(const ms_fmu_prober *p, const double *v, const double *w); /* to the bit */

/* Chooses steps and moves of inputs that keep to where its equations hold: as long as inputs at their start values fail, steps
 * become shorter, and as long as the widest moves fail, or no longer give numbers, moves become smaller. False: all do fail. */
bool ms_fmu_prober_find_domain(ms_fmu_prober *p);

/* The experiments, by subject (fmu_probe_states.c, fmu_probe_steps.c, fmu_probe_derivatives.c, fmu_probe_inputs.c). */
void ms_fmu_probe_points(ms_fmu_prober *p);
void ms_fmu_probe_determinism(ms_fmu_prober *p);
void ms_fmu_probe_states(ms_fmu_prober *p);
void ms_fmu_probe_steps(ms_fmu_prober *p);
void ms_fmu_probe_derivatives(ms_fmu_prober *p);
void ms_fmu_probe_inputs(ms_fmu_prober *p);
