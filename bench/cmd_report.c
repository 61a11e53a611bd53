#include "arguments.h"
#include "report.h"

int ms_command_report(int argc, char **argv)
{
    ms_arguments arguments;
    ms_error error = {0};
    int status = ms_arguments_read(argc, argv, &arguments, &error);
    if (status == MS_OK) {
        const char *directory = arguments.text[MS_ARGUMENT_DIRECTORY];
        status = ms_report_write(directory != NULL ? directory : "results", &error);
    }
    ms_arguments_destroy(&arguments);
    return status == MS_OK ? MS_EXIT_DONE : ms_command_fail(status, &error);
}
