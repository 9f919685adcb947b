import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { PageStuck, watchAnswers } from './page-answers.ts'

const STUCK_MS = 15_000

/** A page that answers when the test says so. */
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
  const watch = await watchAnswers(page, STUCK_MS)
  async function passTime(ms: number): Promise<void> {
    mock.timers.tick(ms)
    await turn()
  }
  return { watch, asked, passTime }
}

test('a page that is slow, but answers in between, is never given up, however long it takes', async (context) => {
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

test('a page that answers nothing for as long as that is given up, also where it has loaded and is to be read', async (context) => {
  const { watch, asked, passTime } = await bed(context)
  asked[0]?.resolve({})
  await turn()
  let isRead = false
  void watch.answered().then(() => (isRead = true))
  await turn()
  await passTime(STUCK_MS - 1)
  assert.deepEqual([isRead, watch.stuck.aborted, asked.length], [false, false, 2])
  await passTime(1)
  assert.ok(watch.stuck.reason instanceof PageStuck)
})

test('nobody asks while the page is read', async (context) => {
  const { watch, asked, passTime } = await bed(context)
  const ended = watch.answered()
  asked[0]?.resolve({})
  await turn()
  asked[1]?.resolve({})
  await ended
  await passTime(STUCK_MS)
  assert.deepEqual([watch.stuck.aborted, asked.length], [false, 2])
})
