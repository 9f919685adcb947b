import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { services } from '../../vendors/index.ts'
import { readPrices } from './read-prices.ts'
import { withFolder } from './testing/acme.ts'

const read = (file: unknown) =>
  withFolder({ 'prices.json': file }, (folder) => readPrices(join(folder, 'prices.json'), services))

async function assertFault(file: unknown, pointer: string | null, problem: RegExp): Promise<void> {
  const { faults, rules } = await read(file)
  assert.ok(
    faults.some((fault) => fault.pointer === pointer && problem.test(fault.problem)),
    JSON.stringify(faults),
  )
  assert.deepEqual(rules.rules, [])
}

const rules = (...list: unknown[]) => ({ version: 1, rules: list })

describe('PRICES_FILE', () => {
  test('has overrides, margins and announced changes', async () => {
    const {
      faults,
      rules: found,
      hash,
    } = await read({
      version: 1,
      default: { margin_percent: '0' },
      rules: [
        { match: 'indep/search', cents: '1.5' },
        { match: 'contactfind/*', margin_percent: '20' },
        { match: 'llm/*', margin_percent: '5' },
        { match: 'llm/anthropic/*', margin_percent: '8' },
      ],
      changes: [{ from: '2027-01-01T00:00:00Z', match: 'indep/search', cents: '1.8' }],
    })
    assert.deepEqual(faults, [])
    assert.equal(found.rules.length, 5)
    assert.equal(found.rules.at(-1)?.fromMs, Date.UTC(2027, 0, 1))
    assert.match(hash, /^[0-9a-f]{64}$/)
  })

  test('rejects two equal rules, and two changes of one moment', async () => {
    const rule = { match: 'indep/search', cents: '1' }
    await assertFault(rules(rule, { ...rule, cents: '2' }), '/rules/1/match', /equal/)
    const change = { ...rule, from: '2027-01-01T00:00:00Z' }
    await assertFault(
      { version: 1, changes: [change, { ...change, from: '2027-01-01T00:00:00.000Z' }] },
      '/changes/1/match',
      /equal/,
    )
  })

  test('rejects keys of later versions by name', async () => {
    for (const name of ['plans', 'display', 'invoice'])
      await assertFault({ version: 1, [name]: {} }, `/${name}`, /not supported yet/)
    for (const name of ['plan', 'tiers', 'tier_period'])
      await assertFault(
        rules({ match: 'indep/search', cents: '1', [name]: 'x' }),
        `/rules/0/${name}`,
        /not supported yet/,
      )
  })

  test('rejects amounts that are no amounts, and rules that change nothing', async () => {
    const at = '/rules/0'
    for (const cents of [1, '-1', '1.00001', '1e2', '0,5', ''])
      await assertFault(rules({ match: 'indep/search', cents }), `${at}/cents`, /./)
    await assertFault(rules({ match: 'indep/search', cents: '0' }), `${at}/cents`, /above 0/)
    for (const margin_percent of [20, '-90', '20%', '1.00001', '10000', 'x'])
      await assertFault(
        rules({ match: 'indep/search', margin_percent }),
        `${at}/margin_percent`,
        /./,
      )
    await assertFault(rules({ match: 'indep/search' }), at, /either/)
    await assertFault(
      rules({ match: 'indep/search', cents: '1', margin_percent: '1' }),
      at,
      /either/,
    )
    await assertFault(
      rules({ match: 'indep/search', margin_percent: '1', base_cents: '1' }),
      `${at}/base_cents`,
      /belongs/,
    )
    await assertFault({ version: 2 }, '/version', /./)
    await assertFault(
      {
        version: 1,
        changes: [{ match: 'indep/search', cents: '1', from: '2027-13-01T00:00:00Z' }],
      },
      '/changes/0/from',
      /not a time/,
    )
    await assertFault(
      { version: 1, changes: [{ match: 'indep/search', cents: '1', from: 'tomorrow' }] },
      '/changes/0/from',
      /./,
    )
  })

  test('rejects a rule that matches nothing, or that an action cannot take', async () => {
    const at = '/rules/0/match'
    await assertFault(rules({ match: 'indep/serch', cents: '1' }), at, /no action/)
    await assertFault(rules({ match: 'in*dep', cents: '1' }), at, /./)
    await assertFault(rules({ match: 'core/discover', cents: '1' }), at, /is free/)
    await assertFault(rules({ match: 'core/onefind-deep', margin_percent: '5' }), at, /steps/)
    await assertFault(rules({ match: 'media/generate', cents: '1' }), at, /margin_percent/)
    await assertFault(rules({ match: 'trends/fetch', cents: '1' }), at, /margin_percent/)
    await assertFault(rules({ match: '*', cents: '1' }), at, /./)
    await assertFault(rules({ match: 'llm/*', cents: '1' }), '/rules/0/cents', /margin_percent/)
    assert.deepEqual((await read(rules({ match: '*', margin_percent: '5' }))).faults, [])
  })

  test('reports a file that cannot be read, and broken JSON with its line', async () => {
    assert.equal(readPrices('/nowhere/prices.json', services).faults.length, 1)
    const { faults } = await read('{\n"version": 1,\n}')
    assert.equal(faults[0]?.line, 3)
  })
})
