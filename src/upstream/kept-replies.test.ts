import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Agent } from 'undici'
import { manualClock } from '../../test/harness/manual-clock.ts'
import { noAuth } from '../catalog/vocabulary/wire.ts'
import { createKeptReplies } from './kept-replies.ts'
import type { Sent, Target } from './send.ts'

const target: Target = {
  service: 'shop',
  vendor: { baseUrl: 'https://shop.example', auth: noAuth, docsUrl: 'https://shop.example/docs' },
  origin: 'https://shop.example',
  basePath: '',
  credentials: {},
  dispatcher: new Agent(),
}
const told = (body: unknown): Sent => ({ ok: true, reply: { status: 200, headers: {}, body } })
const answer = told({ titles: [] })
const failure: Sent = {
  ok: false,
  failure: {
    code: 'upstream_error',
    message: '',
    details: { upstream: { service: 'shop', status: null, code: null, message: null } },
  },
}

function counted(clock = manualClock(0)) {
  const kept = createKeptReplies(clock)
  let asked = 0
  return {
    clock,
    asked: () => asked,
    ask: (path: string, sent = answer, cacheSeconds: number | null = 60) =>
      kept.through(
        target,
        { method: 'GET', path, ...(cacheSeconds === null ? {} : { cacheSeconds }) },
        async () => {
          asked += 1
          return sent
        },
      ),
  }
}

describe('answers that change slowly', () => {
  it('are asked for once until their time is over, also by those who ask meanwhile', async () => {
    const { ask, asked, clock } = counted()
    await Promise.all([ask('/list'), ask('/list')])
    clock.advance(59_999)
    await ask('/list')
    assert.equal(asked(), 1)
    clock.advance(1)
    await ask('/list')
    assert.equal(asked(), 2)
  })

  it('are kept for each request by itself, and at most eight of them', async () => {
    const { ask, asked } = counted()
    for (let index = 0; index < 9; index += 1) await ask(`/list/${index}`)
    await ask('/list/8')
    assert.equal(asked(), 9)
    await ask('/list/0')
    assert.equal(asked(), 10)
  })

  it('are not kept when they failed, nor when nobody asked for it', async () => {
    const { ask, asked } = counted()
    await ask('/list', failure)
    await ask('/list')
    assert.equal(asked(), 2)
    for (let turn = 0; turn < 2; turn += 1) await ask('/other', answer, null)
    assert.equal(asked(), 4)
  })

  it('are not kept when they hold nothing: a notice of repairs, or an empty list', async () => {
    const { ask, asked } = counted()
    for (const body of ['<html>We are being repaired.</html>', '', null, {}, []])
      await ask('/list', told(body))
    assert.equal(asked(), 5)
  })
})
