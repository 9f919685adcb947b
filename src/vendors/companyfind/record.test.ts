import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import { startSimulators, type Simulators } from '../../simulators/start.ts'
import type { JobAction } from '../../catalog/vocabulary/define.ts'
import { createCatalog } from '../../catalog/index.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { billable, worstCase } from '../../catalog/prices/price.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'
import { sendWire } from '../../catalog/testing/send-wire.ts'
import { createValidator } from '../../catalog/validate/validate.ts'
import type { WireRequest } from '../../catalog/vocabulary/wire.ts'

const { outcomeAndCents, failureOf } = withSimulators()
const validator = createValidator()

describe('immediate actions of companyfind', () => {
  test('charges lookalikes 1¢ per company, at most 100, with at most 10 seeds', async () => {
    assert.equal(
      await outcomeAndCents('companyfind/lookalikes', { query: 'bakeries', limit: 7 }),
      'done 7',
    )
    assert.equal(await outcomeAndCents('companyfind/lookalikes', { query: 'nobody' }), 'empty 0')
    assert.equal(refusal('companyfind/lookalikes', { query: 'x', limit: 101 }).param, 'limit')
    assert.equal(
      refusal('companyfind/lookalikes', {
        seed_domains: Array.from({ length: 11 }, (_, index) => `a${index}.example`),
      }).param,
      'seed_domains',
    )
    assert.equal(refusal('companyfind/lookalikes', {}).code, 'invalid_params')
  })

  test('always sends the limit, and takes locations as alpha-3 codes', () => {
    const { action, input } = prepared('companyfind/lookalikes', {
      query: 'x',
      locations: ['FRA', 'EU'],
    })
    assert.deepEqual(action.request(input).query, {
      query: 'x',
      locations: ['FRA', 'EU'],
      limit: 10,
    })
    assert.equal(
      refusal('companyfind/lookalikes', { query: 'x', locations: ['FR'] }).param,
      'locations[0]',
    )
  })

  test('charges tech-companies 40¢ per page of 50, and nothing for an empty page', async () => {
    assert.equal(
      await outcomeAndCents('companyfind/tech-companies', {
        tech: 'PostgreSQL',
        include_evidence: true,
      }),
      'done 40',
    )
    assert.equal(
      await outcomeAndCents('companyfind/tech-companies', { tech: 'PostgreSQL', page: 3 }),
      'empty 0',
    )
  })

  test('charges deep-research 20¢ if at least one question was answered', async () => {
    assert.equal(
      await outcomeAndCents('companyfind/deep-research', {
        domain: 'example.com',
        activity_question: 'What?',
        qualifier_question: 'Whom?',
      }),
      'done 20',
    )
    assert.equal(
      await outcomeAndCents('companyfind/deep-research', {
        domain: 'nobody.example',
        activity_question: 'What?',
      }),
      'failed 0',
    )
    assert.equal(
      refusal('companyfind/deep-research', { domain: 'example.com' }).code,
      'invalid_params',
    )
    const { action, input } = prepared('companyfind/deep-research', {
      domain: 'example.com',
      activity_question: 'What?',
    })
    const answer = (activity: unknown, qualifier: unknown) =>
      action.outcome({ status: 200, headers: {}, body: { activity, qualifier } }, input).kind
    assert.equal(answer({ error: 'x' }, { answer: 'to a question that was not asked' }), 'failed')
    assert.equal(answer({ answer: 'yes', error: null }, null), 'done')
    assert.equal(
      answer({ question: 'What?', qualified: false, answer: null, error: null }, null),
      'done',
    )
    assert.equal(
      answer({ question: 'What?', qualified: null, answer: '', error: null }, null),
      'failed',
    )
  })

  test('charges nothing for lookup-companies, options, results, job-control and balance', async () => {
    for (const [name, sent] of Object.entries({
      'lookup-companies': { companies: [{ domain: 'example.com' }] },
      options: {},
      results: { kind: 'tam', job_id: 'sim-0-e30' },
      'job-control': { kind: 'tam', job_id: 'sim-0-e30', action: 'pause' },
      balance: {},
    }))
      assert.equal(await outcomeAndCents(`companyfind/${name}`, sent), 'done 0', name)
  })

  test('looks up 1 to 100 companies, each with an identifier', () => {
    assert.equal(refusal('companyfind/lookup-companies', { companies: [] }).param, 'companies')
    assert.equal(
      refusal('companyfind/lookup-companies', {
        companies: Array.from({ length: 101 }, () => ({ name: 'x' })),
      }).param,
      'companies',
    )
    assert.equal(refusal('companyfind/lookup-companies', { companies: [{}] }).param, 'companies[0]')
  })

  test('pauses only tam jobs', () => {
    assert.equal(
      refusal('companyfind/job-control', { kind: 'lookalikes', job_id: 'j', action: 'pause' })
        .param,
      'action',
    )
    const { action, input } = prepared('companyfind/job-control', {
      kind: 'tech-intent',
      job_id: 'a/b',
      action: 'cancel',
    })
    assert.equal(action.request(input).path, '/api/v2/tech/companies/intent-search/a%2Fb/cancel')
  })

  test('reports unknown objects as such, and does not retry an ended job', async () => {
    assert.equal(
      await failureOf('companyfind/lookalikes', { query: 'sim:404' }),
      'upstream_not_found',
    )
    assert.equal(
      await failureOf('companyfind/lookalikes', { query: 'sim:409' }),
      'upstream_rejected',
    )
  })

  test('accepts two-letter and three-letter codes for the head office', () => {
    for (const code of ['FR', 'FRA'])
      prepared('companyfind/tech-companies', { tech: 'x', hq_country_code: code })
    assert.match(
      refusal('companyfind/tech-companies', { tech: 'x', hq_country_code: 'France' }).fix,
      /two or three capital letters/,
    )
  })

  test("recognizes the operator's used-up credit, which has status 400", async () => {
    assert.equal(
      await failureOf('companyfind/lookalikes', { query: 'sim:quota' }),
      'upstream_payment',
    )
  })
})

