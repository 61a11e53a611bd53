/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows shared over threads and ranks. The ranks are processes that talk through sockets, so that nothing of it needs
 * MPI. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"
#include "row_work.h"
#include "unit_test.h"

enum { RANKS_MAX = 5, MESSAGE_MAX = 4096, ROWS = 100 };

/* Ranks -------------------------------------------------------------------------------------------------- */

static int channel[RANKS_MAX][2]; /* between rank 0 and rank r: its end, and theirs */
static int own_rank, n_ranks;

static int socket_send(int to, const void *bytes, size_t size)
{
    const int end = own_rank == 0 ? channel[to][0] : channel[own_rank][1];
    return send(end, bytes, size, 0) == (ssize_t)size ? MS_OK : MS_IO;
}

static int socket_receive(int *from, char **bytes, size_t *size)
{
    char buffer[MESSAGE_MAX];
    *bytes = NULL;
    for (int r = 1; r < n_ranks; r++) {
        const ssize_t n =
            recv(own_rank == 0 ? channel[r][0] : channel[own_rank][1], buffer, sizeof buffer, MSG_DONTWAIT);
        if (n <= 0)
            continue;
        *from = own_rank == 0 ? r : 0;
        *size = (size_t)n;
        *bytes = malloc(*size);
        memcpy(*bytes, buffer, *size);
        return MS_OK;
    }
    return MS_OK;
}

static const ms_ranks_transport sockets = {.send = socket_send, .receive = socket_receive};

/* The job: k squared --------------------------------------------------------------------------------------- */

typedef struct squares {
    long fails, stops; /* rows that fail, that are interrupted; -1: none */
    int slow;          /* rank whose rows take a moment */
    long begun;        /* rows so far */
    long late;         /* row that waits for `overtaking` rows to begin, */
    long overtaking;
    bool overtaken;    /* and whether they did */
    long done;         /* rows that rank 0 leaves out at the beginning */
    long asked, *turn; /* for strata; the rows in the order in which they began */
    long sum, last, n; /* of what was delivered */
    bool ordered;
} squares;

/* Whether this number of rows has begun within a tenth of a second. */
static bool comes_to(const squares *s, long begun)
{
    long now = 0;
    for (int k = 0; k < 100 && now < begun; k++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
#pragma omp atomic read
        now = s->begun;
    }
    return now >= begun;
}

static int compute(void *self, void *context, long k, json_t **record, ms_error *error)
{
    squares *s = self;
    assert_ptr_equal(context, self);
#pragma omp atomic
    s->begun++;
    if (k == s->late)
        s->overtaken = comes_to(s, s->overtaking);
    if (own_rank == s->slow)
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    if (k == s->fails)
        return ms_fail(error, MS_SOLVER_FAILED, "row %ld fails", k);
    *record = json_pack("{s:I, s:i}", "square", (json_int_t)(k * k), "rank", own_rank);
    return k == s->stops ? ms_fail(error, MS_INTERRUPTED, "interrupted") : MS_OK;
}

static int deliver(void *self, long k, json_t *record, ms_error *error)
{
    squares *s = self;
    (void)error;
    assert_int_equal(json_integer_value(json_object_get(record, "square")), k * k);
    s->ordered = s->ordered && k > s->last;
    s->last = k;
    s->sum += k * k;
    s->n++;
    return MS_OK;
}

static ms_row_job job_of(squares *s, int threads)
{
    return (ms_row_job){.what = "squares",
                        .n = ROWS,
                        .threads = threads,
                        .contexts = {.self = s},
                        .self = s,
                        .compute = compute,
                        .deliver = deliver};
}

/* The work on a number of ranks, the last of which has another digest where it `strays`. Rank 0 returns its status after
 * all others have ended; *ended is how many of them did so with MS_OK. */
