/* SPDX-License-Identifier: MIT
 *
 * kb_integrate_device on a GPU: the bits of kb_integrate, in both layouts and reactors, with what
 * was put on the stream before, from several threads with a stream each, results that are no
 * states, and what it refuses.
 * Prints "ok - ..." lines; without a GPU one line, and ends with 0.
 *
 *     build/tests/library/device build/mech/h2/solvers.so [ODEs]
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cuda_runtime.h>
#include <thread>
#include <vector>

#include "library/kinbench.h"
#include "tests/larger.h"

static int failed, species;
static const double dt = 1e-5;

static void tell(bool good, const char *what, const char *where)
{
    printf("%s - %s, %s\n", good ? "ok" : "not ok", what, where);
    failed |= !good;
}

static double now()
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* states of hot hydrogen in air, no two alike, in a layout */
struct states {
    long n;
    std::vector<double> T, p, Y;
    std::vector<int> status;
    std::vector<kb_work> work;
    states(const kb_mechanism *m, long n, int layout)
        : n(n), T(n), p(n), Y(n * species), status(n, -1), work(n)
    {
        const char *name[] = {"H2", "O2", "N2"};
        double mass[] = {0.0285, 0.2264, 0.7451};
        for (long i = 0; i < n; i++) {
            T[i] = 1000 + (double)(i * 7919 % 1000);
            p[i] = 101325 * (1 + (double)(i % 3));
            for (int k = 0; k < 3; k++) {
                int s = kb_mechanism_find_species(m, name[k]);
                Y[layout == KB_SPECIES_MAJOR ? s * n + i : i * species + s] = mass[k];
            }
        }
    }
};

/* the same on the device */
struct copies {
    double *T, *p, *Y;
    int *status;
    kb_work *work;
    copies(const states &s, cudaStream_t stream)
    {
        size_t n = (size_t)s.n;
        cudaMalloc(&T, n * sizeof *T);
        cudaMalloc(&p, n * sizeof *p);
        cudaMalloc(&Y, n * species * sizeof *Y);
        cudaMalloc(&status, n * sizeof *status);
        cudaMalloc(&work, n * sizeof *work);
        cudaMemcpyAsync(T, s.T.data(), n * sizeof *T, cudaMemcpyDefault, stream);
        cudaMemcpyAsync(p, s.p.data(), n * sizeof *p, cudaMemcpyDefault, stream);
        cudaMemcpyAsync(Y, s.Y.data(), n * species * sizeof *Y, cudaMemcpyDefault, stream);
    }
    void take(states *s)
    {
        size_t n = (size_t)s->n;
        cudaMemcpy(s->T.data(), T, n * sizeof *T, cudaMemcpyDefault);
        cudaMemcpy(s->p.data(), p, n * sizeof *p, cudaMemcpyDefault);
        cudaMemcpy(s->Y.data(), Y, n * species * sizeof *Y, cudaMemcpyDefault);
        cudaMemcpy(s->status.data(), status, n * sizeof *status, cudaMemcpyDefault);
        cudaMemcpy(s->work.data(), work, n * sizeof *work, cudaMemcpyDefault);
    }
    ~copies()
    {
        cudaFree(T);
        cudaFree(p);
        cudaFree(Y);
        cudaFree(status);
        cudaFree(work);
    }
};

static bool same(const states &a, const states &b)
{
    double far = 0; /* p at constant volume is computed by other hardware */
    for (long i = 0; i < a.n; i++)
        far = larger(far, fabs(a.p[i] / b.p[i] - 1));
    return a.T == b.T && a.Y == b.Y && a.status == b.status && far < 1e-13 &&
           !memcmp(a.work.data(), b.work.data(), a.work.size() * sizeof a.work[0]);
}

static const char *method; /* the first that has a GPU engine */

