# gpudesk-watchdog: stops this machine when its lease ends or it idles, whether or not anybody's computer is on.
# Folders, time, the lease, and the log. Every figure of a lease is checked before it is used.
LC_ALL=C
export LC_ALL
PATH="$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/nvidia/bin:/opt/rocm/bin:/usr/lib/wsl/lib"
umask 077
version=3
root=${GPUDESK_ROOT:-}
player=''
case ${GPUDESK_PLAYER:-} in '' | *[!0-9]*) ;; *) player=$GPUDESK_PLAYER ;; esac
uid=$(id -u)
# What must outlive a reboot, and what is rewritten all the time: in memory where root has such a place, so that a
# full disk takes neither.
if [ "$uid" -eq 0 ]; then kept=$root/var/lib/gpudesk; else kept=$HOME/.gpudesk; fi
live=$kept
if [ "$uid" -eq 0 ] && [ -d "$root/run" ]; then live=$root/run/gpudesk; fi
program_file=$kept/gpudesk-watchdog.sh
serial=0 armed='' deadline='' idle='' from='' parked='' action='' method='' base='' home='' user='' part=''
offset=0 uptime=0 life=''
this_life='' seen=0 now=0 up=''

have() { command -v "$1" >/dev/null 2>&1; }
whole() { case $1 in '' | *[!0-9]*) return 1 ;; esac }
plain() { case $1 in *[!A-Za-z0-9_.:/@-]*) return 1 ;; esac }

# put FOLDER NAME: standard input as that file, whole or not at all.
put() {
  if [ ! -d "$1" ]; then mkdir -p "$1" 2>/dev/null; fi
  if cat 2>/dev/null >"$1/.$2.new" && [ -s "$1/.$2.new" ]; then mv "$1/.$2.new" "$1/$2"; else
    rm -f "$1/.$2.new"
    return 1
  fi 2>/dev/null
}

# A log that cannot be written stops nothing. It holds times of the desk, figures and fixed words; no key, no answer.
note() {
  if [ "$(wc -c 2>/dev/null <"$kept/log" || echo 0)" -gt 200000 ]; then
    tail -n 1000 "$kept/log" 2>/dev/null | put "$kept" log
  fi
  { printf '%s %s\n' "$now" "$1" >>"$kept/log"; } 2>/dev/null
}

# Which run of this machine it is: a reboot has another boot id, a container that starts anew another first process.
tell_life() {
  boot='' first=''
  { read -r boot <"$root/proc/sys/kernel/random/boot_id"; } 2>/dev/null
  { read -r first <"$root/proc/1/stat"; } 2>/dev/null
  first=${first##*) }
  # The start of the process is the 22nd word of the line, the 20th after its name.
  set -- $first
  if [ $# -ge 20 ]; then
    shift 19
    first=$1
  else
    first=''
  fi
  this_life=$boot.$first
}

# The desk's time, in seconds since 1970. Within one run it is the desk's time at the arming and what has passed since
# by the clock that nobody sets; after a reboot it is the machine's clock, less what that was ahead. It never goes back.
tell_time() {
  clock=$(date +%s)
  up=''
  { read -r up _ <"$root/proc/uptime"; } 2>/dev/null
  up=${up%%.*}
  whole "$clock" || clock=0
  whole "$up" || up=''
  if [ -n "$up" ] && [ "$this_life" = "$life" ] && [ "$up" -ge "$uptime" ]; then
    now=$((armed + up - uptime))
    offset=$((clock - now))
  else
    now=$((clock - offset))
  fi
  if [ "$now" -lt "$seen" ]; then now=$seen; fi
  seen=$now
}

lease_text() {
  printf '%s\n' "serial=$serial" "armed=$armed" "deadline=$deadline" "idle=$idle" "from=$from" "parked=$parked" \
    "action=$action" "method=$method" "base=$base" "home=$home" "user=$user" "part=$part" \
    "offset=$offset" "uptime=$uptime" "life=$life" "end=lease"
}

# Reads a lease on standard input and takes it over if it is whole and newer than the one held.
take_lease() {
  r_serial='' r_armed='' r_deadline='' r_idle='' r_from='' r_parked='' r_action='' r_method='' r_base='' r_home=''
  r_user='' r_part='' r_offset='' r_uptime='' r_life='' r_end=''
  while IFS='=' read -r key value; do
    case $key in
    serial | armed | uptime) whole "$value" || continue ;;
    deadline | idle | from | parked | part) whole "${value:-0}" || continue ;;
    offset) whole "${value#-}" || continue ;;
    action) case $value in notify | stop | end) ;; *) continue ;; esac ;;
    method) case $value in poweroff | vast | runpod) ;; *) continue ;; esac ;;
    base | home | user | life) plain "$value" || continue ;;
    end) ;;
    *) continue ;;
    esac
    eval "r_$key=\$value"
  done
  if [ "$r_end" != lease ] || [ "${r_serial:-0}" -le "$serial" ]; then return 1; fi
  if [ -z "$r_armed" ] || [ -z "$r_action" ] || [ -z "$r_method" ]; then return 1; fi
  serial=$r_serial armed=$r_armed deadline=$r_deadline idle=$r_idle from=${r_from:-0} parked=$r_parked
  action=$r_action method=$r_method base=$r_base home=$r_home user=$r_user part=$r_part
  offset=${r_offset:-0} uptime=${r_uptime:-0} life=$r_life seen=$armed
}

take_leases() {
  taken=1
  for folder in "$live" "$kept"; do
    if [ -r "$folder/lease" ] && take_lease <"$folder/lease"; then taken=0; fi
  done
  return $taken
}

# The loop's number, if it lives.
loop_pid() {
  pid=''
  for folder in "$live" "$kept"; do
    if [ -z "$pid" ] && [ -r "$folder/pid" ]; then read -r pid <"$folder/pid"; fi
  done
  whole "$pid" && grep -q gpudesk-watchdog "/proc/$pid/cmdline" 2>/dev/null
}

# Ends every loop of ours, also one that lives in memory alone: its lease stands in its environment.
stop_loops() {
  if loop_pid; then kill "$pid" 2>/dev/null; fi
  for file in $(grep -l GPUDESK_LEASE=serial /proc/[0-9]*/environ 2>/dev/null); do
    if [ -n "$root" ] && ! grep -q "GPUDESK_ROOT=$root" "$file"; then continue; fi
    one=${file#/proc/}
    kill "${one%/environ}" 2>/dev/null
  done
}
