/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "graph_text.h"

#include "dot_text.h"
#include "evaluation_order_answer.h"
#include "text_stream.h"

#include <stdlib.h>

/* Okabe and Ito's vermillion and blue, as in the other figures. */
#define LOOP_COLOUR "#d55e00"
#define FEED_COLOUR "#0072b2"

typedef struct picture {
    FILE *file;
    const ms_system *system;
    const ms_dependency_graph *d;
    const ms_evaluation_order *order;
    const int *group;
    int *place; /* (nodes): group of the order, from 1; 0: none */
    int hidden; /* index of the source of offsets, which is not counted; 0: none */
} picture;

static int stands_for(const picture *p, int node)
{
    return p->group != NULL ? p->group[node] : node;
}

static const char *name_of(const picture *p, int node)
{
    const ms_system *s = p->system;
    const int i = p->d->subsystem[node];
    return ms_dependency_is_output(p->d, node) ? s->sub[i].y[node - s->nu - s->y_at[i]].name
                                               : s->sub[i].u[node - s->u_at[i]].name;
}

static bool in_loop(const picture *p, int node)
{
    return p->order != NULL && p->order->loop[p->place[node] - 1];
}

/* The place of a node in the order, without what is not counted. */
static int shown_place(const picture *p, int node)
{
    return p->place[node] - (p->hidden > 0 && p->hidden < p->place[node]);
}

/* A node with the names of all that it means, three a line, and its place or places. */
static void write_node(const picture *p, int node)
{
    const bool output = ms_dependency_is_output(p->d, node), loop = in_loop(p, node);
    int names = 0;
    int first = shown_place(p, node), last = first;
    fprintf(p->file, "        n%d [shape=%s, label=<", node, output ? "ellipse" : "box");
    for (int v = node; v < p->d->graph.n; v++)
        if (stands_for(p, v) == node) {
            const int place = shown_place(p, v);
            first = place < first ? place : first;
            last = place > last ? place : last;
            fputs(names == 0 ? "" : names % 3 == 0 ? ",<BR/>" : ", ", p->file);
            ms_dot_text(name_of(p, v), p->file);
            names++;
        }
    if (p->order != NULL) {
        fprintf(p->file, "<BR/><FONT POINT-SIZE=\"10\">%d", first);
        if (last > first)
            fprintf(p->file, " to %d", last);
        fputs("</FONT>", p->file);
    }
    fprintf(p->file, ">%s];\n", loop ? ", color=\"" LOOP_COLOUR "\", fillcolor=\"#fbe3d2\", penwidth=2" : "");
}

static void write_clusters(const picture *p)
{
    for (int i = 0; i < ms_system_shown(p->system); i++) {
        fprintf(p->file, "    subgraph cluster_%d {\n        margin=8; label=<<B>", i);
        ms_dot_text(p->system->sub[i].name, p->file);
        fputs("</B>>; labelloc=t; labeljust=l; style=\"rounded,filled\"; color=\"#999999\"; "
              "fillcolor=\"#f4f4f4\";\n",
              p->file);
        for (int v = 0; v < p->d->graph.n; v++)
            if (p->d->subsystem[v] == i && stands_for(p, v) == v)
                write_node(p, v);
        fputs("    }\n", p->file);
    }
}

/* The gain of the wires from an output to an input; they add up. */
static double gain_of(const ms_system *s, int output, int input)
{
    double sum = 0.0;
    for (int wire = s->row_at[input]; wire < s->row_at[input + 1]; wire++)
        if (s->wire_output[wire] == output)
            sum += s->wire_gain[wire];
    return sum;
}

static void write_edge(const picture *p, int from, int to, int kind)
{
    static const char *const kinds[] = {"wire", "feed-through", "derivative"};
    static const char *const styles[] = {"solid", "dashed", "dotted"};
    const bool loop = p->order != NULL && p->place[from] == p->place[to] && in_loop(p, from);
    fprintf(p->file, "    n%d -> n%d [style=%s, tooltip=\"%s\", color=\"%s\"", stands_for(p, from),
            stands_for(p, to), styles[kind], kinds[kind],
            loop                         ? LOOP_COLOUR
            : kind == MS_DEPENDENCY_WIRE ? "black"
                                         : FEED_COLOUR);
    if (kind == MS_DEPENDENCY_WIRE) {
        const double gain = gain_of(p->system, from - p->system->nu, to);
        if (gain != 1.0)
            fprintf(p->file, ", label=\"%.3g\"", gain);
    }
    fputs("];\n", p->file);
}

