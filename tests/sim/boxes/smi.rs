//! `nvidia-smi` of a practice machine: a script that reports the rented cards in the real one's forms.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::super::machine::Machine;

/// The driver the machines are said to have.
const DRIVER: &str = "570.86.10";

/// Everything after the machine's own figures.
const SCRIPT: &str = r#"
seconds=$(date +%s)
if [ "$count" -eq 0 ]; then echo "No devices were found"; exit 6; fi

uuid() { printf 'GPU-%08x-0000-4000-8000-%012x' "$number" "$1"; }
# Work comes and goes: a slow wave, another one for each card.
load() { echo $(( (seconds * 3 + $1 * 17) % 61 + 20 )); }
used() { echo $(( memory * ($(load "$1") + 5) / 100 )); }
draw() { echo "$(( watts * $(load "$1") / 100 )).$(( seconds % 90 + 10 ))"; }

unit() { if [ -n "$plain" ]; then printf '%s' "$1"; else printf '%s %s' "$1" "$2"; fi; }
field() {
    case $1 in
        index) printf '%s' "$2" ;;
        uuid | gpu_uuid) uuid "$2" ;;
        name | gpu_name) printf '%s' "$name" ;;
        driver_version) printf '%s' "$driver" ;;
        count) printf '%s' "$count" ;;
        memory.total) unit "$memory" MiB ;;
        memory.used) unit "$(used "$2")" MiB ;;
        memory.free) unit "$(( memory - $(used "$2") ))" MiB ;;
        utilization.gpu) unit "$(load "$2")" % ;;
        utilization.memory) unit "$(( $(load "$2") / 2 ))" % ;;
        power.draw) unit "$(draw "$2")" W ;;
        power.limit) unit "$watts.00" W ;;
        temperature.gpu) printf '%s' "$(( 35 + $(load "$2") / 3 ))" ;;
        mig.mode.current) printf '[N/A]' ;;
        compute_cap) printf '8.9' ;;
        timestamp) date '+%Y/%m/%d %H:%M:%S.000' | tr -d '\n' ;;
        *) return 1 ;;
    esac
}

plain= head=yes query= apps= list=
for argument; do
    case $argument in
        --query-gpu=*) query=${argument#--query-gpu=} ;;
        --query-compute-apps=*) apps=${argument#--query-compute-apps=} ;;
        --format=*)
            case ,${argument#--format=}, in *,noheader,*) head= ;; esac
            case ,${argument#--format=}, in *,nounits,*) plain=yes ;; esac ;;
        -L | --list-gpus) list=yes ;;
        *) echo "Invalid combination of input arguments. Please run 'nvidia-smi -h' for help."; exit 2 ;;
    esac
done

if [ -n "$list" ]; then
    card=0
    while [ "$card" -lt "$count" ]; do
        printf 'GPU %s: %s (UUID: %s)\n' "$card" "$name" "$(uuid "$card")"
        card=$((card + 1))
    done
elif [ -n "$query" ]; then
    fields=$(printf '%s' "$query" | tr ',' ' ')
    for one in $fields; do
        field "$one" 0 >/dev/null || { echo "Field \"$one\" is not a valid field to query."; exit 2; }
    done
    if [ -n "$head" ]; then printf '%s\n' "$query" | sed 's/, */, /g'; fi
    card=0
    while [ "$card" -lt "$count" ]; do
        comma=
        for one in $fields; do
            printf '%s' "$comma"
            field "$one" "$card"
            comma=', '
        done
        echo
        card=$((card + 1))
    done
elif [ -n "$apps" ]; then
    # As inside a container: processes are not seen, although cards work.
    if [ -n "$head" ]; then printf '%s\n' "$apps" | sed 's/, */, /g'; fi
else
    date
    line='+-----------------------------------------------------------------------------------------+'
    echo "$line"
    printf '| NVIDIA-SMI %-22s Driver Version: %-15s CUDA Version: %-8s |\n' "$driver" "$driver" 12.8
    echo "$line"
    card=0
    while [ "$card" -lt "$count" ]; do
        printf '| %3s  %-32s  %7sW / %4sW | %6sMiB / %6sMiB | %3s%% |\n' "$card" "$name" "$(draw "$card")" \
            "$watts" "$(used "$card")" "$memory" "$(load "$card")"
        card=$((card + 1))
    done
    echo "$line"
fi
"#;

/// Writes the script into a folder of the machine's path.
pub fn install(tools: &Path, machine: &Machine) -> std::io::Result<()> {
    let cards = &machine.cards;
    // The name is from our own tables and has no quote in it.
    let figures = format!(
        "#!/bin/sh\nname='{}' count={} memory={} watts={} driver={DRIVER} number={}",
        cards.name.replace('\'', ""),
        cards.count,
        cards.memory_mib,
        cards.watts,
        machine.number
    );
    let path = tools.join("nvidia-smi");
    std::fs::write(&path, format!("{figures}{SCRIPT}"))?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))
}
