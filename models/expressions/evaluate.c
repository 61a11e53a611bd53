/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evaluate.c - values and derivatives of a program. */
#include <math.h>

#include "expressions_parts.h"
#include "program.h"
#include "switches.h"

/* Sides --------------------------------------------------------------------------------------------------- */

/* The whole number below a where sin(pi a) has the sign of `side`: it is even where that is positive. Behind a switch it is the one of
 * before, as long as a is nearer to that switch than to the next. */
static double whole_below(double a, double side)
{
    const double whole = floor(a);
    const bool even = fmod(whole, 2.0) == 0.0;
    if (even == (side > 0.0))
        return whole;
    return a - whole < 0.5 ? whole - 1.0 : whole + 1.0;
}

/* Towards zero. */
static double whole_within(double a, double side)
{
    const double whole = whole_below(a, side);
    return whole < 0.0 && whole != a ? whole + 1.0 : whole;
}

/* a - q b, as the operation has it where q is the number of before. */
static double rest(const ms_instruction *at, double q, double before, double a, double b)
{
    return q == before ? ms_operation_value((ms_operation)at->operation, a, b, 0.0) : a - q * b;
}

/* An angle does not jump where a passes zero behind the origin. */
static double turn(double side, double a, double b)
{
    static const double pi = 3.14159265358979323846;
    const double angle = atan2(a, b);
    if (b < 0.0 && side > 0.0 && angle < 0.0)
        return angle + 2.0 * pi;
    return b < 0.0 && side < 0.0 && angle > 0.0 ? angle - 2.0 * pi : angle;
}

/* The value of an operation whose switching function is positive (side > 0), or negative. Steps, as floor, stay at the whole number of
 * that side up to half a step beyond it. */
static double side_value(const ms_instruction *at, double side, double a, double b, double c)
{
    const bool positive = side > 0.0;
    switch (at->operation) {
    case MS_OF_ABS:
        return positive ? a : -a;
    case MS_OF_SIGN:
        return positive ? 1.0 : -1.0;
    case MS_OF_NOT:
    case MS_OF_EQUAL:
        return 0.0;
    case MS_OF_UNEQUAL:
        return 1.0;
    case MS_OF_IF:
        return b;
    case MS_OF_LESS:
    case MS_OF_LESS_EQUAL:
        return positive ? 0.0 : 1.0;
    case MS_OF_GREATER:
    case MS_OF_GREATER_EQUAL:
        return positive ? 1.0 : 0.0;
    case MS_OF_MIN:
        return positive ? b : a;
    case MS_OF_MAX:
        return positive ? a : b;
    case MS_OF_FDIM:
        return positive ? a - b : 0.0;
    case MS_OF_FLOOR:
        return whole_below(a, side);
    case MS_OF_CEIL:
        return -whole_below(-a, side);
    case MS_OF_ROUND:
    case MS_OF_RINT:
        return whole_below(a + 0.5, side);
    case MS_OF_TRUNC:
        return whole_within(a, side);
    case MS_OF_FMOD:
        return rest(at, whole_within(a / b, side), trunc(a / b), a, b);
    case MS_OF_MOD:
        return rest(at, whole_below(a / b, side), floor(a / b), a, b);
    case MS_OF_REMAINDER:
        return rest(at, whole_below(a / b + 0.5, side), rint(a / b), a, b);
    case MS_OF_LDEXP:
        return a * exp2(whole_within(b, side));
    case MS_OF_ATAN2:
        return turn(side, a, b);
    default:
        return ms_operation_value((ms_operation)at->operation, a, b, c);
    }
}

/* Its partial derivatives by the operands, where its value is r. */
static void side_partials(const ms_instruction *at, double side, double a, double b, double c, double r,
                          double partial[3])
{
    const double first = side > 0.0 ? 1.0 : 0.0;
    ms_operation_partials((ms_operation)at->operation, a, b, c, r, partial);
    switch (at->operation) {
    case MS_OF_ABS:
        partial[0] = 2.0 * first - 1.0;
        break;
    case MS_OF_IF:
        partial[1] = 1.0;
        partial[2] = 0.0;
        break;
    case MS_OF_MIN:
        partial[0] = 1.0 - first;
        partial[1] = first;
        break;
    case MS_OF_MAX:
        partial[0] = first;
        partial[1] = 1.0 - first;
        break;
    case MS_OF_FDIM:
        partial[0] = first;
        partial[1] = -first;
        break;
    case MS_OF_FMOD:
    case MS_OF_MOD:
    case MS_OF_REMAINDER:
        partial[1] = -rint((a - r) / b);
        break;
    case MS_OF_LDEXP:
        partial[0] = exp2(whole_within(b, side));
        break;
    default:
        break;
    }
}

