/* SPDX-License-Identifier: MIT
 *
 * libkinbench: the integrators of kinbench for programs that have chemical states in their cells.
 *
 *     kb_mechanism *m;
 *     kb_integrator *it;
 *     if (kb_mechanism_open("gri30", &m) ||
 *         kb_integrator_create(m, "rodas4", "cpu-simd", 1e-6, 1e-10, KB_CONSTANT_PRESSURE, &it))
 *         fprintf(stderr, "%s\n", kb_last_error());
 *     else if (kb_integrate(it, n, T, p, Y, dt, status, NULL))
 *         fprintf(stderr, "%s\n", kb_last_error());
 *
 * Units: K, Pa, kg, m, s, kmol. Every function that returns int returns one of the codes below and
 * leaves its reason in kb_last_error(). Nothing here ends the program, prints, or handles signals.
 *
 * Arithmetic: what the caller traps (feenableexcept), its rounding and its flags hold for nothing
 * here, in no thread of a call, and are the caller's again when a function returns. Its locale
 * holds for nothing either: numbers of files and options have a point.
 *
 * Threads: a mechanism and an integrator may be used by any number of threads at once; only
 * kb_integrator_set, kb_integrator_free and kb_mechanism_close need the object for themselves. A
 * child of fork may go on with the objects of its parent, on one CPU thread a call, if no other
 * thread was in a call at the fork; not with a GPU.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KB_API __attribute__((visibility("default")))

#define KINBENCH_VERSION "1.0.0"

enum {
    KB_SUCCESS = 0,
    KB_ERROR_ODES = 1,     /* single ODEs failed: see status; all others are done */
    KB_ERROR_ARGUMENT = 2, /* a wrong argument, name or file */
    KB_ERROR_DEVICE = 3,   /* no such engine here, no GPU, or CUDA failed */
    KB_ERROR_MEMORY = 4
};

enum { KB_CONSTANT_PRESSURE = 0, KB_CONSTANT_VOLUME = 1 };

/* how Y lies in memory: Y[ode * species + k], or Y[k * odes + ode] */
enum { KB_ODE_MAJOR = 0, KB_SPECIES_MAJOR = 1 };

/* work of one ODE; attempted = accepted + rejected substeps */
typedef struct {
    int32_t attempted, accepted, rejected, rhs, jacobians, factorisations, solves, status;
} kb_work;

typedef struct kb_mechanism kb_mechanism;
typedef struct kb_integrator kb_integrator;

/* The version of the library that is loaded, as KINBENCH_VERSION. */
KB_API const char *kb_library_version(void);

/* Why the last function that failed on this thread did; "" before the first failure. Holds until
 * this thread's next failure. */
KB_API const char *kb_last_error(void);

/* ---- mechanisms ---- */

/* Opens the solvers of a mechanism. name: a file solvers.so that make has built; a mechanism by its
 * name, "gri30"; or its file, "path/to/file.yaml" or "path/to/mech.inp,path/to/therm.dat". Of a
 * name the installed solvers are taken (<prefix>/lib/kinbench/<name>/solvers.so), or those that
 * were built in the source tree, or make builds them now in the user's cache
 * ($XDG_CACHE_HOME/kinbench), which takes minutes once. A file is read at once, without a compiler,
 * for the engines cpu-scalar-any and cpu-simd-any, unless solvers were compiled for the same
 * mechanism; with KINBENCH_COMPILE=1 in the environment make compiles them. The source tree is
 * KINBENCH_SOURCE of the environment, or where the library was built; it may be read-only. Two
 * callers at once build once.
 * Errors: KB_ERROR_ARGUMENT: no such file or mechanism, a failed build (with its last lines), a
 * solvers.so of another version, or of instructions that this processor lacks. */
KB_API int kb_mechanism_open(const char *name, kb_mechanism **out);

/* Every function below that takes a mechanism accepts NULL: it returns NULL, 0, -1 or
 * KB_ERROR_ARGUMENT, and kb_last_error says so. */

/* Not before its integrators are freed. Compiled solvers stay loaded until the program ends. */
KB_API void kb_mechanism_close(kb_mechanism *m);

KB_API const char *kb_mechanism_name(const kb_mechanism *m);
KB_API int kb_mechanism_species(const kb_mechanism *m);
/* NULL, 0 outside 0 <= k < kb_mechanism_species(m) */
KB_API const char *kb_mechanism_species_name(const kb_mechanism *m, int k);
KB_API double kb_mechanism_weight(const kb_mechanism *m, int k); /* [kg/kmol] */
/* -1 if there is no species of that name */
KB_API int kb_mechanism_find_species(const kb_mechanism *m, const char *name);
/* Numbers of n species by their names: index [n].
 * Errors: KB_ERROR_ARGUMENT names the first that is not in the mechanism; index is not written. */
