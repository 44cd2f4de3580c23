# Ending the machine by the lease's method, with nothing but the machine's own key: that can act on this machine only.
# A key is never in an argument list and never in the log; `said` holds a fixed word for the log.
said='' key='' found='' status=''

# known NAME: a variable of this process, or of the first one of the container, whose environment a login lacks.
known() {
  eval "found=\${$1:-}"
  if [ -z "$found" ]; then
    found=$(tr '\000' '\n' 2>/dev/null <"$root/proc/1/environ" | sed -n "s/^$1=//p" | head -n 1)
  fi
  if [ -z "$found" ]; then
    found=$(sed -n "s/^export $1=\"\\(.*\\)\"\$/\\1/p" "$root/etc/rp_environment" 2>/dev/null | head -n 1)
  fi
  case $found in '' | *[!A-Za-z0-9_.=+/-]*)
    said=no-$1
    return 1
    ;;
  esac
}

# Slim images have no certificates where their programs look; other software often brought some along. Going on without
# any would hand the key to whoever answers.
bundles() {
  for file in "$root"/etc/ssl/certs/ca-certificates.crt "$root"/etc/pki/tls/certs/ca-bundle.crt \
    "$root"/etc/ssl/cert.pem "$root"/etc/ssl/ca-bundle.pem "$root"/opt/conda/ssl/cacert.pem \
    "$root"/usr/lib/python3*/*-packages/certifi/cacert.pem "$root"/usr/local/lib/python3*/*-packages/certifi/cacert.pem \
    "$root"/usr/local/lib/python3*/*-packages/pip/_vendor/certifi/cacert.pem \
    "$root"/opt/conda/lib/python3*/site-packages/certifi/cacert.pem; do
    if [ -s "$file" ]; then printf '%s\n' "$file"; fi
  done
}

python_asks='import ssl, sys, urllib.error, urllib.request
method, address, body, bundle = sys.argv[1:5]
head = {"Authorization": "Bearer " + sys.stdin.readline().strip(), "Content-Type": "application/json"}
ask = urllib.request.Request(address, data=body.encode() or None, headers=head, method=method)
try:
    with urllib.request.urlopen(ask, timeout=30, context=ssl.create_default_context(cafile=bundle or None)) as answer:
        print(answer.read(4096).decode("utf-8", "replace"))
        print(answer.status)
except urllib.error.HTTPError as error:
    print(error.code)
except urllib.error.URLError as error:
    sys.exit(60 if isinstance(error.reason, ssl.SSLError) else 1)
'

# ask TOOL: one call; the status in `status`, empty where none came, and the body in `text`.
ask() {
  set -- "$1" "$bundle"
  case $1 in
  curl)
    text=$(printf 'header = "Authorization: Bearer %s"\n' "$key" |
      curl -q -sS -K - ${2:+--cacert "$2"} --max-time 30 -X "$verb" -H 'Content-Type: application/json' \
        ${body:+-d "$body"} -w '\n%{http_code}' "$address" 2>/dev/null)
    code=$?
    ;;
  wget)
    # It takes its settings from a file only: one that nobody else can read, for as long as the call lasts.
    text=''
    printf 'header = Authorization: Bearer %s\n' "$key" | put "$live" wgetrc &&
      text=$(WGETRC=$live/wgetrc wget -q -t 1 -T 30 -O - --method="$verb" --header='Content-Type: application/json' \
        ${body:+--body-data="$body"} ${2:+--ca-certificate="$2"} "$address" 2>/dev/null </dev/null)
    code=$?
    rm -f "$live/wgetrc"
    # It tells no status: 8 is an answer that refuses, 5 a certificate that it does not trust.
    case $code in 0) text="$text
200" ;; 8) text=400 ;; 5) code=60 ;; esac
    ;;
  python3)
    text=$(printf '%s\n' "$key" | python3 -c "$python_asks" "$verb" "$address" "$body" "$2" 2>/dev/null)
    code=$?
    ;;
  esac
  status=${text##*
}
  whole "$status" && [ "$status" -ge 100 ] || status=''
}