function jobOf(name: string, sent: Data): { action: JobAction; input: Data } {
  const { action } = createCatalog().findAction('companyfind', name)
  assert.ok(action.kind === 'job')
  return { action, input: validator.validate(action.input, sent) }
}

function charged({ action, input }: { action: JobAction; input: Data }, body: Data): bigint {
  return (
    billable(action, input, action.outcome({ status: 200, headers: {}, body }, input)) / cents('1')
  )
}

describe('jobs of companyfind', () => {
  test('hold their maximum: 1¢ for up to 2,000 lookalikes, 20¢ for up to 25 qualified companies', () => {
    const held = (name: string, sent: Data) => {
      const { action, input } = jobOf(name, sent)
      return worstCase(action, input)
    }
    assert.equal(held('lookalikes-bulk', { query: 'x', limit: 2_000 }), cents('2000'))
    assert.equal(held('tech-intent', { tech: 'x', activity: 'y', limit: 25 }), cents('500'))
    assert.equal(held('tam-build', { query: 'x' }), cents('500'))
    assert.equal(
      refusal('companyfind/lookalikes-bulk', { query: 'x', limit: 2_001 }).param,
      'limit',
    )
    assert.equal(
      refusal('companyfind/tech-intent', { tech: 'x', activity: 'y', limit: 26 }).param,
      'limit',
    )
  })

  test('charge delivered results only, also after a cancellation', () => {
    const tam = jobOf('tam-build', { query: 'x' })
    assert.equal(charged(tam, { status: 'completed', manifest: { unique_count: 143 } }), 143n)
    assert.equal(charged(tam, { status: 'completed', manifest: { unique_count: 0 } }), 0n)
    assert.equal(charged(tam, { status: 'cancelled', manifest: { unique_count: 12 } }), 12n)
    assert.equal(charged(tam, { status: 'cancelled', manifest: { unique_count: 0 } }), 0n)
    assert.equal(charged(tam, { status: 'failed', manifest: { unique_count: 0 } }), 0n)
    assert.equal(
      charged(tam, { status: 'completed', manifest: { unique_count: 9_999 } }),
      500n,
      'never more than was held',
    )
    const intent = jobOf('tech-intent', { tech: 'x', activity: 'y' })
    assert.equal(
      charged(intent, {
        status: 'completed',
        manifest: { companies_scanned: 90, companies_qualified: 3 },
      }),
      60n,
    )
  })

  test('end only with a final status, and stop a market at the paid number', () => {
    const { action, input } = jobOf('tam-build', { query: 'x', max_companies: 100 })
    const at = (status: string, found = 0) => ({
      status: 200,
      headers: {},
      body: { status, manifest: { unique_count: found } },
    })
    for (const status of ['pending', 'running', 'pausing', 'paused', 'cancelling'])
      assert.equal(action.poll.progress(at(status, 5)).kind, 'pending')
    for (const status of ['completed', 'cancelled'])
      assert.equal(action.poll.progress(at(status)).kind, 'finished')
    assert.equal(action.poll.progress(at('failed')).kind, 'failed')
    assert.equal(action.poll.progress(at('failed', 5)).kind, 'finished')
    assert.deepEqual(
      [
        action.poll.isEnough?.(at('running', 99), input),
        action.poll.isEnough?.(at('running', 100), input),
      ],
      [false, true],
    )
    assert.equal(action.poll.stop?.('j1').path, '/api/v1/tam/build/j1/cancel')
  })

  test('state the limit at which a market stopped, unlike a cancelled one', () => {
    const { action, input } = jobOf('tam-build', { query: 'x', max_companies: 100 })
    const dataAt = (found: number) => {
      const outcome = action.outcome(
        {
          status: 200,
          headers: {},
          body: { status: 'cancelled', manifest: { unique_count: found } },
        },
        input,
      )
      return outcome.kind === 'failed' ? undefined : outcome.data['stopped_at']
    }
    assert.deepEqual(
      [dataAt(100), dataAt(140), dataAt(99)],
      ['max_companies', 'max_companies', undefined],
    )
  })

  test('do not charge or count companies that were only scanned', () => {
    const intent = jobOf('tech-intent', { tech: 'x', activity: 'y', limit: 5 })
    assert.equal(
      charged(intent, { status: 'completed', manifest: { companies_scanned: 90 }, processed: 90 }),
      0n,
    )
    assert.equal(charged(intent, { status: 'completed', manifest: null, processed: 90 }), 0n)
    assert.equal(
      charged(jobOf('lookalikes-bulk', { query: 'x' }), {
        status: 'completed',
        manifest: { unique_count: 7 },
        processed: 90,
      }),
      7n,
    )
    assert.equal(
      charged(jobOf('tam-build', { query: 'x' }), {
        status: 'completed',
        manifest: { credits_consumed: 8 },
        processed: 90,
      }),
      8n,
    )
  })

  test('let a search end by itself if the vendor knows its limit', () => {
    for (const [name, sent] of [
      ['lookalikes-bulk', { query: 'x', limit: 5 }],
      ['tech-intent', { tech: 'x', activity: 'y', limit: 5 }],
    ] as const) {
      const { action, input } = jobOf(name, sent)
      assert.equal((action.launch.request(input).json as Data)['limit'], 5)
      assert.equal(action.poll.isEnough, undefined)
    }
  })
})

