# make which-integrator: the fastest integrator on states that flows hand over, and in these flows.

WHICH_SOLVERS = $(filter-out point_implicit cvode,$(METHODS)) \
    $(patsubst %,%:pass=1,$(filter ros3 rodas4 rodas5p,$(METHODS)))
WHICH_RTOL := $(if $(filter 1,$(FULL)),1e-2$(comma)3e-3$(comma)1e-3$(comma)3e-4$(comma)1e-4$(comma)\
3e-5$(comma)1e-5$(comma)3e-6$(comma)1e-6$(comma)3e-7$(comma)1e-7$(comma)3e-8$(comma)1e-8,\
1e-2$(comma)1e-3$(comma)1e-4$(comma)1e-5$(comma)1e-6$(comma)1e-7$(comma)1e-8)
WHICH_CELLS = $$(($(words $(WHICH_SOLVERS)) * $(words $(subst $(comma), ,$(WHICH_RTOL)))))
# those whose errors are about 1e-3, 1e-4 and 1e-6
WHICH_CVODE_RTOL := $(if $(filter 1,$(FULL)),$(CVODE_RTOL),$(subst \
    $(space),$(comma),1e-4 1e-5 3e-6 1e-6 1e-8 3e-9))
# five minutes on two cores: fewer states of larger mechanisms
WHICH_SECONDS ?= 270
WHICH_N ?= $$(awk '/ NSP = / { n = int(192 * 20 / ($$3 + 0)) } \
    END { print (n > 192 ? 192 : n < 48 ? 48 : n) }' $(M)/constants.h)
WHICH_CVODE = $(WHICH_CVODE_RTOL) $(call atol_of,$(WHICH_CVODE_RTOL))
WHICH_OUT = $(HERE)/$(or $(RUN),which-$(NAME)$(if $(filter 1,$(FULL)),-full))
which-integrator: $(MECHFILE) $(addprefix $(BUILD)/,flow bench plugin_host env rows \
    which_integrator) solvers $(FLOW_SO)
	@out=$(WHICH_OUT) && drivers/which_integrator/measure $$out $(NAME) $(MECHFILE) $(SOLVERS_SO) \
	    '$(THERMO)' $(if $(filter 1,$(FULL)),1536 10 2,$(WHICH_N) 3 1) \
	    '$(subst $(comma), ,$(FLOWS))' $(if $(filter 1,$(FULL)),0,$(WHICH_SECONDS)) $(WHICH_CELLS) \
	    '$(WHICH_CVODE)' --solvers $(subst $(space),$(comma),$(strip $(WHICH_SOLVERS))) \
	    --rtol $(WHICH_RTOL) --atol $(call atol_of,$(WHICH_RTOL)) \
	    $(if $(filter 1,$(FULL)),--budget 60) && \
	    plots/which_integrator $$out
