// SPDX-License-Identifier: MIT
//
// A chemistry solver of OpenFOAM on libkinbench, chosen when a case is run (README.md):
//
//     controlDict            libs ("libkinbenchChemistry.so");
//     chemistryProperties    chemistryType { solver kinbench; }
//                            kinbenchCoeffs { mechanism "gri30"; }
//
// Fields of OpenFOAM go to kb_integrate_step as they are: one array for each species, and the mean
// source terms come back into RR. Cells at or below Treact have no reactions, as with OpenFOAM's
// own solvers.
#include "StandardChemistryModel.H"
#include "UniformField.H"
#include "chemistrySolver.H"
#include "psiReactionThermo.H"
#include "rhoReactionThermo.H"
#include "thermoPhysicsTypes.H"

#include <kinbench.h>
#include <string>
#include <vector>

namespace Foam
{

template<class ChemistryModel>
class kinbench : public chemistrySolver<ChemistryModel>
{
    kb_mechanism* mechanism_ = nullptr;
    kb_integrator* integrator_ = nullptr;
    bool log_ = false;
    std::vector<int> index_; // species k of OpenFOAM is index_[k] of the mechanism

    static void check(int code)
    {
        if (code)
        {
            FatalErrorInFunction << "libkinbench: " << kb_last_error() << exit(FatalError);
        }
    }

    void open(const dictionary& coeffs)
    {
        const string engine(coeffs.lookupOrDefault<string>("engine", ""));
        const string method(coeffs.lookupOrDefault<string>("method", "rodas4"));
        check(kb_mechanism_open(coeffs.get<string>("mechanism").c_str(), &mechanism_));
        check
        (
            kb_integrator_create
            (
                mechanism_, method.c_str(), engine.empty() ? nullptr : engine.c_str(),
                coeffs.lookupOrDefault<scalar>("relTol", 1e-4),
                coeffs.lookupOrDefault<scalar>("absTol", 1e-10), KB_CONSTANT_PRESSURE,
                &integrator_
            )
        );
        log_ = coeffs.lookupOrDefault<Switch>("log", false);
        // one, as each process of an MPI run has its own cells
        check(kb_integrator_set(integrator_, "threads", coeffs.lookupOrDefault("threads", 1)));
    }

    void findSpecies()
    {
        std::vector<std::string> words;
        std::vector<const char*> names;
        forAll(this->Y_, k)
        {
            words.push_back(this->Y_[k].member());
        }
        for (const std::string& text : words)
        {
            names.push_back(text.c_str());
        }
        if (kb_mechanism_species(mechanism_) != this->nSpecie_)
        {
            FatalErrorInFunction << "the case has " << this->nSpecie_ << " species, "
                << kb_mechanism_name(mechanism_) << " of libkinbench "
                << kb_mechanism_species(mechanism_) << exit(FatalError);
        }
        index_.resize(this->nSpecie_);
        check(kb_mechanism_find_all(mechanism_, this->nSpecie_, names.data(), index_.data()));
    }

    // cells that react; none: all of them do
    labelList reacting(const scalarField& T) const
    {
        labelList cells(T.size());
        label n = 0;
        forAll(T, c)
        {
            if (T[c] > this->Treact_)
            {
                cells[n++] = c;
            }
        }
        cells.setSize(n);
        return cells;
    }

    // the cells of a field in one piece: the field itself if all react
    static const scalar* piece(const scalarField& field, const labelList& cells, scalarField& copy)
    {
        if (cells.size() == field.size())
        {
            return field.cdata();
        }
        copy = scalarField(field, cells);
        return copy.cdata();
    }

    static void putBack(scalarField& field, const labelList& cells, const scalarField& copy)
    {
        if (cells.size() != field.size())
        {
            field = 0;
            UIndirectList<scalar>(field, cells) = copy;
        }
    }