/* So many columns of derivatives are taken along at once. */
enum { WIDTH = 4 };

static inline double read_variable(const ms_instruction *at, const double *const of[MS_NAME_GROUPS])
{
    return of[at->a] != NULL ? of[at->a][at->b] : 0.0;
}

/* Instructions from `begin` to `end`; results count from `first`. Each case has the operands that its operation has. */
static int run(const ms_program *program, int begin, int end, int first,
               const double *const of[MS_NAME_GROUPS], double *result)
{
    double r[MS_REGISTERS_MAX];
    int status = 0;
#define CASE_1(symbol, name, value, derivative, second, text)                                                \
    case MS_OF_##symbol: {                                                                                   \
        const double a = r[at->a];                                                                           \
        r[at->to] = value;                                                                                   \
        break;                                                                                               \
    }
#define CASE_2(symbol, name, value, by_a, by_b, second, text)                                                \
    case MS_OF_##symbol: {                                                                                   \
        const double a = r[at->a], b = r[at->b];                                                             \
        r[at->to] = value;                                                                                   \
        break;                                                                                               \
    }
#define CASE_3(symbol, name, value, by_a, by_b, by_c, second, text)                                          \
    case MS_OF_##symbol: {                                                                                   \
        const double a = r[at->a], b = r[at->b], c = r[at->c];                                               \
        r[at->to] = value;                                                                                   \
        break;                                                                                               \
    }
    for (const ms_instruction *at = program->code + begin; at < program->code + end; at++)
        switch (at->operation) {
        case MS_OF_VARIABLE:
            r[at->to] = read_variable(at, of);
            break;
        case MS_OF_NUMBER:
            r[at->to] = at->value;
            break;
        case MS_OF_RESULT:
            result[at->a - first] = r[at->to];
            status |= !isfinite(r[at->to]);
            break;
            MS_FUNCTIONS_OF_ONE(CASE_1)
            MS_FUNCTIONS_OF_TWO(CASE_2)
            MS_FUNCTIONS_OF_THREE(CASE_3)
        }
#undef CASE_1
#undef CASE_2
#undef CASE_3
    return status;
}

int ms_program_evaluate(const ms_program *program, const double *const of[MS_NAME_GROUPS], double *value)
{
    return run(program, 0, program->n, 0, of, value);
}

int ms_expressions_evaluate(const ms_expressions *e, const double *const of[MS_NAME_GROUPS], double *value)
{
    return ms_program_evaluate(&e->program, of, value);
}

int ms_expressions_evaluate_some(const ms_expressions *e, int first, int n,
                                 const double *const of[MS_NAME_GROUPS], double *value)
{
    return run(&e->program, e->begins[first], e->begins[first + n], first, of, value);
}

/* Sides ------------------------------------------------------------------------------------------------------ */

/* Which instructions are decided by sides: none where `by` is NULL. */
typedef struct decisions {
    const short *by;
    const double *sides;
} decisions;

static decisions decisions_of(const ms_watched *watched, int set, const double *sides)
{
    return (decisions){watched->decided_by[set], sides};
}

/* The side of instruction i; 0: its operands decide. */
static inline double side_of(const decisions *d, int i)
{
    return d->by != NULL && d->by[i] >= 0 ? d->sides[d->by[i]] : 0.0;
}

static double value_on(double side, const ms_instruction *at, double a, double b, double c)
{
    return side != 0.0 ? side_value(at, side, a, b, c)
                       : ms_operation_value((ms_operation)at->operation, a, b, c);
}

