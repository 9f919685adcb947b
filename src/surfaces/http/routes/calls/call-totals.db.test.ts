import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FIRST_ROWS, ROWS_PER_KEY } from '../../../../history/log/minute-shares.ts'
import {
  bed,
  checkTotals,
  cookie,
  createKey,
  listed,
  MINUTE_MS,
  processes,
  send,
} from './testing/check-totals.ts'

test('the log, the home page, the export, /metrics and the ledger count the same calls', () =>
  checkTotals(1))

test('a failing key hides no other key, and its common rows are named and below its calls', async () => {
  bed.clock.advance(MINUTE_MS)
  const keys = await Promise.all(['loud', 'louder', 'loudest', 'quiet'].map(createKey))
  for (const key of keys.slice(0, 3)) await send(key, 'semantic/search', {}, ROWS_PER_KEY + 20)
  await send(keys[3] ?? '', 'semantic/search', {}, FIRST_ROWS)
  for (const app of processes)
    await app.inject({ url: '/api/v1/calls', headers: { authorization: `Bearer ${bed.liveKey}` } })
  const { body } = await bed.app.inject({ url: '/calls', headers: { cookie } })
  assert.equal([...body.matchAll(/>quiet</g)].length >= 2 * FIRST_ROWS, true)
  const recent = await listed()
  const common = recent.findIndex(({ omitted }) => omitted > 0)
  const key = recent[common]?.agent_id
  const above = recent.slice(0, common).filter(({ agent_id: id }) => id === key)
  assert.ok(above.length >= ROWS_PER_KEY, `${above.length} calls above`)
  const link = await findLink('/calls?key=loudest')
  assert.match(link, /\?key=agk_\w+&http=4xx&q=invalid_params$/)
  assert.equal((await bed.app.inject({ url: link, headers: { cookie } })).statusCode, 200)
})

/** The address of the first common row on this page or the following ones. */
async function findLink(url: string): Promise<string> {
  const { body } = await bed.app.inject({ url, headers: { cookie } })
  const [, link] = /href="([^"]+)">20 more rejected calls of <bdi>loudest</.exec(body) ?? []
  const [, next = ''] = /href="(\/calls\?[^"]*cursor=[^"]+)"/.exec(body) ?? []
  assert.ok(link !== undefined || next !== '', 'a common row is on one of the pages')
  return link?.replaceAll('&amp;', '&') ?? findLink(next.replaceAll('&amp;', '&'))
}
