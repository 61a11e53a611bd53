/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "cosim.h"

static const double silent = 2.0, rewrite = 0.2, repeat = 5.0; /* [s] */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void ms_progress_begin(ms_progress *progress, const char *what, int parts)
{
    *progress = (ms_progress){
        .what = what, .parts = parts, .share = 1.0, .begun = now(), .terminal = isatty(STDERR_FILENO) == 1};
    progress->shown = progress->begun + silent - (progress->terminal ? rewrite : repeat);
}

void ms_progress_part(ms_progress *progress, double part, double share)
{
    progress->part = part;
    progress->share = share;
    ms_progress_update(progress, 0.0);
}

/* "3 h 20 min", "4 min 10 s", "12 s" */
static void write_duration(double seconds, char *text, size_t size)
{
    const double minutes = seconds / 60.0;
    if (seconds < 59.5)
        snprintf(text, size, "%.0f s", seconds);
    else if (minutes < 60.0)
        snprintf(text, size, "%d min %d s", (int)minutes, (int)(seconds - 60.0 * (int)minutes));
    else if (minutes < 1e6)
        snprintf(text, size, "%d h %d min", (int)(minutes / 60.0), (int)minutes % 60);
    else
        snprintf(text, size, "%.2g years", minutes / (60.0 * 24.0 * 365.0));
}

void ms_progress_update(ms_progress *progress, double fraction)
{
    const double time = now();
    if (time - progress->shown < (progress->terminal ? rewrite : repeat))
        return;
    progress->shown = time;
    progress->visible = true;
    const double done = (progress->part + progress->share * fraction) / progress->parts;
    char left[64] = "";
    if (done > 0.0) {
        char duration[48];
        write_duration((time - progress->begun) * (1.0 - done) / done, duration, sizeof duration);
        snprintf(left, sizeof left, ", %s left", duration);
    }
    fprintf(stderr, "%smacrostep: %s %.0f %%%s%s", progress->terminal ? "\r" : "", progress->what,
            100.0 * (done < 1.0 ? done : 1.0), left, progress->terminal ? "\033[K" : "\n");
    fflush(stderr);
}

void ms_progress_follow(void *self, double fraction)
{
    ms_progress_update(self, fraction);
}

void ms_progress_end(ms_progress *progress)
{
    if (progress->terminal && progress->visible)
        fputs("\r\033[K", stderr);
    progress->visible = false;
}

static int progress_start(void *self, const ms_cosim *cosim, double t)
{
    ms_progress *progress = self;
    progress->start = t;
    progress->stop = cosim->variant.stop_time;
    return 0;
}

/* Looks at the clock at most so many macro-steps apart: as often as takes them that long [s]. */
enum { STEPS_APART = 64 };
static const double brisk = 1e-3;

static int progress_step(void *self, const ms_cosim *cosim, double t, double h)
{
    ms_progress *progress = self;
    (void)cosim;
    if (progress->wait > 0) {
        progress->wait--;
        return 0;
    }
    const double time = now();
    const bool soon = time - progress->looked < brisk;
    progress->looked = time;
    progress->apart = !soon ? 0 : progress->apart < STEPS_APART / 2 ? 2 * progress->apart + 1 : STEPS_APART;
    progress->wait = progress->apart;
    ms_progress_update(progress, (t + h - progress->start) / (progress->stop - progress->start));
    return 0;
}

ms_observer ms_progress_observer(ms_progress *progress)
{
    return (ms_observer){.self = progress, .of_times = true, .start = progress_start, .step = progress_step};
}
