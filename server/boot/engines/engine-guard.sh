# Ends the engines of a data folder once no process has used them for a while: `sh engine-guard.sh FIFO SECONDS <FIFO`.
# Whoever uses them holds the FIFO open while it lives, and writes a line for each: its process, how it is asked to end,
# and how it is made to.
trap '' HUP INT
fifo=$1
seconds=$2
engines=''
echo $$ >"$fifo.guard"

# Names a process: after its end its number may be another's.
name_of() {
  { tr '\0' ' ' <"/proc/$1/cmdline" || ps -o command= -p "$1"; } 2>/dev/null | cksum | tr -d ' '
}

add() {
  [ "$1" = hello ] || engines="$engines $1,$2,$3,$(name_of "$1")"
}

# Sends a signal, the first or the second of each engine's, to those that live; fails where none does.
signal() {
  found=1
  for engine in $engines; do
    IFS=, read -r pid first last name <<END
$engine
END
    kill -0 "$pid" 2>/dev/null && [ "$(name_of "$pid")" = "$name" ] || continue
    found=0
    case $1 in
    first) kill "-$first" "$pid" ;;
    last) kill "-$last" "$pid" ;;
    esac
  done
  return $found
}

while :; do
  while read -r pid first last; do add "$pid" "$first" "$last"; done
  waited=0
  until read -r pid first last; do
    signal none || exit 0
    # Without the folder nobody can come any more.
    [ -p "$fifo" ] && [ "$waited" -lt "$seconds" ] || break 2
    sleep 1
    waited=$((waited + 1))
  done
  add "$pid" "$first" "$last"
done

# Whoever comes now is to start a guard of its own.
rm -f "$fifo.guard"
signal first
waited=0
while signal none && [ "$waited" -lt 10 ]; do
  sleep 1
  waited=$((waited + 1))
done
signal last
exit 0
