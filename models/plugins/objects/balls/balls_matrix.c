/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "balls.h"

#ifdef MS_HAVE_ARB
#include <stdlib.h>

/* Matrices ----------------------------------------------------------------------------------------------- */

int ms_balls_create(int rows, int columns, ms_balls **out)
{
    *out = malloc(sizeof **out);
    MS_TRY_MEMORY(*out);
    acb_mat_init((*out)->m, rows, columns);
    return MS_OK;
}

void ms_balls_destroy(ms_balls **matrix)
{
    if (*matrix == NULL)
        return;
    acb_mat_clear((*matrix)->m);
    free(*matrix);
    *matrix = NULL;
}

void ms_balls_set(ms_balls *matrix, int row, int column, double value)
{
    acb_set_d(acb_mat_entry(matrix->m, row, column), value);
}

double ms_balls_middle(const ms_balls *matrix, int row, int column)
{
    return arf_get_d(arb_midref(acb_realref(acb_mat_entry(matrix->m, row, column))), ARF_RND_NEAR);
}

double ms_balls_modulus(const ms_balls *matrix, int row, int column)
{
    mag_t size;
    mag_init(size);
    acb_get_mag(size, acb_mat_entry(matrix->m, row, column));
    const double modulus = mag_get_d(size);
    mag_clear(size);
    return modulus;
}

int ms_balls_is_zero(const ms_balls *matrix, int row, int column)
{
    return acb_is_zero(acb_mat_entry(matrix->m, row, column));
}

void ms_balls_select(const ms_balls *from, const int *index, ms_balls *to)
{
    for (slong i = 0; i < acb_mat_nrows(to->m); i++)
        for (slong j = 0; j < acb_mat_ncols(to->m); j++)
            acb_set(acb_mat_entry(to->m, i, j), acb_mat_entry(from->m, index[i], index[j]));
}

void ms_balls_clear(ms_balls *matrix, int row, int rows)
{
    for (int i = row; i < row + rows; i++)
        _acb_vec_zero(matrix->m->rows[i], acb_mat_ncols(matrix->m));
}

void ms_balls_copy(const ms_balls *from, int from_row, int rows, ms_balls *to, int to_row)
{
    for (int i = 0; i < rows; i++)
        _acb_vec_set(to->m->rows[to_row + i], from->m->rows[from_row + i], acb_mat_ncols(to->m));
}

/* to += factor from */
static void add_multiple(const acb_t factor, slong n, acb_srcptr from, acb_ptr to, long bits)
{
    for (slong c = 0; c < n; c++)
        if (!acb_is_zero(from + c))
            acb_addmul(to + c, factor, from + c, bits);
}

void ms_balls_add_row(double a, double b, const ms_balls *from, int from_row, ms_balls *to, int to_row,
                      long bits)
{
    acb_t factor, second;
    acb_init(factor);
    acb_init(second);
    acb_set_d(factor, a);
    acb_set_d(second, b);
    acb_mul(factor, factor, second, bits);
    add_multiple(factor, acb_mat_ncols(to->m), from->m->rows[from_row], to->m->rows[to_row], bits);
    acb_clear(factor);
    acb_clear(second);
}

void ms_balls_add_product(const ms_balls *M, const ms_balls *from, int from_row, ms_balls *to, int to_row,
                          long bits)
{
    for (slong i = 0; i < acb_mat_nrows(M->m); i++)
        for (slong j = 0; j < acb_mat_ncols(M->m); j++)
            if (!acb_is_zero(acb_mat_entry(M->m, i, j)))
                add_multiple(acb_mat_entry(M->m, i, j), acb_mat_ncols(to->m), from->m->rows[from_row + j],
                             to->m->rows[to_row + i], bits);
}

void ms_balls_scale(const ms_balls *h, const ms_balls *M, ms_balls *to, long bits)
{
    acb_mat_scalar_mul_acb(to->m, M->m, acb_mat_entry(h->m, 0, 0), bits);
}

int ms_balls_invert(const ms_balls *M, ms_balls *inverse, long bits)
{
    return acb_mat_inv(inverse->m, M->m, bits) ? MS_OK : MS_NO_SOLUTION;
}

/* Step sizes --------------------------------------------------------------------------------------------- */

/* The middle and half the length of a panel, exactly. */
void ms_balls_panel_middle(const ms_balls_panel *panel, arb_t middle_of, arb_t half)
{
    arf_t begin, end;
    arf_init(begin);
    arf_init(end);
    arf_set_d(begin, panel->begin);
    arf_set_d(end, panel->end);
    arf_add(arb_midref(middle_of), begin, end, ARF_PREC_EXACT, ARF_RND_NEAR);
    arf_sub(arb_midref(half), end, begin, ARF_PREC_EXACT, ARF_RND_NEAR);
    arb_mul_2exp_si(middle_of, middle_of, -1);
    arb_mul_2exp_si(half, half, -1);
    arf_clear(begin);
    arf_clear(end);
}

void ms_balls_at(double value, ms_balls *h)
{
    acb_set_d(acb_mat_entry(h->m, 0, 0), value);
}

/* cos(m pi/(2 n)) */
void ms_balls_cosine(long m, int n, arb_t value, long bits)
{
    fmpq_t part;
    fmpq_init(part);
    fmpq_set_si(part, m, 2U * (unsigned)n);
    arb_cos_pi_fmpq(value, part, bits);
    fmpq_clear(part);
}

void ms_balls_at_node(const ms_balls_panel *panel, int k, ms_balls *h, long bits)
{
    arb_t half, place;
    arb_init(half);
    arb_init(place);
    acb_zero(acb_mat_entry(h->m, 0, 0));
    arb_ptr real = acb_realref(acb_mat_entry(h->m, 0, 0));
    ms_balls_panel_middle(panel, real, half);
    ms_balls_cosine(2L * k + 1, panel->nodes, place, bits);
    arb_mul(place, place, half, bits);
    arb_add(real, real, place, bits);
    arb_clear(half);
    arb_clear(place);
}

void ms_balls_at_circle(const ms_balls_panel *panel, int k, ms_balls *h, long bits)
{
    acb_ptr to = acb_mat_entry(h->m, 0, 0);
    arb_t part, radius, middle;
    arb_init(part);
    arb_init(radius);
    arb_init(middle);
    arb_set_si(part, k);
    arb_div_si(part, part, MS_BALLS_SAMPLES - 1, bits);
    arb_sin_cos_pi(acb_imagref(to), acb_realref(to), part, bits);
    ms_balls_panel_middle(panel, middle, radius);
    arb_set_d(part, panel->wide);
    arb_mul(radius, radius, part, bits);
    acb_mul_arb(to, to, radius, bits);
    acb_add_arb(to, to, middle, bits);
    arb_clear(part);
    arb_clear(radius);
    arb_clear(middle);
}

void ms_balls_at_disc(const ms_balls_panel *panel, ms_balls *h, long bits)
{
    acb_ptr to = acb_mat_entry(h->m, 0, 0);
    arb_t radius, wide;
    arb_init(radius);
    arb_init(wide);
    acb_zero(to);
    ms_balls_panel_middle(panel, acb_realref(to), radius);
    arb_set_d(wide, panel->wide);
    arb_mul(radius, radius, wide, bits);
    arb_mul_2exp_si(radius, radius, MS_BALLS_FARTHER);
    arb_add_error(acb_realref(to), radius);
    arb_add_error(acb_imagref(to), radius);
    arb_clear(radius);
    arb_clear(wide);
}
#endif
