/** Compliance checks: caps, actual charges, and sources without a vendor key. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checks } from '../../composites/compliance/checks.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import {
  billable,
  leastCharge,
  leastEndpointCharge,
  worstCase,
} from '../../catalog/prices/price.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'
import { openChecks } from './open-checks.ts'

const { run, runOpen } = withSimulators()
const ID = 'compliance/check'
const path = (name: string) => `/x402/${name}`
const IBAN = { endpoint: path('iban-validate'), iban: 'DE89370400440532013000' }

function action() {
  const found = prepared(ID, IBAN).action
  assert.ok(found.kind === 'endpoint')
  return found
}

async function openData(name: string, sent: Data): Promise<Data> {
  const result = await runOpen(ID, { endpoint: path(name), ...sent })
  assert.ok('outcome' in result && result.outcome.kind === 'done', name)
  return result.outcome.data
}

test('has caps of 3¢ to $1.19; sanctions and adverse media 30¢, PEP 8¢, AML score 3¢', () => {
  const { endpoints } = action()
  assert.ok(endpoints.length >= 191)
  for (const { endpoint, price } of endpoints)
    assert.ok(price !== undefined && price >= cents('3') && price <= cents('119'), endpoint)
  const capOf = (name: string) => endpoints.find(({ endpoint }) => endpoint === path(name))?.price
  assert.deepEqual(
    ['sanctions-check', 'pep-check', 'aml-risk-score', 'adverse-media-check'].map(capOf),
    [cents('30'), cents('8'), cents('3'), cents('30')],
  )
})

test("keeps each family's caps in range: email 5¢ to 60¢, combined 30¢ to $1.19, others to $1.19", () => {
  const ranges: readonly (readonly [family: RegExp, least: string, most: string, known: string])[] =
    [
      [/^(email|domain)-|^(dns|mx|whois)-lookup$|^ssl-check$/, '5', '60', 'email-validate'],
      [/^solutions\//, '30', '119', 'solutions/lead-email-verify'],
      [/-company-data$/, '3', '119', 'japanese-company-data'],
      [/^(wallet|token|contract|approval|ens|vasp|protocol)-/, '3', '119', 'wallet-risk-score'],
      [/-validate$/, '3', '119', 'vat-validate'],
    ]
  const caps = new Map(
    action().endpoints.map(({ endpoint, price }) => [endpoint.replace('/x402/', ''), price ?? 0n]),
  )
  for (const [family, least, most, known] of ranges) {
    const members = [...caps].filter(([name]) => family.test(name))
    assert.ok(
      members.some(([name]) => name === known),
      known,
    )
    for (const [name, cap] of members)
      assert.ok(cap >= cents(least) && cap <= cents(most), `${name}: ${cap}`)
  }
})

test('charges the actual cost, or the list price if unknown, but not the cap above it', () => {
  const { action: record, input } = prepared(ID, {
    endpoint: path('solutions/web3-token-safety'),
    contract_address: '0x1',
  })
  const chargeOf = (payment: unknown) =>
    billable(
      record,
      input,
      record.outcome({ status: 200, headers: {}, body: { safe: true, _meta: { payment } } }, input),
    )
  assert.equal(worstCase(record, input), cents('30'))
  assert.deepEqual([chargeOf({ price_usd: 0.08 }), chargeOf(undefined)], [cents('8'), cents('10')])
})

test('links every in-house check and every public register to a listed path', () => {
  const own = action().endpoints.flatMap(({ endpoint, inHouse }) =>
    inHouse === undefined ? [] : [endpoint.replace('/x402/', '')],
  )
  assert.deepEqual(own.toSorted(), Object.keys(checks).toSorted())
  const open = action().endpoints.flatMap(({ endpoint, openSource }) =>
    openSource === undefined ? [] : [endpoint.replace('/x402/', '')],
  )
  assert.deepEqual(open.toSorted(), Object.keys(openChecks).toSorted())
})

test("holds the cap and settles the merchant's charge", async () => {
  const { action: record, input } = prepared(ID, IBAN)
  assert.equal(worstCase(record, input), cents('6'))
  const result = await run(ID, IBAN)
  assert.ok('outcome' in result)
  assert.equal(result.charged, cents('2.16'))
})

test('charges nothing for a free check, the listed price without a reported one, never more', () => {
  const { action: record, input } = prepared(ID, IBAN)
  const chargeOf = (payment: unknown) =>
    billable(
      record,
      input,
      record.outcome(
        { status: 200, headers: {}, body: { valid: true, _meta: { payment } } },
        input,
      ),
    )
  assert.deepEqual(
    [
      chargeOf({ price_usd: 0 }),
      chargeOf(undefined),
      chargeOf({ price_usd: 0.01 }),
      chargeOf({ price_usd: 5 }),
    ],
    [0n, cents('6'), cents('1'), cents('6')],
  )
})

test('lists no more than it charges for a check that the gateway computes or a register answers', () => {
  const own = action().endpoints.filter(
    ({ inHouse, openSource }) => inHouse !== undefined || openSource !== undefined,
  )
  assert.ok(own.length > 20)
  for (const entry of own)
    assert.ok(leastEndpointCharge(action(), entry) <= cents('1'), entry.endpoint)
  assert.equal(leastCharge(action()), cents('1'))
})

test('charges nothing for a failed check, with any status', async () => {
  const result = await run(ID, { endpoint: path('swedish-company-data'), org_number: 'sim:miss' })
  assert.ok('failure' in result && result.failure?.code === 'upstream_error')
  const { action: record, input } = prepared(ID, IBAN)
  assert.equal(
    record.outcome({ status: 200, headers: {}, body: { error: 'no' } }, input).kind,
    'failed',
  )
})

describe("a check under the vendor's key", () => {
  const reply = (body: Data, status = 200) => ({ status, headers: {}, body })
  const work = {
    transaction_id: 'b7e1/..',
    status: 'completed',
    capability_used: 'iban-validate',
    price_cents: 5,
    latency_ms: 12,
    wallet_balance_cents: 4_200,
  }

  test('is sent by name, with its fields and its maximum price in euro', () => {
    const { action: record, input } = prepared(ID, IBAN)
    assert.deepEqual(record.request(input), {
      method: 'POST',
      path: '/v1/do',
      json: { capability_slug: 'iban-validate', inputs: { iban: IBAN.iban }, max_price_cents: 5 },
      acceptedStatuses: [402],
    })
    const mostFor = (held: bigint) => (record.request(input, held).json as Data)['max_price_cents']
    assert.deepEqual([cents('60'), cents('3'), cents('1')].map(mostFor), [5, 2, 1])
  })

  test('is never rejected at the list price behind its cap', () => {
    for (const { endpoint, price: cap = 0n } of action().endpoints) {
      const most = Number((action().request({ endpoint }).json as Data)['max_price_cents'])
      // Caps are the list price at 1.08 dollars per euro plus a tenth, in whole cents.
      assert.ok(Math.ceil(most * 1.08 * 1.1) * 10_000 >= Number(cap), endpoint)
    }
  })

  test('uses a separate path if it combines several checks', () => {
    const { path: asked, json } = action().request({
      endpoint: path('solutions/domain-trust'),
      domain: 'example.com',
    })
    assert.deepEqual(
      [asked, json],
      [
        '/v1/solutions/domain-trust/execute',
        { inputs: { domain: 'example.com' }, max_price_cents: 44 },
      ],
    )
  })

  test("returns its fields and its charge, but not the operator's balance", () => {
    const { action: record, input } = prepared(ID, IBAN)
    const outcome = record.outcome(
      reply({
        result: { ...work, output: { valid: true }, provenance: { source: 'x' } },
        meta: { audit: { requestContext: { userAgent: 'y' } } },
      }),
      input,
    )
    assert.ok(outcome.kind === 'done')
    assert.deepEqual(outcome.data, {
      valid: true,
      _meta: {
        capability: 'iban-validate',
        latency_ms: 12,
        provenance: { source: 'x' },
        payment: { method: 'balance', price_usd: 0.054 },
      },
    })
    assert.equal(billable(record, input, outcome), cents('5.4'))
  })

  test('returns each part of a combined check, and is free if stopped at the first step', () => {
    const { action: record, input } = prepared(ID, {
      endpoint: path('solutions/domain-trust'),
      domain: 'example.com',
    })
    const { capability_used: _, ...rest } = work
    const gated = { stopped_at: 'dns-lookup', charged: false }
    const outcome = record.outcome(
      reply({
        result: {
          ...rest,
          solution_slug: 'domain-trust',
          price_cents: 0,
          steps: { 'dns-lookup': { found: false } },
          step_count: 5,
          gated,
        },
        meta: {},
      }),
      input,
    )
    assert.ok(outcome.kind === 'done')
    assert.deepEqual(
      [outcome.data['steps'], outcome.data['gated'], billable(record, input, outcome)],
      [{ 'dns-lookup': { found: false } }, gated, 0n],
    )
  })

  test('is polled until it is done if the vendor runs it in the background', () => {
    const { action: record, input } = prepared(ID, IBAN)
    const [next] = record.followUps ?? []
    const asked = next?.(reply({ result: { ...work, status: 'executing' }, meta: {} }, 202), input)
    assert.deepEqual(asked, {
      method: 'GET',
      path: '/v1/transactions/b7e1%2F..',
      afterMs: 4_000,
      retry: { times: 2, afterMs: 1_000 },
    })
    const later = {
      id: 'b7e1',
      type: 'capability',
      capability_slug: 'iban-validate',
      price_cents: 5,
      input: { iban: 'x' },
      audit_trail: {},
    }
    assert.equal(
      next?.(reply({ ...later, status: 'executing', output: null }), input)?.path,
      '/v1/transactions/b7e1',
    )
    const done = reply({ ...later, status: 'completed', output: { valid: false }, error: null })
    assert.equal(next?.(done, input), null)
    const outcome = record.outcome(done, input)
    assert.ok(outcome.kind === 'done')
    assert.deepEqual(
      [outcome.data['valid'], outcome.data['input'], billable(record, input, outcome)],
      [false, undefined, cents('5.4')],
    )
  })

  test('is polled in each state of a check that runs, and never charged then', () => {
    const { action: record, input } = prepared(ID, IBAN)
    const [next] = record.followUps ?? []
    for (const status of ['executing', 'queued', 'Pending', 'processing', 'running', 'in_progress'])
      for (const unfinished of [
        { ...work, status, output: undefined },
        { ...work, status, output: null },
        { ...work, status, price_cents: null },
      ]) {
        assert.ok(next?.(reply(unfinished), input)?.path.startsWith('/v1/transactions/'), status)
        const outcome = record.outcome(reply(unfinished), input)
        assert.equal(outcome.kind === 'failed' && outcome.code, 'order_unknown', status)
      }
  })

  test('is never charged for an answer that it runs, also without its id', () => {
    const { action: record, input } = prepared(ID, IBAN)
    for (const running of [
      reply({ result: { status: 'queued' }, meta: {} }),
      reply({ result: { ...work, transaction_id: undefined, status: 'executing' } }),
      reply({ accepted: true }, 202),
    ]) {
      const outcome = record.outcome(running, input)
      assert.equal(outcome.kind === 'failed' && outcome.code, 'order_unknown')
    }
  })

  test('is free if it failed or did not finish in time', () => {
    const { action: record, input } = prepared(ID, IBAN)
    const codeOf = (status: string) => {
      const outcome = record.outcome(reply({ ...work, status, error: 'no' }), input)
      return outcome.kind === 'failed' ? outcome.code : outcome.kind
    }
    assert.deepEqual([codeOf('failed'), codeOf('executing')], ['upstream_error', 'order_unknown'])
  })

  test('is rejected above max_cost_cents with both amounts, and above its list price as unknown', () => {
    const { action: record, input } = prepared(ID, IBAN)
    const [next] = record.followUps ?? []
    const refusalFor = (actual_price_cents: number, held: bigint) => {
      try {
        return next?.(
          reply(
            { error_code: 'budget_exceeded', message: 'no', details: { actual_price_cents } },
            402,
          ),
          input,
          held,
        )
      } catch (error) {
        assert.ok(error instanceof AppError)
        return [error.code, error.details]
      }
    }
    assert.deepEqual(
      [refusalFor(5, cents('2')), refusalFor(9, cents('6'))],
      [
        ['max_cost_exceeded', { price_cents: 6, price_micros: 54_000, max_cost_cents: 2 }],
        ['price_unknown', undefined],
      ],
    )
    const spent = reply({ error_code: 'insufficient_balance', message: 'no' }, 402)
    assert.equal(next?.(spent, input), null)
    const outcome = record.outcome(spent, input)
    assert.ok(outcome.kind === 'failed' && outcome.code === 'upstream_payment')
  })
})

test('is rejected before a hold if a field is missing or misspelled', () => {
  assert.equal(refusal(ID, { endpoint: path('iban-validate') }).param, 'iban')
  assert.equal(refusal(ID, { endpoint: path('iban-validate'), iban: 'x', bic: 'y' }).param, 'bic')
  assert.equal(refusal(ID, { endpoint: path('lei-lookup') }).code, 'invalid_params')
})

describe('public registers', () => {
  test('cost one cent, and nothing without an entry', async () => {
    const known = await runOpen(ID, { endpoint: path('lei-lookup'), lei: '5493001KJTIIGC8Y1R12' })
    assert.ok('outcome' in known && known.charged === cents('1'))
    for (const [name, sent] of [
      ['lei-lookup', { company_name: 'nobody' }],
      ['french-company-data', { siren: 'nobody' }],
      ['protocol-tvl-lookup', { protocol: 'nobody' }],
      ['token-security-check', { contract_address: '0x0404' }],
    ] as const) {
      const result = await runOpen(ID, { endpoint: path(name), ...sent })
      assert.ok(
        'failure' in result || (result.outcome.kind === 'failed' && result.charged === 0n),
        name,
      )
    }
  })

  test('treat an unavailable tax authority as busy instead of a verdict', async () => {
    assert.equal((await openData('vat-validate', { vat_number: 'IE 6388047V' }))['valid'], true)
    assert.equal((await openData('vat-validate', { vat_number: 'DE123456789' }))['valid'], false)
    const silent = await runOpen(ID, { endpoint: path('vat-validate'), vat_number: 'DE000000000' })
    assert.ok(
      'outcome' in silent &&
        silent.outcome.kind === 'failed' &&
        silent.outcome.code === 'upstream_busy',
    )
    await assert.rejects(
      runOpen(ID, { endpoint: path('vat-validate'), vat_number: '123' }),
      (error) => error instanceof AppError && error.param === 'vat_number',
    )
  })

  test('count a day as a business day unless it is a weekend or a national holiday', async () => {
    const isBusinessDay = async (date: string) =>
      (await openData('business-day-check', { date, country_code: 'de' }))['is_business_day']
    assert.deepEqual(
      [
        await isBusinessDay('2026-12-25'),
        await isBusinessDay('2026-11-21'),
        await isBusinessDay('2026-11-20'),
        await isBusinessDay('2025-08-15'),
      ],
      [false, false, true, true],
    )
  })

  test('convert an amount at the rate of the central bank', async () => {
    const { rate, converted } = await openData('currency-convert', {
      from: 'usd',
      to: 'eur',
      amount: 10,
    })
    assert.deepEqual([rate, converted], [0.92, 9.2])
  })

  test("read a domain's age from the register of its top-level domain", async () => {
    assert.equal(
      (await openData('domain-age-check', { domain: 'example.com' }))['registered_at'],
      '1995-08-14T04:00:00Z',
    )
    const { input } = prepared(ID, { endpoint: path('whois-lookup'), domain: 'example.com' })
    assert.equal(openChecks['whois-lookup']?.source.request(input).followsRedirects, 'anywhere')
  })

  test('find a company that files with the SEC by ticker or name', async () => {
    for (const sent of [{ ticker: 'MSFT' }, { company_name: 'microsoft corp' }])
      assert.equal(
        ((await openData('us-company-data', sent))['result'] as Data)['name'],
        'MICROSOFT CORP',
      )
  })

  test('return adverse media articles without a verdict', async () => {
    const { article_count: count, note } = await openData('adverse-media-check', {
      name: 'Simulated Person',
    })
    assert.equal(count, 5)
    assert.match(String(note), /not a verdict/)
  })
})

describe('an empty list of a public source', () => {
  const kindOf = (name: string, body: unknown) => {
    const { source, example } = openChecks[name] ?? assert.fail(name)
    const outcome = source.outcome(
      { status: 200, headers: {}, body },
      { endpoint: path(name), ...example },
    )
    return outcome.kind === 'failed'
      ? outcome.code
      : [
          outcome.kind,
          'data' in outcome && (outcome.data['vulnerable'] ?? outcome.data['article_count']),
        ]
  }

  test('is a verdict only if the source is complete, not if it failed or has more pages', () => {
    for (const [name, list, none] of [
      ['package-security-audit', 'vulns', false],
      ['adverse-media-check', 'articles', 0],
      ['company-news', 'articles', 0],
    ] as const) {
      for (const body of [{}, { [list]: [] }, { [list]: null }])
        assert.deepEqual(kindOf(name, body), ['done', none], name)
      for (const body of [
        { next_page_token: 'abc' },
        { [list]: [], next_page_token: 'abc' },
        { [list]: 'later' },
        { [list]: [{}] },
        { [list]: [null] },
        { error: 'busy' },
        null,
        [],
      ])
        assert.equal(kindOf(name, body), 'upstream_error', `${name}: ${JSON.stringify(body)}`)
    }
  })
})
