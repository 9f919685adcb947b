import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '../../../app/settings/config.ts'
import { checkBelowCost } from './below-cost.ts'

const check = (environment: Readonly<Record<string, string>>) =>
  checkBelowCost(loadConfig(environment))

test('warns about prices below the vendor’s, and names the setting that lowers the count', () => {
  const [crawl] = check({ UPSTREAM_RENDER_KEY: 'k' })
  assert.deepEqual([crawl?.name, crawl?.state], ['price of render/crawl', 'warning'])
  assert.match(crawl?.found ?? '', /^\$0\.01 per call; .*up to \$0\.50 with limit 100 \(/)
  assert.match(crawl?.fix ?? '', /COUNT_CAPS=render\/crawl\.limit=<count>/)
  assert.deepEqual(check({}), [])
  const capped = check({ UPSTREAM_RENDER_KEY: 'k', COUNT_CAPS: 'render/crawl.limit=2' })
  assert.ok(capped.every(({ name }) => name !== 'price of render/crawl'))
})

test('reports caps that fit no action as broken', () => {
  assert.deepEqual(
    check({ COUNT_CAPS: 'render/crwal.limit=2' }).map(({ state, found }) => [state, found]),
    [['broken', 'COUNT_CAPS: unknown action "render/crwal".']],
  )
})
