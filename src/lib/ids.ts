import { createHash, randomFillSync } from 'node:crypto'

/**
 * Ids are UUID version 7 (RFC 9562): 48 bits of Unix milliseconds, a counter within the millisecond, then random bits.
 * They sort by time, both as text and as PostgreSQL `uuid`. In public they carry a prefix: `tx_0192…`.
 */
export type Id = string

const PREFIXES = {
  account: 'acc',
  member: 'mem',
  invitation: 'inv',
  key: 'agk',
  transaction: 'tx',
  request: 'req',
  job: 'job',
  session: 'ses',
  snapshot: 'snap',
  conversation: 'conv',
  file: 'file',
  event: 'evt',
  webhook: 'whk',
  delivery: 'dlv',
  cassette: 'cas',
} as const
export type IdKind = keyof typeof PREFIXES

const pool = Buffer.alloc(4096)
let poolOffset = pool.length
let lastMs = 0
let lastMsDigits = '0'.repeat(12)
let counter = 0

/** Names the lease of a process (`src/leases`): the last six digits of the ids that it gives to calls. */
export type LeaseNumber = string

/** The digits in ids of calls that began while their process was not sure to hold a lease. */
export const NO_LEASE: LeaseNumber = '000000'

export function isLeaseNumber(text: string): text is LeaseNumber {
  return /^[0-9a-f]{6}$/.test(text)
}

/** The lease of the process that created a call's id. In other kinds of ids these digits are random. */
export function leaseOf(id: Id): LeaseNumber {
  return id.slice(-6)
}

/** Lets ids follow a clock that is set back, as between the files of a test run. */
export function restartIds(): void {
  lastMs = 0
}

/**
 * 32 hexadecimal digits, later than every id that this process created before. `nowMs` is Unix
 * milliseconds. With a lease, the last digits are its number. No other live process has it, so such
 * ids are unique by time, counter and lease.
 */
export function newId(nowMs: number, lease: LeaseNumber = ''): Id {
  counter += 1
  if (nowMs > lastMs) beginMs(nowMs)
  else if (counter > 0xfff) beginMs(lastMs + 1)
  if (poolOffset + 8 > pool.length) {
    randomFillSync(pool)
    poolOffset = 0
  }
  const random = pool.toString('hex', poolOffset, poolOffset + 8)
  poolOffset += 8
  const variant = '89ab'[Number.parseInt(random.charAt(0), 16) & 3] ?? '8'
  return `${lastMsDigits}7${counter.toString(16).padStart(3, '0')}${variant}${random.slice(1, random.length - lease.length)}${lease}`
}

function beginMs(ms: number): void {
  lastMs = ms
  lastMsDigits = ms.toString(16).padStart(12, '0')
  counter = 0
}

/** An id as old as `id`, and the same for each repetition with this text. */
export function derivedId(id: Id, text: string): Id {
  const digits = createHash('sha256').update(`${id} ${text}`).digest('hex')
  return `${id.slice(0, 12)}7${digits.slice(0, 3)}8${digits.slice(3, 18)}`
}

/** An id that sorts before the other ids of the millisecond of `id`, and the same for each repetition with this text. */
export function firstIdWith(id: Id, text: string): Id {
  const digits = createHash('sha256').update(`${id} ${text}`).digest('hex')
  return `${id.slice(0, 12)}70008000${digits.slice(0, 12)}`
}

/** The smallest id of a call made at `ms` or later: the lower bound of a time filter. */
export function firstIdAt(ms: number): Id {
  return `${Math.max(0, Math.trunc(ms)).toString(16).padStart(12, '0').slice(-12)}${'0'.repeat(20)}`
}

export function idTimeMs(id: Id): number {
  return Number.parseInt(id.slice(0, 12), 16)
}

/** With the hyphens of RFC 9562, for strict readers of UUIDs. */
export function uuidOf(id: Id): string {
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export function publicId(kind: IdKind, id: Id): string {
  return `${PREFIXES[kind]}_${id.includes('-') ? id.replaceAll('-', '') : id}`
}

/** The id inside a public id, or null when the text is not a public id of that kind. Callers then return 404. */
export function parsePublicId(kind: IdKind, text: string): Id | null {
  const prefix = `${PREFIXES[kind]}_`
  const id = text.slice(prefix.length)
  return text.startsWith(prefix) && /^[0-9a-f]{32}$/.test(id) ? id : null
}