# request VERB ADDRESS BODY: whether the provider took it.
request() {
  verb=$1 address=$2 body=$3 said='' status=''
  for tool in curl wget python3; do
    if ! have "$tool"; then continue; fi
    bundle=''
    ask "$tool"
    case $status$code in 35 | 60 | 77)
      for bundle in $(bundles); do
        note "$tool does not trust the certificate; again with $bundle"
        ask "$tool"
        if [ -n "$status" ]; then break; fi
      done
      ;;
    esac
    said=${said:+$said+}$tool-$code
    if [ -n "$status" ]; then break; fi
  done
  if [ -z "$status" ]; then
    said=${said:-no-program}
    return 1
  fi
  said=http-$status
  case $status in
  404) [ "$action" = end ] ;;
  2??)
    case $(printf '%s' "$text" | tr -d ' \n') in *'"success":false'*)
      said=refused
      return 1
      ;;
    esac
    ;;
  *) return 1 ;;
  esac
}

by_vast() {
  known CONTAINER_API_KEY || return 1
  key=$found
  known CONTAINER_ID || return 1
  id=${found#C.}
  whole "$id" || return 1
  address=${base:-https://console.vast.ai}/api/v0/instances/$id/
  if [ "$action" = end ]; then request DELETE "$address" ''; else request PUT "$address" '{"state":"stopped"}'; fi
}

# The second generation of its interface, then the first, then its own program: which of them takes the pod's own key
# is not written down anywhere.
by_runpod() {
  known RUNPOD_API_KEY || return 1
  key=$found
  known RUNPOD_POD_ID || return 1
  id=$found
  second=${base:-https://api.runpod.io}/v2/pods/$id
  first=${base:-https://rest.runpod.io}/v1/pods/$id
  if [ "$action" = end ]; then
    request DELETE "$second" '' && return
    request DELETE "$first" '' && return
    set -- 'pod delete' 'remove pod'
  else
    request POST "$second/action" '{"action":"stop"}' && return
    request POST "$first/stop" '' && return
    set -- 'pod stop' 'stop pod'
  fi
  if ! have runpodctl; then return 1; fi
  for words; do
    # Two words each, on purpose.
    if RUNPOD_API_KEY=$key $limit runpodctl $words "$id" >/dev/null 2>&1 </dev/null; then
      said=runpodctl
      return
    fi
  done
  return 1
}

# A guest that was asked before and still runs is asked harder.
by_poweroff() {
  said=no-poweroff
  set -- ''
  if [ -z "$root" ] && [ "$uid" -ne 0 ] && have sudo; then set -- 'sudo -n '; fi
  for way in /sbin/poweroff /usr/sbin/poweroff '/usr/bin/systemctl poweroff' '/sbin/shutdown -h now'; do
    if [ ! -x "$root${way%% *}" ]; then continue; fi
    if $1$root$way ${fired:+-f} >/dev/null 2>&1 </dev/null; then
      said=poweroff
      return
    fi
    said=poweroff-failed
  done
  return 1
}

# Whether what an order needs is there, without giving one; else `unable` is the word for what is missing.
find_unable() {
  said=''
  case $method in
  poweroff)
    said=no-poweroff
    for way in sbin/poweroff usr/sbin/poweroff usr/bin/systemctl sbin/shutdown; do
      if [ -x "$root/$way" ]; then said=''; fi
    done
    if [ -z "$root" ] && [ "$uid" -ne 0 ] && ! sudo -n true >/dev/null 2>&1 </dev/null; then said=no-right; fi
    ;;
  vast) known CONTAINER_API_KEY && known CONTAINER_ID ;;
  runpod) known RUNPOD_API_KEY && known RUNPOD_POD_ID ;;
  esac
  if [ "$method" != poweroff ] && ! have curl && ! have wget && ! have python3; then said=${said:-no-program}; fi
  unable=$said
  if [ -n "$unable" ]; then note "cannot end this machine: $unable"; fi
}
