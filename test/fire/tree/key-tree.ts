/** A tree of keys that clients mint and revoke through several gateways while others call. */
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { makeKey, SEARCH, type FireAccount, type MadeKey } from '../bed.ts'
import { ask, type Answer, type Question } from '../client.ts'

export type TreeKey = MadeKey & {
  readonly parent: TreeKey | null
  readonly depth: number
  /** When the request for its revocation was sent and answered; null before. */
  revokingMs: number | null
  revokedMs: number | null
}

export type KeyTree = {
  readonly keys: readonly TreeKey[]
  /** Durations of the answered requests, in milliseconds. */
  readonly mintMs: number[]
  readonly revokeMs: number[]
  /** From the answer of a revocation until the last accepted request with a key below was sent; 0 without one. */
  readonly seenMs: number[]
  /** Paid calls that a gateway accepted after the answer of the revocation. */
  readonly acceptedLate: string[]
  open(): readonly TreeKey[]
  /** A new key below `parent`; null when a kill or a revocation prevented it. */
  mint(parent: TreeKey, settings?: Readonly<Record<string, unknown>>): Promise<TreeKey | null>
  /** Revokes the key and all below, and requests every running gateway until it rejects them. */
  revoke(top: TreeKey): Promise<void>
}

export const DEEPEST = 3
const CHILDREN = '/api/v1/agents/me/children'
const MOST_ATTEMPTS = 20
// A gateway that does not reject a revoked key for so long fails the test.
const SEEN_WITHIN_MS = 10_000
const PROBED_KEYS = 5

/** The time at which the key or one above was revoked; null while its path is open. */
export function revokedMs(key: TreeKey): number | null {
  return firstOf(key, 'revokedMs')
}

export async function plantTree(
  urls: () => readonly string[],
  account: FireAccount,
  rootSettings: Readonly<Record<string, unknown>>,
): Promise<KeyTree> {
  const made = await makeKey(someOf(urls()), account.key, { ...rootSettings, may_mint: true })
  const root = { ...made, parent: null, depth: 0, revokingMs: null, revokedMs: null }
  const keys: TreeKey[] = [root]
  const [mintMs, revokeMs, seenMs]: [number[], number[], number[]] = [[], [], []]
  const acceptedLate: string[] = []
  /** Repeats a request without harm at other gateways while kills break the connection. */
  async function insist(question: Omit<Question, 'url'>): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await askOrNull({ ...question, url: someOf(urls()) })
      if (answer !== null) return answer
      assert.ok(attempt < MOST_ATTEMPTS, 'a running gateway answers')
    }
  }

  async function mint(
    parent: TreeKey,
    settings: Readonly<Record<string, unknown>> = {},
  ): Promise<TreeKey | null> {
    const startMs = performance.now()
    const question = { key: parent.key, path: CHILDREN, body: settings }
    const answer = await askOrNull({ ...question, url: someOf(urls()) })
    if (answer === null) return null
    if (answer.status !== 201) {
      assert.ok(firstOf(parent, 'revokingMs') !== null, answer.text)
      return null
    }
    mintMs.push(performance.now() - startMs)
    const { id, key } = (JSON.parse(answer.text) as { data: MadeKey }).data
    const child = { id, key, parent, depth: parent.depth + 1, revokingMs: null, revokedMs: null }
    if (child.depth < DEEPEST)
      await insist({
        key: account.key,
        path: `/api/v1/agents/${id}`,
        method: 'PATCH',
        body: { may_mint: true },
      })
    keys.push(child)
    return child
  }

  async function revoke(top: TreeKey): Promise<void> {
    const startMs = (top.revokingMs = performance.now())
    const answer = await insist({
      key: account.key,
      path: `/api/v1/agents/${top.id}`,
      method: 'DELETE',
    })
    assert.equal(answer.status, 200, answer.text)
    top.revokedMs = performance.now()
    revokeMs.push(top.revokedMs - startMs)
    const below = keys.filter((key) => isIn(key, top))
    const probed = [top, ...Array.from({ length: PROBED_KEYS }, () => someOf(below))]
    const answeredMs = top.revokedMs
    const acceptedMs = await Promise.all(
      urls().flatMap((url) => [...new Set(probed)].map((key) => probe(url, key.key))),
    )
    seenMs.push(Math.max(0, ...acceptedMs.map((ms) => ms - answeredMs)))
  }

  /** The time at which the last accepted request was sent; 0 without one. */
  async function probe(url: string, key: string): Promise<number> {
    let acceptedMs = 0
    const untilMs = performance.now() + SEEN_WITHIN_MS
    for (;;) {
      const sentMs = performance.now()
      const answer = await askOrNull({ url, key, path: '/api/v1/agents/me' })
      if (answer?.status !== 200) break
      acceptedMs = sentMs
      assert.ok(sentMs < untilMs, `${url} rejects a revoked key`)
    }
    const paid = await askOrNull({ url, key, path: SEARCH, body: { query: 'after the end' } })
    if (paid?.status === 200) acceptedLate.push(`${paid.callId} at ${url}`)
    return acceptedMs
  }

  const open = (): readonly TreeKey[] => keys.filter((key) => firstOf(key, 'revokingMs') === null)
  return { keys, mintMs, revokeMs, seenMs, acceptedLate, open, mint, revoke }
}

export function someOf<Item>(items: readonly Item[]): Item {
  const item = items[randomInt(items.length)]
  assert.ok(item !== undefined)
  return item
}

function firstOf(key: TreeKey, when: 'revokingMs' | 'revokedMs'): number | null {
  const above = key.parent === null ? null : firstOf(key.parent, when)
  const own = key[when]
  return own === null || above === null ? (own ?? above) : Math.min(own, above)
}

function isIn(key: TreeKey, top: TreeKey): boolean {
  return key === top || (key.parent !== null && isIn(key.parent, top))
}

/** Null when a kill broke the connection. */
function askOrNull(question: Question): Promise<Answer | null> {
  return ask(question).catch(() => null)
}
