# The loop: nothing in it may end it but its lease's own end.
activity=unknown why=too-few util='' held_mib='' load='' idle_since=0 idle_for=0 warned='' idle_warned=''
unable='' told=0 again=0 tries=0 fired='' fired_serial='' fired_life='' failed='' grace=0 logged=0 last=0

save_state() {
  state=$(printf '%s\n' "version=$version" "serial=$serial" "tick=$now" "up=$up" "life=$this_life" \
    "activity=$activity" "why=$why" "idle_s=$idle_for" "util=$util" "held_mib=$held_mib" "load=$load" \
    "offset=$offset" "fired=$fired" "fired_serial=$fired_serial" "fired_life=$fired_life" "grace=$grace" "failed=$failed" \
    "tries=$tries" "unable=$unable" "end=state")
  printf '%s\n' "$state" | put "$live" state
  if [ "$live" != "$kept" ]; then printf '%s\n' "$state" | put "$kept" state; fi
}

# What an earlier run with this lease left: the time it had reached, how far the clock was off, and whether it had
# ended the machine already. A machine that was started again after the end of its lease has half an hour, once, in
# which the lease can be renewed: else nobody could ever start it again.
recall() {
  s_serial='' s_tick='' s_offset='' s_fired='' s_fired_serial='' s_fired_life='' s_grace='' s_life=''
  if [ ! -r "$kept/state" ]; then return; fi
  while IFS='=' read -r key value; do
    case $key in
    serial | tick | fired | fired_serial | grace) whole "$value" || continue ;;
    offset) whole "${value#-}" || continue ;;
    life | fired_life) plain "$value" || continue ;;
    *) continue ;;
    esac
    eval "s_$key=\$value"
  done <"$kept/state"
  if [ "$s_serial" != "$serial" ]; then return; fi
  if [ -n "$s_tick" ] && [ "$s_tick" -gt "$seen" ]; then seen=$s_tick; fi
  offset=${s_offset:-$offset}
  fired_serial=$s_fired_serial fired_life=$s_fired_life
  if [ "$s_life" = "$this_life" ]; then fired=$s_fired grace=${s_grace:-0}; fi
}

# `wall` knows who is logged in from the system's own list, which containers do not keep: there every terminal is told.
# One that somebody halted takes nothing and lets nobody go who writes to it.
shout() {
  if [ -e "$root/run/utmp" ] || [ -d "$root/run/systemd/system" ]; then
    if have wall && printf '%s\n' "$1" | $limit wall 2>/dev/null; then return; fi
  fi
  if [ -z "$limit" ]; then return; fi
  for terminal in "$root"/dev/pts/[0-9]*; do
    if [ ! -e "$terminal" ]; then continue; fi
    $limit sh -c 'printf "\r\n%s\r\n" "$1" >"$2"' sh "$1" "$terminal" 2>/dev/null </dev/null
  done
}

what_happens() { if [ "$action" = end ]; then printf 'is ended'; else printf 'is stopped'; fi; }

# fire WHY LIMIT: does what the lease says; an order that failed is given again, later each time, for ever.
fire() {
  if [ "$action" = notify ]; then
    if [ "$told" -eq 0 ] || [ $((now - told)) -ge 3600 ]; then
      note "$1: only told, as the lease says"
      shout "GPU Desk: $1."
      told=$now
    fi
    return
  fi
  if [ "$now" -lt "$again" ]; then return; fi
  if ! parted "$1" "$2"; then return; fi
  note "$1: this machine $(what_happens) by $method (activity=$activity why=$why idle_s=$idle_for)"
  # Written down beforehand: an order that works leaves no time for it.
  fired_serial=$serial fired_life=$this_life
  save_state
  if "by_$method"; then
    note "taken: $said"
    fired=$now failed='' tries=0
    again=$((now + 600))
  else
    tries=$((tries + 1)) failed=$said
    wait=$((30 * tries))
    if [ "$wait" -gt 300 ]; then wait=300; fi
    note "not taken: $said; try $tries, next in $wait s"
    again=$((now + wait))
  fi
}

# warn MARK LEFT WORDS: once at ten minutes and once at two; `marks` are the warnings given.
warn() {
  if [ "$2" -gt 600 ] || [ "$2" -le 0 ]; then return; fi
  step=10
  if [ "$2" -le 120 ]; then step=2; fi
  case " $marks " in *" $1/$step "*) return ;; esac
  marks="$marks $1/$step"
  note "warned: $3 in $2 s"
  shout "GPU Desk: this machine $(what_happens) in $((($2 + 59) / 60)) minutes: $3"
}

