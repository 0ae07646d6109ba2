# SPDX-License-Identifier: MIT
#
# Is a text a number? awk takes any for one.
function number(text) { return text ~ /^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$/ }
