import type { Database } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { firstIdAt, type Id } from '../../lib/ids.ts'
import { MOST_RECENT, readRecentCalls, type RecentCall } from './read-recent-calls.ts'

/** Streams of one account, and of all accounts, in one process. */
const MOST_OF_ACCOUNT = 10
const MOST_IN_ALL = 1_000
const RETRY_AFTER_SECONDS = 10
const READ_EVERY_MS = 1_000

export type CallWatcher = {
  readonly accountId: Id
  readonly walletId: number
  /** Calls that began or ended, oldest first. */
  readonly onCalls: (calls: readonly RecentCall[]) => void
  /** There were more calls than were read. */
  readonly onGap: () => void
  /** The process stops. */
  readonly onEnd: () => void
}

export type CallWatch = {
  /** Reports calls of a wallet from now on. Returns a stop. Throws AppError rate_limited. */
  readonly watch: (watcher: CallWatcher) => () => void
  /** Reads once for all watchers. A timer does it every second. */
  readonly read: () => Promise<void>
  /** Ends every watcher. */
  readonly close: () => void
}

type State = 'pending' | 'ended'
type Channel = {
  readonly watchers: Set<CallWatcher>
  /** The reported states of the calls of the last read, and of all pending ones. Null before the first read. */
  known: Map<Id, State> | null
  readonly from: Id
}

/**
 * Watches calls of any number of wallets with one read per second and process. It finds calls of every
 * process, because it reads the database, and uses no connection between two reads.
 */
export function createCallWatch({
  database,
  now,
  everyMs = READ_EVERY_MS,
}: {
  readonly database: Pick<Database, 'query'>
  readonly now: Clock
  readonly everyMs?: number
}): CallWatch {
  const channels = new Map<number, Channel>()
  const perAccount = new Map<Id, number>()
  let count = 0
  let isReading = false
  let timer: NodeJS.Timeout | undefined

  async function read(): Promise<void> {
    if (isReading || channels.size === 0) return
    isReading = true
    try {
      const watched = new Map(channels)
      const pending = [...watched].flatMap(([wallet, { known }]) =>
        pendingOf(known).map((id) => ({ wallet, id })),
      )
      const found = await readRecentCalls(database, [...watched.keys()], pending, now())
      for (const [wallet, channel] of watched) report(channel, found.get(wallet) ?? [])
    } catch {
      // The database is away. Other code reports that; the next read continues.
    } finally {
      isReading = false
    }
  }

  function leave(watcher: CallWatcher): void {
    const channel = channels.get(watcher.walletId)
    if (channel?.watchers.delete(watcher) !== true) return
    if (channel.watchers.size === 0) channels.delete(watcher.walletId)
    count -= 1
    const left = (perAccount.get(watcher.accountId) ?? 1) - 1
    if (left === 0) perAccount.delete(watcher.accountId)
    else perAccount.set(watcher.accountId, left)
    if (count > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    read,
    watch(watcher) {
      const { accountId, walletId } = watcher
      const ofAccount = perAccount.get(accountId) ?? 0
      if (ofAccount >= MOST_OF_ACCOUNT || count >= MOST_IN_ALL) throw tooManyStreams()
      const channel = channels.get(walletId) ?? {
        watchers: new Set(),
        known: null,
        from: firstIdAt(now()),
      }
      channel.watchers.add(watcher)
      channels.set(walletId, channel)
      perAccount.set(accountId, ofAccount + 1)
      count += 1
      timer ??= setInterval(() => void read(), everyMs)
      timer.unref()
      return () => leave(watcher)
    },
    close() {
      for (const { watchers } of channels.values())
        for (const watcher of watchers) {
          leave(watcher)
          watcher.onEnd()
        }
    },
  }
}

function pendingOf(known: ReadonlyMap<Id, State> | null): Id[] {
  return [...(known ?? [])].flatMap(([id, state]) => (state === 'pending' ? [id] : []))
}

function report(channel: Channel, calls: readonly RecentCall[]): void {
  const { known, watchers, from } = channel
  // An ended call that is not among the newest is never read again.
  const states = new Map<Id, State>(pendingOf(known).map((id) => [id, 'pending']))
  const changed = calls.filter(({ id, call }) => {
    const state = call.charge === 'pending' ? 'pending' : 'ended'
    states.set(id, state)
    return known === null ? id >= from : known.get(id) !== state
  })
  channel.known = states
  if (changed.length === 0) return
  const isGap = changed.length >= MOST_RECENT
  for (const watcher of watchers) {
    if (isGap) watcher.onGap()
    watcher.onCalls(changed)
  }
}

function tooManyStreams(): AppError {
  return new AppError('rate_limited', 'Too many streams of calls are open.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    fix: `Close other streams. An account has at most ${MOST_OF_ACCOUNT} in each process.`,
  })
}
