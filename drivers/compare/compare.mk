# Comparing two runs, or two commits.

ROUNDS ?= 20
# processor time of one thread is the steadier one, and all that CPU engines have
BY ?= $(if $(COMMITS),$(if $(NVCC),time,cpu))
COMPARE_BY = $(if $(BY),--by $(BY))
COMPARE = $(BUILD)/compare $(1) $(2) $(call pass,compare,SMALLEST BY) \
    $(if $(SMALLEST),--smallest $(SMALLEST:%%=%)) $(COMPARE_BY)
.PHONY: compare
ifneq ($(COMMITS),)
# a mechanism that comes along is that of each commit; another one is read from where it is
COMPARED_FILES = $(or $(REVERSIBLE),$(MECHFILE) $(THERMO))
COMPARED_MECH = NAME=$(NAME) $(if $(wildcard datasets/mechanisms/$(WRITTEN).yaml),MECH=$(MECH),\
    MECH=$(abspath $(firstword $(COMPARED_FILES)))$(ONEWAY) \
    $(addprefix THERMO=,$(abspath $(word 2,$(COMPARED_FILES))))) \
    $(addprefix QSS=,$(abspath $(QSS))) $(foreach v,PHASE IDEAL FIT TFIT,$(addprefix $v=,$($v)))
COMPARED = $(if $(ONLY_METHODS),$(subst $(space),$(comma),$(QUICK_METHODS)),rodas4)
compare: $(BUILD)/compare $(DB)
	+@set -e; out=$$(MAKE='$(MAKE)' drivers/compare/commits '$(COMMITS)' '$(strip $(COMPARED_MECH))' \
	    '$(if $(ONLY_METHODS),$(COMPARED))' $(ROUNDS) $(or $(call given,BUDGET,$(BUDGET)),300) $(BY) \
	    --db $(abspath $(DB)) --n $(N) --dt $(DT) \
	    --solvers $(COMPARED) --schedules refill \
	    --threads $(or $(call given,THREADS,$(THREADS)),1) \
	    $(call given,ENGINES,--engines $(ENGINES))); \
	    plots/compare $$out/a $$out/b $(COMPARE_BY); $(call COMPARE,$$out/a,$$out/b)
else
compare: $(BUILD)/compare
	@test -n "$(A)" && test -n "$(B)" || { echo "make compare: A= and B= are needed (folders of" \
	    "runs, as results/latest and results/h200), or" \
	    "COMMITS=HEAD~1,HEAD MECH=" >&2; exit 2; }
	@plots/compare $(A) $(B) $(COMPARE_BY)
	@$(call COMPARE,$(A),$(B))
endif