KB_API int kb_mechanism_find_all(const kb_mechanism *m, int n, const char *const *names,
                                 int *index);

/* Method and engine number i of this mechanism, i = 0, 1, ... KB_ERROR_ARGUMENT (without a change
 * of kb_last_error) when there are fewer. */
KB_API int kb_mechanism_solver(const kb_mechanism *m, int i, const char **method,
                               const char **engine);

/* ---- integrators ---- */

/* method: "rodas4", "cvode" ..., with options of the method "rodas4:h0=1"; engine: "cpu-scalar",
 * "cpu-simd", "gpu-thread" ...; NULL: cpu-simd, or cpu-scalar where the method has no other. Of a
 * mechanism file cpu-simd is cpu-simd-any, and cpu-scalar cpu-scalar-any.
 * "auto": each call takes what was measured to be the fastest for its n and dt and an error of rtol
 * (0: 1e-4), on that engine or, NULL, on any; atol is not read (docs/methods.md). An error smaller
 * than any that was measured there is KB_ERROR_ARGUMENT. Otherwise a step is accepted when its
 * error is within rtol |y| + atol in T and all Y; both at most 1; 0: the method's default.
 * reactor: KB_CONSTANT_PRESSURE or KB_CONSTANT_VOLUME, adiabatic both.
 * Errors: KB_ERROR_ARGUMENT with what there is; KB_ERROR_MEMORY. */
KB_API int kb_integrator_create(const kb_mechanism *m, const char *method, const char *engine,
                                double rtol, double atol, int reactor, kb_integrator **out);
KB_API void kb_integrator_free(kb_integrator *it);

/* name: "layout"        KB_ODE_MAJOR (default) or KB_SPECIES_MAJOR
 *       "threads"       most CPU threads of a call; 0 (default): as many as the call has work for,
 *                       all at most, and 1 within an OpenMP region; fewer if the system starts no
 *                       more. Results do not depend on it
 *       "block"         threads of a block of gpu-thread; 0 (default): the engine's choice
 *       "refill"        1 (default): a lane that is done takes the next ODE; 0: it waits; not of
 *                       "auto", whose choice has it
 *       "max_substeps"  attempted, of one ODE (default 1,000,000)
 *       "repair"        1: Y from -0.001 to 0 are set to 0, and Y of a sum within 0.01 of 1 are
 *                       scaled to a sum of 1, before a call checks them; 0 (default): they are not
 *       or an option of the method.
 * Errors: KB_ERROR_ARGUMENT: no such name, or a value out of range. */
KB_API int kb_integrator_set(kb_integrator *it, const char *name, double value);

/* Integrates n ODEs, each from a cold start, over dt [s]. T [n], p [n] and Y (n states, in the
 * layout that was set; not changed: p at constant pressure) hold the initial states and then those
 * at dt. An ODE that fails keeps its initial state. status [n] and work [n] may be NULL; status 0:
 * ok, otherwise kb_status_text says what. "not finite" and "out of bounds" are also the states that
 * nothing is integrated from: T outside 150 to 6000 K (at an end: taken by CVODE alone), p outside
 * 1 to 1e9 Pa, Y below -e, or a sum of Y that is not 1 within e. e is 10 (rtol + atol), so that a
 * result is a state of the next call; for Y 1e-9 at least and 1e-3 at most, for the sum 1e-6 at
 * least and 1e-2 at most. A result that is no such state, as of CVODE far below 0, is "out of
 * bounds" too.
 * Small n and one thread: no memory is allocated after the first calls but by the method itself.
 * Errors: KB_ERROR_ODES, the other ODEs are done; any other code: nothing was changed. */
KB_API int kb_integrate(kb_integrator *it, long n, double *T, double *p, double *Y, double dt,
                        int *status, kb_work *work);

/* The same with T, p, Y, status and work in the memory of the GPU, of an integrator on a GPU
 * engine. Begins when what was put on the CUDA stream before has ended, and returns when the states
 * are there. stream: a cudaStream_t; NULL: the default stream. Without forcing (below).
 * Errors: as kb_integrate; KB_ERROR_DEVICE: the engine is not one of a GPU. */
KB_API int kb_integrate_device(kb_integrator *it, long n, double *T, double *p, double *Y,
                               double dt, int *status, kb_work *work, void *stream);

