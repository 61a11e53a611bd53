/* SPDX-License-Identifier: GPL-3.0-or-later */
/* map_powers.h - a memory v after 2^k macro-steps at once: powers of its map Psi by repeated squaring. Powers of two
 * keep their entries within range. */
#pragma once

#include <stdbool.h>

typedef struct ms_map_powers {
    int n;          /* 0: none */
    double *M;      /* (n x n) Psi^stride = 2^exponent M; owned, with what follows */
    double *square; /* (n x n) */
    double *v;      /* (n) */
    double exponent;
    long stride;
} ms_map_powers;

/* Takes psi (n x n, by rows; freed with the rest, also where it fails). Returns MS_OK or MS_NO_MEMORY. */
int ms_map_powers_create(int n, double *psi, ms_map_powers *powers);
void ms_map_powers_destroy(ms_map_powers *powers); /* safe to repeat */

/* Before any squaring: is Psi before = after (n each) up to the round-off of sums that cancel? */
bool ms_map_powers_confirm(const ms_map_powers *powers, const double *before, const double *after);

/* Twice the stride. */
void ms_map_powers_square(ms_map_powers *powers);

/* v = M v. */
void ms_map_powers_apply(ms_map_powers *powers, double *v);
