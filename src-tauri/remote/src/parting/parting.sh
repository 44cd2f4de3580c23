# Before a rule stops this machine: programs of this user that hold a card are asked to end (SIGTERM), the person's own
# ~/.gpudesk/before-stop is run, and both are waited for, no longer than p_seconds. It runs as the person who logs in,
# so that nothing of anybody else's can be meant, and it ends by itself. `p_…` are set before it.
LC_ALL=C
export LC_ALL
PATH="$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# It outlives its connection; what it starts has the usual signals.
trap : HUP PIPE
cd "$HOME" 2>/dev/null || cd /
p_root=${GPUDESK_ROOT:-}
p_home=$HOME/.gpudesk
p_lock=$p_home/parting
p_hook=$p_home/before-stop
p_uid=$(id -u)
p_asked='' p_count=0 p_ended=0 p_said=none p_pid=''

# Its state is the word after the name, which may hold anything. One that has ended and is not yet buried has ended.
p_lives() {
  kill -0 "$1" 2>/dev/null || return 1
  p_line=''
  { read -r p_line <"/proc/$1/stat"; } 2>/dev/null
  case ${p_line##*) } in Z*) return 1 ;; esac
}

# A played machine has only such processes as were started in it.
p_ours() { [ -z "$p_root" ] || tr '\000' '\n' 2>/dev/null <"/proc/$1/environ" | grep -qxF "GPUDESK_ROOT=$p_root"; }

# Tools that only look at cards are not work.
p_only_looks() {
  p_name=''
  { read -r p_name <"$p_root/proc/$1/comm"; } 2>/dev/null
  case $p_name in nvidia-smi | nvidia-persiste* | nvtop | amd-smi | rocm-smi | dcgm*) return 0 ;; esac
  return 1
}

p_ask() {
  for p_at in "$p_root"/proc/[0-9]*; do
    p_one=${p_at##*/}
    if [ "$(stat -c %u "$p_at" 2>/dev/null)" != "$p_uid" ]; then continue; fi
    if ! ls -l "$p_at/fd" 2>/dev/null | grep -q -e ' -> /dev/nvidia[0-9]' -e ' -> /dev/kfd$'; then continue; fi
    if p_only_looks "$p_one" || ! p_ours "$p_one"; then continue; fi
    if kill -TERM "$p_one" 2>/dev/null; then
      p_asked="$p_asked $p_one"
      p_count=$((p_count + 1))
    fi
  done
}

# In a session of its own where that can be had, so that what it started ends with it.
p_begin_hook() {
  if [ ! -f "$p_hook" ]; then return; fi
  p_said=failed
  if [ ! -x "$p_hook" ]; then return; fi
  if command -v setsid >/dev/null 2>&1; then
    setsid "$p_hook" "$p_action" "$p_reason" "$p_seconds" </dev/null >/dev/null 2>&1 &
  else
    "$p_hook" "$p_action" "$p_reason" "$p_seconds" </dev/null >/dev/null 2>&1 &
  fi
  p_pid=$!
}

# Whether nothing is left to be waited for.
p_over() {
  for p_one in $p_asked; do
    if p_lives "$p_one"; then return 1; fi
  done
  [ -z "$p_pid" ] || ! p_lives "$p_pid"
}

# By the clock, and by the number of looks where somebody sets the clock.
p_wait() {
  p_began=$(date +%s) p_looks=0
  while ! p_over && [ $(($(date +%s) - p_began)) -lt "$p_seconds" ] && [ "$p_looks" -lt $((p_seconds * 5)) ]; do
    p_looks=$((p_looks + 1))
    sleep 0.2 2>/dev/null || sleep 1
  done
}

p_end_hook() {
  if [ -z "$p_pid" ]; then return; fi
  if p_lives "$p_pid"; then
    kill -KILL "-$p_pid" 2>/dev/null || kill -KILL "$p_pid" 2>/dev/null
    p_said=killed
  elif wait "$p_pid" 2>/dev/null; then
    p_said='done'
  fi
}

# The desk and the watchdog may both come: the second one waits for the first and tells what that one did. What was
# left behind by an earlier time is swept away.
p_first() {
  mkdir -p "$p_home" 2>/dev/null
  p_now=$(date +%s) p_then=''
  { read -r p_then <"$p_lock/began"; } 2>/dev/null
  case $p_then in '' | *[!0-9]*) ;; *)
    if [ "$p_now" -lt "$p_then" ] || [ $((p_now - p_then)) -gt $((p_seconds + 240)) ]; then rm -rf "$p_lock"; fi
    ;;
  esac
  if mkdir "$p_lock" 2>/dev/null; then
    { date +%s >"$p_lock/began"; } 2>/dev/null || rm -rf "$p_lock"
    return 0
  fi
  # Where none can be made nobody else has one.
  [ ! -d "$p_lock" ]
}

p_part() {
  if [ -n "$p_played" ] && [ -z "$p_root" ]; then
    echo '@@gpudesk here'
    return
  fi
  if ! p_first; then
    p_looks=0
    while [ ! -s "$p_lock/over" ] && [ "$p_looks" -lt $((p_seconds * 5)) ]; do
      p_looks=$((p_looks + 1))
      sleep 0.2 2>/dev/null || sleep 1
    done
    cat "$p_lock/over" 2>/dev/null || echo '@@gpudesk parted 0 0 none'
    return
  fi
  p_begin_hook
  p_ask
  p_wait
  p_end_hook
  for p_one in $p_asked; do
    if ! p_lives "$p_one"; then p_ended=$((p_ended + 1)); fi
  done
  p_line="@@gpudesk parted $p_count $p_ended $p_said"
  echo "$p_line"
  { echo "$p_line" >"$p_lock/over"; } 2>/dev/null
}

p_part
