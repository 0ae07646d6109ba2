# Comparing two runs, or two commits; the history of many.

ROUNDS ?= 20
# processor time of one thread is the steadier one
BY ?= $(if $(COMMITS),$(if $(NVCC),time,cpu))
# a mechanism that comes along is that of each commit; another one is read from where it is
COMPARED_FILES = $(or $(REVERSIBLE),$(MECHFILE) $(THERMO))
COMPARED_MECH = NAME=$(NAME) $(if $(wildcard datasets/mechanisms/$(WRITTEN).yaml),MECH=$(MECH),\
    MECH=$(abspath $(firstword $(COMPARED_FILES)))$(ONEWAY) \
    $(addprefix THERMO=,$(abspath $(word 2,$(COMPARED_FILES))))) \
    $(addprefix QSS=,$(abspath $(QSS))) $(foreach v,PHASE IDEAL FIT TFIT,$(addprefix $v=,$($v)))
COMPARED = $(if $(ONLY_METHODS),$(call commas,$(QUICK_METHODS)),rodas4)
COMPARED_CELLS = --db $(abspath $(DB)) --n $(N) --dt $(DT) --solvers $(COMPARED) \
    --schedules refill --threads $(or $(call given,THREADS,$(THREADS)),1) \
    $(call given,ENGINES,--engines $(ENGINES))
$(if $(COMMITS),,$(call needs,compare,A B,folders of runs$(comma) or COMMITS=HEAD~1$(comma)HEAD \
    MECH=))
# the builds of commits, and what is compared there, have whole paths in commands
$(if $(and $(COMMITS),$(filter compare history,$(MAKECMDGOALS)),$(call unsafe,$(CURDIR))),$(error \
    make $(MAKECMDGOALS): COMMITS= needs a tree whose path has no $(call unsafe,$(CURDIR)): rename \
    that folder, or clone into another one))
# folders of runs
COMPARED_RUNS = $(if $(COMMITS),$$(MAKE='$(MAKE)' drivers/compare/commits $@ '$(COMMITS)' \
    '$(strip $(COMPARED_MECH))' '$(if $(ONLY_METHODS),$(COMPARED))' $(ROUNDS) $(or $(call \
    given,BUDGET,$(BUDGET)),300) $(BY) $(COMPARED_CELLS)),$(if $(filter history,$@),$(call \
    blanks,$(RESULTS)),$(A) $(B)))
compare history: %: $(BUILD)/% $(if $(COMMITS),$(DB))
	$(if $(COMMITS),+)@set -e; runs="$(COMPARED_RUNS)"; plots/$@ $$runs $(BY:%=--by %); \
	    $(BUILD)/$@ $$runs $(call pass,$@,BY) $(BY:%=--by %)
