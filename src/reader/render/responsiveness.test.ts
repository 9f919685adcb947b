import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { PageStuck, watchResponses } from './responsiveness.ts'

const STUCK_MS = 15_000

/** A page that responds when the test decides. */
async function bed({ mock }: TestContext) {
  mock.timers.enable({ apis: ['setTimeout'] })
  const asked: PromiseWithResolvers<unknown>[] = []
  const send = () => {
    const answer = Promise.withResolvers<unknown>()
    asked.push(answer)
    return answer.promise
  }
  const page = {
    context: () => ({ newCDPSession: () => Promise.resolve({ send }) }),
  } as unknown as Page
  const watch = await watchResponses(page, STUCK_MS)
  async function passTime(ms: number): Promise<void> {
    mock.timers.tick(ms)
    await turn()
  }
  return { watch, asked, passTime }
}

test('never aborts a slow page that responds in between', async (context) => {
  const { watch, asked, passTime } = await bed(context)
  for (let time = 0; time < 10; time += 1) {
    await passTime(STUCK_MS - 1)
    if (time % 2 === 0) asked.at(-1)?.resolve({})
    else asked.at(-1)?.reject(new Error('Inspected target navigated or closed'))
    await turn()
    await passTime(500)
  }
  assert.deepEqual([watch.stuck.aborted, asked.length], [false, 11])
})

test('aborts a page that does not respond within the limit, also after it has loaded', async (context) => {
  const { watch, asked, passTime } = await bed(context)
  asked[0]?.resolve({})
  await turn()
  let isRead = false
  void watch.lastResponse().then(() => (isRead = true))
  await turn()
  await passTime(STUCK_MS - 1)
  assert.deepEqual([isRead, watch.stuck.aborted, asked.length], [false, false, 2])
  await passTime(1)
  assert.ok(watch.stuck.reason instanceof PageStuck)
})

test('sends no probes while the page is read', async (context) => {
  const { watch, asked, passTime } = await bed(context)
  const ended = watch.lastResponse()
  asked[0]?.resolve({})
  await turn()
  asked[1]?.resolve({})
  await ended
  await passTime(STUCK_MS)
  assert.deepEqual([watch.stuck.aborted, asked.length], [false, 2])
})
