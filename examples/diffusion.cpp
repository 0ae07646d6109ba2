// SPDX-License-Identifier: MIT
//
// A hot spot in hydrogen and air in one dimension: diffusion of T and Y with one constant
// diffusivity (a model of transport) and detailed kinetics, split by Strang: half a step of
// diffusion, a step of reaction, half a step of diffusion. Each thread reacts its part of the
// cells, all with the same integrator. Y lies by species, as flow codes have it.
//
//     c++ -fopenmp diffusion.cpp $(pkg-config --cflags --libs kinbench) && ./a.out [mechanism]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <kinbench.h>
#include <omp.h>
#include <stdexcept>
#include <vector>

namespace {

constexpr int cells = 256, steps = 40;
constexpr double length = 4e-3, dt = 1e-6, diffusivity = 1e-3; // m, s, m^2/s

void check(int code)
{
    if (code)
        throw std::runtime_error(kb_last_error());
}

struct Field {
    int species;
    std::vector<double> T, p, Y; // Y[k * cells + i]
    explicit Field(const kb_mechanism *m)
        : species(kb_mechanism_species(m)), T(cells), p(cells, 101325),
          Y(static_cast<size_t>(species) * cells)
    {
        for (int i = 0; i < cells; i++) {
            double x = (i + 0.5) / cells - 0.5;
            T[i] = 900 + 800 * std::exp(-400 * x * x);
            Y[kb_mechanism_find_species(m, "H2") * cells + i] = 0.0285;
            Y[kb_mechanism_find_species(m, "O2") * cells + i] = 0.2264;
            Y[kb_mechanism_find_species(m, "N2") * cells + i] = 0.7451;
        }
    }
};

// explicit, in steps that are stable; no flux through the ends
void diffuse(std::vector<double> &all, long first, double time)
{
    double h = length / cells;
    int parts = static_cast<int>(std::ceil(time * diffusivity / (0.4 * h * h)));
    double c = diffusivity * time / parts / (h * h);
    std::vector<double> old(cells);
    double *u = all.data() + first;
    for (int part = 0; part < parts; part++) {
        std::copy(u, u + cells, old.begin());
        for (int i = 0; i < cells; i++)
            u[i] += c * (old[std::max(i - 1, 0)] - 2 * old[i] + old[std::min(i + 1, cells - 1)]);
    }
}

void diffuse(Field &f, double time)
{
    diffuse(f.T, 0, time);
#pragma omp parallel for
    for (int k = 0; k < f.species; k++)
        diffuse(f.Y, static_cast<long>(k) * cells, time);
}

// a thread copies its cells out, since Y of some cells by species is not one piece of memory
void react(Field &f, kb_integrator *it, long first, long n)
{
    std::vector<double> Y(static_cast<size_t>(f.species * n));
    for (int k = 0; k < f.species; k++)
        std::copy_n(&f.Y[static_cast<size_t>(k) * cells + first], n, &Y[k * n]);
    check(kb_integrate(it, n, &f.T[first], &f.p[first], Y.data(), dt, nullptr, nullptr));
    for (int k = 0; k < f.species; k++)
        std::copy_n(&Y[k * n], n, &f.Y[static_cast<size_t>(k) * cells + first]);
}

void react(Field &f, kb_integrator *it)
{
    constexpr long part = 32;
#pragma omp parallel for schedule(dynamic)
    for (long first = 0; first < cells; first += part)
        try {
            react(f, it, first, part);
        } catch (const std::exception &e) { // none may leave the region
            std::fprintf(stderr, "diffusion: cells from %ld: %s\n", first, e.what());
        }
}

} // namespace

int main(int argc, char **argv)
try {
    kb_mechanism *m;
    kb_integrator *it;
    check(kb_mechanism_open(argc > 1 ? argv[1] : "h2", &m));
    check(kb_integrator_create(m, "rodas4", "cpu-simd", 1e-6, 1e-10, KB_CONSTANT_PRESSURE, &it));
    check(kb_integrator_set(it, "layout", KB_SPECIES_MAJOR));
    Field f(m);
    for (int k = 0; k < steps; k++) {
        diffuse(f, dt / 2);
        react(f, it);
        diffuse(f, dt / 2);
    }
    double worst = 0;
    for (int i = 0; i < cells; i++) {
        double sum = 0;
        for (int k = 0; k < f.species; k++)
            sum += f.Y[static_cast<size_t>(k) * cells + i];
        worst = std::max(worst, std::fabs(sum - 1));
    }
    std::printf("hottest %.4f K, at the ends %.4f and %.4f K, mass is off by %.1e, threads %d\n",
                *std::max_element(f.T.begin(), f.T.end()), f.T.front(), f.T.back(), worst,
                omp_get_max_threads());
    kb_integrator_free(it);
    kb_mechanism_close(m);
    return 0;
} catch (const std::exception &e) {
    std::fprintf(stderr, "diffusion: %s\n", e.what());
    return 2;
}
