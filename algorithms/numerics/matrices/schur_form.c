/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "arnoldi_parts.h"

#include <string.h>

#include <macrostep/status.h>
#include "long_call.h"

int ms_schur_form_create(int most, ms_schur_form *form)
{
    const size_t n = (size_t)most, square = n * n;
    *form = (ms_schur_form){.most = most};
    form->T = malloc(sizeof(double) * (4 * square + 3 * n + n * (n + 6) + 8 * n + 1));
    form->select = malloc(sizeof *form->select * (3 * n + 1));
    if (form->T == NULL || form->select == NULL) {
        ms_schur_form_destroy(form);
        return MS_NO_MEMORY;
    }
    form->Q = form->T + square;
    form->right = form->Q + square;
    form->left = form->right + square;
    form->re = form->left + square;
    form->im = form->re + n;
    form->inverse = form->im + n;
    form->work = form->inverse + n;
    form->integers = form->select + n;
    return MS_OK;
}

void ms_schur_form_destroy(ms_schur_form *form)
{
    MS_FREE(form->T, form->select);
    *form = (ms_schur_form){0};
}

int ms_schur_form_decompose(ms_schur_form *form, int n, const double *S, int stride)
{
    lapack_int none;
    form->n = n;
    for (size_t j = 0; j < (size_t)n; j++)
        memcpy(form->T + j * (size_t)n, S + j * (size_t)stride, sizeof *S * (size_t)n);
    if (n == 0)
        return MS_OK;
    const double operations = 25.0 * n * n * n;
    ms_long_call_begin(operations);
    const lapack_int info = LAPACKE_dgees_work(LAPACK_COL_MAJOR, 'V', 'N', NULL, n, form->T, n, &none,
                                               form->re, form->im, form->Q, n, form->work, 8 * n, NULL);
    ms_long_call_end(operations);
    return info == 0 ? MS_OK : MS_NOT_CONVERGED;
}

void ms_schur_form_vectors(ms_schur_form *form)
{
    const int n = form->n;
    lapack_int found;
    memcpy(form->right, form->Q, sizeof(double) * (size_t)n * (size_t)n);
    if (n > 0)
        LAPACKE_dtrevc_work(LAPACK_COL_MAJOR, 'R', 'B', form->select, n, form->T, n, NULL, 1, form->right, n,
                            n, &found, form->work);
}

void ms_schur_form_conditions(ms_schur_form *form)
{
    const int n = form->n;
    lapack_int found;
    double separation;
    if (n == 0)
        return;
    LAPACKE_dtrevc_work(LAPACK_COL_MAJOR, 'B', 'A', form->select, n, form->T, n, form->left, n, form->right,
                        n, n, &found, form->work);
    LAPACKE_dtrsna_work(LAPACK_COL_MAJOR, 'E', 'A', form->select, n, form->T, n, form->left, n, form->right,
                        n, form->inverse, &separation, n, &found, form->work, n, form->integers);
}

int ms_schur_form_order(ms_schur_form *form, const int *chosen)
{
    const int n = form->n;
    lapack_int head = 0;
    double condition, separation;
    for (int k = 0; k < n; k++)
        form->select[k] = chosen[k];
    if (n >
        0) /* its error: eigenvalues that could not be told apart have stayed behind, and T = Q' S Q as before */
        (void)LAPACKE_dtrsen_work(LAPACK_COL_MAJOR, 'N', 'V', form->select, n, form->T, n, form->Q, n,
                                  form->re, form->im, &head, &condition, &separation, form->work, n,
                                  form->integers, 1);
    if (head > 0 && head < n && form->T[(size_t)(head - 1) * (size_t)n + (size_t)head] != 0.0)
        head++;
    return head;
}
