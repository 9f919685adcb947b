import assert from 'node:assert/strict'
import { it } from 'node:test'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import { AppError } from '../../errors/app-error.ts'
import { Breakers } from '../../upstream/limits/breakers.ts'
import { openUnlessFailing } from './model-breaker.ts'

function bed() {
  const clock = manualClock(1_000_000)
  const upstream = { name: 'llm', breakers: new Breakers() }
  let asked = 0
  return {
    clock,
    asked: () => asked,
    ask: (
      id: string,
      answer: 'answer' | AppError,
      { limitMs = 60_000, gone = false, accountId = 'a' } = {},
    ) =>
      openUnlessFailing({
        candidate: { id, upstream },
        accountId,
        limitMs,
        now: clock,
        isDisconnected: () => gone,
        open: () => {
          asked += 1
          return Promise.resolve(answer)
        },
      }),
  }
}
type Ask = ReturnType<typeof bed>['ask']
const broken = new AppError('upstream_error')
const slow = new AppError('upstream_timeout')

it('skips a model after five failures in a row, but not other models', async () => {
  const { ask, asked } = bed()
  for (const failure of [broken, slow, broken, slow, broken])
    assert.equal(await ask('maker/down', failure), failure)
  const passed = await ask('maker/down', 'answer')
  assert.ok(passed instanceof AppError)
  assert.deepEqual([passed.code, passed.retryAfterSeconds, asked()], ['upstream_busy', 5, 5])
  assert.equal(await ask('maker/up', 'answer'), 'answer')
})

it('skips a model only for the account it fails', async () => {
  const { ask, asked } = bed()
  for (let failure = 0; failure < 5; failure += 1) await ask('maker/up', broken)
  assert.ok((await ask('maker/up', 'answer')) instanceof AppError)
  assert.deepEqual([await ask('maker/up', 'answer', { accountId: 'b' }), asked()], ['answer', 6])
})

it('lets one call probe after the pause; a response closes the breaker', async () => {
  const { ask, clock } = bed()
  for (let failure = 0; failure < 5; failure += 1) await ask('maker/down', broken)
  clock.advance(5_000)
  assert.equal(await ask('maker/down', broken), broken)
  clock.advance(9_999)
  assert.ok((await ask('maker/down', 'answer')) instanceof AppError)
  clock.advance(1)
  assert.equal(await ask('maker/down', 'answer'), 'answer')
  assert.equal(await ask('maker/down', 'answer'), 'answer')
})

it('ignores rejections, disconnected callers and short time limits', async () => {
  const ends = [
    (ask: Ask) => ask('maker/up', new AppError('upstream_rejected')),
    (ask: Ask) => ask('maker/up', broken, { gone: true }),
    (ask: Ask) => ask('maker/up', slow, { limitMs: 4_000 }),
  ]
  for (const end of ends) {
    const { ask } = bed()
    for (let time = 0; time < 6; time += 1) await end(ask)
    assert.equal(await ask('maker/up', 'answer'), 'answer')
  }
})
