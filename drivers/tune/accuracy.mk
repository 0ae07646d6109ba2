# make accuracy: the errors of each method at each tolerance on ignition paths and states of PaSR,
# of three mechanisms, for the solver auto (make tune; docs/methods.md). On cores: other engines
# compute the same substeps. Errors do not depend on the load; times of these runs are not read. The
# methods are those of solvers/tuned.def, with the options that change an error; cvode has an engine
# of its own. A cell that takes longer than the budget is no choice of auto.

ACCURACY_RTOL := 1e-2,3e-3,1e-3,3e-4,1e-4,3e-5,1e-5,3e-6,1e-6,3e-7,1e-7,3e-8,1e-8,3e-9,1e-9
ACCURACY_RTOL := $(ACCURACY_RTOL),3e-10,1e-10
ACCURACY_SOLVERS := rkck,rkf45,rkc,exp4,exprb43,radau2a,vode,rodas3,ros3,ros3:pass=1
ACCURACY_SOLVERS := $(ACCURACY_SOLVERS),rodas4,rodas4:pass=1,rodas4:float=1,rodas4:float=1:pass=1
ACCURACY_SOLVERS := $(ACCURACY_SOLVERS),rodas5p,rodas5p:pass=1
of_methods = $(foreach s,$(subst $(comma), ,$(1)),$(if $(filter $(METHODS),$(firstword \
    $(subst :, ,$s))),$s))
ACCURACY_OPTIONS = --n 1008 --dt 1e-6,1e-4 --solvers $(subst $(space),$(comma),$(strip $(call \
    of_methods,$(ACCURACY_SOLVERS)))) --engines cpu-simd \
    --schedules refill --threads all --repeats 1 --budget 5 --rtol $(ACCURACY_RTOL) \
    --atol $(call atol_of,$(ACCURACY_RTOL)) --also 'solvers=cvode engines=cpu-scalar' --brief

.PHONY: accuracy
accuracy: $(BUILD)/bench
	@set -e; for mech in h2 h2co gri30; do for states in ignition-grid pasr; do \
	    $(MAKE) MECH=$$mech RECIPE=datasets/recipes/$$mech-$$states.json solvers databases; \
	    $(BUILD)/bench --mech $$mech --db datasets/databases/$$mech-$$states.npy \
	        $(ACCURACY_OPTIONS) --out results/accuracy/$$mech-$$states; done; done
