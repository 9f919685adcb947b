import { setTimeout as delay } from 'node:timers/promises'

const STEP_MS = 50

/** Repeats `check` until it throws no error, for at most `withinMs`. Then throws its last error. */
export async function eventually(
  check: () => void | Promise<void>,
  withinMs = 25_000,
): Promise<void> {
  for (const endMs = Date.now() + withinMs; ;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > endMs) throw error
      await delay(STEP_MS)
    }
  }
}
