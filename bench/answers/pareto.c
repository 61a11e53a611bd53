/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pareto.h"

#include <math.h>
#include <stdlib.h>

#include "json.h"

static double number(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

double ms_pareto_cost(const json_t *row)
{
    const double sensitivities = number(row, "sensitivities");
    return number(row, "integrations") + (isnan(sensitivities) ? 0.0 : sensitivities);
}

/* (cost, error) of all rows; NULL: no memory. */
static double (*points_of(const json_t *rows))[2]
{
    const size_t n = json_array_size(rows);
    double(*point)[2] = calloc(n + 1, sizeof *point);
    for (size_t k = 0; point != NULL && k < n; k++) {
        const json_t *row = json_array_get(rows, k);
        point[k][1] = number(row, "error");
        point[k][0] = isnan(point[k][1]) ? (double)NAN : ms_pareto_cost(row);
    }
    return point;
}

/* Comparisons with NaN are false. */
static bool beats(const double a[2], const double b[2])
{
    return a[0] <= b[0] && a[1] <= b[1] && (a[0] < b[0] || a[1] < b[1]);
}

/* Rank of the rows that no unranked one beats, again and again. */
static void rank_fronts(size_t n, double (*point)[2], json_int_t *rank)
{
    bool more = true;
    for (json_int_t front = 1; more; front++) {
        more = false;
        for (size_t k = 0; k < n; k++) {
            bool on = rank[k] == 0 && !isnan(point[k][1]);
            for (size_t i = 0; on && i < n; i++)
                on = (rank[i] != 0 && rank[i] != front) || !beats(point[i], point[k]);
            rank[k] = on ? front : rank[k];
            more = more || on;
        }
    }
}

static void rank_by(size_t n, double (*point)[2], int of, json_int_t *rank)
{
    for (size_t k = 0; k < n; k++) {
        rank[k] = isnan(point[k][1]) ? 0 : 1;
        for (size_t i = 0; i < n && rank[k] > 0; i++)
            rank[k] += point[i][of] < point[k][of];
    }
}

/* Rank and cost of each row; returns 0, or -1 without memory. */
static int set(json_t *rows, double (*point)[2], const json_int_t *rank)
{
    int failed = 0;
    for (size_t k = 0; k < json_array_size(rows); k++) {
        json_t *row = json_array_get(rows, k);
        failed |= json_object_set_new(
            row, "cost", isnan(point[k][0]) ? json_null() : json_integer((json_int_t)point[k][0]));
        failed |= json_object_set_new(row, "rank", rank[k] > 0 ? json_integer(rank[k]) : json_null());
    }
    return failed;
}

int ms_pareto_rank(json_t *rows, int by)
{
    const size_t n = json_array_size(rows);
    double(*point)[2] = points_of(rows);
    json_int_t *rank = calloc(n + 1, sizeof *rank);
    int status = point != NULL && rank != NULL ? MS_OK : MS_NO_MEMORY;
    if (status == MS_OK && by == MS_RANK_PARETO)
        rank_fronts(n, point, rank);
    else if (status == MS_OK)
        rank_by(n, point, by == MS_RANK_ERROR ? 1 : 0, rank);
    if (status == MS_OK && set(rows, point, rank) != 0)
        status = MS_NO_MEMORY;
    MS_FREE(point, rank);
    return status;
}
