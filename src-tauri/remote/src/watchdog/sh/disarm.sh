# Takes the watchdog away and everything it left, and prints its log.
tag=gpudesk-watchdog
without() { # FILE: the file without our line, in place, so that it keeps its owner and mode
  if grep -q "$tag" "$1" 2>/dev/null; then rest=$(grep -v "$tag" "$1") && printf '%s\n' "$rest" >"$1"; fi
}

disarm() {
  echo '@@gpudesk log'
  cat "$kept/log" 2>/dev/null
  stop_loops
  if [ "$uid" -eq 0 ]; then
    if [ -e "$root/etc/systemd/system/$tag.service" ]; then
      "$root/bin/systemctl" disable --now "$tag.service" >/dev/null 2>&1
      rm -f "$root/etc/systemd/system/$tag.service"
      "$root/bin/systemctl" daemon-reload >/dev/null 2>&1
    fi
    without "$root/root/onstart.sh"
    without "$root/post_start.sh"
    rm -f "$root/etc/cron.d/$tag"
  fi
  crontab=$root/usr/bin/crontab
  if [ -x "$crontab" ] && "$crontab" -l 2>/dev/null | grep -q "$tag"; then
    "$crontab" -l 2>/dev/null | grep -v "$tag" | "$crontab" - 2>/dev/null
  fi
  # What the person put beside it is theirs.
  for file in "$kept"/* "$kept"/.[!.]*; do
    if [ "$file" != "$kept/before-stop" ]; then rm -rf "$file"; fi
  done
  rmdir "$kept" 2>/dev/null
  if [ "$live" != "$kept" ]; then rm -rf "$live"; fi
  printf '\n@@gpudesk end\n'
}

disarm
