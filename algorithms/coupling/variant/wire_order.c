/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wire_order.h"

static bool any(const double *values, int n, int stride)
{
    for (int k = 0; k < n; k++)
        if (values[k * stride] != 0.0)
            return true;
    return false;
}

static bool is_linear(const ms_system *s, int i)
{
    return s->sub[i].matrices != NULL;
}

/* Can input l of subsystem i move anything? */
static bool is_taken(const ms_system *s, int i, int l)
{
    const int nu = s->sub[i].nu;
    return !is_linear(s, i) || any(s->blocks[i].B + l, s->sub[i].nx, nu) ||
           any(s->blocks[i].D + l, s->sub[i].ny, nu);
}

/* Can output j of subsystem i be other than zero? */
static bool is_given(const ms_system *s, int i, int j)
{
    const int nx = s->sub[i].nx, nu = s->sub[i].nu;
    return !is_linear(s, i) || s->sub[i].nw > 0 || any(s->blocks[i].C + (long)j * nx, nx, 1) ||
           any(s->blocks[i].D + (long)j * nu, nu, 1);
}

/* Wire w ends at input l of subsystem i. */
static bool is_felt(const ms_system *s, int w, int i, int l)
{
    const int output = s->wire_output[w], owner = ms_system_owner(s, output);
    return s->wire_gain[w] != 0.0 && is_taken(s, i, l) && is_given(s, owner, output - s->y_at[owner]);
}

/* A wire, numbered by rows of L. */
typedef struct wire {
    int w;
    int from, output; /* subsystem, and its output */
    int to, input;    /* subsystem, and its input */
} wire;

/* The first wire from at->w on that is felt and ends at subsystem at->to. */
static bool felt_into(const ms_system *s, wire *at)
{
    const int *row = s->row_at + s->u_at[at->to];
    for (; at->w < row[s->sub[at->to].nu]; at->w++) {
        while (row[at->input + 1] <= at->w)
            at->input++;
        at->from = ms_system_owner(s, s->wire_output[at->w]);
        at->output = s->wire_output[at->w] - s->y_at[at->from];
        if (is_felt(s, at->w, at->to, at->input))
            return true;
    }
    return false;
}

static wire first_into(const ms_system *s, int i)
{
    return (wire){.w = s->row_at[s->u_at[i]], .to = i};
}

bool ms_wires_run_forward(const ms_system *system, const int *rank)
{
    for (int i = 0; i < system->n; i++)
        for (wire at = first_into(system, i); felt_into(system, &at); at.w++)
            if (rank[at.from] >= rank[i])
                return false;
    return true;
}

bool ms_wires_turn_back(const ms_system *system)
{
    for (int i = 0; i < system->n; i++)
        for (wire at = first_into(system, i); felt_into(system, &at); at.w++)
            if (at.from == i)
                return true;
    return false;
}

/* The first wire from at->w on into the subsystem of `out` to which `out` responds directly. */
static bool passes_into(const ms_system *s, const wire *out, wire *at)
{
    for (; felt_into(s, at); at->w++)
        if (ms_subsystem_feeds_through(s, at->to, out->output, at->input))
            return true;
    return false;
}

/* May `out` depend directly on its subsystem's inputs? */
static bool is_direct(const ms_system *s, const wire *out)
{
    return s->feed_through[s->wire_output[out->w]];
}

static bool runs_straight(const ms_system *s, const wire *out, const int *rank)
{
    const bool forth = rank[out->from]<rank[out->to], back = rank[out->from]> rank[out->to];
    for (wire in = first_into(s, out->from); passes_into(s, out, &in); in.w++)
        if (!(forth && rank[in.from] < rank[in.to]) && !(back && rank[in.from] > rank[in.to]))
            return false;
    return true;
}

bool ms_feed_through_runs_straight(const ms_system *system, const int *rank)
{
    for (int i = 0; i < system->n; i++)
        for (wire out = first_into(system, i); felt_into(system, &out); out.w++)
            if (is_direct(system, &out) && !runs_straight(system, &out, rank))
                return false;
    return true;
}

/* Does the output of a wire to which `out` responds directly itself depend directly on an input? */
static bool is_chained(const ms_system *s, const wire *out)
{
    for (wire in = first_into(s, out->from); passes_into(s, out, &in); in.w++) {
        wire further = first_into(s, in.from);
        if (is_direct(s, &in) && passes_into(s, &in, &further))
            return true;
    }
    return false;
}

bool ms_feed_through_is_chained(const ms_system *system)
{
    for (int i = 0; i < system->n; i++)
        for (wire out = first_into(system, i); felt_into(system, &out); out.w++)
            if (is_direct(system, &out) && is_chained(system, &out))
                return true;
    return false;
}