static int share(int size, int threads, bool strays, squares *s, int *ended, ms_error *error)
{
    ms_ranks ranks = {.transport = &sockets, .size = size};
    pid_t child[RANKS_MAX] = {0};
    n_ranks = size;
    for (int r = 1; r < size; r++)
        assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, channel[r]), 0);
    for (int r = 1; r < size; r++)
        if ((child[r] = fork()) == 0) {
            own_rank = ranks.rank = r;
            const ms_row_job job = job_of(s, 1);
            const ms_row_plan plan = {.ranks = &ranks, .digest = strays && r == size - 1 ? 2 : 1};
            _exit(ms_row_work(&job, &plan, error) == MS_OK ? 0 : 1);
        }
    const ms_row_job job = job_of(s, threads);
    const ms_row_plan plan = {.ranks = &ranks, .digest = 1, .done = s->done, .gaps = true};
    const int status = ms_row_work(&job, &plan, error);
    *ended = 0;
    for (int r = 1; r < size; r++) {
        int how = 0;
        waitpid(child[r], &how, 0);
        *ended += WIFEXITED(how) && WEXITSTATUS(how) == 0;
        close(channel[r][0]);
        close(channel[r][1]);
    }
    return status;
}

static const squares fresh = {.fails = -1, .stops = -1, .slow = -1, .late = -1, .last = -1, .ordered = true};
static const long sum_of_all = (ROWS - 1L) * ROWS * (2L * ROWS - 1) / 6;

static void rows_are_delivered_in_order(void **state)
{
    (void)state;
    for (int size = 1; size <= RANKS_MAX; size++)
        for (int threads = 1; threads <= 3; threads++)
            for (int slow = 0; slow < size && slow < 3; slow++) {
                squares s = fresh;
                ms_error error;
                int ended;
                s.slow = slow;
                assert_int_equal(share(size, threads, false, &s, &ended, &error), MS_OK);
                assert_int_equal(s.n, ROWS);
                assert_int_equal(s.sum, sum_of_all);
                assert_true(s.ordered);
                assert_int_equal(ended, size - 1);
            }
}

static void costly_rows_are_delivered_last(void **state)
{
    (void)state;
    squares s = fresh;
    ms_error error;
    ms_row_job job = job_of(&s, 3);
    job.costly_last = true;
    assert_int_equal(ms_row_work(&job, &(ms_row_plan){.gaps = true}, &error), MS_OK);
    assert_true(s.ordered && s.n == ROWS);
}

/* Row 10 waits for another thread, which may go on with rows 11 .. 10 + window - 1, and no more. */
static void rows_wait_for_those_far_before_them(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        squares s = fresh;
        ms_error error;
        ms_row_job job = job_of(&s, 2);
        job.window = 16;
        s.late = 10;
        s.overtaking = 10 + 16 + more;
        assert_int_equal(ms_row_work(&job, &(ms_row_plan){0}, &error), MS_OK);
        assert_int_equal(s.overtaken, !more);
        assert_true(s.ordered && s.n == ROWS);
    }
}

/* Two strata of 3000 rows. */
static int stratum_of(void *self, long k, int *group, bool *begins, ms_error *error)
{
    squares *s = self;
    (void)error;
    assert_int_equal(k, s->asked++);
    *group = (int)(k / 3000);
    *begins = k % 3000 == 0;
    return MS_OK;
}

static int compute_in_turn(void *self, void *context, long k, json_t **record, ms_error *error)
{
    squares *s = self;
    s->turn[s->begun] = k;
    return compute(self, context, k, record, error);
}

static void some_of_each_stratum_are_run_first_and_delivered_in_order(void **state)
{
    (void)state;
    enum { ALL = 6000, FIRST = 400 };
    static long turn[ALL];
    squares s = fresh;
    ms_error error;
    ms_row_job job = job_of(&s, 1);
    s.turn = turn;
    job.n = ALL;
    job.window = 16; /* those run first wait for any number of others */
    job.stratum = stratum_of;
    job.compute = compute_in_turn;
    assert_int_equal(ms_row_work(&job, &(ms_row_plan){0}, &error), MS_OK);
    assert_int_equal(s.asked, ALL);
    assert_true(s.ordered && s.n == ALL);
    int of_second = 0;
    for (int k = 0; k < FIRST; k++) {
        assert_true(k == 0 || turn[k] > turn[k - 1]);
        of_second += turn[k] >= 3000;
    }
    assert_int_equal(of_second, FIRST / 2);
    assert_int_equal(turn[FIRST], 0);
}

static void a_row_that_fails_ends_all(void **state)
{
    (void)state;
    for (int slow = 0; slow < 2; slow++) { /* the other one meets the row */
        squares s = fresh;
        ms_error error = {0};
        int ended;
        s.fails = 60;
        s.slow = slow;
        assert_int_equal(share(3, 1, false, &s, &ended, &error), MS_SOLVER_FAILED);
        assert_string_equal(error.text, "row 60 fails");
        assert_true(s.ordered && s.last < 60);
    }
}

