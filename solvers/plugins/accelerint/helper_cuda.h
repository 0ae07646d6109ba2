/* SPDX-License-Identifier: MIT
 *
 * pyJac's headers include this file of CUDA's samples and take nothing from it.
 */
#pragma once
