# Arms the watchdog, or renews its lease: `n_…` hold the new lease, `gpudesk_program` prints the
# watchdog where it came along.
tag=gpudesk-watchdog
begins="[ -r $program_file ] && (sh $program_file </dev/null >/dev/null 2>&1 &) # $tag"

systemd() { [ "$uid" -eq 0 ] && [ -d "$root/run/systemd/system" ]; }
control() { "$root/bin/systemctl" "$@" >/dev/null 2>&1; }

cron_runs() {
  for name in "$root"/proc/[0-9]*/comm; do
    comm=''
    { read -r comm <"$name"; } 2>/dev/null
    case $comm in cron | crond) return 0 ;; esac
  done
  return 1
}

# starts_with FILE: adds our line to a script that the container's image runs at each start.
starts_with() { grep -q "$tag" "$1" 2>/dev/null || { printf '\n%s\n' "$begins" >>"$1"; } 2>/dev/null; }

# What starts it after a reboot; fails where nothing does.
survive() {
  if systemd; then
    printf '%s\n' '[Unit]' 'Description=GPU Desk: stops this machine when its lease ends' '[Service]' \
      "ExecStart=/bin/sh $program_file" 'Restart=on-failure' 'RestartSec=10' '[Install]' 'WantedBy=multi-user.target' |
      put "$root/etc/systemd/system" "$tag.service" && control daemon-reload && control enable "$tag.service"
    return
  fi
  # Vast runs this file at each start of the container; where it is missing the launch mode is another.
  if [ "$uid" -eq 0 ] && [ -f "$root/root/onstart.sh" ]; then
    starts_with "$root/root/onstart.sh"
    return
  fi
  # RunPod's images run this one, if it is there.
  if [ "$uid" -eq 0 ] && grep -q /post_start.sh "$root/start.sh" 2>/dev/null; then
    starts_with "$root/post_start.sh"
    return
  fi
  if ! cron_runs; then return 1; fi
  if [ "$uid" -eq 0 ] && [ -d "$root/etc/cron.d" ]; then
    printf '@reboot root /bin/sh %s\n' "$program_file" | put "$root/etc/cron.d" "$tag"
  elif [ -x "$root/usr/bin/crontab" ]; then
    { "$root/usr/bin/crontab" -l 2>/dev/null | grep -v "$tag"; printf '@reboot /bin/sh %s\n' "$program_file"; } |
      "$root/usr/bin/crontab" - 2>/dev/null
  else
    return 1
  fi
}

start() {
  stop_loops
  rm -f "$live/pid"
  if [ "$survives" = yes ] && systemd && control restart "$tag.service"; then return; fi
  go=''
  if have setsid; then go=setsid; elif have nohup; then go=nohup; fi
  if [ -n "$stored" ]; then
    $go sh "$program_file" </dev/null >/dev/null 2>&1 &
  else
    # Nothing can be written: the program and its lease live in memory alone.
    GPUDESK_LEASE=$(lease_text) $go sh -c "$(gpudesk_program)" "$tag" </dev/null >/dev/null 2>&1 &
  fi
  started=$!
}

# Whether the loop has taken this lease over; one that was started anew writes its number first.
ticked() {
  if [ "$alive" = no ] && [ ! -s "$live/pid" ]; then return 1; fi
  grep -q "^serial=$serial\$" "$live/state" 2>/dev/null || grep -q "^serial=$serial\$" "$kept/state" 2>/dev/null
}

arm() {
  alive=no
  if loop_pid && grep -q "^version=$version\$" "$live/state" 2>/dev/null && [ -r "$live/lease" ]; then alive=yes; fi
  if [ "$alive" = no ] && ! have gpudesk_program; then
    echo '@@gpudesk absent'
    return
  fi
  take_leases
  if [ -n "$n_armed" ] || [ "$serial" -eq 0 ]; then
    tell_life
    seen=0 offset=0 life=''
    tell_time
    serial=$((serial + 1)) life=$this_life uptime=${up:-0} armed=${n_armed:-$clock}
    offset=$((clock - armed)) deadline=$n_deadline idle=$n_idle parked=$n_parked action=$n_action method=$n_method
    if [ -n "$n_from" ]; then
      from=$n_from
    elif [ -z "$n_armed" ]; then
      from=$((armed + 900))
    elif [ "$alive" = no ]; then
      from=$armed
    fi
    base=$n_base home=$person_home user=$person_user part=$n_part
  fi
  stored=yes started='' survives=no
  if ! lease_text | put "$kept" lease; then stored=''; fi
  if [ "$live" != "$kept" ]; then lease_text | put "$live" lease; fi
  if have gpudesk_program && ! gpudesk_program | put "$kept" gpudesk-watchdog.sh; then stored=''; fi
  if [ -n "$stored" ] && survive; then survives=yes; fi
  # A loop of the same version goes on, or the time without work would begin anew with each renewal.
  if [ "$alive" = yes ]; then kill -USR1 "$pid"; else start; fi
  tries=0
  while ! ticked && [ "$tries" -lt 150 ]; do
    # Nothing but the process itself shows a loop that can write nowhere.
    if [ -z "$stored" ] && [ -n "$started" ] && [ "$tries" -ge 10 ] && kill -0 "$started" 2>/dev/null; then break; fi
    tries=$((tries + 1))
    # It does not hear while it measures.
    if [ "$alive" = yes ] && [ $((tries % 10)) -eq 0 ]; then kill -USR1 "$pid"; fi
    sleep 0.1 2>/dev/null || sleep 1
  done
  if [ "$tries" -ge 150 ]; then
    echo '@@gpudesk silent'
    return
  fi
  missing=unseen
  for folder in "$kept" "$live"; do
    if ! grep -q "^serial=$serial\$" "$folder/state" 2>/dev/null; then continue; fi
    missing=$(sed -n 's/^unable=//p' "$folder/state")
  done
  echo "@@gpudesk armed $version $offset $survives ${stored:-no} $((armed + tries / 10)) ${missing:--}"
}

arm
