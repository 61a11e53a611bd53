/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "partition.h"

#include <math.h>
#include <stdlib.h>

/* Blocks ------------------------------------------------------------------------------------------------- */

void ms_partition_cut(int n, const double *cost, const bool *joined, int ranks, int *first)
{
    double sum = 0.0, before = 0.0;
    int at = 0;
    for (int i = 0; i < n; i++)
        sum += cost[i];
    first[0] = 0;
    for (int k = 1; k < ranks; k++) {
        const double share = sum * k / ranks;
        double reached = before;
        for (int i = at; i < n && before < share; i++) {
            reached += cost[i];
            if (joined != NULL && i + 1 < n && joined[i])
                continue; /* no cut after i */
            if (fabs(reached - share) >= fabs(before - share))
                break;
            before = reached;
            at = i + 1;
        }
        first[k] = at;
    }
    first[ranks] = n;
}

/* Subsystems a and b, and all between them, stay together. */
static void join(bool *joined, int a, int b)
{
    for (int i = a < b ? a : b; i < (a < b ? b : a); i++)
        joined[i] = true;
}

/* Does a solved output of subsystem i depend on its input l? */
static bool solves_with(const ms_system *s, int i, int l)
{
    for (int j = 0; j < s->sub[i].ny; j++)
        if (s->feed_through[s->y_at[i] + j] && ms_subsystem_feeds_through(s, i, j, l))
            return true;
    return false;
}

/* Joins subsystem i with the subsystems on whose solved outputs its own depend. */
static void join_feeders(const ms_system *s, int i, bool *joined)
{
    for (int l = 0; l < s->sub[i].nu; l++) {
        if (!solves_with(s, i, l))
            continue;
        for (int w = s->row_at[s->u_at[i] + l]; w < s->row_at[s->u_at[i] + l + 1]; w++)
            if (s->feed_through[s->wire_output[w]])
                join(joined, i, ms_system_owner(s, s->wire_output[w]));
    }
}

int ms_partition_create(const ms_system *s, int ranks, bool together, ms_partition *partition,
                        ms_error *error)
{
    const size_t n = (size_t)s->n;
    double *cost = malloc(sizeof *cost * (n + 1));
    bool *joined = calloc(n + 1, sizeof *joined);
    *partition = (ms_partition){ranks, calloc((size_t)ranks + 1, sizeof *partition->first)};
    const bool allocated = cost != NULL && joined != NULL && partition->first != NULL;
    for (int i = 0; i < s->n && allocated; i++) {
        cost[i] = s->sub[i].nx + s->sub[i].ny + 1;
        if (together)
            join_feeders(s, i, joined);
    }
    if (allocated)
        ms_partition_cut(s->n, cost, joined, ranks, partition->first);
    else
        ms_partition_destroy(partition);
    MS_FREE(cost, joined);
    return allocated ? MS_OK
                     : ms_fail(error, MS_NO_MEMORY, "not enough memory for the blocks of %d ranks", ranks);
}

void ms_partition_destroy(ms_partition *partition)
{
    free(partition->first);
    *partition = (ms_partition){0};
}

int ms_partition_rank(const ms_partition *partition, int i)
{
    return ms_owner_of(partition->first, partition->ranks, i);
}

/* Exchange ----------------------------------------------------------------------------------------------- */

/* An output on its way between this rank and another. */
typedef struct passage {
    int rank;    /* the other one */
    bool solved; /* the output has feed-through */
    int output;
} passage;

static int compare(const void *one, const void *other)
{
    const passage *a = one, *b = other;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->solved != b->solved)
        return a->solved ? 1 : -1;
    return (a->output > b->output) - (a->output < b->output);
}

/* Sorts, and drops duplicates. Returns the remaining number. */
static int tidy(passage *list, int n)
{
    int kept = 0;
    qsort(list, (size_t)n, sizeof *list, compare);
    for (int k = 0; k < n; k++)
        if (kept == 0 || compare(&list[k], &list[kept - 1]) != 0)
            list[kept++] = list[k];
    return kept;
}

