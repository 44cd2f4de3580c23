# The time of the machine's programs before it is stopped. Whatever goes wrong with it, the stop goes on.
parted_for='' parted_at=0 parting_pid=''

# As the person who logs in: only what is theirs can be meant. Nobody takes their place.
run_parting() {
  over=$1
  if [ "$(id -u "$user" 2>/dev/null)" = "$uid" ]; then
    set -- sh -s
  elif [ -n "$root" ] || [ "$uid" -ne 0 ]; then
    return
  elif have runuser; then
    set -- runuser -u "$user" -- sh -s
  elif have sudo; then
    set -- sudo -n -u "$user" -- sh -s
  else
    return
  fi
  {
    printf "p_action='%s'\np_reason='%s'\np_seconds='%s'\np_played=''\nHOME='%s'\nexport HOME\n" \
      "$action" "$over" "$part" "$home"
    parting_script
  } | "$@" 2>/dev/null | grep '^@@gpudesk parted '
}

# Whether a stop for idleness goes on whatever is measured meanwhile: programs that were told to end may write down what
# they have, and that is no work. What a person does is another matter.
parts_idle() {
  if [ "$parted_for" != "$serial.idle" ] || [ -n "$fired" ] || [ "$tries" -gt 0 ]; then return 1; fi
  case $why in human | marker)
    parted_for=''
    return 1
    ;;
  esac
  [ $((now - parted_at)) -le $((part + 900)) ]
}

parting_lives() { [ -n "$parting_pid" ] && kill -0 "$parting_pid" 2>/dev/null; }

# parted WHY LIMIT: whether the machine's programs have had their time before this stop. A machine on which nobody ever
# logged in by the desk, or that was ordered to stop before, has none to be asked.
parted() {
  if [ "${part:-0}" -eq 0 ] || [ -z "$user" ] || [ -z "$home" ] || [ -n "$fired" ] || [ "$tries" -gt 0 ]; then return 0; fi
  if [ "$parted_for" != "$serial.$2" ] || [ $((now - parted_at)) -gt $((part + 900)) ]; then
    parted_for=$serial.$2 parted_at=$now
    note "$1: its programs have $part s to end"
    run_parting "$2" 2>/dev/null >"$live/parted" </dev/null &
    parting_pid=$!
    # Where nothing is to be asked it is over at once.
    polls=0
    while parting_lives && [ "$polls" -lt 100 ]; do
      polls=$((polls + 1))
      sleep 0.05 2>/dev/null || {
        sleep 1
        polls=$((polls + 19))
      }
    done
  fi
  if parting_lives; then
    left=$((parted_at + part + 5 - now))
    if [ "$left" -gt 0 ]; then
      if [ "$left" -gt 5 ]; then left=5; fi
      if [ "$left" -lt "$pause" ]; then pause=$left; fi
      return 1
    fi
    kill "$parting_pid" 2>/dev/null
  fi
  if [ -n "$parting_pid" ]; then
    said=''
    { read -r _ _ said <"$live/parted"; } 2>/dev/null
    case $said in *[!0-9a-z\ ]*) said='' ;; esac
    note "its programs had their time: ${said:-unknown} (asked, ended, before-stop)"
    parting_pid=''
  fi
  return 0
}
