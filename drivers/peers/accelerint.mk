# accelerInt and pyJac from clones (docs/peers.md): in build/mech/NAME accelerint-INTEGRATOR.so,
# plug-ins on cores, and with nvcc accelerint-INTEGRATOR-gpu.so. pyJac writes rates and Jacobian of
# a mechanism in CHEMKIN's format, in the Python of `make validate` (PYTHON=: one with numpy).
ACCELERINT_DIR ?=
AC := $(M)/accelerint
AI := solvers/plugins/accelerint
ACCELERINT_CPU := cvodes radau2a exp4 exprb43 rkc
# radau2a as published, and with its error estimate solved by E1 and not by the Jacobian; that also
# with a Jacobian by differences and, where it is asked for, on code that caches nothing
ACCELERINT_MENDED := radau2a-mended radau2a-mended-fd radau2a-mended-plain
ACCELERINT_GPU := radau2a radau2a-mended radau2a-mended-fd exp4 exprb43 rkc
ACCELERINT := $(ACCELERINT_CPU:%=$(M)/accelerint-%.so) $(if \
    $(NVCC),$(ACCELERINT_GPU:%=$(M)/accelerint-%-gpu.so) $(if $(filter \
    h2co,$(NAME)),$(M)/accelerint-radau2a-mended-plain-gpu.so))
accelerint: $(ACCELERINT)
# both beside ours (drivers/peers/witness): minutes on a GPU and 16 cores
witness: $(patsubst %,$(BUILD)/%,bench plugin_host rows env pasr ignite) solvers accelerint
	@for part in databases $(if $(GPU),pasr ignition long) cores long-cores ignition-cores; do \
	    drivers/peers/witness $(NAME) $$part $(HERE) || exit; done
.PHONY: accelerint witness

$(eval $(call clone,$(AC)/clone,accelerint,ACCELERINT_DIR,SLACKHA/accelerInt,radau2a/radau2a.cu))
$(AC)/checked: $(AC)/clone-checked $(M)/pyjac-checked
	@test ! -e "$(ACCELERINT_DIR)/generic/solver_options.h" || { echo "make: accelerint:" \
	    "$(ACCELERINT_DIR) was built by scons, whose generic/solver_options.h* would be taken:" \
	    "remove them" >&2; exit 2; }
	@touch $@
# pyJac's code, in C and in CUDA, and an archive of each; how pyJac is run: peers.mk
$(addprefix $(AC)/,c/written cuda/written cuda-plain/written): $(AC)/%/written: \
    $(AC)/checked $(CHEMKIN_FILES)
	$(call say,pyjac,'$(NAME): $* of pyJac')
	@rm -rf $(@D) && mkdir -p $(@D)
	@$(PYJAC_UNITS) $(word 1,$(CHEMKIN_FILES)) >$(AC)/$*.inp
	$(Q)cd $(PYJAC_DIR) && $(CANTERA_PYTHON) -W ignore -c '$(PYJAC_RUN)' -l $(*:-plain=) \
	    $(if $(filter %-plain,$*),--no-shared-memory) -i $(abspath $(AC)/$*.inp) \
	    -t $(abspath $(word 2,$(CHEMKIN_FILES))) \
	    -b $(abspath $(@D)) >$(abspath $(AC)/$*.log) 2>&1 || \
	    { cat $(abspath $(AC)/$*.log) >&2; exit 2; }
	@touch $@
# kinbench's molar masses
$(AC)/weights.h: $(M)/constants.h
	@mkdir -p $(@D)
	$(Q)awk '/ kb_W\[/ { on = sub(/.*=/, "static const double weights[NSP] =") } on; \
	    on && /}/ { exit }' $< >$@
# its own flags, but for a limit of registers that is meant for other cards
AI_CC := $(CC) -std=gnu99 -m64 -O3 -funroll-loops -mtune=native -fopenmp -fPIC -w $(patsubst \
    %,-I%,$(AI) $(AC) $(AC)/c .)
AI_NVCC = $(NVCC) -rdc=true -std=c++17 $(NVCC_CODE) -O3 --ftz=false --prec-div=true \
    --prec-sqrt=true --fmad=false --expt-relaxed-constexpr -w -Dregister= --compress-mode=none \
    -Xcompiler -fPIC,-fopenmp,-w -I$(AI) -I$(AC) -I$(AC)/$(1) -I.
# $(1) ending, $(2) compiler: those that are not there yet, the largest first
each_of = find $(@D) -name '*.$(1)' -printf '%s %p\n' | sort -rn | cut -d' ' -f2 | \
    while read f; do test $$f.o -nt $$f || echo $$f; done | \
    xargs -P $(or $(JOBS),2) -I{} $(2) -c {} -o {}.o && \
    rm -f $@ && ar qcs $@ $$(find $(@D) -name '*.$(1).o')
