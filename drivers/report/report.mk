# A run, or all runs of a folder, as a page.

#: make report               the last run as one HTML page (plots/out/<run>/report.html); with
#:                           RUN=folder another run, or all of results/h200
report: $(BUILD)/report
	@KB_BUILD=$(BUILD) drivers/report/write $(RUN)

#: make papers               the papers, claim by claim, as one HTML page: verdicts with reasons,
#:                           figures, and the command that repeats each
papers: claims $(BUILD)/report $(BUILD)/rows
	@FORMATS=svg plots/papers/draw $(RESULTS) >/dev/null
	@$(BUILD)/report --papers $(RESULTS) --out plots/out/papers/index.html
.PHONY: report papers
$(BUILD)/host/drivers/report/page.o: drivers/report/style.css drivers/report/script.js