static void a_rank_with_another_call_is_refused(void **state)
{
    squares s = fresh;
    ms_error error = {0};
    int ended;
    (void)state;
    s.slow = 0; /* or rank 0 is ready before the other has said a word */
    assert_int_equal(share(3, 1, true, &s, &ended, &error), MS_INVALID);
    assert_non_null(strstr(error.text, "rank 2: its call"));
}

/* A row for whoever asks first, and what came of it. */
typedef struct one_row {
    bool given;
    int status;
    char line[80];
} one_row;

static bool take_one(void *self, long *first, long *count)
{
    one_row *row = self;
    const bool more = !row->given;
    *first = 7;
    *count = 1;
    row->given = true;
    return more;
}

static void note_one(void *self, long k, int status, const char *text)
{
    one_row *row = self;
    assert_int_equal(k, 7);
    row->status = status;
    snprintf(row->line, sizeof row->line, "%s", text);
}

static void end_nothing(void)
{
}

static const ms_ranks_transport ending = {.send = socket_send, .receive = socket_receive, .end = end_nothing};

/* One that has failed before rows were shared computes none that it is told, and waits for the end. */
static void a_rank_that_has_failed_computes_nothing(void **state)
{
    (void)state;
    one_row row = {.status = MS_OK};
    const ms_ranks_service service = {.self = &row, .take = take_one, .deliver = note_one};
    ms_ranks ranks = {.transport = &ending, .size = 2};
    ms_error error = {0};
    n_ranks = 2;
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, channel[1]), 0);
    const pid_t child = fork();
    if (child == 0) {
        own_rank = ranks.rank = 1;
        ms_ranks_end(&ranks);
        _exit(ranks.size == 1 && ranks.transport == NULL ? 0 : 1);
    }
    assert_int_equal(ms_ranks_serve(&ranks, &service, &error), MS_OK);
    int how = 0;
    waitpid(child, &how, 0);
    assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    assert_int_equal(row.status, MS_INTERRUPTED);
    assert_string_equal(row.line, "interrupted");
    close(channel[1][0]);
    close(channel[1][1]);
}

static int refuse_to_compute(void *self, long row, char **text, ms_error *error)
{
    (void)self, (void)row, (void)text;
    return ms_fail(error, MS_IO, "a row was handed out");
}

/* Where rank 0 has failed before rows were shared, the others are told that there is none. */
static void the_others_of_a_rank_0_that_has_failed_end(void **state)
{
    (void)state;
    ms_ranks ranks = {.transport = &ending, .size = 3};
    pid_t child[3];
    ms_error error = {0};
    n_ranks = 3;
    for (int r = 1; r < n_ranks; r++)
        assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, channel[r]), 0);
    for (int r = 1; r < n_ranks; r++)
        if ((child[r] = fork()) == 0) {
            own_rank = ranks.rank = r;
            _exit(ms_ranks_obey(&ranks, 5, NULL, refuse_to_compute, &error) == MS_OK ? 0 : 1);
        }
    ms_ranks_end(&ranks);
    assert_true(ranks.size == 1 && ranks.transport == NULL);
    for (int r = 1; r < n_ranks; r++) {
        int how = 0;
        waitpid(child[r], &how, 0);
        assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
        close(channel[r][0]);
        close(channel[r][1]);
    }
}

static void an_interrupted_row_is_delivered_where_gaps_are(void **state)
{
    (void)state;
    for (int gaps = 0; gaps < 2; gaps++) {
        squares s = fresh;
        ms_error error;
        const ms_row_job job = job_of(&s, 1);
        s.stops = 7;
        assert_int_equal(ms_row_work(&job, &(ms_row_plan){.gaps = gaps}, &error), MS_INTERRUPTED);
        assert_int_equal(s.n, gaps ? 8 : 7);
    }
}

