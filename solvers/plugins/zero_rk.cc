/* SPDX-License-Identifier: MIT
 *
 * zero-rk-cvode, zero-rk-seulex, zero-rk-sodex and zero-rk-radau: the integrators of LLNL's Zero-RK
 * (McNenly, Whitesides, Flowers, Proc. Combust. Inst. 35 (2015) 581) with its rates and its sparse
 * preconditioner, as its CFD plug-in runs them, a cold start on each ODE. Compiled from a clone in
 * ZERORK_DIR for a mechanism with KB_CHEMKIN and KB_THERMO, its CHEMKIN files
 * (drivers/peers/peers.mk).
 */
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <omp.h>
#include <sstream>
#include <string>
#include <vector>

#include "reactor_constant_pressure_cpu.h"
#include "reactor_constant_volume_cpu.h"
#include "solver_cvode.h"
#include "solver_radau.h"
#include "solver_seulex.h"
#include "solver_sodex.h"
#include "solvers/plugin_api.h"

enum { DENSE, ITERATIVE, THRESHOLD };
static const kb_plugin_option options[] = {
    {"dense", "1: dense Jacobian; 0: sparse, with entries below the threshold left out", 0},
    {"iterative", "of cvode with dense=1, 1: GMRES; 0: direct", 1},
    {"threshold", "entries of the sparse Jacobian that are smaller are left out", 1e-3},
    {nullptr, nullptr, 0}};

SUNContext kb_zero_rk_context(void)
{
    static thread_local SUNContext context;
    if (!context)
        SUNContext_Create(nullptr, &context);
    return context;
}

/* a reactor of theirs that counts what an integrator asks of it */
template <class Reactor> class counted : public Reactor {
public:
    kb_plugin_work work = {};

    explicit counted(std::shared_ptr<zerork::mechanism> m) : Reactor(m) {}
    int GetTimeDerivative(const double t, N_Vector y, N_Vector f) override
    {
        work.rhs++;
        return Reactor::GetTimeDerivative(t, y, f);
    }
    int GetJacobianDense(double t, N_Vector y, N_Vector f, SUNMatrix J) override
    {
        work.jac++;
        return Reactor::GetJacobianDense(t, y, f, J);
    }
    int JacobianSetup(double t, N_Vector y, N_Vector f) override
    {
        work.jac++;
        return Reactor::JacobianSetup(t, y, f);
    }
    int JacobianFactor(double gamma) override
    {
        work.lu++;
        return Reactor::JacobianFactor(gamma);
    }
    int JacobianSolve(double t, N_Vector y, N_Vector f, N_Vector r, N_Vector z) override
    {
        work.solve++;
        return Reactor::JacobianSolve(t, y, f, r, z);
    }
};

/* one thread's */
struct zero_rk {
    std::shared_ptr<ReactorBase> reactor;
    std::unique_ptr<SolverBase> solver;
    kb_plugin_work *work;
    std::vector<int> place;       /* of species k in Zero-RK */
    std::vector<double> fraction; /* in its order */
};

/* Names of the species in the order of the file, which is kinbench's */
static std::vector<std::string> species_of(const char *path)
{
    std::ifstream file(path);
    std::vector<std::string> names;
    bool inside = false;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line.substr(0, line.find('!')));
        for (std::string word; words >> word;) {
            std::string upper = word;
            for (char &c : upper)
                c = (char)toupper(c);
            if (upper == "SPECIES" || upper == "SPEC")
                inside = true;
            else if (inside && (upper == "END" || upper.substr(0, 4) == "REAC" ||
                                upper.substr(0, 4) == "THER"))
                return names;
            else if (inside && std::find(names.begin(), names.end(), word) == names.end())
                names.push_back(word);
        }
    }
    return names;
}

/* as its CFD plug-in has them, but for the tolerances and the options */
static void set_options(Optionable &o, const kb_plugin_job *job)
{
    o.SetIntOptions({{"max_steps", job->max_substeps > 0 && job->max_substeps < 1000000000
                                       ? (int)job->max_substeps : 1000000},
                     {"dense", (int)job->options[DENSE]},
                     {"iterative", (int)job->options[ITERATIVE]}, {"analytic", 1},
                     {"abstol_dens", 0}, {"cvode_num_retries", 5},
                     {"always_solve_temperature", 1}, {"stop_after_ignition", 0},
                     {"integrator", 0}});
    o.SetDoubleOptions({{"rel_tol", job->rtol}, {"abs_tol", job->atol}, {"eps_lin", 1e-3},
                        {"nonlinear_convergence_coeff", 0.05},
                        {"preconditioner_threshold", job->options[THRESHOLD]}, {"max_dt", 0.05},
                        {"cvode_retry_absolute_tolerance_adjustment", 0.1},
                        {"cvode_retry_relative_tolerance_adjustment", 1.0},
                        {"reference_temperature", 1.0}, {"delta_temperature_ignition", 0.0},
                        {"min_mass_fraction", 1e-30}, {"step_limiter", 1e22}});
}

