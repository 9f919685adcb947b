import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { describe, test } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { sampleSteps } from '../../../test/harness/sample.ts'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { createCatalog } from '../../catalog/index.ts'
import { worstCase } from '../../catalog/prices/price.ts'
import { createValidator } from '../../catalog/validate/validate.ts'
import { toCentsRoundedUp } from '../../lib/money.ts'
import { createDiscover } from '../discover/create-discover.ts'
import { fakeTools, NOW_MS } from '../onesearch/testing/fake-tools.ts'
import type { Complete } from '../shared/complete.ts'
import { createConsult } from './consult.ts'
import { readEntities } from './reading/entities.ts'
import { NEW_CONVERSATION, type Conversation, type Conversations } from './conversation.ts'
import { judgedIntents, type JudgedIntent } from './testing/judged-intents.ts'
import { readIntent } from './reading/intent-reading.ts'
import { callOf, draftCandidate } from './suggest.ts'
import type { SuggestedCall } from './suggested-call.ts'
import { takeTurn, type Turn } from './turn.ts'
import { assertFits } from '../../catalog/testing/assert-fits.ts'

const catalog = createCatalog()
const validator = createValidator()
const laneOf = () => ({ live: 'vendor', lanes: ['vendor'] }) as const
const deps = {
  catalog,
  validator,
  discover: createDiscover({ services: catalog.services, laneOf }),
  laneOf,
}

function turn(intent: string, state: Conversation = NEW_CONVERSATION): Turn {
  return takeTurn(deps, state, intent, NOW_MS)
}

function talk(...intents: readonly string[]): Turn {
  return intents
    .slice(1)
    .reduce((before, intent) => turn(intent, before.state), turn(intents[0] ?? ''))
}

/** The turn after the first choice of a question, if the answer is one. */
function accepted(intent: string): Turn {
  const first = turn(intent)
  return first.alternatives.length > 0 ? turn('1', first.state) : first
}

function nameOf({ service, action }: Pick<SuggestedCall, 'service' | 'action'>): string {
  return `${service}/${action}`
}

/** Throws if the call is invalid or its highest cost is wrong. */
function assertCallable({
  service,
  action: name,
  params,
  max_cost_cents: most,
}: SuggestedCall): void {
  const { action } = catalog.findAction(service, name)
  const input = validator.validate(action.input, params)
  action.check(input)
  assert.equal(most, toCentsRoundedUp(worstCase(action, input)))
}

/** A question that offers an expected action first is right, too: its reply completes the call. */
function isRight({ calls, state }: Turn, [, actions, expected = {}]: JudgedIntent): boolean {
  if (actions === null) return calls.length === 0 && state.pending === null
  const [first] = state.options ?? []
  if (first !== undefined) return actions.includes(nameOf(first))
  if (calls.length === 0 && state.pending?.missing === '')
    return actions.includes(nameOf(state.pending.target))
  if ('ask' in expected && expected.ask instanceof RegExp)
    return (
      calls.length === 0 &&
      state.pending !== null &&
      actions.includes(nameOf(state.pending.target)) &&
      expected.ask.test(state.pending.missing)
    )
  return (
    calls.length > 0 &&
    calls.every((call) => actions.includes(nameOf(call))) &&
    Object.entries(expected).every(([name, value]) =>
      isDeepStrictEqual(calls[0]?.params[name], value),
    )
  )
}

test('adds a separate sentence to `why` if the call is not configured', () => {
  const call = callOf(
    validator,
    catalog.findAction('socialread', 'fetch'),
    { endpoint: '/api/v1/twitter/web/fetch_user_post_tweet', screen_name: 'ana' },
    false,
  )
  assert.equal(
    call.why,
    'Twitter/X: read user post tweet. It is not configured on this gateway; a test key reaches its simulation.',
  )
})

