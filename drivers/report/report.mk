# A run, or all runs of a folder, as a page.

#: make report               the last run as one HTML page (plots/out/<run>/report.html); with
#:                           RUN=folder another run, or all of results/h200
REPORTED = $(or $(RUN),$(realpath results/latest))
report: $(BUILD)/report
	@test -n "$(REPORTED)" || { echo "make report: there is no run yet (make bench MECH=gri30" \
	    "makes one), or give RUN=folder" >&2; exit 2; }
	@! command -v gnuplot >/dev/null || for run in $(or $(patsubst %/cells.csv,%,$(wildcard \
	    $(REPORTED)/cells.csv)),$(patsubst %/cells.csv,%,$(wildcard $(REPORTED)/*/cells.csv))); do \
	    FORMATS=svg plots/draw $$run >/dev/null 2>&1 || :; done
	@$(BUILD)/report $(patsubst $(CURDIR)/%,%,$(REPORTED))
.PHONY: report
$(BUILD)/host/drivers/report/page.o: drivers/report/style.css drivers/report/script.js
