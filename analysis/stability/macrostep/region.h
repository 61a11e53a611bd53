/* SPDX-License-Identifier: GPL-3.0-or-later */
/* region.h - where a function of two variables lies below a level: maps on a grid, boundary curves, and
 * intervals on a line.
 *
 * The function is a field, in practice a spectral radius rho(x, y): a point is stable where rho <= level.
 * Evaluations are shared by threads; no result depends on their number. */
#pragma once

#include <macrostep/c_linkage.h>
#include <macrostep/thread_pool.h>

MS_C_LINKAGE_BEGIN

/* A radius of 1 up to this counts as stable: conservative problems have rho = 1 exactly, and round-off lies
 * far below. */
#define MS_REGION_TOLERANCE 1e-10
#define MS_REGION_LEVEL     (1.0 + MS_REGION_TOLERANCE)

enum { MS_FIELD_EIGENVALUES_MAX = 64 };

typedef struct ms_field {
    void *self;
    /* OPTIONAL: the private data of one thread; without it the context is self. */
    int (*open)(void *self, void **context, ms_error *error);
    void (*close)(void **context); /* OPTIONAL, NULL-safe */
    /* REQUIRED: a function of (x, y) only. NaN if undefined; a status other than MS_OK ends the work. */
    int (*value)(void *context, double x, double y, double *value, ms_error *error);
    /* OPTIONAL: of a spectral radius the eigenvalues that it is the largest modulus of, in any order, as pairs re, im
     * (2 MS_FIELD_EIGENVALUES_MAX); *n: their number, 0 where they are more than that or there are none. Errors as above. */
    int (*eigenvalues)(void *context, double x, double y, int *n, double *values, ms_error *error);
} ms_field;

/* Nodes (x[i], y[j]), both strictly monotonic, at least two each and at most MS_REGION_GRID_MAX in all;
 * values are stored by rows: value[j nx + i]. */
typedef struct ms_region_grid {
    int nx, ny;
    const double *x, *y;
} ms_region_grid;

enum { MS_REGION_GRID_MAX = 100000000 };

/* Does every value exceed the one before, or every one fall below it? */
bool ms_region_monotonic(int n, const double *x);

/* The field at all nodes into value (ny x nx). Errors: those of the field, MS_NO_MEMORY, MS_INVALID (grid),
 * MS_INTERRUPTED. */
int ms_region_map(const ms_field *field, const ms_region_grid *grid, const ms_effort *effort, double *value,
                  ms_error *error);

/* The pieces of rows that threads share, and others may: their number; piece k begins at node (i, j), the number of its
 * nodes is returned; and the field at these into value (that many). */
int ms_region_pieces(const ms_region_grid *grid);
int ms_region_piece(const ms_region_grid *grid, int k, int *i, int *j);
int ms_region_map_piece(const ms_field *field, void *context, const ms_region_grid *grid, int k,
                        double *value, ms_error *error);

/* How a curve crosses an edge of the grid. Flat: within the tolerance the value moves by less than
 * MS_REGION_TOLERANCE, so that the place depends on the definition of stable. Steep: the slope is unbounded, as that of a
 * radius where eigenvalues meet, and the value approaches the level as closely as round-off of the place allows. Jump:
 * the value jumps over the level. Undefined: beyond the place there is no finite value. */
typedef enum {
    MS_CROSSING_REGULAR,
    MS_CROSSING_FLAT,
    MS_CROSSING_STEEP,
    MS_CROSSING_JUMP,
    MS_CROSSING_UNDEFINED,
    MS_CROSSING_KINDS
} ms_crossing_kind;
extern const char *const ms_crossing_names[MS_CROSSING_KINDS]; /* "regular", "flat", .. */

/* How near a point lies to the curve, relative, where nothing else is said. */
#define MS_BOUNDARY_TOLERANCE 1e-6

/* The curves value = level. Curve k has the points begin[k] .. begin[k+1]-1, pairs (x, y), with the stable
 * side to the left in the plane of indices; a closed one repeats its first point, an open one ends at the
 * frame or where the field is NaN. */
