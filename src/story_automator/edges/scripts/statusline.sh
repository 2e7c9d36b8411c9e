#!/bin/sh
# statusline FILE: keep the agent's JSON as its heartbeat and print `folder | ctx(N%) | HH:MM:SS`.
umask 077
exec 2>/dev/null
trap '' HUP INT TERM
json=$(cat)

new=${1%/*}/.${1##*/}.$$
if printf '%s\n' "$json" >"$new" && mv -f "$new" "$1"; then :; else
  # No room for the news is no reason to look dead.
  rm -f "$new"
  touch -c "$1"
fi

# The block up to its own end, without the blocks in it: others have a used_percentage, too.
block=
case $json in *'"context_window":'*) block=${json#*'"context_window":'} ;; esac
block=${block# }
case $block in '{'*) block=${block#?} ;; *) block= ;; esac
while :; do
  head=${block%%'}'*}
  [ "$head" != "$block" ] || break
  case $head in
    *'{'*) block=${head%'{'*}${block#*'}'} ;;
    *) block=$head ;;
  esac
done
percent=
case $block in *'"used_percentage":'*) percent=${block#*'"used_percentage":'} ;; esac
percent=${percent# }
percent=${percent%%[!0-9]*}

folder=${PWD##*/}
folder=${folder%%[[:cntrl:]]*}
printf '%s | ctx(%s%%) | %s\n' "${folder:-/}" "${percent:-0}" "$(date +%H:%M:%S)"
exit 0
