/**
 * `$1` is the mark that all processes of ours carry. Input: `+ID` for each process group that has started, `-ID` for
 * each that is gone; at its end, what is left is killed. `grep -z` is not to be had everywhere, nor is /proc.
 */
export const WATCHDOG_SCRIPT = `# kprobe: ends the processes that it started, should it die before them
trap '' HUP INT QUIT TERM
groups=' '
while read -r line; do
  id=\${line#?}
  case $line in
    +*) groups="$groups$id " ;;
    -*) case $groups in
          *" $id "*) groups="\${groups%%" $id "*} \${groups#*" $id "}" ;;
        esac ;;
  esac
done
for id in $groups; do kill -s KILL -- "-$id"; done
[ -r /proc/self/environ ] || exit 0
rounds=20
while [ $rounds -gt 0 ]; do
  files=$(grep -lzF -e "$1" /proc/[0-9]*/environ)
  [ -n "$files" ] || files=$(grep -lF -e "$1" /proc/[0-9]*/environ)
  [ -n "$files" ] || break
  for file in $files; do
    id=\${file#/proc/}
    kill -s KILL -- "\${id%/environ}"
  done
  rounds=$((rounds - 1))
done
`;
