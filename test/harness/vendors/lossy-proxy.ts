import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseAddress } from '../../../src/db/embedded-postgres.ts'
import { cleanUp } from '../clean-up.ts'

/**
 * The loss of the next bytes: `cut-question` breaks the connection before PostgreSQL receives the query,
 * `cut-answer` after PostgreSQL has committed it, and `swallow-answer` drops the answer, so the client waits.
 */
export type Loss = 'cut-question' | 'cut-answer' | 'swallow-answer'

export type LossyProxy = {
  readonly address: DatabaseAddress
  /** Chooses the loss of each chunk; null passes the chunk on. */
  decide(loss: (towards: 'server' | 'client') => Loss | null): void
  /** Loses one chunk at the next opportunity. Resolves after the loss. */
  loseNext(loss: Loss): Promise<void>
  /** Breaks all connections and rejects new ones until `open`. */
  shut(): void
  /** Silently stops the current connections. New ones work. */
  vanish(): void
  open(): void
}

const SOCKET = '.s.PGSQL.5432'

/** A proxy between a client and PostgreSQL on a Unix socket that loses chosen bytes. */
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
