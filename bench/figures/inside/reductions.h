/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reductions.h - functions of whole columns for expressions of a figure file.
 *
 *     max(x) min(x) sum(x) mean(x) first(x) last(x)      one number; what is not a number stays so
 *     quantile(x, p) median(x)                           linear between the sorted rows; of p = 1/2
 *     least_at(x)                                        the row of the smallest number, from 1; NaN: there is none
 *     rows(x)                                            their number
 *     count(c) all(c) any(c)                             rows in which c is not 0; 1 or 0
 *     slope(h, e)                                        of log e over log h, by least squares
 *     order(h, e[, floor])                               the same over the rows that convergence_order.h takes: neither
 *                                                        pre-asymptotic nor at the floor (per row; none: 0)
 *     order_from(h, e[, floor]) order_to(h, e[, floor])  the range of h of these rows
 *     used(h, e[, floor])                                a column: 1 in these rows, else 0
 *     work_at(w, e, level)                               the least work w with which one of the runs reaches an error: study_work.h
 *     previous(x)                                        a column: the row before, NaN in the first
 *     where(x, c)                                        a column: the rows in which c is not 0
 *
 * max and min of two arguments are the functions of expressions.h, row by row. Without rows the numbers are NaN, count is 0, all 1,
 * any 0. */
#pragma once

#include "column.h"

enum { MS_REDUCTION_ARGUMENTS = 3 };

typedef struct ms_reduction ms_reduction;

/* The reduction of that name (length letters) with n arguments; NULL: none. */
const ms_reduction *ms_reduction_find(const char *name, size_t length, int n);

/* Is one called so, with whatever number of arguments, and no function of expressions.h? */
bool ms_reduction_known(const char *name, size_t length);

/* Errors: MS_INVALID (columns of different lengths), MS_NO_MEMORY. */
int ms_reduction_apply(const ms_reduction *reduction, int n, const ms_number_column *arguments,
                       ms_number_column *result, ms_error *error);
