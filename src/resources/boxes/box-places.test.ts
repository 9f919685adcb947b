import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, it } from 'node:test'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { createPlaces, type TakePlace } from './box-places.ts'

const HOME = 'aaaaaaaa'
let folder: string
let take: TakePlace
let nowMs = 0
/** How long the session of each box has been idle. */
let idle: Map<string, number>
/** Busy sessions that will end, in the order of the requests. */
let yielding: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-places-'))
  cleanUp(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, HOME))
  idle = new Map()
  yielding = []
  take = createPlaces({
    homes: folder,
    home: HOME,
    maxBoxes: 4,
    maxPerAccount: 3,
    now: () => nowMs,
    async request(id, request) {
      const idleMs = idle.get(id)
      const isEnding = request.kind === 'yield' && (idleMs ?? -1) >= request.idleMs
      if (isEnding) leave(id)
      const mayStop = request.kind === 'yield' && request.idleMs === 0 && idleMs === undefined
      if (mayStop) yielding.push(id)
      return {
        status: isEnding ? 'finished' : 'running',
        exitCode: null,
        isolation: 'namespaces',
        ...(idleMs === undefined ? {} : { idleMs }),
        ...(mayStop ? { isYielding: true } : {}),
      }
    },
  })
})

function leave(id: string): void {
  const name = open().find((one) => one.startsWith(`${id}-`)) ?? id
  rmSync(join(folder, HOME, name), { recursive: true })
}

const open = (): readonly string[] => readdirSync(join(folder, HOME)).sort()

async function takeAll(...places: readonly (readonly [id: string, accountId: string])[]) {
  for (const [id, accountId] of places) await take({ id, accountId })
}

describe('the places of boxes', () => {
  it('come from the account that has most, and there from the longest idle session', async () => {
    await takeAll(['a1', 'A'], ['a2', 'A'], ['b1', 'B'], ['c1', 'C'])
    idle = new Map([
      ['a1', 15_000],
      ['a2', 20_000],
      ['b1', 90_000],
    ])
    await take({ id: 'd1', accountId: 'D' })
    assert.deepEqual(open(), ['a1-A', 'b1-B', 'c1-C', 'd1-D'])
  })

  it('are not taken from busy sessions and sandboxes, nor from accounts that have less', async () => {
    await takeAll(['a1', 'A'], ['b1', 'B'], ['b2', 'B'], ['c1', 'C'])
    idle = new Map([['a1', 90_000]])
    await assert.rejects(take({ id: 'c2', accountId: 'C' }), { code: 'overloaded' })
    assert.deepEqual(open(), ['a1-A', 'b1-B', 'b2-B', 'c1-C'])
    idle.set('a1', 9_000)
    await assert.rejects(take({ id: 'd1', accountId: 'D' }), { code: 'overloaded' })
  })

  it('of an account above its share end after their programs, one for each that waits', async () => {
    await takeAll(['a1', 'A'], ['a2', 'A'], ['a3', 'A'], ['b1', 'B'])
    for (let tries = 0; tries < 3; tries += 1)
      await assert.rejects(take({ id: 'c1', accountId: 'C' }), {
        code: 'overloaded',
        retryAfterSeconds: 15,
      })
    assert.deepEqual(yielding, ['a1'])
    leave('a1')
    await assert.rejects(take({ id: 'a4', accountId: 'A' }), { code: 'overloaded' })
    await take({ id: 'c1', accountId: 'C' })
    assert.deepEqual(open(), ['a2-A', 'a3-A', 'b1-B', 'c1-C'])
  })

  it('of a session used again and again by an account above its share end between uses', async () => {
    await takeAll(['a1', 'A'], ['a2', 'A'], ['a3', 'A'], ['b1', 'B'])
    idle = new Map([['a1', 100]])
    await take({ id: 'c1', accountId: 'C' })
    assert.deepEqual(open(), ['a2-A', 'a3-A', 'b1-B', 'c1-C'])
  })

  it('shrink to equal shares as accounts come, and never grow above the setting', async () => {
    await takeAll(['a1', 'A'], ['a2', 'A'], ['a3', 'A'])
    await assert.rejects(take({ id: 'a4', accountId: 'A' }), { code: 'overloaded' })
    leave('a3')
    leave('a2')
    await takeAll(['b1', 'B'], ['c1', 'C'])
    await assert.rejects(take({ id: 'a2', accountId: 'A' }), /1 machines/)
  })

  it('of short work are not taken by sessions, and do not count for an account', async () => {
    await takeAll(['a1', 'A'], ['a2', 'A'], ['b1', 'B'], ['b2', 'B'])
    const short = (id: string, accountId: string) => take({ id, accountId, isShort: true })
    await Promise.all([short('a3', 'A'), short('a4', 'A'), short('c1', 'C'), short('d1', 'D')])
    await assert.rejects(short('e1', 'E'), { code: 'overloaded' })
    leave('a1')
    await take({ id: 'c2', accountId: 'C' })
  })
})
