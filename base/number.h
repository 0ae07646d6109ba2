/* SPDX-License-Identifier: MIT
 *
 * Decimals for text that is read again: the shortest one that gives the same double back.
 */
#pragma once

#include <stdbool.h>

enum { KB_NUMBER_SIZE = 40 };

/* "2.5", "1.0e+14": always with a point, so that no reader takes it for an integer */
void kb_shortest(double value, char out[KB_NUMBER_SIZE]);

/* The shortest decimal x with convert(x, argument) == value; guess is about x. false: there is none
 * among the doubles near guess. */
bool kb_shortest_through(double value, double guess, double (*convert)(double, double),
                         double argument, char out[KB_NUMBER_SIZE]);
