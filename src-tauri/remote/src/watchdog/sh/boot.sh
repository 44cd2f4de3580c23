# The least that keeps a deadline, for clouds whose text for the first boot is short. It gives way to the watchdog that
# the desk installs later, and takes the provider's word for an order as little as that one does.
at=DEADLINE
known() { tr '\0' '\n' </proc/1/environ | sed -n "s/^$1=//p" | head -n 1; }
auth() { printf 'header="Authorization: Bearer %s"\n' "$(known KEY)"; }
call() { auth | curl -qsS -m 30 -K - -H 'Content-Type: application/json' "$@"; }
id=$(known ID)
id=${id#C.}
(
  while [ ! -e /var/lib/gpudesk/lease ]; do
    if [ "$(date +%s)" -ge $at ]; then
      ORDER
    fi
    sleep 30
  done
) </dev/null >/dev/null 2>&1 &