/* What a flow code hands over and takes back beside T, p and Y. Members that are 0 or NULL change
 * nothing; size is needed. Arrays have one number for each ODE [n]. */
typedef struct {
    size_t size; /* sizeof(kb_flow_step) */

    /* the state by other quantities; what is found starts from T and replaces it */
    const double *enthalpy; /* [J/kg]: T is found */
    const double *density;  /* [kg/m^3], with energy: T and p are found */
    const double *energy;   /* internal [J/kg] */

    /* [species] arrays [n], one for each species, in place of Y, which is NULL then */
    double *const *Y_arrays;
    int keep; /* 1: T, p and Y are not changed, RR tells the result */

    /* engines of the CPU and CVODE */
    /* [s] of each ODE, in place of the argument, which is not read then; 1e-6 of the longest at
     * least, on whose clock they all are */
    const double *dt;
    const double *substep; /* to begin with [s]; 0: the method chooses it (a cold start) */
    double *next_substep;  /* that it would take next [s]; 0: the ODE failed. May be substep */

    /* mean source terms rho (Y(dt) - Y(0)) / dt [kg/(m^3 s)], rho at the beginning; 0 of a failed
     * ODE. As Y, or [species] arrays [n] */
    double *RR;
    double *const *RR_arrays;
    double *cost; /* work of each ODE, in right-hand sides that take as long, roughly */
    int *status;
    kb_work *work;

    /* constant parts of d(T, Y)/dt, both or none: [K/s] [n], and [1/s] as Y in the layout that was
     * set, with a sum of 0 for each ODE; of engines ...-forced (docs/methods.md, "Forcing"). Such a
     * call allocates memory */
    const double *forcing_T, *forcing_Y;
} kb_flow_step;

/* As kb_integrate with what step says; NULL: nothing. Enthalpies, energies and densities may go
 * with either reactor. An ODE whose T is not found within 50 to 6000 K fails: "out of bounds".
 * Errors: as kb_integrate; KB_ERROR_ARGUMENT also for a dt that is not above 0, a substep below 0,
 * or a missing or doubled member, by name and number; KB_ERROR_DEVICE: dt, substep or next_substep
 * with an engine of a GPU, forcing with one that takes none. */
KB_API int kb_integrate_step(kb_integrator *it, long n, double *T, double *p, double *Y, double dt,
                             const kb_flow_step *step);

/* "ok", "too many substeps", ... */
KB_API const char *kb_status_text(int status);

/* ---- rates ---- */

/* Right-hand sides of n states (layout and reactor of the integrator; p that of the state). Each
 * may be NULL: dTdt [n] [K/s], dYdt (as Y) [1/s], wdot (as Y) [kmol/(m^3 s)]. On the caller's
 * thread.
 * Errors: KB_ERROR_ARGUMENT, and nothing is written: also for a state that is not finite, T outside
 * 50 to 6000 K, p outside 1 to 1e9 Pa, Y below -0.001 or a sum of Y that is not 1 within 0.01, more
 * than kb_integrate allows, for differences and iterations; KB_ERROR_MEMORY. */
KB_API int kb_rates(kb_integrator *it, long n, const double *T, const double *p, const double *Y,
                    double *dTdt, double *dYdt, double *wdot);

/* The ideal gas in n states (layout of the integrator): density [kg/m^3], enthalpy [J/kg] and cp
 * [J/(kg K)] [n], each of which may be NULL. The internal energy is enthalpy - p/density, cv is
 * cp - p/(density T). Checks and errors as kb_rates. */
KB_API int kb_properties(kb_integrator *it, long n, const double *T, const double *p,
                         const double *Y, double *density, double *enthalpy, double *cp);

/* T [n] [K] at which the enthalpy (KB_CONSTANT_PRESSURE) or the internal energy
 * (KB_CONSTANT_VOLUME) is energy [J/kg], whatever the reactor of the integrator; T holds where the
 * search begins.
 * Errors: as kb_rates; also if a state has no such T from 50 to 6000 K. Nothing is written. */
KB_API int kb_temperature(kb_integrator *it, int reactor, long n, const double *energy,
                          const double *Y, double *T);

/* J [n x N x N], N = species + 1: J[i][j] = d(dy_i/dt)/dy_j of y = (T, Y) for each state, row
 * major in any layout; at constant p, or at constant density. Errors as kb_rates, but J of states
 * before an impossible one may be written. */
KB_API int kb_jacobian(kb_integrator *it, long n, const double *T, const double *p,
                       const double *Y, double *J);

#ifdef __cplusplus
}
#endif
