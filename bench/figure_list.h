/* figure_list.h - all figures and tables, one line each, in the order of the papers. figure.c includes the list
 * twice (declarations, registry). No include guard. */
MS_FIGURE(ms_figure_andersson2016_table6_3)
MS_FIGURE(ms_figure_andersson2016_fig6_13)
MS_FIGURE(ms_figure_andersson2016_fig6_14)
MS_FIGURE(ms_figure_andersson2016_fig6_15)
MS_FIGURE(ms_figure_andersson2016_table6_4)
MS_FIGURE(ms_figure_andersson2016_fig6_17)
MS_FIGURE(ms_figure_andersson2016_fig6_18)
MS_FIGURE(ms_figure_andersson2016_fig6_19)
MS_FIGURE(ms_figure_andersson2016_fig9_15)
MS_FIGURE(ms_figure_andersson2016_fig9_16)
MS_FIGURE(ms_figure_andersson2016_table9_4)