/* Is an edge of the same kind between the same drawn nodes among those of node `from` before e? */
static bool is_drawn(const picture *p, int from, int e)
{
    const ms_digraph *graph = &p->d->graph;
    for (int k = graph->at[from]; k < graph->at[from + 1] && k < e; k++)
        if (p->d->kind[k] == p->d->kind[e] && stands_for(p, graph->to[k]) == stands_for(p, graph->to[e]))
            return true;
    return false;
}

static void write_edges(const picture *p)
{
    const ms_digraph *graph = &p->d->graph;
    for (int v = 0; v < graph->n; v++)
        for (int e = graph->at[v]; e < graph->at[v + 1]; e++) {
            bool drawn = is_drawn(p, v, e);
            for (int other = 0; other < v && p->group != NULL && !drawn; other++)
                drawn = stands_for(p, other) == stands_for(p, v) && is_drawn(p, other, e);
            if (!drawn && ms_dependency_is_shown(p->system, v))
                write_edge(p, v, graph->to[e], p->d->kind[e]);
        }
}

static void write_legend(const picture *p)
{
    bool slopes = false, loops = false;
    for (int e = 0; e < p->d->graph.at[p->d->graph.n]; e++)
        slopes |= p->d->kind[e] == MS_DEPENDENCY_SLOPE;
    for (int k = 0; p->order != NULL && k < p->order->n_groups; k++)
        loops |= p->order->loop[k];
    /* Each colour has a line of its own: viewers measure letters otherwise, and pieces side by side run together. */
    fputs("    label=<<FONT POINT-SIZE=\"10\">box: input, ellipse: output; solid: wire (gain 1 unless "
          "labelled)<BR/>"
          "<FONT COLOR=\"" FEED_COLOUR "\">dashed: feed-through</FONT>",
          p->file);
    if (slopes)
        fputs("<BR/><FONT COLOR=\"" FEED_COLOUR "\">dotted: through a time derivative</FONT>", p->file);
    if (p->order != NULL)
        fputs("<BR/>number: place in the evaluation order", p->file);
    if (loops)
        fputs("<BR/><FONT COLOR=\"" LOOP_COLOUR "\">orange: algebraic loop</FONT>", p->file);
    fputs("</FONT>>; labelloc=b;\n", p->file);
}

static void write_picture(const picture *p, const char *title)
{
    fputs(
        "digraph {\n    rankdir=LR; fontname=\"DejaVu Sans\"; nodesep=0.2; ranksep=0.45; pad=0.15; margin=0;\n"
        "    node [fontname=\"DejaVu Sans\", fontsize=12, style=filled, fillcolor=white, height=0.3, "
        "margin=\"0.08,0.04\"];\n"
        "    edge [fontname=\"DejaVu Sans\", fontsize=9, arrowsize=0.7];\n",
        p->file);
    if (title != NULL) {
        fputs("    tooltip=\"", p->file);
        ms_dot_text(title, p->file);
        fputs("\";\n", p->file);
    }
    write_legend(p);
    write_clusters(p);
    write_edges(p);
    fputs("}\n", p->file);
}

char *ms_graph_text(const ms_system *system, const ms_dependency_graph *d, const ms_evaluation_order *order,
                    const int *group, const char *title)
{
    ms_text_stream stream;
    picture p = {.system = system,
                 .d = d,
                 .order = order,
                 .group = group,
                 .place = calloc((size_t)d->graph.n + 1, sizeof(int)),
                 .file = ms_text_open(&stream)};
    if (p.place != NULL && p.file != NULL) {
        for (int k = 0; order != NULL && k < order->n_groups; k++)
            for (int at = order->at[k]; at < order->at[k + 1]; at++)
                p.place[order->node[at]] = k + 1;
        const int shown = system->nu + system->y_at[ms_system_shown(system)];
        p.hidden = shown < d->graph.n ? p.place[shown] : 0;
        write_picture(&p, title);
    }
    char *text = ms_text_close(&stream);
    if (p.place == NULL) {
        free(text);
        text = NULL;
    }
    free(p.place);
    return text;
}
