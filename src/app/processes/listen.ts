import { setTimeout as pause } from 'node:timers/promises'

// A gateway whose launcher was killed closes its port within moments.
const PORT_WAIT_MS = 5_000
const PAUSE_MS = 100

/** Listens, and while the port is taken tries again for five seconds. Rejects like `listen`. */
export async function listenWhenFree<Listening>(
  listen: () => Promise<Listening>,
  waitMs = PORT_WAIT_MS,
): Promise<Listening> {
  const until = performance.now() + waitMs
  for (;;) {
    try {
      return await listen()
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (!isTaken || performance.now() >= until) throw error
      await pause(PAUSE_MS)
    }
  }
}
