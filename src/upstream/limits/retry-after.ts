/** How long a vendor asks to be left alone: seconds, or a date, which is read against the vendor's own clock. */
export function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const text = headers['retry-after']
  if (text === undefined) return undefined
  const seconds = Number(text)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - Date.parse(headers['date'] ?? '')
  return ms > 0 ? ms : undefined
}
