# SPDX-License-Identifier: MIT
#
# Which rows may be called the fastest: the rule of rows/ranking.h, for awk programs.
# tests/scripts/test_ranking.sh holds both to the same answers.

# a method without error control; solver: with options, or without
function controls_error(solver) { return solver !~ /^point_implicit(:|$)/ }

# awk takes inf and nan for 0
function error_value(text) { return text ~ /^[0-9.]+(e[-+]?[0-9]+)?$/ ? text + 0 : 1e300 }

# The least error at which a row may be called the fastest, 1e300: at none. Fields of cells.csv;
# most: err_max, "" where the table has none
function rank_error(status, failed, p95, most, solver) {
    if (status != "ok" || failed == "" || failed + 0 != 0 || !controls_error(solver))
        return 1e300
    p95 = error_value(p95)
    most = most == "" ? 0 : error_value(most)
    return most < 1e300 && most / 1000 <= p95 ? p95 : most < 1e300 ? most / 1000 : most
}