guard_deadline() {
  if [ -z "$deadline" ]; then return; fi
  due=$deadline
  if [ "$grace" -gt "$due" ]; then due=$grace; fi
  left=$((due - now))
  if [ "$left" -le 0 ]; then
    fire 'the lease ended' time
    return
  fi
  if [ "$left" -lt "$pause" ]; then pause=$left; fi
  marks=$warned
  warn "$serial" "$left" 'its lease ends. Extend it at the desk.'
  warned=$marks
}

guard_idle() {
  if [ -z "$idle" ] || [ "$idle" -eq 0 ]; then return; fi
  measure
  if parts_idle; then
    fire "idle for $idle minutes" idle
    return
  fi
  # Time that this loop did not see, asleep or held up, is not time without work.
  if [ $((now - last)) -gt 120 ]; then idle_since=$now; fi
  case $activity.$parked in idle.* | parked.1) ;; *) idle_since=$now ;; esac
  if [ "$idle_since" -lt "${from:-0}" ]; then idle_since=$from; fi
  idle_for=$((now - idle_since))
  if [ "$idle_for" -le 0 ]; then
    idle_for=0 idle_warned=''
    return
  fi
  left=$((idle * 60 - idle_for))
  if [ "$left" -le 0 ]; then
    fire "idle for $((idle_for / 60)) minutes" idle
    return
  fi
  if [ "$idle_for" -lt 60 ]; then return; fi
  marks=$idle_warned
  warn idle "$left" 'nothing works on it. To keep it for half an hour: touch /tmp/gpudesk-busy'
  idle_warned=$marks
}

# Whether this loop is one too many: another one has its place, or the lease was taken away. Without a pid file, which
# a full disk may have cost, it stays.
superseded() {
  # A played machine is gone with its folder, and with whoever plays it.
  if [ -n "$root" ] && [ ! -d "$root" ]; then return 0; fi
  if [ -n "$player" ] && ! kill -0 "$player" 2>/dev/null; then return 0; fi
  other=''
  { read -r other <"$live/pid"; } 2>/dev/null
  if [ "$other" = $$ ]; then return 1; fi
  if whole "$other" && grep -q gpudesk-watchdog "/proc/$other/cmdline" 2>/dev/null; then return 0; fi
  if [ -z "${GPUDESK_LEASE:-}" ] && [ ! -e "$live/lease" ] && [ ! -e "$kept/lease" ]; then return 0; fi
  echo $$ | put "$live" pid
  return 1
}

begin() {
  tell_life
  take_leases
  if [ -n "${GPUDESK_LEASE:-}" ]; then
    take_lease <<LEASE
$GPUDESK_LEASE
LEASE
  fi
  if [ "$serial" -eq 0 ]; then exit 0; fi
  echo $$ | put "$live" pid
  recall
  tell_time
  vitals_once
  find_unable
  idle_since=$now last=$now
  # A machine that has just started is not idle, it is not yet used.
  if [ -n "$up" ] && [ "$up" -lt 900 ]; then idle_since=$((now + 900 - up)); fi
  if [ "$fired_serial" = "$serial" ] && [ "$fired_life" != "$this_life" ] && [ "$grace" -eq 0 ]; then
    grace=$((now + 1800))
    note 'started again after its lease had ended: half an hour to renew it'
  fi
  note "watching: version $version, lease $serial until ${deadline:-no time}, idle ${idle:-never} min, $action by $method"
  save_state
}

watch() {
  begin
  while ! superseded; do
    if take_leases; then
      note "lease $serial until ${deadline:-no time}, idle ${idle:-never} min, $action by $method"
      again=0 tries=0 fired='' failed='' grace=0 told=0
      find_unable
    fi
    tell_time
    pause=60
    if [ "${idle:-0}" -gt 0 ]; then pause=30; fi
    guard_deadline
    guard_idle
    last=$now
    save_state
    if [ $((now - logged)) -ge 600 ]; then
      note "activity=$activity why=$why idle_s=$idle_for util=$util held_mib=$held_mib load=$load"
      logged=$now
    fi
    sleep "$pause" &
    nap=$!
    wait "$nap"
    kill "$nap" 2>/dev/null
  done
  note 'ends: taken away, or another one watches'
}

trap : USR1
watch
