import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import {
  startEmbeddedPostgres,
  type DatabaseAddress,
  type EmbeddedPostgres,
  type EmbeddedPostgresSettings,
} from './embedded-postgres.ts'

export type KeepSettings = EmbeddedPostgresSettings & {
  /** The server is gone, and is started again. */
  readonly onLost: () => void
  /** It could not be started; the next attempt comes. */
  readonly onFailure: (error: unknown) => void
  /** Waits before the next attempt. */
  readonly pause?: (signal: AbortSignal) => Promise<void>
}

const NEXT_ATTEMPT_MS = 1_000

/**
 * The embedded PostgreSQL for as long as this process lives. A server that ends, because it was killed or because the
 * process that ran it did, is started again by whoever of its users notices first; the others join that one.
 */
export async function keepEmbeddedPostgres(settings: KeepSettings): Promise<EmbeddedPostgres> {
  const { onLost, onFailure, pause = waitForNext } = settings
  const stopping = new AbortController()
  let server = await startEmbeddedPostgres(settings)

  async function startAgain(): Promise<void> {
    onLost()
    while (!stopping.signal.aborted) {
      try {
        const next = await startEmbeddedPostgres(settings)
        // One that only dropped its connections is still this process's own to stop.
        if (next.owned) server = next
        // One that runs and takes no connection, being full, is not asked without end.
        else await pause(stopping.signal)
        return
      } catch (error) {
        onFailure(error)
        await pause(stopping.signal)
      }
    }
  }

  async function keep(): Promise<void> {
    while (!stopping.signal.aborted) {
      await connectionEnds(server.address, stopping.signal)
      if (!stopping.signal.aborted) await startAgain()
    }
  }

  const kept = keep()
  return {
    address: server.address,
    owned: server.owned,
    async stop() {
      stopping.abort()
      await kept
      await server.stop()
    },
  }
}

/** A connection that asks for nothing and ends when its server does. */
async function connectionEnds(address: DatabaseAddress, signal: AbortSignal): Promise<void> {
  const client = new pg.Client({ ...address, application_name: 'tollgate server watch' })
  client.on('error', () => {})
  const over = Promise.withResolvers<void>()
  const finish = (): void => over.resolve()
  client.once('end', finish)
  signal.addEventListener('abort', finish, { once: true })
  // One that is ended while it is made answers nobody. One that is refused is as good as ended: somebody has to look after the server.
  client.connect().catch(finish)
  await over.promise
  signal.removeEventListener('abort', finish)
  client.end().catch(() => {})
}

async function waitForNext(signal: AbortSignal): Promise<void> {
  await delay(NEXT_ATTEMPT_MS, undefined, { signal }).catch(() => {})
}
