# Whether the machine works, by the desk's own rule: every sign of work counts alone, and what is not known is no rest.
# It runs in a process of its own and hands its figures over in a file: a wedged driver holds up whoever asks it, beyond
# any signal, and a file of the system in a form that nobody expects ends a shell. Neither may hold up the deadline.
limit=
if have timeout; then limit='timeout 10'; fi
m_at='' m_net='' m_disk='' m_cpu='' most_cards=0 util='' held_mib='' load='' looker=''

# flowed BEFORE AFTER FLOOR: whether a counter rose by that much a second since the last look.
flowed() { whole "$1" && whole "$2" && [ "$elapsed" -gt 0 ] && [ $((($2 - $1) / elapsed)) -ge "$3" ]; }

# The load, or a container's own processors, in hundredths of a core.
loaded() {
  most=$((v_cores * 10))
  if [ "$most" -gt 50 ]; then most=50; fi
  part=${v_load#*.}
  part=${part#0}
  hundredths=$((${v_load%.*} * 100 + ${part:-0}))
  [ "$hundredths" -ge "$most" ]
}

measure() {
  activity=unknown why=driver util='' held_mib='' load=''
  if [ -n "$looker" ] && kill -0 "$looker" 2>/dev/null; then return; fi
  why=not-told
  if [ ! -w "$live" ]; then return; fi
  rm -f "$live/measured"
  {
    (look_at_machine && printf '%s|' "$activity" "$why" "$util" "$held_mib" "$v_load" "$now" "$v_net" "$v_disk" \
      "$v_cpu_us" "$most_cards") 2>/dev/null || echo '|'
  } | put "$live" measured &
  looker=$!
  polls=0
  while [ ! -s "$live/measured" ] && [ "$polls" -lt 300 ]; do
    polls=$((polls + 1))
    sleep 0.05 2>/dev/null || {
      sleep 1
      polls=$((polls + 19))
    }
  done
  if [ ! -s "$live/measured" ]; then
    why=driver
    return
  fi
  looker=''
  IFS='|' read -r a_activity a_why util held_mib load m_at m_net m_disk m_cpu a_most _ <"$live/measured"
  if whole "$a_most"; then activity=$a_activity why=$a_why most_cards=$a_most; fi
}

look_at_machine() {
  HOME=${home:-/}
  vitals
  cards
  elapsed=0
  if [ -n "$m_at" ]; then elapsed=$((now - m_at)); fi
  if [ -n "$v_cpu_us" ]; then
    if whole "$m_cpu" && [ "$elapsed" -gt 0 ] && [ "$v_cpu_us" -ge "$m_cpu" ]; then
      v_load=$(((v_cpu_us - m_cpu) / elapsed / 10000))
      # As the load is written: cores, a point, two digits.
      v_load=$((v_load / 100)).$((v_load / 10 % 10))$((v_load % 10))
    else
      v_load=''
    fi
  fi
  case $v_load in *[!0-9.]* | *.*.*) v_load='' ;; *.[0-9][0-9]) ;; *) v_load='' ;; esac
  whole "$v_cores" || v_cores=0
  activity=working
  if [ -n "$g_busy" ]; then
    why=gpu
  elif [ -n "$v_load" ] && [ "$v_cores" -gt 0 ] && loaded; then
    why=cpu
  elif flowed "$m_net" "$v_net" 32768; then
    why=network
  elif flowed "$m_disk" "$v_disk" 262144; then
    why=disk
  elif [ "$v_input" != none ] && [ -n "$v_input" ] && [ "$v_input" -le 60 ]; then
    why=human
  elif [ -n "$v_marker" ] && [ "$v_marker" -lt 1800 ]; then
    why=marker
  else
    activity=unknown
    if [ -n "$g_why" ]; then
      why=$g_why
    elif [ -z "$v_net" ] || [ -z "$v_disk" ] || [ -z "$v_input" ] || [ "$v_cores" -eq 0 ]; then
      why=not-told
    elif [ "$elapsed" -le 0 ] || [ -z "$v_load" ] || [ "$v_net" -lt "$m_net" ] || [ "$v_disk" -lt "$m_disk" ]; then
      why=too-few
    elif [ "$held_mib" -gt 300 ] || program_holds; then
      activity=parked why=memory
    else
      activity=idle why=quiet
    fi
  fi
}
