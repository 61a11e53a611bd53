csv = name.'.csv'
part(which) = name.'-'.which.'.csv'
set datafile separator ','
set datafile columnheaders
set linetype 1 linecolor rgb '#000000' linewidth 1.6 pointtype 7 pointsize 0.5
set linetype 2 linecolor rgb '#0072b2' linewidth 1.6 pointtype 5 pointsize 0.5
set linetype 3 linecolor rgb '#d55e00' linewidth 1.6 pointtype 9 pointsize 0.6
set linetype 4 linecolor rgb '#009e73' linewidth 1.6 pointtype 13 pointsize 0.7
set linetype 5 linecolor rgb '#e69f00' linewidth 1.6 pointtype 11 pointsize 0.6
set linetype 6 linecolor rgb '#cc79a7' linewidth 1.6 pointtype 6 pointsize 0.6
set linetype 7 linecolor rgb '#56b4e9' linewidth 1.6 pointtype 4 pointsize 0.6
set linetype 8 linecolor rgb '#f0e442' linewidth 1.6 pointtype 8 pointsize 0.6
set linetype 9 linecolor rgb '#8c8c8c' linewidth 1.2 pointtype 2 pointsize 0.6
set linetype cycle 9
set style fill solid 0.5 noborder
set style increment default
set border 3 linewidth 0.8 linecolor rgb '#404040'
set tics nomirror scale 0.6 textcolor rgb '#202020'
set grid xtics ytics linetype 1 linewidth 0.5 linecolor rgb '#e2e2e2'
set key tmargin center horizontal Left reverse samplen 2.6 spacing 1.15 textcolor rgb '#202020'
set format x '%.6g'
set format y '%.6g'
powers = '10^{%L}'
set title offset 0,-0.3
