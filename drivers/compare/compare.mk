# Comparing two runs, or two commits; the history of many.

ROUNDS ?= 20
# processor time of one thread is the steadier one
BY ?= $(if $(COMMITS),$(if $(NVCC),time,cpu))
COMPARE_BY = $(BY:%=--by %)
COMPARE = $(BUILD)/compare $(1) $(2) $(call pass,compare,BY) $(COMPARE_BY)
ifneq ($(COMMITS),)
# a mechanism that comes along is that of each commit; another one is read from where it is
COMPARED_FILES = $(or $(REVERSIBLE),$(MECHFILE) $(THERMO))
COMPARED_MECH = NAME=$(NAME) $(if $(wildcard datasets/mechanisms/$(WRITTEN).yaml),MECH=$(MECH),\
    MECH=$(abspath $(firstword $(COMPARED_FILES)))$(ONEWAY) \
    $(addprefix THERMO=,$(abspath $(word 2,$(COMPARED_FILES))))) \
    $(addprefix QSS=,$(abspath $(QSS))) $(foreach v,PHASE IDEAL FIT TFIT,$(addprefix $v=,$($v)))
COMPARED = $(if $(ONLY_METHODS),$(call commas,$(QUICK_METHODS)),rodas4)
COMPARED_BUILD = '$(strip $(COMPARED_MECH))' '$(if $(ONLY_METHODS),$(COMPARED))' $(ROUNDS)
COMPARED_CELLS = --db $(abspath $(DB)) --n $(N) --dt $(DT) --solvers $(COMPARED) \
    --schedules refill --threads $(or $(call given,THREADS,$(THREADS)),1) \
    $(call given,ENGINES,--engines $(ENGINES))
compare: $(BUILD)/compare $(DB)
	+@set -e; out=$$(MAKE='$(MAKE)' drivers/compare/commits '$(COMMITS)' $(COMPARED_BUILD) \
	    $(or $(call given,BUDGET,$(BUDGET)),300) $(BY) $(COMPARED_CELLS)); \
	    plots/compare $$out/a $$out/b $(COMPARE_BY); $(call COMPARE,$$out/a,$$out/b)
else
$(call needs,compare,A B,folders of runs$(comma) or COMMITS=HEAD~1$(comma)HEAD MECH=)
compare: $(BUILD)/compare
	@plots/compare $(A) $(B) $(COMPARE_BY)
	@$(call COMPARE,$(A),$(B))
endif
HISTORY = plots/history $(1) $(COMPARE_BY) && $(BUILD)/history $(1) $(call pass,history,BY) \
    $(COMPARE_BY)
history: $(BUILD)/history $(BUILD)/rows $(if $(COMMITS),$(DB))
ifneq ($(COMMITS),)
	+@set -e; runs=$$(MAKE='$(MAKE)' drivers/compare/history '$(COMMITS)' $(COMPARED_BUILD) \
	    $(COMPARED_CELLS)); $(call HISTORY,$$runs)
else
	@$(call HISTORY,$(call blanks,$(RESULTS)))
endif