$(AC)/c/mech.a: $(AC)/c/written
	$(call do,cc,'$(NAME): rates and Jacobian of pyJac')$(call each_of,c,$(AI_CC))
$(AC)/cuda/mech.a $(AC)/cuda-plain/mech.a: $(AC)/%/mech.a: $(AC)/%/written
	$(call do,nvcc,'$(NAME): rates and Jacobian of pyJac')$(call each_of,cu,$(call AI_NVCC,$*))

# accelerInt calls the counted f and J of the plug-in
ai_expo = $(if $(filter exp%,$(1)),$(2:%=$(ACCELERINT_DIR)/exponential_integrators/%))
# rkc has no matrix
ai_generic = $(addprefix $(ACCELERINT_DIR)/generic/,$(2) $(if $(filter rkc,$(1)),,$(3)))
ai_folder = $(or $(call ai_expo,$(1),$(1)),$(ACCELERINT_DIR)/$(1))
ai_flags = -Ddydt=kb_dydt -Deval_jacob=kb_eval_jacob -DKB_SOLVER='"$(1)"' \
    -D$(if $(filter exprb43,$(1)),RB43,$(call upper,$(call ai_base,$(1)))) $(if $(filter \
    %-fd,$(1)),-DFINITE_DIFFERENCE) -I$(ACCELERINT_DIR)/generic \
    -I$(ACCELERINT_DIR)/exponential_integrators -I$(call ai_folder,$(call ai_base,$(1)))
ai_base = $(firstword $(subst -, ,$(1)))
ai_code = $(AC)/cuda$(if $(filter %-plain,$(1)),-plain)/mech.a
$(M)/accelerint-cvodes.so: $(AI)/cpu.c $(AI)/cvodes.c $(AI)/states.h $(AC)/c/mech.a \
    $(AC)/weights.h
	$(call do,cc,'$(NAME): $@')$(AI_CC) -shared -DKB_SOLVER='"cvodes"' -o $@ $(filter %.c %.a,$^) \
	    -lsundials_cvode -lsundials_nvecserial -lsundials_sunlinsoldense \
	    -lsundials_sunmatrixdense -lm
$(M)/accelerint-%.so: $(AI)/cpu.c $(AI)/states.h $(AC)/c/mech.a $(AC)/weights.h
	$(call do,cc,'$(NAME): $@')$(AI_CC) -shared $(call ai_flags,$*) -o $@ $(AI)/cpu.c \
	    $(call ai_folder,$*)/$*.c $(call ai_folder,$*)/$*_init.c $(call \
	    ai_expo,$*,phiAHessenberg.c rational_approximant.c cf.c linear-algebra.c) \
	    $(call ai_generic,$*,solver_generic.c,complexInverse.c) $(AC)/c/mech.a \
	    $(if $(filter exp%,$*),-lfftw3) $(if $(filter rkc,$*),,-llapack -lblas) -lm
$(AC)/mended/radau2a.cu: $(AC)/checked
	@mkdir -p $(@D)
	$(Q)sed 's/E1 = mech->jac;/E1 = solver->E1;/' $(ACCELERINT_DIR)/radau2a/radau2a.cu >$@
$(ACCELERINT_MENDED:%=$(M)/accelerint-%-gpu.so): $(AC)/mended/radau2a.cu
.SECONDEXPANSION:
$(M)/accelerint-%-gpu.so: $(AI)/gpu.cu $(AI)/states.h $(AC)/weights.h $$(call ai_code,$$*)
	$(call do,nvcc,'$(NAME): $@')$(call AI_NVCC,$(notdir $(patsubst %/,%,$(dir $(call \
	    ai_code,$*))))) -shared $(call ai_flags,$*) -o $@ $(AI)/gpu.cu \
	    $(or $(filter %/radau2a.cu,$^),$(call ai_folder,$*)/$*.cu) \
	    $(call ai_folder,$(call ai_base,$*))/$(call ai_base,$*)_init.cu $(call \
	    ai_expo,$*,phiAHessenberg.cu rational_approximant.cu exponential_linear_algebra.cu cf.c \
	    linear-algebra.c) $(call ai_generic,$*,solver_generic.cu $(if $(filter \
	    %-fd,$*),fd_jacob.cu),inverse.cu complexInverse.cu) $(call ai_code,$*) \
	    $(if $(filter exp%,$*),-lfftw3 -llapack -lblas)
