/** The network of boxes: one proxy per box, with a guard of its own, on a Unix socket. */
import { chmod, chown } from 'node:fs/promises'
import { lookup } from 'node:dns/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../../errors/app-error.ts'
import { createSlots } from '../../../lib/fairness/fair-slots.ts'
import { openSocketFolder } from '../../../lib/machine/socket-folder.ts'
import { createGuard, type GuardSettings } from '../../../upstream/guard.ts'
import { startGuardProxy } from '../../../upstream/guard-proxy.ts'
import { createTargetLog, type NetworkLog } from './target-log.ts'

const SOCKET = 'network.sock'
const LIMITS = { idleMs: 60_000, maxConnections: 64 }
const LOOKUP_MS = 10_000
const PACE_MS = 10
/** Lookups use the few threads that the gateway needs for files, too. */
const LOOKUPS = { places: 2, waiting: 1_000, what: 'a lookup of a host' }

export type BoxNetworkSettings = Pick<GuardSettings, 'allowPrivateNetworks' | 'lookup'> & {
  /** Of one box, in both directions. */
  readonly maxBytes: number
  readonly logger: NetworkLog
  /** Between the starts of two requests of a box, so that they do not use up the gateway. */
  readonly paceMs?: number
}

/** The box that uses the network. `userId`: its user; null for that of the gateway. */
export type NetworkUser = {
  readonly id: string
  readonly accountId: string
  readonly folder: string
  readonly userId: number | null
}

export type NetworkLink = {
  /** The path of the socket. Only the user of the box can connect. */
  readonly socket: string
  /** Closes all connections. Safe to repeat. */
  close(): Promise<void>
}

export type BoxNetwork = { open(user: NetworkUser): Promise<NetworkLink> }

export function createBoxNetwork({
  allowPrivateNetworks,
  lookup: resolve = (hostname) => lookup(hostname, { all: true, order: 'verbatim' }),
  maxBytes,
  logger,
  paceMs = PACE_MS,
}: BoxNetworkSettings): BoxNetwork {
  const slots = createSlots(LOOKUPS)
  return {
    async open({ id, accountId, folder, userId }) {
      const guard = createGuard({
        allowPrivateNetworks,
        async lookup(hostname) {
          const release = await slots.take({ accountId, signal: AbortSignal.timeout(LOOKUP_MS) })
          try {
            return await resolve(hostname)
          } finally {
            release()
          }
        },
      })
      const sockets = openSocketFolder(folder)
      const log = createTargetLog(logger, { box: id, account: accountId })
      try {
        const proxy = await startGuardProxy(guard, {
          listener: sockets.pathOf(SOCKET),
          ...LIMITS,
          maxBytes,
          maxTotalBytes: maxBytes,
          onTarget: log.add,
          waitForNext: createPace(paceMs, LIMITS.maxConnections),
        })
        const socket = join(folder, SOCKET)
        await chmod(socket, 0o600)
        if (userId !== null) await chown(socket, userId, userId)
        let closing: Promise<void> | null = null
        const close = async (): Promise<void> => {
          await proxy.close()
          await guard.close()
          sockets.close()
          log.end()
        }
        return { socket, close: () => (closing ??= close()) }
      } catch (error) {
        sockets.close()
        await guard.close()
        throw error
      }
    },
  }
}

/**
 * Returns a function that resolves `paceMs` after it last did, in the order of its calls. Rejects with
 * AppError `rate_limited` if `most` calls wait, also those of connections that have closed.
 */
export function createPace(
  paceMs: number,
  most: number,
  wait: (ms: number) => Promise<unknown> = delay,
): () => Promise<void> {
  let next: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return async () => {
    if (waiting >= most)
      throw new AppError('rate_limited', 'Programs of this machine send too many requests.')
    const current = next
    next = current.then(() => wait(paceMs))
    waiting += 1
    await current
    waiting -= 1
  }
}
