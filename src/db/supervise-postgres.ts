import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import {
  startEmbeddedPostgres,
  type DatabaseAddress,
  type EmbeddedPostgres,
  type EmbeddedPostgresSettings,
} from './embedded-postgres.ts'

export type SupervisorDeps = EmbeddedPostgresSettings & {
  /** The server ended and is started again. */
  readonly onLost: () => void
  /** The start failed and is retried. */
  readonly onFailure: (error: unknown) => void
  /** Waits before the next attempt. */
  readonly pause?: (signal: AbortSignal) => Promise<void>
}

const NEXT_ATTEMPT_MS = 1_000

/**
 * Runs the embedded PostgreSQL while this process lives. When the server or its owner is killed,
 * the first process that notices starts it again, and the others join it.
 */
export async function superviseEmbeddedPostgres(deps: SupervisorDeps): Promise<EmbeddedPostgres> {
  const { onLost, onFailure, pause = waitForNext } = deps
  const stopping = new AbortController()
  let server = await startEmbeddedPostgres(deps)

  async function startAgain(): Promise<void> {
    onLost()
    while (!stopping.signal.aborted) {
      try {
        const next = await startEmbeddedPostgres(deps)
        // A server that only dropped its connections still belongs to this process.
        if (next.owned) server = next
        // A running server that accepts no connection, because it is full, is not retried in a
        // loop.
        else await pause(stopping.signal)
        return
      } catch (error) {
        onFailure(error)
        await pause(stopping.signal)
      }
    }
  }

  async function supervise(): Promise<void> {
    while (!stopping.signal.aborted) {
      await waitForConnectionEnd(server.address, stopping.signal)
      if (!stopping.signal.aborted) await startAgain()
    }
  }

  const supervised = supervise()
  return {
    address: server.address,
    owned: server.owned,
    async stop() {
      stopping.abort()
      await supervised
      await server.stop()
    },
  }
}

/** Waits on an idle connection, which ends with its server. */
async function waitForConnectionEnd(address: DatabaseAddress, signal: AbortSignal): Promise<void> {
  const client = new pg.Client({ ...address, application_name: 'tollgate server watch' })
  client.on('error', () => {})
  const over = Promise.withResolvers<void>()
  const finish = (): void => over.resolve()
  client.once('end', finish)
  signal.addEventListener('abort', finish, { once: true })
  // A refused connection counts as ended, so that the server is checked.
  client.connect().catch(finish)
  await over.promise
  signal.removeEventListener('abort', finish)
  client.end().catch(() => {})
}

async function waitForNext(signal: AbortSignal): Promise<void> {
  await delay(NEXT_ATTEMPT_MS, undefined, { signal }).catch(() => {})
}