describe('judged intents', () => {
  const known = new Set(catalog.allActions().map(({ service, name }) => `${service.id}/${name}`))
  const judged = judgedIntents.filter(
    ([, actions]) => actions === null || actions.some((action) => known.has(action)),
  )

  const turns = new Map(judgedIntents.map(([intent]) => [intent, turn(intent)]))

  test('yields the expected call or question for four in five', () => {
    const wrong = judged
      .filter((one) => !isRight(turns.get(one[0]) ?? turn(one[0]), one))
      .map(([intent]) => intent)
    assert.ok(judged.length >= 45)
    assert.ok(wrong.length <= judged.length * 0.2, wrong.join('\n'))
  })

  test('suggests only valid calls with their highest cost', () => {
    for (const { calls } of turns.values()) calls.forEach(assertCallable)
  })
})

test('converts the day and country to the format of the action', () => {
  for (const [intent, date, country_code] of [
    ['is 1 May a working day in Germany', '2027-05-01', 'DE'],
    ['is today a business day in France', '2026-11-20', 'FR'],
    ['is tomorrow a public holiday in Spain', '2026-11-21', 'ES'],
  ] as const)
    assert.deepEqual(
      accepted(intent).calls.map(({ params }) => params),
      [{ endpoint: '/x402/business-day-check', date, country_code }],
      intent,
    )
})

test('asks for a missing field instead of passing the question to an action for any text', () => {
  const { calls, question } = turn('is a company on a sanctions list')
  assert.deepEqual([calls, question?.startsWith('Which')], [[], true])
})

test('asks which thing is meant if the intent names only its kind', () => {
  for (const intent of [
    'ask a language model',
    'transcript of a youtube video',
    'tech stack of a company',
    'posts of a linkedin profile',
    'reviews of a restaurant',
    'take a picture of a website',
  ]) {
    const { calls, question } = turn(intent)
    assert.deepEqual([calls, typeof question], [[], 'string'], intent)
  }
  for (const intent of ['make a picture of a cat', 'search the web for a second-hand bicycle'])
    assert.equal(turn(intent).calls.length, 1, intent)
})

test('does not search scholarly works for reviews of places or things', () => {
  for (const intent of ['reviews of a restaurant in Berlin', 'reviews of iPhone 17'])
    assert.ok(
      turn(intent).calls.every(({ service }) => service !== 'scholar'),
      intent,
    )
})

test('asks which object to stop or extend instead of creating another one', () => {
  for (const [intent, action] of [
    ['stop a sandbox', 'sandbox/sandbox-terminate'],
    ['extend a browser session by ten minutes', 'browser/extend_session'],
    ['release the browser session', 'browser/release_session'],
    ['how far is my research task', 'agentic/task-status'],
  ] as const) {
    const { calls, state } = turn(intent)
    assert.deepEqual(
      [calls, nameOf(state.pending?.target ?? { service: '', action: '' })],
      [[], action],
      intent,
    )
  }
  assert.match(
    nameOf(turn('result of a crawl').state.pending?.target ?? { service: '', action: '' }),
    /^render2?\/crawl_status$/,
  )
  assert.match(
    turn('create a sandbox').calls.map(nameOf).join(),
    /^[\w-]+\/(?:sandbox-create|create_session)$/,
  )
})

test('does not read the letter of a funding round as a company', () => {
  const [call] = turn('which startups raised a series B in fintech in the last month').calls
  assert.deepEqual(
    [call?.action, call?.params['round'], call?.params['company_name']],
    ['funding', ['series b'], undefined],
  )
})

const READERS = /^(?:core\/onescrape|semantic\/contents|rag\/extract|agentic\/extract)$/

test('finds the right action for everyday words', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['what does this page say: https://example.org/terms', READERS],
    ['what is on https://example.net/jobs', READERS],
    ['how does https://shop.example.com look to somebody in Japan', /^geoegress\/scrape$/],
    ['create a short video of waves at sunset', /^media\/generate$/],
    ['is this mailbox real: tim@cook.example', /verif/],
    ['who holds patents on wireless charging', /^patents\//],
    ['what are the chances on Kalshi of a recession', /^markets\/fetch$/],
    ['what is it like to work at Amazon', /^altdata\/employee-reviews$/],
    ['what would 123 Main St, Springfield, IL rent for', /^proprecords\/rent-estimate$/],
    ['companies similar to airbnb.com', /^companyfind\/lookalikes$/],
  ]
  for (const [intent, right] of cases) {
    const { calls, state } = turn(intent)
    assert.match(
      nameOf(
        calls[0] ?? state.pending?.target ?? state.options?.[0] ?? { service: '', action: '' },
      ),
      right,
      intent,
    )
  }
})

