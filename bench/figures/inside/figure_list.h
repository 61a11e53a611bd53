/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_list.h - the figures and tables that are written in C; figure_list.txt has all IDs, in the order of the papers. figure_registry.c
 * includes the list twice (declarations, table). No include guard. */
MS_FIGURE(ms_figure_andersson2016_fig5_1)
MS_FIGURE(ms_figure_andersson2016_fig5_3)
MS_FIGURE(ms_figure_andersson2016_fig5_4)
MS_FIGURE(ms_figure_andersson2016_fig5_5)
MS_FIGURE(ms_figure_andersson2016_fig5_6)
MS_FIGURE(ms_figure_andersson2016_fig5_7)
MS_FIGURE(ms_figure_andersson2016_fig5_8)
MS_FIGURE(ms_figure_andersson2016_fig5_9)
MS_FIGURE(ms_figure_andersson2016_fig5_10)
MS_FIGURE(ms_figure_andersson2016_fig5_11)
MS_FIGURE(ms_figure_andersson2016_fig5_13)
MS_FIGURE(ms_figure_andersson2016_table9_7)
MS_FIGURE(ms_figure_eguillon2022_fig11)
MS_FIGURE(ms_figure_macrostep_sweep)
MS_FIGURE(ms_figure_macrostep_iteration_traces)
MS_FIGURE(ms_figure_macrostep_field)
