/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Eguillon, Lacabanne, Tromeur-Dervout (2022), 4.1: the car with controlled speed. Fig. 11 (Figs 10, 12 are figure files).
 *
 * Printed: 1000 kg, a preset force before 10 s, a P controller to 16 m/s after it. Chosen
 * (models/vehicles/controlled_car.c): its gain, the preset force, the perturbation and 60 s; and macro-steps of 0.1
 * s, first and smallest of F3ORNITS. */
#include <math.h>

#include "eguillon2022_log.h"
#include "figure.h"

enum { CAR, CONTROLLER }; /* subsystems */
enum { POSITION, SPEED }; /* states of the car */

static const double TARGET = 16.0, PRESET_END = 10.0; /* [m/s], [s]: printed */

/* Destroying is safe after errors. */
static int run_both(ms_drawing *drawing, ms_run_log *jacobi, ms_run_log *f3, ms_error *error)
{
    *f3 = (ms_run_log){0};
    const int status = ms_run_log_create(drawing, NULL, jacobi, error, "run controlled-car --scheme jacobi");
    return status == MS_OK
               ? ms_run_log_create(drawing, NULL, f3, error, "run controlled-car --scheme f3ornits")
               : status;
}

/* Speed [m/s] that the controller computes at the end of step n. */
static double computed_speed(const ms_clock_log *controller, long n)
{
    return ms_clock_input_at(controller, n, 0, 1, ms_clock_time(controller, n + 1));
}

/* The car's position at t in [0, h] after communication n: the cubic with positions and speeds at both
 * ends. */
static double position(const ms_clock_log *car, long n, double t)
{
    const double h = ms_clock_time(car, n + 1) - ms_clock_time(car, n), z = t / h;
    const double a = ms_clock_state(car, n, POSITION), b = ms_clock_state(car, n + 1, POSITION);
    const double va = ms_clock_state(car, n, SPEED), vb = ms_clock_state(car, n + 1, SPEED);
    return a + z * z * (3.0 - 2.0 * z) * (b - a) + h * z * (1.0 - z) * ((1.0 - z) * va - z * vb);
}

/* Positions during [from, to]: the car's, and the controller's input; as distances from where the car was
 * at `from`. */
static void write_positions(ms_drawing *drawing, const char *part, const ms_run_log *log, double from,
                            double to)
{
    const ms_clock_log *car = &log->clock[CAR];
    ms_data *data = ms_drawing_data(drawing, part, "time,car,input");
    const long first = ms_clock_latest(car, from), last = ms_clock_latest(car, to - 1e-9);
    const double origin = position(car, first, from - ms_clock_time(car, first));
    for (long n = first; n <= last; n++) {
        const double begin = ms_clock_time(car, n), a = fmax(begin, from),
                     b = fmin(ms_clock_time(car, n + 1), to);
        for (int k = 0; k <= 20; k++) {
            const double t = a + (b - a) * k / 20.0;
            MS_ROW(data, t, position(car, n, t - begin) - origin,
                   ms_clock_input_at(&log->clock[CONTROLLER], n, 0, 0, t) - origin);
        }
        ms_data_break(data);
    }
}

static void write_speeds(ms_drawing *drawing, const char *part, const ms_run_log *log)
{
    const ms_clock_log *controller = &log->clock[CONTROLLER], *car = &log->clock[CAR];
    ms_data *data = ms_drawing_data(drawing, part, "time,computed,car");
    for (long n = 0; n < controller->steps; n++)
        MS_ROW(data, ms_clock_time(controller, n + 1), computed_speed(controller, n),
               ms_clock_state(car, n + 1, SPEED));
}

static void check_computed(ms_drawing *drawing, const ms_run_log *f3)
{
    const ms_clock_log *controller = &f3->clock[CONTROLLER];
    double off = 0.0, sum = 0.0;
    long degrees[MS_LOG_DEGREE + 1] = {0}, n_settled = 0;
    for (long n = 0; n < controller->steps; n++) {
        degrees[ms_clock_degree(&f3->clock[CAR], 0, n, NULL, NULL)]++;
        if (ms_clock_time(controller, n + 1) < PRESET_END)
            continue;
        const double e = computed_speed(controller, n) - ms_clock_state(&f3->clock[CAR], n + 1, SPEED);
        off = fmax(off, fabs(e));
        sum += e * e;
        n_settled++;
    }
    const double rms = sqrt(sum / (double)n_settled);
    ms_study_claim(
        drawing, "with F3ORNITS it follows the speed of the car", "f3ornits",
        ms_json_object("largest difference / (m/s):f rms:f estimates of degree 0:I degree 1:I degree 2:I",
                       off, rms, (json_int_t)degrees[0], (json_int_t)degrees[1], (json_int_t)degrees[2]),
        ms_judge_at_most(drawing, off, 0.05 * TARGET),
        "Speed computed at the ends of steps less the car's speed then, from 10 s on; held to 5 "
        "%% of the target. How reliable is not printed.");
}

static int draw_fig11(ms_drawing *drawing, ms_error *error)
{
    ms_run_log jacobi, f3;
    const int status = run_both(drawing, &jacobi, &f3, error);
    if (status == MS_OK) {
        const double from = ms_drawing_published_number(drawing, "zoom.0"),
                     to = ms_drawing_published_number(drawing, "zoom.1");
        write_speeds(drawing, "speeds-jacobi", &jacobi);
        write_speeds(drawing, "speeds-f3ornits", &f3);
        write_positions(drawing, "positions-jacobi", &jacobi, from, to);
        write_positions(drawing, "positions-f3ornits", &f3, from, to);
        check_computed(drawing, &f3);
    }
    ms_drawing_remark(
        drawing,
        "Not printed, chosen: the gain 1000 N/(m/s), the preset force (a trapezoid of 2 kN with ramps of 2 "
        "s), the perturbation (random, at most 200 N), the horizon of 60 s, the macro-step of 0.1 s (Jacobi; "
        "first and smallest of F3ORNITS) and the tolerances 1e-2 and 1e-4.");
    ms_drawing_commands_of(drawing, "eguillon2022_fig11.gp", 980, 760);
    ms_run_log_destroy(&f3);
    ms_run_log_destroy(&jacobi);
    return status;
}

const ms_figure ms_figure_eguillon2022_fig11 = {
    "eguillon2022:fig11", "Car with controlled speed: the speed that the controller computes",
    "Eguillon, Lacabanne, Tromeur-Dervout (2022), Fig. 11, section 4.1", .draw = draw_fig11};
