/**
 * The places of boxes on this machine, for all its processes: a folder each. When all are taken, an
 * account with more of them gives up an idle session.
 */
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../errors/app-error.ts'
import type { BoxReply, BoxRequest } from './box-requests.ts'
import { gpuName, type Gpu } from './gpus.ts'

const RETRY_AFTER_SECONDS = 15
/** A session of an account within its share is idle after this time without a call. */
export const IDLE_MS = 10_000
/** How long an account without a place counts among those that share the machine. */
const WAITS_MS = 60_000
const MOST_WAITING = 1_000
/** The other processes of the machine answer within this time, or their sessions stay. */
const ANSWER_MS = 3_000
/** Once less than a quarter is free, an account gets its share only. */
const CROWDED = 0.75
/** Of work that ends by itself within minutes, and that its own queue limits. */
const SHORT = '-short'

export type Place = { readonly folder: string; readonly devices: readonly string[] }

export type PlaceOrder = {
  readonly id: string
  readonly accountId: string
  /** One of these that no other box of the machine has. */
  readonly gpus?: readonly Gpu[] | undefined
  /** The place is not one of sandboxes and sessions, so these cannot take it. */
  readonly isShort?: boolean
}

export type PlaceSettings = {
  /** The folder of all processes of the machine, and the name of this one in it. */
  readonly homes: string
  readonly home: string
  readonly maxBoxes: number
  readonly maxPerAccount: number
  /** A monotonic clock. */
  readonly now: () => number
  readonly request: (
    id: string,
    request: BoxRequest,
    signal: AbortSignal,
  ) => Promise<BoxReply | null>
}

type Taken = { readonly id: string; readonly accountId: string; readonly name: string }

/** Throws AppError `overloaded` if the machine or the account's share is full. */
export type TakePlace = (order: PlaceOrder) => Promise<Place>

export function createPlaces(settings: PlaceSettings): TakePlace {
  const { homes, home, maxBoxes, maxPerAccount, now } = settings
  /** When an account last found no place here. */
  const waiting = new LRUCache<string, number>({ max: MOST_WAITING })

  function shareOf(places: readonly Taken[], accountId: string): number {
    const others = [...waiting.entries()].filter(([, since]) => now() - since < WAITS_MS)
    if (others.length === 0 && places.length <= maxBoxes * CROWDED) return maxPerAccount
    const accounts = new Set([
      accountId,
      ...places.map((one) => one.accountId),
      ...others.map(([waits]) => waits),
    ])
    return Math.min(maxPerAccount, Math.max(1, Math.floor(maxBoxes / accounts.size)))
  }

  /** Once per wait, so that a caller who retries ends no further session. */
  function mayInsist(accountId: string): boolean {
    return now() - (waiting.get(accountId) ?? Number.NEGATIVE_INFINITY) >= WAITS_MS
  }

  /** Ends an idle session of the account that has most. False if none may end now. */
  async function makeRoom(places: readonly Taken[], accountId: string): Promise<boolean> {
    const share = shareOf(places, accountId)
    const countOf = (account: string): number =>
      places.filter((one) => one.accountId === account).length
    const least = countOf(accountId)
    const candidates = places
      .filter((one) => one.accountId !== accountId && countOf(one.accountId) >= least)
      .toSorted((one, other) => countOf(other.accountId) - countOf(one.accountId))
    const signal = AbortSignal.timeout(ANSWER_MS)
    const ask = (id: string, request: BoxRequest): Promise<BoxReply | null> =>
      settings.request(id, request, signal).catch(() => null)
    const yields = async (id: string, idleMs: number): Promise<boolean> => {
      const reply = await ask(id, { kind: 'yield', idleMs })
      return reply !== null && 'status' in reply && reply.status !== 'running'
    }
    const idle = await Promise.all(
      candidates.map(async ({ id }) => {
        const reply = await ask(id, { kind: 'status' })
        return reply !== null && 'status' in reply ? (reply.idleMs ?? -1) : -1
      }),
    )
    const longestIdle = candidates
      .map((one, index) => ({ ...one, idleMs: idle[index] ?? -1 }))
      .filter(({ idleMs }) => idleMs >= IDLE_MS)
      .toSorted(
        (one, other) =>
          countOf(other.accountId) - countOf(one.accountId) || other.idleMs - one.idleMs,
      )
    for (const { id } of longestIdle) if (await yields(id, IDLE_MS)) return true
    if (!mayInsist(accountId)) return false
    const above = candidates.filter((one) => countOf(one.accountId) > share)
    for (const { id } of above) {
      const reply = await ask(id, { kind: 'yield', idleMs: 0 })
      if (reply === null || !('status' in reply)) continue
      if (reply.status !== 'running') return true
      if (reply.isYielding === true) return false
    }
    return false
  }

  /** Creates the folder of a box, which takes its place, and a GPU, among those of the machine. */
  async function createPlace({ id, accountId, gpus, isShort }: PlaceOrder): Promise<Place> {
    for (const gpu of gpus ?? [null]) {
      const name = `${gpu === null ? '' : `-${gpuName(gpu)}`}${isShort === true ? SHORT : ''}`
      const folder = join(homes, home, `${id}${name}-${accountId}`)
      await mkdir(folder, { mode: 0o711 })
      const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
      try {
        const all = await listPlaces(homes)
        const places = all.filter((one) => one.name.includes(`${SHORT}-`) === (isShort === true))
        const own = places.filter((one) => one.accountId === accountId).length
        const isFree =
          gpu === null || places.filter((one) => one.name.includes(`${name}-`)).length === 1
        const most = isShort === true ? maxBoxes : shareOf(places, accountId)
        if (own > most) throw accountIsFull(most)
        if (isFree && (places.length <= maxBoxes || (await makeRoom(places, accountId)))) {
          waiting.delete(accountId)
          return { folder, devices: gpu?.devices ?? [] }
        }
        if (places.length > maxBoxes) {
          if (mayInsist(accountId)) waiting.set(accountId, now())
          throw machineIsFull('machines')
        }
      } catch (error) {
        await remove()
        throw error
      }
      await remove()
    }
    throw machineIsFull('GPUs of this tier')
  }

  /** One after another, so that concurrent orders do not reject each other. */
  let taking: Promise<unknown> = Promise.resolve()
  return (order) => {
    const taken = taking.then(() => createPlace(order))
    taking = taken.catch(() => undefined)
    return taken
  }
}

function accountIsFull(most: number): AppError {
  return new AppError(
    'overloaded',
    `This account has ${most} machines of this gateway open already, its share at present. Nothing was charged.`,
    {
      fix: 'Close a sandbox or a session, or wait until one ends.',
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  )
}

function machineIsFull(what: string): AppError {
  return new AppError(
    'overloaded',
    `All ${what} of this gateway are in use. Nothing was charged.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  )
}

async function listPlaces(homes: string): Promise<readonly Taken[]> {
  const names = await readdir(homes)
  const lists = await Promise.all(
    names
      .filter((name) => /^[0-9a-f]{8}$/.test(name))
      .map((name) => readdir(join(homes, name)).catch(() => [])),
  )
  return lists.flat().map((name) => ({
    name,
    id: name.split('-')[0] ?? name,
    accountId: name.split('-').at(-1) ?? '',
  }))
}