static kb_integrator *make(const kb_mechanism *m, const char *engine, int layout, int reactor,
                           double rtol = 1e-6, double atol = 1e-12)
{
    kb_integrator *it;
    if (kb_integrator_create(m, method, engine, rtol, atol, reactor, &it) ||
        kb_integrator_set(it, "layout", layout)) {
        fprintf(stderr, "device: %s\n", kb_last_error());
        exit(2);
    }
    return it;
}

static void compare(const kb_mechanism *m, const char *engine, long n, int layout, int reactor)
{
    kb_integrator *it = make(m, engine, layout, reactor);
    states host(m, n, layout), there(m, n, layout);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int code = kb_integrate(it, n, host.T.data(), host.p.data(), host.Y.data(), dt,
                            host.status.data(), host.work.data());
    copies device(there, stream); /* not waited for: the call begins behind them */
    int other = kb_integrate_device(it, n, device.T, device.p, device.Y, dt, device.status,
                                    device.work, stream);
    if (other)
        fprintf(stderr, "device: %s\n", kb_last_error());
    device.take(&there);
    char what[128];
    snprintf(what, sizeof what, "the bits of the host call, %s, %s", engine,
             layout == KB_SPECIES_MAJOR ? "species by species" : "ODE by ODE");
    tell(!code && !other && same(host, there), what,
         reactor == KB_CONSTANT_VOLUME ? "constant volume" : "constant pressure");
    states again(m, n, layout);
    copies bare(again, nullptr);
    other = kb_integrate_device(it, n, bare.T, bare.p, bare.Y, dt, nullptr, nullptr, nullptr);
    bare.take(&again);
    again.status = host.status;
    again.work = host.work;
    tell(!other && same(host, again), "without status, work and stream", engine);
    cudaStreamDestroy(stream);
    kb_integrator_free(it);
}

static void streams(const kb_mechanism *m, const char *engine, long n)
{
    enum { THREADS = 4, CALLS = 3 };
    kb_integrator *it = make(m, engine, KB_SPECIES_MAJOR, KB_CONSTANT_PRESSURE);
    states host(m, n, KB_SPECIES_MAJOR);
    bool good[THREADS];
    std::thread thread[THREADS];
    kb_integrate(it, n, host.T.data(), host.p.data(), host.Y.data(), dt, host.status.data(),
                 host.work.data());
    auto run = [&](bool *fine) {
        cudaStream_t stream;
        cudaStreamCreate(&stream);
        *fine = true;
        for (int k = 0; k < CALLS; k++) {
            states s(m, n, KB_SPECIES_MAJOR);
            copies device(s, stream);
            *fine = *fine && !kb_integrate_device(it, n, device.T, device.p, device.Y, dt,
                                                  device.status, device.work, stream);
            device.take(&s);
            *fine = *fine && same(s, host);
        }
        cudaStreamDestroy(stream);
    };
    for (int k = 0; k < THREADS; k++)
        thread[k] = std::thread(run, &good[k]);
    for (int k = 0; k < THREADS; k++) {
        thread[k].join();
        tell(good[k], "one integrator, four threads with a stream each", engine);
    }
    kb_integrator_free(it);
}

static void failures(const kb_mechanism *m, const char *engine)
{
    kb_integrator *it = make(m, engine, KB_ODE_MAJOR, KB_CONSTANT_PRESSURE);
    states s(m, 5, KB_ODE_MAJOR);
    s.T[2] = 1e5;
    copies device(s, nullptr);
    int code = kb_integrate_device(it, 5, device.T, device.p, device.Y, dt, device.status,
                                   device.work, nullptr);
    device.take(&s);
    tell(code == KB_ERROR_ODES && s.status[2] && s.T[2] == 1e5 && !s.status[1] && !s.status[3],
         "an ODE that fails keeps its state", engine);
    code = kb_integrate_device(it, 5, s.T.data(), device.p, device.Y, dt, nullptr, nullptr,
                               nullptr);
    tell(code && strstr(kb_last_error(), "T is not in the memory of the device"),
         "arrays of the host are refused", engine);
    kb_integrator_free(it);
}

