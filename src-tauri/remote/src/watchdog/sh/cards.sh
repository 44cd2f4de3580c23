# What the cards do, as their tools tell it. Each tool's answer becomes one row a card: use in percent, MiB in use,
# `Enabled` where it is divided. What is no whole number is not known.

ask_nvidia() {
  set -- --format=csv,noheader,nounits
  rows=$($limit nvidia-smi --query-gpu=utilization.gpu,memory.used,mig.mode.current "$@" 2>/dev/null </dev/null)
  code=$?
  if [ "$code" -eq 2 ]; then
    rows=$($limit nvidia-smi --query-gpu=utilization.gpu,memory.used "$@" 2>/dev/null </dev/null)
    code=$?
  fi
  case $code in
  0) ;;
  15) g_why=card-lost ;;
  127) g_why=no-gpu-tool ;;
  9 | 12 | 13 | 18 | 124 | 137) g_why=driver ;;
  *) g_why=not-told ;;
  esac
  case $rows in *'is lost'* | *'device handle'* | *'fallen off'*) g_why=card-lost ;; esac
}

# ask_amd FORM COMMAND…: what the command prints, put into rows by FORM. Without its driver `rocm-smi` ends with 0.
ask_amd() {
  form=$1
  shift
  text=$($limit "$@" 2>&1 </dev/null)
  code=$?
  rows=$(printf '%s\n' "$text" | "$form")
  case $code in
  0) ;;
  127) g_why=no-gpu-tool ;;
  124 | 137) g_why=driver ;;
  *) g_why=not-told ;;
  esac
  case $text in *river*'not loaded'* | *river*'not initialized'*) g_why=driver ;; esac
  if [ -z "$rows" ]; then g_why=${g_why:-not-told}; fi
}

# The table of `amd-smi`, whose columns are found by name: their order changes with its versions.
amd_rows() {
  tr -d ' \t\r' | {
    set -f
    card='' of_use=99 of_memory=99
    while read -r line; do
      IFS=,
      set -- $line
      IFS=' '
      if [ -n "$card" ]; then
        eval "number=\${$card:-} use=\${$of_use:-} used=\${$of_memory:-}"
        if whole "$number"; then echo "${use:-N/A}, ${used:-N/A}"; fi
        continue
      fi
      at=0
      for name; do
        at=$((at + 1))
        case $name in gpu) card=$at ;; gfx) of_use=$at ;; vram_used) of_memory=$at ;; esac
      done
    done
  }
}

# The object of `rocm-smi`, with a line for each of its names: everything in strings, memory in bytes.
rocm_rows() {
  {
    tr -d '" \t\r' | tr '{},' '\n\n\n'
    echo card0:
  } | {
    card=''
    while IFS=: read -r name value; do
      case $name in
      card[0-9]*)
        if [ -n "$card" ]; then echo "$use, $used"; fi
        card=$name use=N/A used=N/A
        ;;
      'GPUuse(%)') use=${value:-N/A} ;;
      'VRAMTotalUsedMemory(B)')
        if whole "$value" && [ "${#value}" -le 18 ]; then used=$(((value + 1048575) / 1048576)); fi
        ;;
      esac
    done
  }
}

# Whether AMD's list names a program that holds memory of a card, however little: the third cell from the end is that
# memory, in bytes or UNKNOWN. In a container the list is that of a host with other guests.
program_holds() {
  if [ -z "$g_amd" ] || [ -n "$v_shared" ] || ! have rocm-smi; then return 1; fi
  $limit rocm-smi --showpids 2>/dev/null </dev/null |
    grep -qE '^ *[0-9]+[[:space:]].*[[:space:]]([1-9][0-9]*|UNKNOWN)([[:space:]]+[^[:space:]]+){2}[[:space:]]*$'
}

cards() {
  g_busy='' g_why='' g_amd='' count=0 util='' held_mib=''
  # NVIDIA first: an AMD processor's own graphics would answer as an AMD card.
  if have nvidia-smi; then
    ask_nvidia
  elif have amd-smi; then
    g_amd=yes
    ask_amd amd_rows amd-smi monitor -vu --csv
  elif have rocm-smi; then
    g_amd=yes
    ask_amd rocm_rows rocm-smi --showuse --showmeminfo vram --json
  else
    g_why=no-gpu-tool
    return
  fi
  while IFS=', ' read -r one used divided _; do
    if [ -z "$one" ]; then continue; fi
    count=$((count + 1))
    if [ "$divided" = Enabled ]; then g_why=${g_why:-mig}; fi
    if whole "$one" && [ "$one" -ge "${util:-0}" ]; then util=$one; fi
    if whole "$used" && [ "$used" -ge "${held_mib:-0}" ]; then held_mib=$used; fi
    if ! whole "$one" || ! whole "$used"; then g_why=${g_why:-not-told}; fi
  done <<CARDS
$rows
CARDS
  if [ "$count" -eq 0 ] || [ "$count" -lt "$most_cards" ]; then g_why=${g_why:-card-lost}; fi
  if [ "$count" -gt "$most_cards" ]; then most_cards=$count; fi
  if [ "${util:-0}" -ge 5 ]; then g_busy=yes; fi
}