/* Begun at the end, they all lie behind a gap, unless the interrupted row ends after all before it. */
static void rows_behind_a_gap_are_delivered_where_gaps_are(void **state)
{
    (void)state;
    for (int gaps = 0; gaps < 2; gaps++) {
        squares s = fresh;
        ms_error error;
        ms_row_job job = job_of(&s, 2);
        job.costly_last = true;
        s.stops = ROWS - 10;
        assert_int_equal(ms_row_work(&job, &(ms_row_plan){.gaps = gaps}, &error), MS_INTERRUPTED);
        assert_true(s.ordered);
        if (gaps)
            assert_int_equal(s.last, ROWS - 1);
        else
            assert_true(s.last == s.n - 1 && s.last < s.stops);
    }
}

static void parts_and_what_is_done_are_left_out(void **state)
{
    (void)state;
    long sum = 0;
    for (int i = 1; i <= 3; i++) {
        squares s = fresh;
        ms_error error;
        const ms_row_job job = job_of(&s, 2);
        ms_row_plan plan = {.shard = {i, 3}};
        assert_int_equal(ms_row_work(&job, &plan, &error), MS_OK);
        sum += s.sum;
        squares rest = fresh;
        const ms_row_job again = job_of(&rest, 2);
        plan.done = 5;
        assert_int_equal(ms_row_work(&again, &plan, &error), MS_OK);
        assert_int_equal(rest.n, s.n - 5);
        assert_int_equal(rest.last, s.last);
    }
    assert_int_equal(sum, sum_of_all);
}

/* Only rank 0 has the file of the rows that are done; the others compute what it asks for. */
static void ranks_compute_the_rows_behind_those_that_are_done(void **state)
{
    (void)state;
    squares s = fresh;
    ms_error error;
    int ended;
    s.done = 5;
    s.slow = 0;
    assert_int_equal(share(3, 1, false, &s, &ended, &error), MS_OK);
    assert_int_equal(s.n, ROWS - 5);
    assert_true(s.ordered && s.last == ROWS - 1);
    assert_int_equal(ended, 2);
}

/* Names are of rows that were computed: there may be nothing to name of another. */
static void name_computed(void *self, void *context, long k, char *text, size_t size)
{
    const squares *s = self;
    (void)context, (void)text, (void)size;
    assert_int_not_equal(k, s->fails);
}

static void a_row_that_fails_has_no_name(void **state)
{
    (void)state;
    squares s = {.fails = 7, .stops = -1, .slow = -1, .late = -1, .last = -1};
    ms_row_job job = job_of(&s, 1);
    ms_progress progress;
    ms_error error;
    job.name = name_computed;
    ms_progress_begin(&progress, "squares", 1);
    assert_int_equal(ms_row_work(&job, &(ms_row_plan){.progress = &progress}, &error), MS_SOLVER_FAILED);
    ms_progress_end(&progress);
    assert_int_equal(s.n, 7);
}

static void progress_names_the_part(void **state)
{
    (void)state;
    squares s = {.fails = -1, .stops = -1, .slow = -1, .late = -1, .last = -1};
    ms_row_job job = job_of(&s, 1);
    ms_progress progress;
    ms_error error;
    ms_progress_begin(&progress, "squares", 1);
    assert_int_equal(ms_row_work(&job, &(ms_row_plan){.shard = {2, 3}, .progress = &progress}, &error),
                     MS_OK);
    ms_progress_end(&progress);
    assert_int_equal(strncmp(progress.at, "part 2/3: ", strlen("part 2/3: ")), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_delivered_in_order),
        cmocka_unit_test(costly_rows_are_delivered_last),
        cmocka_unit_test(rows_wait_for_those_far_before_them),
        cmocka_unit_test(some_of_each_stratum_are_run_first_and_delivered_in_order),
        cmocka_unit_test(a_row_that_fails_ends_all),
        cmocka_unit_test(a_row_that_fails_has_no_name),
        cmocka_unit_test(progress_names_the_part),
        cmocka_unit_test(a_rank_with_another_call_is_refused),
        cmocka_unit_test(a_rank_that_has_failed_computes_nothing),
        cmocka_unit_test(the_others_of_a_rank_0_that_has_failed_end),
        cmocka_unit_test(an_interrupted_row_is_delivered_where_gaps_are),
        cmocka_unit_test(rows_behind_a_gap_are_delivered_where_gaps_are),
        cmocka_unit_test(parts_and_what_is_done_are_left_out),
        cmocka_unit_test(ranks_compute_the_rows_behind_those_that_are_done)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
