/**
 * The official conformance suite of both revisions. The product passes what needs no tool, resource or prompt of the
 * suite. A server of fixtures on the same transport passes every scenario that 2026-07-28 requires.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import { openAppBed } from '../../harness/beds/app.ts'
import { cleanUp } from '../../harness/clean-up.ts'
import { startFixtureServer } from './fixture-server.ts'
import { startKeyedProxy } from './keyed-proxy.ts'
import { expectedFailuresFile, requiredScenarios, runSuite, type SuiteOrder } from './run-suite.ts'

let urls: Record<SuiteOrder['server'], string>
before(async () => {
  const bed = await openAppBed()
  const port = Number(new URL(await bed.app.listen({ port: 0, host: '127.0.0.1' })).port)
  const product = await startKeyedProxy(port, bed.liveKey)
  cleanUp(product.close)
  urls = { product: product.url, fixtures: await startFixtureServer() }
})

type Leg = Omit<SuiteOrder, 'url'> & { readonly passes: readonly string[] }
const LEGS: readonly Leg[] = [
  {
    server: 'product',
    revision: '2025-11-25',
    passes: ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
  },
  {
    server: 'product',
    revision: '2026-07-28',
    passes: [
      'tools-list',
      'resources-list',
      'prompts-list',
      'caching',
      'sep-2164-resource-not-found',
      'http-header-validation',
      'input-required-result-unsupported-methods',
      'dns-rebinding-protection',
    ],
  },
  {
    server: 'fixtures',
    revision: '2025-11-25',
    passes: ['tools-call-with-progress', 'tools-call-with-logging', 'logging-set-level'],
  },
  { server: 'fixtures', revision: '2026-07-28', passes: requiredScenarios('2026-07-28') },
]

describe('the conformance suite', () => {
  for (const { passes, ...leg } of LEGS) {
    it(`passes on the ${leg.server} in ${leg.revision}, except for the listed scenarios`, async () => {
      const result = await runSuite({ ...leg, url: urls[leg.server] })
      assert.ok(result.isExpected, result.summary)
      for (const scenario of passes) assert.ok(result.passed.has(scenario), scenario)
    })

    it(`has a reason for each listed scenario of the ${leg.server} in ${leg.revision}`, () => {
      const lines = readFileSync(expectedFailuresFile(leg), 'utf8').split('\n')
      const entries = lines.filter((line) => line.startsWith('  - '))
      assert.ok(entries.length > 0)
      for (const line of entries) assert.match(line, /^ {2}- \S+ # .{15,}$/)
    })
  }
})