/* Results that are no states, as of the host's arrays: Y far below 0 by wide tolerances, and at
 * constant volume p above 1e9 Pa. Their ODEs keep their states. */
static void results(const kb_mechanism *m, const char *engine, long n, int layout, int reactor)
{
    bool wide = reactor == KB_CONSTANT_PRESSURE, kept = true;
    kb_integrator *it = make(m, engine, layout, reactor, wide ? 0.1 : 1e-6, wide ? 0.1 : 1e-12);
    states given(m, n, layout);
    for (double &p : given.p)
        p *= wide ? 300 : 2500;
    states host = given, there = given;
    int code = kb_integrate(it, n, host.T.data(), host.p.data(), host.Y.data(), dt,
                            host.status.data(), host.work.data());
    copies device(there, nullptr);
    int other = kb_integrate_device(it, n, device.T, device.p, device.Y, dt, device.status,
                                    device.work, nullptr);
    device.take(&there);
    long beyond = 0;
    for (long i = 0; i < n; i++) {
        if (strcmp(kb_status_text(there.status[i]), "out of bounds"))
            continue;
        beyond++;
        kept = kept && there.work[i].attempted && there.T[i] == given.T[i] &&
               there.p[i] == given.p[i];
    }
    char what[128];
    snprintf(what, sizeof what, "%ld of %ld results are no states, %s", beyond, n, engine);
    tell(code == KB_ERROR_ODES && other == code && beyond && beyond < n && kept &&
             same(host, there), what, wide ? "wide tolerances" : "p above 1e9 Pa");
    kb_integrator_free(it);
}

/* time of a call on states of the device, and on those of the host */
static void times(const kb_mechanism *m, const char *engine, long n)
{
    kb_integrator *it = make(m, engine, KB_ODE_MAJOR, KB_CONSTANT_PRESSURE);
    double best[2] = {1e9, 1e9};
    for (int k = 0; k < 10; k++) {
        states s(m, n, KB_ODE_MAJOR);
        copies device(s, nullptr);
        cudaDeviceSynchronize();
        double begin = now();
        kb_integrate_device(it, n, device.T, device.p, device.Y, dt, nullptr, nullptr, nullptr);
        double middle = now();
        kb_integrate(it, n, s.T.data(), s.p.data(), s.Y.data(), dt, nullptr, nullptr);
        best[0] = fmin(best[0], middle - begin);
        best[1] = fmin(best[1], now() - middle);
    }
    printf("%s, %ld ODEs: %.4g us an ODE on the device's states, %.4g on the host's\n", engine, n,
           1e6 * best[0] / (double)n, 1e6 * best[1] / (double)n);
    kb_integrator_free(it);
}

int main(int argc, char **argv)
{
    int devices = 0;
    kb_mechanism *m;
    long n = argc > 2 ? atol(argv[2]) : 1000;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || !devices) {
        printf("skip - states of a device: no GPU\n");
        return 0;
    }
    if (kb_mechanism_open(argc > 1 ? argv[1] : "h2", &m)) {
        fprintf(stderr, "device: %s\n", kb_last_error());
        return 2;
    }
    species = kb_mechanism_species(m);
    const char *name, *engine;
    for (int i = 0; !kb_mechanism_solver(m, i, &name, &engine); i++) {
        if (strncmp(engine, "gpu", 3) || (method && strcmp(method, name)))
            continue;
        method = name;
        for (int k = 0; k < 4; k++)
            compare(m, engine, n + k, k % 2, k / 2);
        streams(m, engine, n);
        failures(m, engine);
        for (int k = 0; k < 4; k++)
            results(m, engine, n, k % 2, k / 2);
        times(m, engine, 64 * n);
    }
    kb_mechanism_close(m);
    tell(method, "there are GPU engines", argv[0]);
    return failed;
}
