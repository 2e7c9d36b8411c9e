#!/bin/sh
# hook FOLDER EVENT: store what an agent tells on stdin as one file in FOLDER.
# It never prints and never fails: whatever a hook says or answers would reach the agent.
umask 077
exec >/dev/null 2>&1
# What ends the agent must not cost its last word.
trap '' HUP INT TERM

# All of stdin is read in any case: an agent may trip over a pipe that closes early.
if [ -d "$1" ]; then
  name=$(date +%s)-$$-$2.json
  cat >"$1/.$name" || cat
  # An event whose content found no room happened all the same: its name says which.
  mv -f "$1/.$name" "$1/$name"
else
  cat
fi
exit 0
