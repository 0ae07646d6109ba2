# A run, or all runs of a folder, as a page.

#: make report               the last run as one HTML page (plots/out/<run>/report.html); with
#:                           RUN=folder another run, or all of results/h200
report: $(BUILD)/report
	@KB_BUILD=$(BUILD) drivers/report/write $(RUN)
.PHONY: report
$(BUILD)/host/drivers/report/page.o: drivers/report/style.css drivers/report/script.js
