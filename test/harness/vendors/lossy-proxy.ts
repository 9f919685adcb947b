import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseAddress } from '../../../src/db/embedded-postgres.ts'
import { cleanUp } from '../clean-up.ts'

/**
 * What happens to the next bytes that pass: `cut-question` breaks the connection before PostgreSQL sees them,
 * `cut-answer` after PostgreSQL has done (and committed) what was asked, `swallow-answer` leaves the asker waiting.
 */
export type Loss = 'cut-question' | 'cut-answer' | 'swallow-answer'

export type LossyProxy = {
  readonly address: DatabaseAddress
  /** Decides for each chunk what happens to it; null lets it pass. */
  decide(loss: (towards: 'server' | 'client') => Loss | null): void
  /** One loss at the next opportunity, then none. Resolves when it has happened. */
  loseNext(loss: Loss): Promise<void>
  /** Refuses new connections and breaks those there are, until opened again. */
  shut(): void
  /** The connections there are move nothing any more, and neither side hears of it. New ones work. */
  vanish(): void
  open(): void
}

const SOCKET = '.s.PGSQL.5432'

/** Stands between a client and PostgreSQL on a Unix socket and loses what it is told to lose. */
export async function startLossyProxy(behind: DatabaseAddress): Promise<LossyProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-proxy-'))
  const pairs = new Set<readonly [Socket, Socket]>()
  const gone = new WeakSet<readonly [Socket, Socket]>()
  let decide: (towards: 'server' | 'client') => Loss | null = () => null
  let isShut = false

  const server = createServer((client) => {
    const upstream = connect(join(behind.host, SOCKET))
    const pair = [client, upstream] as const
    const end = (): void => {
      if (gone.has(pair)) return
      pairs.delete(pair)
      client.destroy()
      upstream.destroy()
    }
    if (isShut) return end()
    pairs.add(pair)
    for (const socket of pair) socket.on('error', end).on('close', end)
    client.on('data', (chunk) =>
      gone.has(pair)
        ? undefined
        : decide('server') === 'cut-question'
          ? end()
          : void upstream.write(chunk),
    )
    upstream.on('data', (chunk) => {
      if (gone.has(pair)) return
      const loss = decide('client')
      if (loss === 'cut-answer') end()
      else if (loss === null) client.write(chunk)
    })
  })
  await new Promise<void>((listening) => server.listen(join(folder, SOCKET), listening))
  const breakAll = (): void =>
    pairs.forEach(([client, upstream]) => {
      client.destroy()
      upstream.destroy()
    })
  cleanUp(() => {
    breakAll()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    address: { ...behind, host: folder },
    decide: (next) => void (decide = next),
    loseNext: (loss) =>
      new Promise((happened) => {
        decide = (towards) => {
          if ((towards === 'server') !== (loss === 'cut-question')) return null
          decide = () => null
          happened()
          return loss
        }
      }),
    shut() {
      isShut = true
      breakAll()
    },
    vanish: () => pairs.forEach((pair) => void gone.add(pair)),
    open: () => void (isShut = false),
  }
}
