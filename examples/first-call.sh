#!/bin/sh
# Reads a page for at most 2 cents, twice with the same Idempotency-Key. The second request returns the
# stored answer and is not charged.
set -eu
: "${TOLLGATE_KEY:?set it to an API key of the gateway}"
gateway="${TOLLGATE_URL:-http://127.0.0.1:4020}"
page="${1:-$gateway/guide}"
repeat_key="first-call-$(date +%s)-$$"

read_page() {
  curl -sS "$gateway/api/run/core/onescrape" \
    -H "Authorization: Bearer $TOLLGATE_KEY" \
    -H 'Content-Type: application/json' \
    -H "Idempotency-Key: $repeat_key" \
    -D "$headers" \
    -d "{\"urls\":[\"$page\"],\"max_cost_cents\":2}"
}

headers=$(mktemp)
trap 'rm -f "$headers"' EXIT
for attempt in first second; do
  answer=$(read_page)
  case "$answer" in
    '{"ok":true'*) ;;
    *) echo "$answer" >&2; exit 1 ;;
  esac
  charged=$(tr -d '\r' <"$headers" | sed -n 's/^x-charged-micros: //Ip')
  echo "$attempt request: ${#answer} characters, charged $charged micro-dollars"
done
