/* SPDX-License-Identifier: GPL-3.0-or-later */
/* balls.c - macrostep-balls.so: balls by Arb (FLINT); its parts are in balls/. */
#include "balls.h"

#ifdef MS_HAVE_ARB
const ms_plugin_balls ms_plugin_table_balls = {
    .plugin = {.build = MS_PLUGIN_BUILD},
    .create = ms_balls_create,
    .destroy = ms_balls_destroy,
    .set = ms_balls_set,
    .middle = ms_balls_middle,
    .modulus = ms_balls_modulus,
    .is_zero = ms_balls_is_zero,
    .select = ms_balls_select,
    .clear = ms_balls_clear,
    .copy = ms_balls_copy,
    .add_row = ms_balls_add_row,
    .add_product = ms_balls_add_product,
    .scale = ms_balls_scale,
    .invert = ms_balls_invert,
    .at = ms_balls_at,
    .at_node = ms_balls_at_node,
    .at_circle = ms_balls_at_circle,
    .at_disc = ms_balls_at_disc,
    .step_map = ms_balls_step_map,
    .terms = ms_balls_terms,
    .bounds = ms_balls_bounds,
    .inside = ms_balls_inside,
    .functions = ms_balls_functions,
    .least = ms_balls_least,
    .nonzero = ms_balls_nonzero,
};
#endif
