import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Agent } from 'undici'
import { manualClock } from '../../test/harness/manual-clock.ts'
import { noAuth } from '../catalog/vocabulary/wire.ts'
import { createReplyCache } from './reply-cache.ts'
import type { Sent } from './sent.ts'
import type { Target } from './target.ts'

const target: Target = {
  service: 'shop',
  vendor: { baseUrl: 'https://shop.example', auth: noAuth, docsUrl: 'https://shop.example/docs' },
  origin: 'https://shop.example',
  basePath: '',
  credentials: {},
  dispatcher: new Agent(),
}
const success = (body: unknown): Sent => ({ ok: true, reply: { status: 200, headers: {}, body } })
const answer = success({ titles: [] })
const failure: Sent = {
  ok: false,
  failure: {
    code: 'upstream_error',
    message: '',
    details: { upstream: { service: 'shop', status: null, code: null, message: null } },
  },
}

function counted(clock = manualClock(0)) {
  const cache = createReplyCache(clock)
  let asked = 0
  return {
    clock,
    asked: () => asked,
    ask: (path: string, sent = answer, cacheSeconds: number | null = 60) =>
      cache.get(
        target,
        { method: 'GET', path, ...(cacheSeconds === null ? {} : { cacheSeconds }) },
        async () => {
          asked += 1
          return sent
        },
      ),
  }
}

describe('slowly changing responses', () => {
  it('are requested once until they expire, also by concurrent calls', async () => {
    const { ask, asked, clock } = counted()
    await Promise.all([ask('/list'), ask('/list')])
    clock.advance(59_999)
    await ask('/list')
    assert.equal(asked(), 1)
    clock.advance(1)
    await ask('/list')
    assert.equal(asked(), 2)
  })

  it('are cached by request, at most eight', async () => {
    const { ask, asked } = counted()
    for (let index = 0; index < 9; index += 1) await ask(`/list/${index}`)
    await ask('/list/8')
    assert.equal(asked(), 9)
    await ask('/list/0')
    assert.equal(asked(), 10)
  })

  it('are not cached after a failure, or without cacheSeconds', async () => {
    const { ask, asked } = counted()
    await ask('/list', failure)
    await ask('/list')
    assert.equal(asked(), 2)
    for (let round = 0; round < 2; round += 1) await ask('/other', answer, null)
    assert.equal(asked(), 4)
  })

  it('are not cached when empty: a maintenance notice, or an empty list', async () => {
    const { ask, asked } = counted()
    for (const body of ['<html>We are being repaired.</html>', '', null, {}, []])
      await ask('/list', success(body))
    assert.equal(asked(), 5)
  })

  it('are not cached after an error, which concurrent calls share', async () => {
    const cache = createReplyCache(manualClock(0))
    let asked = 0
    const get = (ask: () => Promise<Sent>) =>
      cache.get(target, { method: 'GET', path: '/fails', cacheSeconds: 60 }, () => {
        asked += 1
        return ask()
      })
    const failing = () => Promise.reject(new RangeError('full'))
    const [one, other] = await Promise.allSettled([get(failing), get(failing)])
    assert.deepEqual([one.status, other.status, asked], ['rejected', 'rejected', 1])
    assert.deepEqual([await get(async () => answer), asked], [answer, 2])
  })

  it('are cached by the rule and up to the number of the settings', async () => {
    const cache = createReplyCache(manualClock(0), { most: 1, isKept: ({ ok }) => !ok })
    let asked = 0
    const get = (path: string, sent: Sent) =>
      cache.get(target, { method: 'GET', path, cacheSeconds: 60 }, async () => {
        asked += 1
        return sent
      })
    for (const path of ['/a', '/a', '/b', '/a']) await get(path, failure)
    assert.equal(asked, 3)
    for (const path of ['/c', '/c']) await get(path, answer)
    assert.equal(asked, 5)
  })
})