    // dt: one for each cell, or of a single value: the same for all
    scalar integrate(const scalarField& dt)
    {
        this->correct();
        if (!this->chemistry_)
        {
            return GREAT;
        }
        const scalarField& T = this->thermo().T();
        const scalarField& p = this->thermo().p();
        const labelList cells(reacting(T));
        const label n = cells.size(), ns = this->nSpecie_;
        scalarField& deltaTChem = this->deltaTChem_;
        scalarField Tc, pc, dtc, substep(deltaTChem, cells), cost(n);
        List<scalarField> Yc(ns), RRc(ns);
        std::vector<double*> Y(ns), RR(ns);
        for (label k = 0; k < ns; k++)
        {
            // not changed, since step.keep is set
            Y[index_[k]] = const_cast<scalar*>(piece(this->Y_[k], cells, Yc[k]));
            RR[index_[k]] = const_cast<scalar*>(piece(this->RR_[k], cells, RRc[k]));
        }
        kb_flow_step step = {};
        step.size = sizeof step;
        step.keep = 1;
        step.Y_arrays = Y.data();
        step.RR_arrays = RR.data();
        step.dt = dt.size() == 1 ? nullptr : piece(dt, cells, dtc);
        step.substep = step.next_substep = substep.data();
        step.cost = cost.data();
        const int code = kb_integrate_step
        (
            integrator_, n, const_cast<scalar*>(piece(T, cells, Tc)),
            const_cast<scalar*>(piece(p, cells, pc)), nullptr, dt[0], &step
        );
        if (code == KB_ERROR_ODES)
        {
            WarningInFunction << kb_last_error() << ": no reactions there in this step" << endl;
        }
        else
        {
            check(code);
        }
        for (label k = 0; k < ns; k++)
        {
            putBack(this->RR_[k], cells, RRc[k]);
        }
        substep = min(substep, this->deltaTChemMax_);
        UIndirectList<scalar>(deltaTChem, cells) = substep;
        if (log_)
        {
            Info<< "kinbench: " << n << " cells, cost of a cell " << (n ? average(cost) : 0)
                << " right-hand sides, at most " << (n ? max(cost) : 0) << endl;
        }
        return n ? min(substep) : GREAT;
    }

public:

    TypeName("kinbench");

    explicit kinbench(typename ChemistryModel::reactionThermo& thermo)
    :
        chemistrySolver<ChemistryModel>(thermo)
    {
        open(this->subDict("kinbenchCoeffs"));
        findSpecies();
    }

    virtual ~kinbench()
    {
        kb_integrator_free(integrator_);
        kb_mechanism_close(mechanism_);
    }

    virtual scalar solve(const scalar deltaT)
    {
        return min(integrate(scalarField(1, deltaT)), 2*deltaT);
    }

    virtual scalar solve(const scalarField& deltaT)
    {
        return integrate(deltaT);
    }

    // one cell for the models that call it: not of this solver
    virtual void solve(scalarField&, scalar&, scalar&, scalar&, scalar&) const
    {
        NotImplemented;
    }
};

#define makeKinbench(Comp, Thermo)                                                                 \
    typedef kinbench<StandardChemistryModel<Comp, Thermo>> kinbench##Comp##Thermo;                 \
    defineTemplateTypeNameAndDebugWithName                                                         \
    (                                                                                              \
        kinbench##Comp##Thermo,                                                                    \
        ("kinbench<" + word(StandardChemistryModel<Comp, Thermo>::typeName_()) + "<"               \
         + word(Comp::typeName_()) + "," + Thermo::typeName() + ">>").c_str(),                     \
        0                                                                                          \
    );                                                                                             \
    BasicChemistryModel<Comp>::addthermoConstructorToTable<kinbench##Comp##Thermo>                 \
        addKinbench##Comp##Thermo##ConstructorToTable_;

makeKinbench(psiReactionThermo, gasHThermoPhysics)
makeKinbench(psiReactionThermo, gasEThermoPhysics)
makeKinbench(rhoReactionThermo, gasHThermoPhysics)
makeKinbench(rhoReactionThermo, gasEThermoPhysics)

} // End namespace Foam