test('does not suggest paid calls without an entity of the intent', () => {
  const intents = [
    'screen a customer for sanctions, exposure and adverse media',
    'check the health of the website example.com in one go',
    'validate the details of a payment',
    'is the domain example.com to be trusted',
    'enrich the company stripe.com',
  ]
  for (const intent of intents) {
    const { calls, question } = turn(intent)
    assert.ok(calls.length > 0 || question !== null, intent)
    for (const { params } of calls) {
      assert.ok(
        Object.keys(params).some((name) => name !== 'endpoint'),
        intent,
      )
      assert.equal(params['social_media_url'], undefined, intent)
    }
  }
})

test('suggests one call for each entity unless the action accepts several', () => {
  const paramsFor = (intent: string) => turn(intent).calls.map(({ params }) => params)
  assert.deepEqual(paramsFor('verify the emails ana@acme.com and ben@acme.com'), [
    { email: 'ana@acme.com' },
    { email: 'ben@acme.com' },
  ])
  assert.deepEqual(
    paramsFor('tech stack of stripe.com and adyen.com').map((params) =>
      ['stripe.com', 'adyen.com'].filter((domain) => JSON.stringify(params).includes(domain)),
    ),
    [['stripe.com'], ['adyen.com']],
  )
  assert.deepEqual(
    paramsFor('companies similar to stripe.com and adyen.com').map(
      (params) => params['seed_domains'],
    ),
    [['stripe.com', 'adyen.com']],
  )
  assert.equal(
    paramsFor('send an email to bob@example.com from ana@agentmail.to about the launch saying hi')
      .length,
    1,
  )
  assert.deepEqual(paramsFor('flights from FRA to JFK'), [{ dep_iata: 'FRA', arr_iata: 'JFK' }])
})

test('recognises flight numbers, but not years', () => {
  for (const [intent, number] of [
    ['flight status of LH400', 'LH400'],
    ['where is flight lh 400', 'LH400'],
    ['Flight number BA 15', 'BA15'],
  ] as const)
    assert.deepEqual(readEntities(intent, NOW_MS).values.flight, [number], intent)
  assert.equal(readEntities('flights in 2024 from FRA', NOW_MS).values.flight, undefined)
})

test('prefers a direct answer to a job', () => {
  assert.equal(
    turn('find 20 companies similar to stripe.com').calls.map(nameOf)[0],
    'companyfind/lookalikes',
  )
})

test('uses public numbers as ids', () => {
  for (const [intent, action, params] of [
    ['decode 1HGCM82633A004352', 'vehicles/get', { id: '1HGCM82633A004352' }],
    ['metadata for doi 10.1038/nature14539', 'scholar/work', { id: '10.1038/nature14539' }],
    ['show trial NCT04368728', 'trials/get', { id: 'NCT04368728' }],
    ['CVE-2021-44228 details', 'datahub/fetch', { endpoint: '/cve/get', id: 'CVE-2021-44228' }],
    [
      'is 978-0-14-032872-1 a real ISBN',
      'compliance/check',
      { endpoint: '/x402/isbn-validate', isbn: '9780140328721' },
    ],
  ] as const) {
    const [call] = turn(intent).calls
    assert.deepEqual([call && nameOf(call), call?.params], [action, params], intent)
  }
})

test('asks for the input of a matching action instead of searching the web', () => {
  for (const [intent, expected] of [['politically exposed?', '/x402/pep-check']] as const) {
    const { calls, candidates, question } = turn(intent)
    assert.deepEqual(
      [calls.length, candidates[0]?.target.endpoint, question === null],
      [0, expected, false],
      intent,
    )
  }
})