template <class Reactor, class Solver>
static void make(zero_rk *z, const kb_plugin_job *job, std::shared_ptr<zerork::mechanism> m)
{
    auto reactor = std::make_shared<counted<Reactor>>(m);
    set_options(*reactor, job);
    reactor->SetStepLimiter(1e22);
    reactor->SetID(0);
    z->work = &reactor->work;
    z->reactor = reactor;
    z->solver.reset(new Solver(*reactor));
    set_options(*z->solver, job);
}

/* NULL, with a reason on stderr: the files do not have the species of the job, or cannot be read */
template <class Solver> static zero_rk *new_zero_rk(const kb_plugin_job *job)
{
    try {
        auto m = std::make_shared<zerork::mechanism>(KB_CHEMKIN, KB_THERMO, "/dev/null", 0);
        std::vector<std::string> names = species_of(KB_CHEMKIN);
        std::unique_ptr<zero_rk> z(new zero_rk);
        bool known = (int)names.size() == job->species && m->getNumSpecies() == job->species;
        for (const std::string &name : names) {
            z->place.push_back(m->getIdxFromName(name.c_str()));
            known = known && z->place.back() >= 0;
        }
        if (!known) {
            fprintf(stderr, "zero-rk: %s has %d species, not the %d of the mechanism\n", KB_CHEMKIN,
                    (int)names.size(), job->species);
            return nullptr;
        }
        z->fraction.resize(names.size());
        if (job->constant_volume)
            make<ReactorConstantVolumeCPU, Solver>(z.get(), job, m);
        else
            make<ReactorConstantPressureCPU, Solver>(z.get(), job, m);
        return z.release();
    } catch (const std::exception &e) {
        fprintf(stderr, "zero-rk: %s: %s\n", KB_CHEMKIN, e.what());
        return nullptr;
    }
}

static void finish(void *self)
{
    auto *threads = static_cast<std::vector<zero_rk *> *>(self);
    for (zero_rk *z : *threads)
        delete z;
    delete threads;
}

/* One for each thread; their reader has global state, and prints to stdout */
template <class Solver> static void *start(const kb_plugin_job *job, kb_plugin_ode *)
{
    auto *threads = new std::vector<zero_rk *>((size_t)job->threads);
    bool whole = freopen("/dev/null", "w", stdout) != nullptr;
#pragma omp parallel num_threads(job->threads)
#pragma omp critical
    {
        zero_rk *z = new_zero_rk<Solver>(job);
        (*threads)[(size_t)omp_get_thread_num()] = z;
        whole = whole && z;
    }
    if (whole)
        return threads;
    finish(threads);
    return nullptr;
}

static int integrate_one(zero_rk *z, const kb_plugin_job *job, const double *state, double *y,
                         kb_plugin_work *work)
{
    const double zero = 0;
    double T, p;
    size_t n = z->place.size();
    for (size_t k = 0; k < n; k++)
        z->fraction[(size_t)z->place[k]] = state[2 + k];
    *z->work = {};
    z->reactor->InitializeState(0, 1, &state[0], &state[1], z->fraction.data(), &zero, &zero,
                                nullptr);
    int steps = z->solver->Integrate(job->dt);
    z->reactor->GetState(job->dt, &T, &p, z->fraction.data());
    y[0] = T;
    for (size_t k = 0; k < n; k++)
        y[1 + k] = z->fraction[(size_t)z->place[k]];
    *work = *z->work;
    work->attempted = work->accepted = abs(steps);
    return steps < 0 ? KB_PLUGIN_STEP_SMALL : KB_PLUGIN_OK;
}

static int integrate(void *self, const kb_plugin_job *job, double *y, kb_plugin_work *work,
                     int32_t *status, char *, int)
{
    auto &threads = *static_cast<std::vector<zero_rk *> *>(self);
    size_t columns = (size_t)job->species + 2;
#pragma omp parallel for num_threads(job->threads) schedule(dynamic, 1)
    for (long i = 0; i < job->n; i++) {
        zero_rk *z = threads[(size_t)omp_get_thread_num()];
        if (z && !*job->stop)
            status[i] = integrate_one(z, job, job->states + (size_t)i * columns,
                                      y + (size_t)i * (columns - 1), &work[i]);
    }
    return 0;
}

#define SOURCE "McNenly et al., Proc. Combust. Inst. 35 (2015) 581; github.com/LLNL/zero-rk"
static const kb_plugin_solver solvers[] = {
    {"zero-rk-cvode", "CVODE of SUNDIALS on Zero-RK's rates", SOURCE, 1e-8, 1e-14, 0, options,
     start<CvodeSolver>, finish, nullptr, integrate},
    {"zero-rk-seulex", "Zero-RK's seulex", SOURCE, 1e-8, 1e-14, 0, options, start<SeulexSolver>,
     finish, nullptr, integrate},
    {"zero-rk-sodex", "Zero-RK's sodex", SOURCE, 1e-8, 1e-14, 0, options, start<SodexSolver>,
     finish, nullptr, integrate},
    {"zero-rk-radau", "Zero-RK's radau", SOURCE, 1e-8, 1e-14, 0, options, start<RadauSolver>,
     finish, nullptr, integrate}};

const kb_plugin_list *kb_plugin_get(void)
{
    static const kb_plugin_list list = {KB_PLUGIN_VERSION, 4, solvers};
    return &list;
}
