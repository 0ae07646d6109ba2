# Figures of the papers, and the experiments behind them (datasets/figures.tsv, datasets/experiments.tsv).

RESULTS ?= results/h200
figures:
ifneq ($(PAPER)$(FIG),)
	@plots/papers/draw $(RESULTS) '$(PAPER:all=)' '$(FIG)'
else
	@plots/draw
endif

#: make experiment E=e3      measures one experiment of datasets/experiments.tsv; PLAN=1 says cells and time; BUDGET= REPEATS=
#: make reproduce PAPER=     all experiments that a paper's figures need (without PAPER= those of all papers)
experiment: $(BUILD)/env
	@PLAN=$(PLAN) $(call given,BUDGET,BUDGET=$(BUDGET)) $(call given,REPEATS,REPEATS=$(REPEATS)) \
	    MAKE='$(MAKE)' plots/papers/experiment 'E=$(E)'

reproduce: $(BUILD)/env
	@PLAN=$(PLAN) $(call given,BUDGET,BUDGET=$(BUDGET)) $(call given,REPEATS,REPEATS=$(REPEATS)) \
	    MAKE='$(MAKE)' plots/papers/experiment 'PAPER=$(PAPER)'
.PHONY: experiment reproduce
