/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "progress.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <macrostep/cosim.h>
#include "command.h"
#include "printable.h"

static const double unseen = 2.0, rewrite = 0.2, repeat = 5.0; /* [s] */

static bool silenced;

void ms_progress_silence(bool silent)
{
    silenced = silent;
}

void ms_progress_announce(const char *format, ...)
{
    char line[320];
    va_list rest;
    va_start(rest, format);
    vsnprintf(line, sizeof line, format, rest);
    va_end(rest);
    ms_text_make_printable(line);
    if (!silenced)
        fprintf(ms_standard_error(), "macrostep: %s\n", line);
}

void ms_progress_begin(ms_progress *progress, const char *what, int parts)
{
    *progress = (ms_progress){.what = what,
                              .parts = parts,
                              .share = 1.0,
                              .begun = ms_wall_seconds(),
                              .terminal = isatty(fileno(ms_standard_error())) == 1};
    progress->shown = progress->begun + unseen - (progress->terminal ? rewrite : repeat);
}

void ms_progress_part(ms_progress *progress, double part, double share)
{
    progress->part = part;
    progress->share = share;
    ms_progress_update(progress, 0.0);
}

void ms_progress_at(ms_progress *progress, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    vsnprintf(progress->at, sizeof progress->at, format, rest);
    ms_text_make_printable(progress->at);
    va_end(rest);
}

/* Pace --------------------------------------------------------------------------------------------------- */

/* Every other sample goes, the begin stays. */
static void thin_out(ms_pace *pace)
{
    for (int k = 1; 2 * k < pace->n; k++) {
        pace->time[k] = pace->time[2 * k];
        pace->done[k] = pace->done[2 * k];
    }
    pace->n = (pace->n + 1) / 2;
    pace->apart = 2 * pace->apart + 1;
}

void ms_pace_note(ms_pace *pace, double time, double done)
{
    if (pace->n == MS_PROGRESS_SAMPLES && pace->wait == 0)
        thin_out(pace);
    /* the last one is always the newest */
    const bool keep = pace->n < 2 || pace->wait == 0;
    const int at = keep ? pace->n++ : pace->n - 1;
    pace->wait = keep ? pace->apart : pace->wait - 1;
    pace->time[at] = time;
    pace->done[at] = done;
}

/* The work done in a second from sample k to the last one. */
static double pace_since(const ms_pace *pace, int k)
{
    const int last = pace->n - 1;
    return (pace->done[last] - pace->done[k]) / (pace->time[last] - pace->time[k]);
}

bool ms_pace_left(const ms_pace *pace, double *least, double *most)
{
    const int last = pace->n - 1;
    if (last < 1 || !(pace->time[last] > pace->time[0]))
        return false;
    const double recently = pace->time[last] - (pace->time[last] - pace->time[0]) / 3.0;
    int k = last - 1;
    while (k > 0 && pace->time[k] > recently)
        k--;
    const double left = 1.0 - pace->done[last], all = pace_since(pace, 0), recent = pace_since(pace, k);
    if (!(all > 0.0) || !(recent > 0.0))
        return false;
    *least = left / fmax(all, recent);
    *most = left / fmin(all, recent);
    return true;
}

/* Lines -------------------------------------------------------------------------------------------------- */

/* "3 h 20 min", "4 min", "50 s": no more digits than an estimate has. */
static void write_duration(double seconds, char *text, size_t size)
{
    const double minutes = seconds / 60.0;
    if (seconds < 9.5)
        snprintf(text, size, "%.0f s", fmax(1.0, seconds));
    else if (seconds < 57.5)
        snprintf(text, size, "%.0f s", 5.0 * round(seconds / 5.0));
    else if (minutes < 59.5)
        snprintf(text, size, "%.0f min", fmax(1.0, round(minutes)));
    else if (minutes < 1e5)
        snprintf(text, size, "%d h %02d min", (int)((minutes + 5.0) / 60.0),
                 (int)(minutes + 5.0) % 60 / 10 * 10);
    else
        snprintf(text, size, "%.2g years", minutes / (60.0 * 24.0 * 365.0));
}

/* ", about 4 min left", ", 2 min to 1 h 10 min left", or nothing. */
static void write_left(const ms_pace *pace, char *text, size_t size)
{
    double least, most;
    char low[48], high[48];
    text[0] = '\0';
    if (!ms_pace_left(pace, &least, &most))
        return;
    write_duration(least, low, sizeof low);
    write_duration(most, high, sizeof high);
    if (most < 1.3 * least || strcmp(low, high) == 0) {
        write_duration(0.5 * (least + most), high, sizeof high);
        snprintf(text, size, ", about %s left", high);
    } else {
        snprintf(text, size, ", %s to %s left", low, high);
    }
}

static double done_of(const ms_progress *progress, double fraction)
{
    const double done = (progress->part + progress->share * fraction) / progress->parts;
    return done < 1.0 ? done : 1.0;
}

void ms_progress_update(ms_progress *progress, double fraction)
{
    enum { COLUMNS = 79 }; /* a line that wraps cannot be rewritten */
    const double time = ms_wall_seconds(), interval = progress->terminal ? rewrite : repeat;
    if (silenced || time - progress->shown < interval)
        return;
    const double done = done_of(progress, fraction);
    if (progress->pace.n == 0)
        ms_pace_note(&progress->pace, progress->begun, 0.0);
    ms_pace_note(&progress->pace, time, done);
    progress->shown = time;
    progress->visible = true;
    char left[128], line[320];
    write_left(&progress->pace, left, sizeof left);
    const int length = snprintf(line, sizeof line, "macrostep: %s %.0f %%%s%s%s", progress->what,
                                floor(100.0 * done), progress->at[0] != '\0' ? ", " : "", progress->at, left);
    const int shown = progress->terminal && length > COLUMNS ? COLUMNS : length;
    fprintf(ms_standard_error(), "%s%.*s%s", progress->terminal ? "\r" : "", shown, line,
            progress->terminal ? "\033[K" : "\n");
}

void ms_progress_follow(void *self, double fraction)
{
    ms_progress_update(self, fraction);
}

void ms_progress_end(ms_progress *progress)
{
    if (progress->terminal && progress->visible)
        fputs("\r\033[K", ms_standard_error());
    progress->visible = false;
    if (ms_interrupted != 0)
        ms_answering = 1;
}

static int progress_start(void *self, const ms_cosim *cosim, double t)
{
    ms_progress *progress = self;
    progress->start = t;
    progress->stop = cosim->variant.stop_time;
    return 0;
}

/* Looks at the clock after at most this many macro-steps: after those that take this long [s]. */
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
    const double time = ms_wall_seconds();
    const bool soon = time - progress->looked < brisk;
    progress->looked = time;
    progress->apart = !soon ? 0 : progress->apart < STEPS_APART / 2 ? 2 * progress->apart + 1 : STEPS_APART;
    progress->wait = progress->apart;
    ms_progress_at(progress, "at %.6g of %.6g s", t + h, progress->stop);
    ms_progress_update(progress, (t + h - progress->start) / (progress->stop - progress->start));
    return 0;
}

ms_observer ms_progress_observer(ms_progress *progress)
{
    return (ms_observer){.self = progress, .of_times = true, .start = progress_start, .step = progress_step};
}
