# Names, and what files of recipes say, go into commands: a character that a shell or make would
# take for its own ends with a message, before anything reads these variables.

hash := \#
define newline


endef
empty :=
NAME_VARIABLES := MECH THERMO DB RECIPE RUN PHASE IDEAL QSS FIT TFIT NAME LABEL OUT A B RESULTS \
    SOURCE PAPER FIG CLAIM E CASE PREFIX DESTDIR FLOWS
# unsafe TEXT[,MORE]: the first such character, if there is one; a blank, too
unsafe = $(firstword $(foreach c,` $$ ; & | < > ' " \ * ? [ ] { } ( ) ! ~ $(hash) $(2),$(if \
    $(findstring $c,$(1)),$c)) $(if $(findstring $(newline),$(1)),newline) \
    $(if $(word 2,$(1)),blank) $(if $(filter -%,$(1)),- at its begin))
# of files and phases, which become names of targets: make's own characters, too
TARGET_VARIABLES := MECH THERMO DB RECIPE RUN PHASE QSS
unsafe_target = $(call unsafe,$(1),: % =)
refuse_name = $(error $(1): a name here has no $(call unsafe_target,$(2)); give the file another \
    one, or a link to it)
$(foreach v,$(NAME_VARIABLES),$(if $(call unsafe$(if $(filter \
    $v,$(TARGET_VARIABLES)),_target),$(value $v)),$(call refuse_name,$v,$(value $v))))

# for a text that may have quotes, as the path of a clone; and as a string of C
quoted = '$(subst ','\'',$(1))'
c_string = $(call quoted,"$(subst ",\",$(subst \,\\,$(1)))")
$(if $(findstring $(newline),$(CURDIR)),$(error the path of this tree has the end of a line: \
    rename that folder))
# systems set it to the name of the machine (WSL); what the user gives stands on make's command line
ifeq ($(origin NAME),environment)
undefine NAME
endif
upper = $(or $(upper_$(1)),$(eval upper_$(1) := $$(shell echo $(1) | tr a-z A-Z))$(upper_$(1)))
# recipe_value KEY FILES: a value of a recipe, or of the .json beside a database
recipe_raw = $(shell sed -n 's/^\(.*[{, ]\)\{0,1\}"$(1)" *: *"\{0,1\}\([^",}]*\).*/\2/p' $(2) \
    /dev/null 2>/dev/null | head -1)
recipe_checked = $(if $(call unsafe_target,$(3)),$(call refuse_name,"$(1)" of $(2),$(3)),$(3))
recipe_value = $(call recipe_checked,$(1),$(2),$(recipe_raw))
