# bench over MPI ranks: build/ranks.so, where mpicc is; srun -n 4 build/bench ... does as well.

MPICC ?= $(shell command -v mpicc 2>/dev/null)
MPIRUN ?= mpirun
RANKS ?= 1
LAUNCH := $(if $(filter-out 1,$(RANKS)),$(MPIRUN) -n $(RANKS))
# Open MPI refuses root, in a container too, unless it is told otherwise
ifneq ($(if $(LAUNCH),$(shell test "$$(id -u)" != 0 || test -n "$$OMPI_ALLOW_RUN_AS_ROOT" || \
    ! $(firstword $(MPIRUN)) --version 2>/dev/null | grep -qi 'open.\?\(mpi\|rte\)' || \
    echo '$(MPIRUN)' | grep -q -e --allow-run-as-root || echo refused)),)
$(error RANKS=$(RANKS): Open MPI's $(MPIRUN) refuses to run as root: MPIRUN="$(MPIRUN) \
    --allow-run-as-root" if this is a container)
endif
ifneq ($(MPICC),)
$(BUILD)/host/drivers/ranks/mpi/%.o: private override CC := $(MPICC) -fopenmp
$(BUILD)/ranks.so: $(RANKS_OBJECTS) $(patsubst %.c,$(BUILD)/host/%.o,$(addprefix \
    drivers/ranks/,distribution.c cost.c) base/error.c solvers/load.c base/shared_object.c)
	$(call do,mpicc,$@)$(MPICC) -shared -fopenmp $(EXTRA) -o $@ $^ -lm -ldl -lpthread
bench flow flow-bench: $(BUILD)/ranks.so
else ifneq ($(LAUNCH),)
$(error RANKS=$(RANKS): there is no mpicc (Debian: libopenmpi-dev and openmpi-bin); all else works \
    without it)
endif

# bench on 1 and on each number of ranks, and the replay of costs
SCALING_RANKS ?= $(if $(filter-out 1,$(RANKS)),$(RANKS),2,4)
SCALING_SOLVERS ?= $(or $(ONLY_METHODS),rodas4)
scaling: $(BUILD)/bench $(BUILD)/env $(BUILD)/scaling $(if $(MPICC),$(BUILD)/ranks.so) solvers $(DB)
	@MPIRUN='$(if $(MPICC),$(MPIRUN))' drivers/ranks/scale '$(SCALING_RANKS)' $(NMAX) \
	    --mech $(NAME) --db $(DB) --dt $(DT) --solvers $(SCALING_SOLVERS) --threads 1 \
	    --engines $(or $(filter-out all,$(ENGINES)),cpu-simd) --schedules refill \
	    --orders $(ORDER) --repeats $(REPEATS) --budget $(BUDGET) --quiet --brief
