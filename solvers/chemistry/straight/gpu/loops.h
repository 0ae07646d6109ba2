/* SPDX-License-Identifier: MIT
 *
 * Loops whose index is a constant of the compiler. The body is called with an integral_constant;
 * INDEX(i) is its value, which can index a constexpr table or be a template argument.
 *
 *   upto<B, E>([&](auto i) { ... })     i = B .. E - 1
 *   downto<B, E>([&](auto i) { ... })   i = E - 1 .. B
 */
#pragma once

#include <type_traits>
#include <utility>

#ifdef __CUDACC__
#define straight_member __device__ __forceinline__
#else
#define straight_member inline __attribute__((unused))
#endif

#define straight_fn static straight_member

#define INDEX(i) std::remove_cvref_t<decltype(i)>::value

template <int B, class F, int... I> straight_fn void upto_(F &&f, std::integer_sequence<int, I...>)
{
    (f(std::integral_constant<int, B + I>{}), ...);
}

template <int B, int E, class F> straight_fn void upto(F &&f)
{
    if constexpr (B < E)
        upto_<B>(f, std::make_integer_sequence<int, E - B>{});
}

template <int B, int E, class F> straight_fn void downto(F &&f)
{
    upto<B, E>([&](auto i) { f(std::integral_constant<int, B + E - 1 - INDEX(i)>{}); });
}
