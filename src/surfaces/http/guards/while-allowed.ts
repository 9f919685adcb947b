/** A revocation ends open responses within five seconds. */
const CHECK_EVERY_MS = 3_000

/** Repeats `check` while a response is open, and calls `end` once it rejects. Returns a stop. */
export function whileAllowed(check: () => Promise<unknown>, end: () => void): () => void {
  const timer = setInterval(() => {
    check().catch(() => {
      clearInterval(timer)
      end()
    })
  }, CHECK_EVERY_MS).unref()
  return () => clearInterval(timer)
}
