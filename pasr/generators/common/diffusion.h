/* SPDX-License-Identifier: MIT
 *
 * One backward Euler step of diffusion along a line of cells, all columns with one matrix.
 */
#pragma once

/* y [n x columns], in place: y_i - a_i (y_{i-1} - y_i) - b_i (y_{i+1} - y_i) = y_i(old), with
 * a, b [n] >= 0. left, right [columns] stand for y_{-1} and y_n; NULL: no flux at that end (a_0 or
 * b_{n-1} counts as 0). work [n] is scratch. */
void kb_diffuse(long n, const double *a, const double *b, const double *left, const double *right,
                double *y, int columns, double *work);
