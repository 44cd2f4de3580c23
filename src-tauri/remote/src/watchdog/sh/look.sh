# What the watchdog is doing, for the desk.
look() {
  take_leases
  tell_life
  tell_time
  alive=no
  if loop_pid; then alive=yes; fi
  echo '@@gpudesk lease'
  lease_text
  echo '@@gpudesk state'
  if [ -r "$live/state" ]; then cat "$live/state"; elif [ -r "$kept/state" ]; then cat "$kept/state"; fi
  printf '\n@@gpudesk now\n%s\n' "now=$now" "now_up=$up" "now_life=$this_life" "alive=$alive"
  echo '@@gpudesk end'
}

look