test('uses only quoted texts and replies as commands', () => {
  const commandIn = (intent: string) => turn(intent).calls.map(({ params }) => params['command'])
  assert.deepEqual(commandIn('run `ls -la` in sandbox sb-12345678'), ['ls -la'])
  assert.deepEqual(commandIn('run "echo hi" in sandbox sb-12345678'), ['echo hi'])
  assert.deepEqual(commandIn('run ls -la in sandbox sb-12345678'), ['ls -la'])
  assert.deepEqual(commandIn('run python code in a sandbox'), [undefined])
  const asked = talk('execute a shell command', 'sb-1234567890')
  assert.deepEqual([asked.calls, asked.state.pending?.missing], [[], 'command'])
  assert.equal(takeTurn(deps, asked.state, 'ls -la', NOW_MS).calls[0]?.params['command'], 'ls -la')
})

test('suggests buying permanent objects only on request', () => {
  // Both cost more than 50 cents, so the caller confirms the price.
  const bought = (intent: string) =>
    talk(intent, 'yes')
      .calls.map(nameOf)
      .filter((name) => ['inbox/create_inbox', 'gitstore/repo-create'].includes(name))
  for (const intent of [
    'create an inbox',
    'I need an inbox for my agent',
    'make a private git repo',
  ])
    assert.equal(bought(intent).length, 1, intent)
  for (const intent of [
    'find the email inbox provider of acme.com',
    'which inbox do I have',
    'clone a repository',
  ])
    assert.deepEqual(bought(intent), [], intent)
})

test('suggests only valid calls for any text', () => {
  const pieces = fc.constantFrom(
    'find',
    'the',
    'email',
    'of',
    'Jane Doe',
    'at',
    'stripe.com',
    'https://example.com/a',
    'news',
    'about',
    'last week',
    '20',
    'people',
    'in',
    'Germany',
    'verify',
    'bob@acme.io',
    'linkedin.com/in/x',
    'filings',
    'CIK 1',
    'since 2020',
    'phone',
    'patents',
    'screenshot',
    'crawl',
    '@nasa',
    '$BTC',
    'company',
    'search',
    'scrape',
    'and',
    'lawsuits',
    'Acme Corp',
    'zip 94107',
    '"quoted words"',
    'with',
    'job',
    'funding',
    'files',
    'upload',
    'stealth',
    'html',
    '?',
  )
  fc.assert(
    fc.property(
      fc.array(fc.oneof(pieces, fc.string({ maxLength: 8 })), { minLength: 1, maxLength: 12 }),
      fc.array(pieces, { minLength: 1, maxLength: 6 }),
      (first, second) => {
        const one = turn(first.join(' '))
        const two = turn(second.join(' '), one.state)
        for (const { calls, question } of [one, two]) {
          calls.forEach(assertCallable)
          assert.ok(calls.length > 0 || (question !== null && question.length < 600))
        }
      },
    ),
    { numRuns: 150 / sampleSteps(6).stride },
  )
})

test('limits the time for any intent', () => {
  const pieces = [
    'find me ',
    'best a ',
    'a.',
    'search the ',
    'Aa Bb ',
    '1 Main St, ',
    '"a ',
    'similar to ',
    'how did x ',
    'read url ',
    'find a. Find b. ',
    '2020 to 2021 ',
    'https://a.com/ ',
    '日本 ',
    '(((',
  ]
  const cpuMs = cpuMsOf(() =>
    pieces.forEach((piece) => void turn(piece.repeat(Math.ceil(2_000 / piece.length)))),
  )
  assert.ok(cpuMs < 5_000, `${cpuMs} ms`)
})

test('reads repeated message cues and spaces in linear time', () => {
  const toBob = 'send an email to bob@example.com from ana@agentmail.to '
  const intents = [10, 70, 110]
    .map((count) => `${toBob}${'saying '.repeat(count)}`.padEnd(1_990))
    .concat('find a'.padEnd(1_990))
    .map((intent) => `${intent}x`)
  const cpuMs = cpuMsOf(() => intents.forEach((intent) => void turn(intent)))
  assert.ok(cpuMs < 1_500, `${cpuMs} ms`)
})

test('takes a message of several lines without its quotes', () => {
  assert.deepEqual(
    turn(
      'send an email to bob@example.com from ana@agentmail.to about the launch saying "We ship.\nOn Monday."',
    ).calls[0]?.params['text'],
    'We ship.\nOn Monday.',
  )
})