typedef struct ms_boundary {
    int n;
    int *begin;                   /* (n + 1) */
    double *points;               /* (2 begin[n]) */
    unsigned char *kind;          /* (begin[n]): ms_crossing_kind */
    int kinds[MS_CROSSING_KINDS]; /* points of each */
    double width;                 /* the largest bracket, see below; without undefined ones */
    double residual;              /* the largest |value - level| at a point that is regular or flat */
    long evaluations;             /* of the field, each node at most once */
    int spacing;                  /* of the coarse grid, in lines of the grid */
    int islands;                  /* curves that only the known values have shown */
} ms_boundary;

/* Traces the boundary without the full grid: a coarse grid, all nodes between two neighbours of it that differ in
 * stability, a search around its nodes whose values come closest to the level, and then the cells of the grid one
 * after the other along each curve (marching squares; saddles are decided by the value in their middle).
 *
 * Each point lies on an edge of the grid, in a bracket: two places of which one is stable and one is not. It is narrowed
 * until it is at most `tolerance` wide, relative to the larger of its ends; to that of the edge, where the edge holds 0.
 * Every edge is treated, whatever its values (region_trace_place.c): NaN counts as unstable, and if the value is undefined
 * between the nodes (between whole numbers), the bracket is the edge, as the kind tells.
 *
 * What the resolution guarantees: with n lines on the shorter side, the coarse grid takes every s-th line, s = n/64
 * between 1 and 16, and the last one. Every curve is found, and in its whole length, that crosses the line between two
 * neighbouring coarse nodes of different stability. So is every region, stable or unstable, that holds a coarse
 * node and of whose coarse nodes one has a neighbour on the other side; as a rule these are all that contain a disc 1.42
 * s lines across (a 45th of the shorter side, where s < 16), but for those that on all sides lie closer than s
 * lines to another region of their kind. Regions between the coarse lines are found if the search leads there, and may be
 * missed otherwise: small islands, narrow bands, thin gaps. Regions narrower than a line cannot be seen. With s = 1 (up to
 * 127 lines) or `known`, every curve between neighbouring nodes of different stability is found.
 *
 * known: values of ms_region_map, or NULL. They replace evaluations (which are counted all the same), and
 * curves that the coarse grid misses are added. Errors as above. */
int ms_region_trace(const ms_field *field, const ms_region_grid *grid, double level, double tolerance,
                    const double *known, const ms_effort *effort, ms_boundary *boundary, ms_error *error);
void ms_boundary_destroy(ms_boundary *boundary); /* safe to repeat */

/* Where x -> field(x, 0) is stable within [0, end]. */
typedef struct ms_critical {
    double first; /* end of the interval that begins at 0; 0: none; NaN: stable to the end */
    int n;
    double (*interval)[2]; /* (n): ascending, disjoint */
    long evaluations;
    /* For a field with eigenvalues: how often two of them of modulus above 1/2 pass each other's angle in [0, end], according
     * to their derivatives at the points of the scan, NaN if there are none; and how many of these places were
     * examined. */
    double crossings;
    long looked_into;
} ms_critical;

/* Scans [0, end] (equal steps of end/2000, below them 40 points a decade down to 1e-6 end), examines local extrema of the
 * scan and places where eigenvalues meet (region_resonance.c), and bisects every change to 1e-10 of its place. A radius
 * above 1 that grows as a power of x from 0 on is unstable from the start, although it crosses the level later. NaN counts
 * as unstable. Errors as above.
 *
 * What is found: every change between neighbouring points of the scan of different stability, and, as a rule, every
 * interval in which two eigenvalues that meet push each other over the circle, whatever its width. Possibly missed:
 * intervals narrower than the scan with other causes; meetings that were not examined, and those of eigenvalues whose
 * logarithms curve between two points of the scan by more than their distance. Nothing here is a proof. */
int ms_region_critical(const ms_field *field, double end, const ms_effort *effort, ms_critical *critical,
                       ms_error *error);
/* The same between nodes whose values are known: x (n) strictly monotonic. If the stability of neighbours differs, the
 * change is bisected to 1e-10 of its place; intervals between nodes that agree are not examined. first: the end of the
 * interval that begins at the smallest x; NaN: stable to the end. Errors as above. */
int ms_region_intervals(const ms_field *field, int n, const double *x, const double *known,
                        const ms_effort *effort, ms_critical *critical, ms_error *error);
void ms_critical_destroy(ms_critical *critical); /* safe to repeat */

MS_C_LINKAGE_END
