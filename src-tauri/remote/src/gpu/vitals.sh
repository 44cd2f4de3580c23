# What a machine does beside its cards, in shell variables; what cannot be known stays empty, never 0. It starts no
# process but one `stat` and one `date`, and these only where there is a terminal or a marker file to look at.
# GPUDESK_ROOT stands before every path, so that another machine than this one can be put there.
root=${GPUDESK_ROOT:-}
group=$root/sys/fs/cgroup

digits() { case $1 in '' | *[!0-9]*) return 1 ;; esac }

# Inside a container the load and the disks of /proc are those of a host with other guests.
in_container() {
  if [ -e "$root/.dockerenv" ] || [ -e "$root/run/.containerenv" ]; then return 0; fi
  first=
  { read -r first <"$root/proc/1/comm"; } 2>/dev/null
  case $first in systemd | init) return 1 ;; esac
  return 0
}

# What does not change while the machine runs.
vitals_once() {
  v_boot='' v_shared=''
  { read -r v_boot <"$root/proc/sys/kernel/random/boot_id"; } 2>/dev/null
  v_cores=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null)
  if ! in_container; then return; fi
  v_shared=yes quota='' period=''
  { read -r quota period <"$group/cpu.max"; } 2>/dev/null
  if digits "$quota" && digits "$period"; then v_cores=$(((quota + period - 1) / period)); fi
}

vitals() {
  v_load='' v_cpu_us='' v_net='' v_disk=''
  if [ -n "$v_shared" ]; then
    own_processors
    own_disks
  else
    { read -r v_load _ <"$root/proc/loadavg"; } 2>/dev/null
    whole_disks
  fi
  if [ -r "$root/proc/net/dev" ]; then
    v_net=0
    while read -r card got _ _ _ _ _ _ _ sent _; do
      case $card in
      lo:) ;;
      *:)
        if ! digits "$got" || ! digits "$sent"; then
          v_net=''
          break
        fi
        v_net=$((v_net + got + sent))
        ;;
      esac
    done <"$root/proc/net/dev"
  fi
  person
}

own_processors() {
  if [ -r "$group/cpu.stat" ]; then
    while read -r key value; do
      if [ "$key" = usage_usec ]; then v_cpu_us=$value; fi
    done <"$group/cpu.stat"
  elif [ -r "$group/cpuacct/cpuacct.usage" ]; then
    read -r value <"$group/cpuacct/cpuacct.usage" && digits "$value" && v_cpu_us=$((value / 1000))
  fi
}

own_disks() {
  if [ -r "$group/io.stat" ]; then
    v_disk=0
    while read -r _ words; do
      for word in $words; do
        case $word in rbytes=* | wbytes=*) digits "${word#*=}" && v_disk=$((v_disk + ${word#*=})) ;; esac
      done
    done <"$group/io.stat"
  elif [ -r "$group/blkio/blkio.throttle.io_service_bytes" ]; then
    while read -r key value _; do
      if [ "$key" = Total ]; then v_disk=$value; fi
    done <"$group/blkio/blkio.throttle.io_service_bytes"
  fi
}

# Sectors of 512 bytes of whole disks; what lies on top of them (LVM, RAID, loop files) would count twice.
whole_disks() {
  if [ ! -r "$root/proc/diskstats" ]; then return; fi
  while read -r _ _ disk _ _ got _ _ _ sent _; do
    case $disk in loop* | ram* | zram* | dm-* | md* | sr* | fd*) continue ;; esac
    if [ -e "$root/sys/block/$disk" ] && digits "$got$sent"; then v_disk=$((${v_disk:-0} + (got + sent) * 512)); fi
  done <"$root/proc/diskstats"
}

# A terminal is read when somebody presses a key in it, so its time of access is that of the last key; a session
# without a terminal, as the desk's own, has none. An editor's server keeps a copy of each file that is saved, and
# IPython, on which notebooks stand, writes each cell that is run into its history.
person() {
  v_input='' v_marker='' last='' touched=''
  set -- "$root"/dev/pts/[0-9]*
  if [ ! -e "$1" ]; then
    set --
    if [ -d "$root/dev/pts" ]; then v_input=none; fi
  fi
  for file in "$root"/tmp/gpudesk-busy "$HOME"/.gpudesk-busy "$HOME"/.*-server/data/User/History/* \
    "$HOME"/.ipython/profile_*/history.sqlite; do
    if [ -e "$file" ]; then set -- "$@" "$file"; fi
  done
  if [ $# -eq 0 ]; then return; fi
  clock=$(date +%s)
  while read -r got written name; do
    case $name in
    */gpudesk-busy | */.gpudesk-busy) if [ "$written" -gt "${touched:-0}" ]; then touched=$written; fi ;;
    */History/* | */.ipython/*) if [ "$written" -gt "${last:-0}" ]; then last=$written; fi ;;
    */dev/pts/*) if [ "$got" -gt "${last:-0}" ]; then last=$got; fi ;;
    esac
  done <<FILES
$(stat -c '%X %Y %n' "$@" 2>/dev/null)
FILES
  if [ -n "$last" ]; then v_input=$((clock - last)); fi
  if [ -n "$touched" ]; then v_marker=$((clock - touched)); fi
}
