# bench over MPI ranks: build/ranks.so, where mpicc is. RANKS= starts bench with a launcher
# (MPIRUN=, with its options; srun -n 4 build/bench ... does as well)

MPICC ?= $(shell command -v mpicc 2>/dev/null)
MPIRUN ?= mpirun
RANKS ?= 1
LAUNCH := $(if $(filter-out 1,$(RANKS)),$(MPIRUN) -n $(RANKS))
RANKS_SOURCES := $(wildcard drivers/ranks/mpi/*.c) drivers/ranks/distribution.c \
    drivers/ranks/cost.c base/error.c solvers/load.c base/shared_object.c
ifneq ($(MPICC),)
$(BUILD)/ranks.so: $(RANKS_SOURCES) $(wildcard drivers/ranks/*.h drivers/ranks/mpi/*.h) \
    flow/run/halo.h solvers/solver.h
	$(call do,mpicc,$@)$(MPICC) $(CFLAGS) -fopenmp -fPIC -shared -fvisibility=hidden \
	    -Wl,--undefined=kb_ranks_get -o $@ $(RANKS_SOURCES) -lm -ldl -lpthread
bench flow flow-bench: $(BUILD)/ranks.so
else ifneq ($(LAUNCH),)
$(error RANKS=$(RANKS): there is no mpicc (Debian: libopenmpi-dev and openmpi-bin); all else works \
    without it)
endif

# --- make scaling: bench on 1 and on each number of ranks with each distribution, the replay of
# costs, and a figure of both. One rank measures the batches of weak scaling, too. On CPU engines
# each rank is bound to a core, and as many single ranks run beside one another, each its share of
# the ODEs: what cores, memory and clocks give without any distribution
SCALING_RANKS ?= $(if $(filter-out 1,$(RANKS)),$(RANKS),2,4)
SCALING_SOLVERS ?= $(or $(ONLY_METHODS),rodas4)
SCALING_RUN = scaling-$(NAME)
SCALING_OUT = results/$$($(BUILD)/env | sed -n 's/^machine *//p')/$(SCALING_RUN)
SCALING_ENGINES = $(or $(filter-out all,$(ENGINES)),cpu-simd)
SCALING_CPU = $(if $(filter gpu%,$(subst $(comma), ,$(SCALING_ENGINES))),,1)
SCALING_PIN = $(if $(SCALING_CPU),drivers/ranks/pin)
SCALING_LAUNCH = $(MPIRUN) $(if $(SCALING_CPU),--bind-to none)
SCALING_OPTIONS = --mech $(NAME) --db $(DB) --dt $(DT) \
    --solvers $(SCALING_SOLVERS) --engines $(SCALING_ENGINES) --threads 1 \
    --schedules refill --orders $(ORDER) --repeats $(REPEATS) --budget $(BUDGET) --quiet --brief
SCALING_LIST = $(subst $(comma), ,$(SCALING_RANKS))
SCALING_ONE = $(subst $(space),$(comma),$(NMAX) $(foreach r,$(SCALING_LIST),$(shell expr \
    $(NMAX) / $r)))
# seconds of a substep, as one rank has measured them
SCALING_UNIT = $(BUILD)/rows --select '' $(SCALING_OUT)/1/cells.csv | awk -f plots/columns.awk \
    -f drivers/ranks/unit.awk
SCALING_REPLAY = unit=$$($(SCALING_UNIT)) && $(BUILD)/scaling \
    --db $(DB) --unit $$unit
.PHONY: scaling
scaling: $(BUILD)/bench $(BUILD)/env $(BUILD)/scaling $(if $(MPICC),$(BUILD)/ranks.so) solvers $(DB)
	@$(BUILD)/bench $(SCALING_OPTIONS) --n $(SCALING_ONE) --write-cost --out $(SCALING_OUT)/1
	@$(if $(MPICC),set -e; out=$(SCALING_OUT); for ranks in $(SCALING_LIST); do \
	    $(if $(SCALING_CPU),KB_LOCK= $(SCALING_LAUNCH) -n $$ranks $(SCALING_PIN) --alone \
	        $(BUILD)/bench $(SCALING_OPTIONS) --n $$(expr $(NMAX) / $$ranks) \
	        --references $$out/references --out $$out/alone-$$ranks/KB_RANK;) \
	    for deal in static cyclic cost dynamic; do \
	    $(SCALING_LAUNCH) -n $$ranks $(SCALING_PIN) $(BUILD)/bench $(SCALING_OPTIONS) \
	        --n $(NMAX) --distribution $$deal --out $$out/$$ranks-$$deal; done; done,\
	    echo "no mpicc: simulated only (Debian: libopenmpi-dev openmpi-bin)")
	@$(SCALING_REPLAY) --n 262144 --out $(SCALING_OUT)/strong.csv
	@$(SCALING_REPLAY) --per-rank 4096 --out $(SCALING_OUT)/weak.csv
	@plots/scaling $(SCALING_RUN) $(SCALING_OUT)/efficiency.csv $(SCALING_OUT)/1 \
	    $(if $(MPICC),$(SCALING_OUT)/[0-9]*-* $(if $(SCALING_CPU),$(SCALING_OUT)/alone-*/[0-9]*)) \
	    $(SCALING_OUT)/strong.csv $(SCALING_OUT)/weak.csv