/* Lists what wires carry into the rank (in) or out of it; list NULL: only counts. An output may occur several
 * times. */
static int find(const ms_system *s, const ms_partition *p, int rank, bool in, passage *list)
{
    const int first = p->first[rank], last = p->first[rank + 1], begin = s->y_at[first], end = s->y_at[last];
    int n = 0;
    for (int i = in ? first : 0; i < (in ? last : s->n); i++) {
        if (!in && i >= first && i < last)
            continue;
        for (int w = s->row_at[s->u_at[i]]; w < s->row_at[s->u_at[i + 1]]; w++) {
            const int output = s->wire_output[w];
            if ((output >= begin && output < end) == in)
                continue;
            if (list != NULL)
                list[n] = (passage){ms_partition_rank(p, in ? ms_system_owner(s, output) : i),
                                    s->feed_through[output], output};
            n++;
        }
    }
    return n;
}

/* The sorted list, to be freed; *n: its length. */
static passage *passages(const ms_system *s, const ms_partition *p, int rank, bool in, int *n)
{
    *n = find(s, p, rank, in, NULL);
    passage *list = malloc(sizeof *list * ((size_t)*n + 1));
    if (list != NULL)
        *n = tidy(list, find(s, p, rank, in, list));
    return list;
}

static int count_neighbours(const passage *in, int n_in, const passage *out, int n_out)
{
    int n = 0;
    for (int i = 0, o = 0; i < n_in || o < n_out; n++) {
        const int rank = o == n_out || (i < n_in && in[i].rank <= out[o].rank) ? in[i].rank : out[o].rank;
        while (i < n_in && in[i].rank == rank)
            i++;
        while (o < n_out && out[o].rank == rank)
            o++;
    }
    return n;
}

/* Takes the entries for the same rank from list[*k] on into outputs. Returns their number, *solved of them solved. */
static int take(const passage *list, int n, int *k, int rank, int *outputs, int *solved)
{
    const int begin = *k;
    for (; *k < n && list[*k].rank == rank; ++*k) {
        outputs[*k] = list[*k].output;
        *solved += list[*k].solved;
    }
    return *k - begin;
}

static void fill(ms_exchange *e, const passage *in, const passage *out)
{
    for (int k = 0, i = 0, o = 0; k < e->n; k++) {
        ms_neighbour *of = &e->neighbour[k];
        of->rank =
            o == e->n_send || (i < e->n_receive && in[i].rank <= out[o].rank) ? in[i].rank : out[o].rank;
        of->receive = e->receive + i;
        of->send = e->send + o;
        of->n_receive = take(in, e->n_receive, &i, of->rank, e->receive, &of->solved_receive);
        of->n_send = take(out, e->n_send, &o, of->rank, e->send, &of->solved_send);
    }
}

int ms_exchange_create(const ms_system *s, const ms_partition *p, int rank, ms_exchange *e, ms_error *error)
{
    *e = (ms_exchange){0};
    passage *in = passages(s, p, rank, true, &e->n_receive), *out = passages(s, p, rank, false, &e->n_send);
    bool allocated = in != NULL && out != NULL;
    if (allocated) {
        e->n = count_neighbours(in, e->n_receive, out, e->n_send);
        e->neighbour = calloc((size_t)e->n + 1, sizeof *e->neighbour);
        e->receive = calloc((size_t)(e->n_receive + e->n_send) + 1, sizeof *e->receive);
        allocated = e->neighbour != NULL && e->receive != NULL;
    }
    if (allocated) {
        e->send = e->receive + e->n_receive;
        fill(e, in, out);
    } else {
        ms_exchange_destroy(e);
    }
    MS_FREE(in, out);
    return allocated ? MS_OK
                     : ms_fail(error, MS_NO_MEMORY, "not enough memory for the exchange of rank %d", rank);
}

void ms_exchange_destroy(ms_exchange *exchange)
{
    MS_FREE(exchange->neighbour, exchange->receive);
    *exchange = (ms_exchange){0};
}