describe('a conversation', () => {
  test('asks for a missing field and uses the reply', () => {
    const asked = talk('verify an email address')
    assert.deepEqual([asked.calls, asked.question], [[], 'Which email address?'])
    const answered = turn('ana@example.org', asked.state)
    assert.deepEqual(
      answered.calls.map(({ params }) => params),
      [{ email: 'ana@example.org' }],
    )
    assert.equal(answered.question, null)
  })

  test('uses a reply of free text', () => {
    const [call] = talk('search the academic papers', 'heat pumps in cold climates').calls
    assert.match(JSON.stringify(call?.params), /heat pumps in cold climates/)
  })

  test('drops a question if the reply is a new task', () => {
    const { calls } = talk('verify an email address', 'actually, read https://example.com/a')
    assert.match(JSON.stringify(calls[0]?.params), /example\.com\/a/)
  })

  test('changes the last call by the next intent', () => {
    const first = talk('search the web for heat pumps')
    const { calls } = turn('only from the last week', first.state)
    assert.equal(calls.length, 1)
    assert.deepEqual(
      [calls[0]?.service, calls[0]?.action],
      [first.calls[0]?.service, first.calls[0]?.action],
    )
    const params = JSON.stringify(calls[0]?.params)
    assert.match(params, /heat pumps/)
    assert.match(params, /pw|week|qdr:w|2026-11-13/)
  })

  test('uses entities of earlier turns', () => {
    const { calls } = talk(
      'is bob@acme.com deliverable?',
      'and what is the phone number of that person?',
    )
    assert.deepEqual(calls[0]?.params['email'], 'bob@acme.com')
  })

  test('resolves "her" by earlier turns, otherwise asks', () => {
    const { calls } = talk(
      'verify an email address',
      'ana@example.org',
      'and what is her phone number?',
    )
    assert.deepEqual(
      calls.map((call) => [nameOf(call), call.params]),
      [['emailintel/phone-finder', { email: 'ana@example.org' }]],
    )
    for (const asked of ['find her linkedin profile', 'what is her linkedin profile?']) {
      const [profile] = talk('verify an email address', 'ana@example.org', asked).calls
      assert.deepEqual(
        [profile?.service, profile?.action, profile?.params],
        ['contactfind', 'person-from-email', { email: 'ana@example.org' }],
        asked,
      )
    }
    assert.deepEqual(talk('search the web for heat pumps', 'what is her phone number?').calls, [])
  })

  test('asks for the sender and subject of a message instead of inventing them', () => {
    const asked = talk('send an email to bob@x.com saying we ship on Monday')
    assert.deepEqual(
      [asked.calls, asked.question],
      [[], 'Which inbox? Please send its address, or create one with inbox/create_inbox.'],
    )
    const again = turn('ana@agentmail.to', asked.state)
    assert.deepEqual([again.calls, again.question], [[], 'What is the subject of the message?'])
    assert.deepEqual(turn('The launch', again.state).calls[0]?.params, {
      inbox_id: 'ana@agentmail.to',
      to: 'bob@x.com',
      subject: 'The launch',
      text: 'we ship on Monday',
    })
  })

  test('recognises a lower-case employer', () => {
    const target = { service: 'contactfind', action: 'people-search', endpoint: null }
    const companyOf = (intent: string) =>
      draftCandidate(deps, target, readIntent(intent, NOW_MS), 1).params['company']
    assert.deepEqual(companyOf('who works at acme as head of sales?'), ['acme'])
    assert.equal(companyOf('who works at night in Berlin'), undefined)
    assert.equal(companyOf('people working for startups in Lyon'), undefined)
  })

  test('repeats the last call for another entity', () => {
    const { calls } = talk('lawsuits against Acme Corp', 'the same for Globex Inc')
    assert.deepEqual([calls[0]?.service, calls[0]?.params['party_name']], ['courts', 'Globex Inc'])
  })

  test('splits several tasks of one sentence into several calls', () => {
    const { calls } = talk(
      'Take a screenshot of example.com and check whether bob@acme.com is deliverable',
    )
    assert.equal(calls.length, 2)
  })

  test('asks for different words if nothing matches', () => {
    const { calls, question, candidates } = talk('iron my shirts')
    assert.deepEqual([calls, candidates], [[], []])
    assert.match(question ?? '', /Nothing in the catalog matches/)
  })

  test('remembers a bounded number of turns', () => {
    const intents = Array.from({ length: 40 }, (_, at) => `search the web for topic ${at}`)
    assert.ok(JSON.stringify(talk(...intents).state).length < 5_000)
  })
})