describe('the simulated vendor', () => {
  let nowMs = Date.UTC(2026, 10, 23)
  const vendor =
    createCatalog().findAction('companyfind', 'tam-build').service.vendor ??
    assert.fail('companyfind has a vendor')
  let simulators: Simulators
  before(async () => {
    simulators = await startSimulators({ now: () => nowMs })
  })
  after(() => simulators.close())

  const ask = async (wire: WireRequest): Promise<Data> =>
    (await sendWire(`${simulators.url}/companyfind`, vendor, wire)).body as Data
  async function launched(query: string) {
    const tam = jobOf('tam-build', { query })
    const reference = String((await ask(tam.action.launch.request(tam.input)))['job_id'])
    const control = (action: string) =>
      ask(
        prepared('companyfind/job-control', {
          kind: 'tam',
          job_id: reference,
          action,
        }).action.request({ kind: 'tam', job_id: reference, action }),
      )
    const poll = async () => await ask(tam.action.poll.request(reference))
    return {
      tam,
      control,
      poll,
      cancel: () => ask(tam.action.poll.stop?.(reference) ?? assert.fail('it can be stopped')),
    }
  }

  test('rehearses a cancellation, which charges the results so far', async () => {
    const { tam, poll, cancel } = await launched('bakeries')
    assert.equal((await poll())['status'], 'running')
    nowMs += 3_000
    await cancel()
    const body = await poll()
    assert.deepEqual(
      [body['status'], (body['rows'] as unknown[]).length, charged(tam, body)],
      ['cancelled', 12, 12n],
    )
    nowMs += 60_000
    assert.deepEqual((await poll())['status'], 'cancelled', 'and stays so')
  })

  test('rehearses a pause, during which a job makes no progress', async () => {
    const { tam, poll, control } = await launched('breweries')
    assert.equal((await control('pause'))['status'], 'pausing')
    nowMs += 60_000
    assert.deepEqual(
      [
        (await poll())['status'],
        tam.action.poll.progress({ status: 200, headers: {}, body: await poll() }).kind,
      ],
      ['paused', 'pending'],
    )
    await control('resume')
    assert.equal((await poll())['status'], 'running')
    nowMs += 3_000
    const body = await poll()
    assert.deepEqual([body['status'], charged(tam, body)], ['completed', 143n])
  })

  test('does not cancel a job that it reported as completed', async () => {
    const { tam, poll, cancel } = await launched('butchers')
    nowMs += 3_000
    assert.equal((await poll())['status'], 'completed')
    await cancel()
    assert.equal(charged(tam, await poll()), 143n)
  })
})

test('names the rejected parameters and reasons in every form of the error', () => {
  const { vendor } = prepared('companyfind/lookalikes', { query: 'x' }).service
  const wordsOf = (detail: unknown) =>
    vendor?.readFailure?.({ status: 422, headers: {}, body: { detail } })
  assert.deepEqual(
    wordsOf([
      { loc: ['query', 'locations', 0], msg: 'unknown country', type: 'value_error' },
      { loc: ['body', 'limit'], msg: 'too large' },
    ]),
    { code: 'upstream_rejected', message: 'query.locations: unknown country; limit: too large' },
  )
  assert.equal(wordsOf('no such stage')?.message, 'no such stage')
  assert.equal(wordsOf({ error_code: 'X', message: 'no such stage' })?.message, 'no such stage')
})