int ms_expressions_evaluate_sided(const ms_expressions *e, const ms_watched *watched, int set,
                                  const double *sides, const double *const of[MS_NAME_GROUPS], double *value)
{
    const ms_program *program = &e->program;
    const decisions d = decisions_of(watched, set, sides);
    double r[MS_REGISTERS_MAX];
    int status = 0;
    for (int i = 0; i < program->n; i++) {
        const ms_instruction *at = &program->code[i];
        if (at->operation == MS_OF_VARIABLE)
            r[at->to] = read_variable(at, of);
        else if (at->operation == MS_OF_NUMBER)
            r[at->to] = at->value;
        else if (at->operation == MS_OF_RESULT)
            status |= !isfinite(value[at->a] = r[at->to]);
        else
            r[at->to] = value_on(side_of(&d, i), at, r[at->a], r[at->b], r[at->c]);
    }
    return status;
}

/* Derivatives ------------------------------------------------------------------------------------------------ */

/* Unit vectors of a group, of `width` names from `first` on. */
typedef struct seeds {
    int group, first, width;
} seeds;

static inline double seed_of(const seeds *s, const ms_instruction *at, int column)
{
    return at->a == s->group && at->b == s->first + column ? 1.0 : 0.0;
}

/* d = sum of partial derivatives times those of the operands; for constant operands these are ignored. */
static void chain(const ms_instruction *at, double side, const double *r, double value, double (*d)[WIDTH])
{
    const int operand[] = {at->a, at->b, at->c}, n = ms_operation_table[at->operation].operands;
    double partial[3], sum[WIDTH] = {0.0};
    if (side != 0.0)
        side_partials(at, side, r[at->a], r[at->b], r[at->c], value, partial);
    else
        ms_operation_partials((ms_operation)at->operation, r[at->a], r[at->b], r[at->c], value, partial);
    for (int k = 0; k < n; k++)
        for (int c = 0; c < WIDTH; c++)
            if (d[operand[k]][c] != 0.0 && partial[k] != 0.0)
                sum[c] += partial[k] * d[operand[k]][c];
    for (int c = 0; c < WIDTH; c++)
        d[at->to][c] = sum[c];
}

/* One pass: derivative (n, stride) of all results in `width` columns. */
static int sweep(const ms_program *program, const decisions *decided, const double *const of[MS_NAME_GROUPS],
                 const seeds *s, double *derivative, int stride)
{
    double r[MS_REGISTERS_MAX], d[MS_REGISTERS_MAX][WIDTH];
    int status = 0;
    for (const ms_instruction *at = program->code; at < program->code + program->n; at++) {
        double *own = d[at->to];
        if (at->operation == MS_OF_RESULT) {
            for (int c = 0; c < s->width; c++) {
                derivative[at->a * stride + c] = own[c];
                status |= !isfinite(own[c]);
            }
        } else if (at->operation == MS_OF_VARIABLE) {
            r[at->to] = read_variable(at, of);
            for (int c = 0; c < WIDTH; c++)
                own[c] = seed_of(s, at, c);
        } else if (at->operation == MS_OF_NUMBER) {
            r[at->to] = at->value;
            for (int c = 0; c < WIDTH; c++)
                own[c] = 0.0;
        } else {
            const double side = side_of(decided, (int)(at - program->code)),
                         value = value_on(side, at, r[at->a], r[at->b], r[at->c]);
            chain(at, side, r, value, d);
            r[at->to] = value;
        }
    }
    return status;
}

static int differentiate(const ms_expressions *e, const decisions *decided, int group,
                         const double *const of[MS_NAME_GROUPS], double *M)
{
    const int n = e->n_names[group];
    int status = 0;
    for (int first = 0; first < n; first += WIDTH) {
        const seeds s = {.group = group, .first = first, .width = n - first < WIDTH ? n - first : WIDTH};
        status |= sweep(&e->program, decided, of, &s, M + first, n);
    }
    return status;
}

int ms_expressions_differentiate(const ms_expressions *e, int group, const double *const of[MS_NAME_GROUPS],
                                 double *M)
{
    return differentiate(e, &(decisions){NULL, NULL}, group, of, M);
}

int ms_expressions_differentiate_sided(const ms_expressions *e, const ms_watched *watched, int set,
                                       const double *sides, int group, const double *const of[MS_NAME_GROUPS],
                                       double *M)
{
    const decisions d = decisions_of(watched, set, sides);
    return differentiate(e, &d, group, of, M);
}

/* Along a curve --------------------------------------------------------------------------------------------- */