describe('the action', () => {
  function memory(): Conversations & { readonly stored: Map<string, Conversation> } {
    const stored = new Map<string, Conversation>()
    const keyOf = (owner: { accountId: string; mode: string }, id: string) =>
      `${owner.accountId}/${owner.mode}/${id}`
    return {
      stored,
      load: async (owner, id) => stored.get(keyOf(owner, id)) ?? null,
      save: async (owner, id, state) => void stored.set(keyOf(owner, id), state),
    }
  }

  test('continues only the caller’s own conversation', async () => {
    const consult = createConsult({ ...deps, conversations: memory() })
    const asked = await consult({ intent: 'verify an email address' }, fakeTools({}))
    assert.ok(asked.kind === 'empty')
    assertFits('core/consult', asked.data)
    const id = asked.data?.['conversation_id']
    assert.match(String(id), /^conv_[0-9a-f]{32}$/)
    const answered = await consult(
      { intent: 'ana@example.org', conversation_id: id },
      fakeTools({}),
    )
    assert.ok(answered.kind === 'done' && !('question' in answered.data))
    for (const stranger of [`conv_${'0'.repeat(32)}`, 'nonsense']) {
      const refused = await consult({ intent: 'x', conversation_id: stranger }, fakeTools({}))
      assert.deepEqual(
        [refused.kind === 'failed' && refused.code, refused.kind === 'failed' && refused.param],
        ['unknown_conversation', 'conversation_id'],
      )
    }
    const other = await consult(
      { intent: 'x', conversation_id: id },
      { ...fakeTools({}), accountId: '1'.repeat(32) },
    )
    assert.ok(other.kind === 'failed' && other.code === 'unknown_conversation')
  })

  for (const intent of [
    'iron my shirts',
    'register the domain sunnyharbor.io',
    'put my Jordans up for sale on GOAT',
  ])
    test(`is free if nothing matches: ${intent}`, async () => {
      const consult = createConsult({ ...deps, conversations: memory() })
      assert.equal((await consult({ intent }, fakeTools({}))).kind, 'empty')
    })

  const unsure = 'unemployment in Spain'
  async function withModel(
    text: string | null,
    intent = unsure,
  ): Promise<{ calls: SuggestedCall[]; asked: number }> {
    let asked = 0
    const complete: Complete = async () => {
      asked += 1
      return text
    }
    const outcome = await createConsult({ ...deps, conversations: memory(), complete })(
      { intent },
      fakeTools({}),
    )
    assert.ok(outcome.kind === 'done' || outcome.kind === 'empty')
    assertFits('core/consult', outcome.data)
    return { calls: (outcome.data?.['calls'] ?? []) as SuggestedCall[], asked }
  }

  test('keeps the rules’ answer if the model’s call fails a check', async () => {
    const { calls: byRules, candidates } = turn(unsure)
    const endpoint = '/x402/country-economic-indicators'
    const number = candidates.findIndex(({ target }) => target.endpoint === endpoint) + 1
    for (const text of [
      null,
      '',
      'no',
      `{"choice": ${number}, "params": {"link": "x"}}`,
      // The model may not drop the country of the intent.
      `{"choice": ${number}, "params": {"country_code": "PT"}}`,
      '{"choice": 99, "params": {}}',
      '{"choice": null}',
      '{"choice": 1, "params": []}',
    ]) {
      assert.deepEqual((await withModel(text)).calls, byRules, text ?? 'no answer')
    }
  })

  test('does not ask the model if the rules are sure', async () => {
    const { asked, calls } = await withModel(
      '{"choice": 2, "params": {}}',
      'is ana@example.org deliverable?',
    )
    assert.deepEqual([asked, calls.length], [0, 1])
  })
})
