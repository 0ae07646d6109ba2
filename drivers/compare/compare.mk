# Comparing two runs, or two commits; the history of many.

ROUNDS ?= 20
# processor time of one thread is the steadier one
BY ?= $(if $(COMMITS),$(if $(NVCC),time,cpu))
COMPARE_BY = $(if $(BY),--by $(BY))
COMPARE = $(BUILD)/compare $(1) $(2) $(call pass,compare,BY) $(COMPARE_BY)
ifneq ($(COMMITS),)
# a mechanism that comes along is that of each commit; another one is read from where it is
COMPARED_FILES = $(or $(REVERSIBLE),$(MECHFILE) $(THERMO))
COMPARED_MECH = NAME=$(NAME) $(if $(wildcard datasets/mechanisms/$(WRITTEN).yaml),MECH=$(MECH),\
    MECH=$(abspath $(firstword $(COMPARED_FILES)))$(ONEWAY) \
    $(addprefix THERMO=,$(abspath $(word 2,$(COMPARED_FILES))))) \
    $(addprefix QSS=,$(abspath $(QSS))) $(foreach v,PHASE IDEAL FIT TFIT,$(addprefix $v=,$($v)))
COMPARED = $(if $(ONLY_METHODS),$(subst $(space),$(comma),$(QUICK_METHODS)),rodas4)
COMPARED_BUILD = '$(strip $(COMPARED_MECH))' '$(if $(ONLY_METHODS),$(COMPARED))' $(ROUNDS)
COMPARED_CELLS = --db $(abspath $(DB)) --n $(N) --dt $(DT) --solvers $(COMPARED) \
    --schedules refill --threads $(or $(call given,THREADS,$(THREADS)),1) \
    $(call given,ENGINES,--engines $(ENGINES))
compare: $(BUILD)/compare $(DB)
	+@set -e; out=$$(MAKE='$(MAKE)' drivers/compare/commits '$(COMMITS)' $(COMPARED_BUILD) \
	    $(or $(call given,BUDGET,$(BUDGET)),300) $(BY) $(COMPARED_CELLS)); \
	    plots/compare $$out/a $$out/b $(COMPARE_BY); $(call COMPARE,$$out/a,$$out/b)
else
compare: $(BUILD)/compare
	@test -n "$(A)" -a -n "$(B)" || { echo "make compare: A= and B= are needed (folders of runs, as" \
	    "results/latest and results/gpu), or COMMITS=HEAD~1,HEAD MECH=" >&2; exit 2; }
	@plots/compare $(A) $(B) $(COMPARE_BY)
	@$(call COMPARE,$(A),$(B))
endif
HISTORY = plots/history $(1) $(COMPARE_BY) && $(BUILD)/history $(1) $(call pass,history,BY) \
    $(COMPARE_BY)
HISTORY_OF = $(subst $(comma), ,$(RESULTS))
history: $(BUILD)/history $(BUILD)/rows $(if $(COMMITS),$(DB))
ifneq ($(COMMITS),)
	+@set -e; runs=$$(MAKE='$(MAKE)' drivers/compare/history '$(COMMITS)' $(COMPARED_BUILD) \
	    $(COMPARED_CELLS)); $(call HISTORY,$$runs)
else
	@test -n "$(word 2,$(HISTORY_OF))" || { echo "make history: RESULTS=a,b,c (folders of runs, the" \
	    "oldest first) or COMMITS=HEAD~3..HEAD MECH= is needed" >&2; exit 2; }
	@$(call HISTORY,$(HISTORY_OF))
endif
