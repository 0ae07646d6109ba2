# make which-integrator: the fastest integrator on states that flows hand over, and in these flows.

WHICH_SOLVERS = $(filter-out point_implicit cvode,$(METHODS)) \
    $(patsubst %,%:pass=1,$(filter ros3 rodas4 rodas5p,$(METHODS)))
# five minutes on two cores: fewer states of larger mechanisms, CVODE where its errors are about
# 1e-3, 1e-4 and 1e-6
WHICH_SECONDS ?= 270
WHICH_N ?= $$(awk '/ NSP = / { n = int(192 * 20 / ($$3 + 0)) } \
    END { print (n > 192 ? 192 : n < 48 ? 48 : n) }' $(M)/constants.h)
ALL_OF_IT := $(filter 1,$(FULL))
WHICH_CVODE := $(or $(ALL_OF_IT:1=$(CVODE_RTOL)),$(call commas,1e-4 1e-5 3e-6 1e-6 1e-8 3e-9))
WHICH_RTOL := $(or $(ALL_OF_IT:1=$(CVODE_RTOL:%$(comma)3e-9$(comma)1e-9=%)),$(call \
    commas,1e-2 1e-3 1e-4 1e-5 1e-6 1e-7 1e-8))
which-integrator: $(MECHFILE) $(addprefix $(BUILD)/,flow bench plugin_host env rows \
    which_integrator) solvers $(FLOW_SO)
	@out=$(HERE)/$(or $(RUN),which-$(NAME)$(ALL_OF_IT:1=-full)) && \
	    drivers/which_integrator/measure $$out $(NAME) $(MECHFILE) $(SOLVERS_SO) '$(THERMO)' \
	    $(if $(ALL_OF_IT),1536 10 2,$(WHICH_N) 3 1) '$(call blanks,$(FLOWS))' \
	    $(if $(ALL_OF_IT),0,$(WHICH_SECONDS)) \
	    $$(($(words $(WHICH_SOLVERS)) * $(words $(call blanks,$(WHICH_RTOL))))) \
	    '$(WHICH_CVODE) $(call atol_of,$(WHICH_CVODE))' \
	    --solvers $(call commas,$(WHICH_SOLVERS)) --rtol $(WHICH_RTOL) \
	    --atol $(call atol_of,$(WHICH_RTOL)) $(ALL_OF_IT:1=--budget 60) && plots/which_integrator $$out
