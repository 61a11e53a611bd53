/* SPDX-License-Identifier: GPL-3.0-or-later */
/* made_fmu.h - FMUs that are compiled for a test. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* How one is made of decay_fmu.c, for both kinds: the version, what is defined for the compiler, more flags, the token of the
 * description. */
typedef struct support_decay {
    int fmi;
    const char *define, *flags, *token;
    const char *platform; /* the folder of the binary; NULL: of this one */
    const char *source;   /* of the binary; NULL: that */
    const char *change;   /* what the shell does in its folder before it is packed */
    const char *edit[9];  /* what stands in the description, and what shall stand there; so on up to NULL */
} support_decay;

/* Compiles tests/models/fmu/decay_fmu.c and packs it as an FMU at a new path, which the caller removes. Its variables, by their index and
 * their reference: 0 x, 1 x', 2 u, 3 y, 4 k, 5 n, 6 b, 7 s. */
void support_decay_fmu(const support_decay *decay, char *path, size_t size);
/* The co-simulation FMU of stepping_fmu.c with these defines, as NAME.fmu in the folder of the test. */
void support_stepping_fmu(const char *define, const char *name);

/* How one is made of flawed_fmu.c, for co-simulation. */
typedef struct support_flawed {
    int fmi;
    bool fixed;          /* it says of itself that steps have one length */
    const char *define;  /* for the compiler */
    const char *instead; /* flags in place of those that promise states; NULL: these */
} support_flawed;

/* Compiles tests/support/fmu/flawed_fmu.c and packs it as an FMU at a new path, which the caller removes. Variable 3 of its description
 * is the parameter that chooses the flaw. */
void support_flawed_fmu(const support_flawed *flawed, char *path, size_t size);
