# Figures of the papers, and the experiments behind them (datasets/figures.tsv, datasets/experiments.tsv).

RESULTS ?= results/h200
figures:
ifneq ($(PAPER)$(FIG),)
	@plots/papers/draw $(RESULTS) '$(PAPER:all=)' '$(FIG)'
else
	@plots/draw
endif