/* A value on a curve, with its first and second derivative there. */
typedef struct jet {
    double value, first, second;
} jet;

typedef struct curve {
    const double *const *of, *const *first, *const *second; /* by groups; second NULL: zero */
} curve;

static double read_rate(const ms_instruction *at, const double *const *rate)
{
    return rate != NULL && rate[at->a] != NULL ? rate[at->a][at->b] : 0.0;
}

/* What has its sign just ahead. */
static double ahead(jet j)
{
    return j.value != 0.0 ? j.value : j.first != 0.0 ? j.first : j.second;
}

/* Where two pieces meet it is the one ahead that counts: v (3) are operands in it. */
static void choose_piece(int operation, const jet *a, const jet *b, double *v)
{
    const bool pair = operation == MS_OF_MIN || operation == MS_OF_MAX || operation == MS_OF_FDIM;
    if (operation == MS_OF_ABS || operation == MS_OF_COPYSIGN)
        v[0] = ahead(*a);
    if (operation == MS_OF_HYPOT && a->value == 0.0 && b->value == 0.0) {
        const bool first = a->first != 0.0 || b->first != 0.0;
        v[0] = first ? a->first : a->second;
        v[1] = first ? b->first : b->second;
    }
    if (pair && a->value == b->value) {
        v[0] = ahead((jet){0.0, a->first - b->first, a->second - b->second});
        v[1] = 0.0;
    }
}

/* f(a)'' = f''(a) a'^2 + f'(a) a''; for a constant operand derivatives are ignored. */
static jet apply(const ms_instruction *at, const jet *r)
{
    const jet *operand[] = {&r[at->a], &r[at->b], &r[at->c]};
    const ms_operation operation = (ms_operation)at->operation;
    const int n = ms_operation_table[operation].operands;
    double v[3] = {0.0}, d[3] = {0.0}, partial[3];
    bool moves = false;
    for (int k = 0; k < n && k < 3; k++) {
        v[k] = operand[k]->value;
        d[k] = operand[k]->first;
        moves |= d[k] != 0.0;
    }
    jet to = {.value = ms_operation_value(operation, v[0], v[1], v[2])};
    choose_piece(operation, operand[0], operand[1], v);
    const double piece = ms_operation_value(operation, v[0], v[1], v[2]);
    ms_operation_partials(operation, v[0], v[1], v[2], piece, partial);
    to.second = moves ? ms_operation_second(operation, v, piece, d) : 0.0;
    for (int k = 0; k < n && k < 3; k++) {
        if (partial[k] != 0.0 && d[k] != 0.0)
            to.first += partial[k] * d[k];
        if (partial[k] != 0.0 && operand[k]->second != 0.0)
            to.second += partial[k] * operand[k]->second;
    }
    return to;
}

/* Derivatives of all results; either may be NULL. */
static int follow(const ms_program *program, const curve *c, double *first, double *second)
{
    jet r[MS_REGISTERS_MAX];
    int status = 0;
    for (const ms_instruction *at = program->code; at < program->code + program->n; at++) {
        jet *own = &r[at->to];
        if (at->operation == MS_OF_RESULT) {
            if (first != NULL)
                status |= !isfinite(first[at->a] = own->first);
            if (second != NULL)
                status |= !isfinite(second[at->a] = own->second);
        } else if (at->operation == MS_OF_VARIABLE) {
            *own = (jet){read_variable(at, c->of), read_rate(at, c->first), read_rate(at, c->second)};
        } else if (at->operation == MS_OF_NUMBER) {
            *own = (jet){.value = at->value};
        } else {
            *own = apply(at, r);
        }
    }
    return status;
}

int ms_expressions_along(const ms_expressions *e, const double *const of[MS_NAME_GROUPS],
                         const double *const along[MS_NAME_GROUPS], double *derivative)
{
    return follow(&e->program, &(curve){of, along, NULL}, derivative, NULL);
}

int ms_expressions_along_curve(const ms_expressions *e, const double *const of[MS_NAME_GROUPS],
                               const double *const first[MS_NAME_GROUPS],
                               const double *const second[MS_NAME_GROUPS], double *dvalue, double *ddvalue)
{
    return follow(&e->program, &(curve){of, first, second}, dvalue, ddvalue);
}
