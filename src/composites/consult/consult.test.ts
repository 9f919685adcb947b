import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { describe, test } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { createCatalog } from '../../catalog/index.ts'
import { worstCase } from '../../catalog/prices/price.ts'
import { createValidator } from '../../catalog/validate/validate.ts'
import { toCentsRoundedUp } from '../../lib/money.ts'
import { createDiscover } from '../discover/create-discover.ts'
import { fakeTools, NOW_MS } from '../onesearch/testing/fake-tools.ts'
import type { Complete } from '../shared/complete.ts'
import { createConsult } from './consult.ts'
import { readEntities } from './entities.ts'
import { NEW_CONVERSATION, type Conversation, type Conversations } from './conversation.ts'
import { judgedIntents, type JudgedIntent } from './testing/judged-intents.ts'
import { callOf, type SuggestedCall } from './suggest.ts'
import { takeTurn, type Turn } from './turn.ts'

const catalog = createCatalog()
const validator = createValidator()
const laneOf = () => ({ live: 'vendor', lanes: ['vendor'] }) as const
const parts = {
  catalog,
  validator,
  discover: createDiscover({ services: catalog.services, laneOf }),
  laneOf,
}

function turn(intent: string, state: Conversation = NEW_CONVERSATION): Turn {
  return takeTurn(parts, state, intent, NOW_MS)
}

function talk(...intents: readonly string[]): Turn {
  return intents
    .slice(1)
    .reduce((before, intent) => turn(intent, before.state), turn(intents[0] ?? ''))
}

function nameOf({ service, action }: Pick<SuggestedCall, 'service' | 'action'>): string {
  return `${service}/${action}`
}

/** Throws where the call would be refused, and where it may cost more than is suggested. */
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

function isRight([intent, actions, expected = {}]: JudgedIntent): boolean {
  const { calls, state } = turn(intent)
  if (actions === null) return calls.length === 0 && state.pending === null
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

test('the reason of a call ends its sentence before it says that the call is not set up here', () => {
  const call = callOf(
    validator,
    catalog.findAction('socialread', 'fetch'),
    { endpoint: '/api/v1/twitter/web/fetch_user_post_tweet', screen_name: 'ana' },
    false,
  )
  assert.equal(
    call.why,
    'Twitter/X: read user post tweet. It is not set up on this gateway; a test key reaches a simulation of it.',
  )
})

describe('judged intents', () => {
  const known = new Set(catalog.allActions().map(({ service, name }) => `${service.id}/${name}`))
  const judged = judgedIntents.filter(
    ([, actions]) => actions === null || actions.some((action) => known.has(action)),
  )

  test('nearly all of them become the right call with the right parameters, or the right question', () => {
    const wrong = judged.filter((one) => !isRight(one)).map(([intent]) => intent)
    assert.ok(judged.length >= 45)
    assert.ok(wrong.length <= judged.length * 0.1, wrong.join('\n'))
  })

  test('every call suggested for them passes the rules of its action, with the most that it can cost', () => {
    for (const [intent] of judgedIntents) turn(intent).calls.forEach(assertCallable)
  })
})

test('the day and the country of a question are told in the form that the action takes', () => {
  for (const [intent, date, country_code] of [
    ['is 1 May a working day in Germany', '2027-05-01', 'DE'],
    ['is today a bank holiday in France', '2026-11-20', 'FR'],
    ['is tomorrow a public holiday in Spain', '2026-11-21', 'ES'],
  ] as const)
    assert.deepEqual(
      turn(intent).calls.map(({ params }) => params),
      [{ endpoint: '/x402/business-day-check', date, country_code }],
      intent,
    )
})

test('an action that takes any text is not called with the question where another is far nearer, which asks for what it needs', () => {
  const { calls, question } = turn('is a company on a sanctions list')
  assert.deepEqual([calls, question?.startsWith('Which')], [[], true])
})

test('an intent that names a kind of thing is asked which one, and its words are never sold as a search for themselves', () => {
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

test('reviews of a place or a thing are not looked for among scholarly works', () => {
  for (const intent of ['reviews of a restaurant in Berlin', 'reviews of iPhone 17'])
    assert.ok(
      turn(intent).calls.every(({ service }) => service !== 'scholar'),
      intent,
    )
})

test('whoever wants to stop or extend something is not sold another one, and is asked which it is', () => {
  for (const [intent, action] of [
    ['stop a sandbox', 'sandbox/sandbox-terminate'],
    ['extend a browser session by ten minutes', 'browser/extend_session'],
    ['release the browser session', 'browser/release_session'],
    ['how far is my research task', 'agentic/task-status'],
    ['result of a crawl', 'render/crawl_status'],
  ] as const) {
    const { calls, state } = turn(intent)
    assert.deepEqual(
      [calls, nameOf(state.pending?.target ?? { service: '', action: '' })],
      [[], action],
      intent,
    )
  }
  assert.deepEqual(turn('create a sandbox').calls.map(nameOf), ['sandbox/sandbox-create'])
})

test('the letter of a round is not the name of a company', () => {
  const [call] = turn('which startups raised a series B in fintech in the last month').calls
  assert.deepEqual(
    [call?.action, call?.params['round'], call?.params['company_name']],
    ['funding', ['series b'], undefined],
  )
})

test('asked in everyday words, what an action is for is found rather than a search of the web or a thing that shares a word', () => {
  const asked: readonly (readonly [string, RegExp])[] = [
    ['what does this page say: https://example.org/terms', /^core\/onescrape$/],
    ['what is on https://example.net/jobs', /^core\/onescrape$/],
    ['how does https://shop.example.com look to somebody in Japan', /^geoegress\/scrape$/],
    ['create a short video of waves at sunset', /^media\/generate$/],
    ['give me an email address where I can receive mail', /^inbox\/create_inbox$/],
    ['is this mailbox real: tim@cook.example', /verif/],
    ['who holds patents on wireless charging', /^patents\//],
    ['what are the chances on Kalshi of a recession', /^markets\/fetch$/],
    ['what is it like to work at Amazon', /^altdata\/employee-reviews$/],
    ['what would 123 Main St, Springfield, IL rent for', /^proprecords\/rent-estimate$/],
    ['firms that look like airbnb.com', /^companyfind\/lookalikes$/],
  ]
  for (const [intent, right] of asked) {
    const { calls, state } = turn(intent)
    assert.match(
      nameOf(calls[0] ?? state.pending?.target ?? { service: '', action: '' }),
      right,
      intent,
    )
  }
})

test('what names nothing and costs something is not suggested: no path of unknown parameters, no person’s profile that is the site of a company', () => {
  const intents = [
    'screen a customer for sanctions, exposure and adverse media',
    'check the health of the website example.com in one go',
    'validate the details of a payment',
    'is the domain example.com to be trusted',
    'enrich the company stripe.com',
  ]
  for (const intent of intents) {
    for (const { params } of turn(intent).calls) {
      assert.ok(
        Object.keys(params).some((name) => name !== 'endpoint'),
        intent,
      )
      assert.equal(params['social_media_url'], undefined, intent)
    }
  }
})

test('several things of a kind become a call each where an action takes one, and one call where it takes them all or each has its own part', () => {
  const paramsFor = (intent: string) => turn(intent).calls.map(({ params }) => params)
  assert.deepEqual(paramsFor('verify the emails ana@acme.com and ben@acme.com'), [
    { email: 'ana@acme.com' },
    { email: 'ben@acme.com' },
  ])
  assert.deepEqual(
    paramsFor('tech stack of stripe.com and adyen.com').map((params) => params['company_domain']),
    ['stripe.com', 'adyen.com'],
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

test('a flight is known by its number, also some words behind "flight"; a year is none', () => {
  for (const [intent, number] of [
    ['flight status of LH400', 'LH400'],
    ['where is flight lh 400', 'LH400'],
    ['Flight number BA 15', 'BA15'],
  ] as const)
    assert.deepEqual(readEntities(intent, NOW_MS).values.flight, [number], intent)
  assert.equal(readEntities('flights in 2024 from FRA', NOW_MS).values.flight, undefined)
})

test('an answer at once is rather suggested than a job to be polled', () => {
  assert.equal(
    turn('find 20 companies similar to stripe.com').calls.map(nameOf)[0],
    'companyfind/lookalikes',
  )
})

test('a number that everybody knows a thing by fills the id of what reads it', () => {
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

test('what an action is made for is asked about rather than searched for on the web', () => {
  for (const [intent, expected] of [
    ['what cms is this website using', '/x402/tech-stack-detect'],
    ['politically exposed?', '/x402/pep-check'],
  ] as const) {
    const { calls, candidates, question } = turn(intent)
    assert.deepEqual(
      [calls.length, candidates[0]?.target.endpoint, question === null],
      [0, expected, false],
      intent,
    )
  }
})

test('a command is what stands in quotes or is said when asked for it, and never the talk about it', () => {
  const commandIn = (intent: string) => turn(intent).calls.map(({ params }) => params['command'])
  assert.deepEqual(commandIn('run `ls -la` in a sandbox'), ['ls -la'])
  assert.deepEqual(commandIn('run "echo hi" in a sandbox'), ['echo hi'])
  assert.deepEqual(commandIn('run python code in a sandbox'), [undefined])
  const asked = talk('execute a shell command', 'sb-1234567890')
  assert.deepEqual([asked.calls, asked.state.pending?.missing], [[], 'command'])
  assert.equal(takeTurn(parts, asked.state, 'ls -la', NOW_MS).calls[0]?.params['command'], 'ls -la')
})

test('what is bought once and kept is suggested to those alone who want one made', () => {
  const bought = (intent: string) =>
    turn(intent)
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

test('whatever is said, every suggested call could be made as it stands', () => {
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
          assert.ok(calls.length > 0 || (question !== null && question.length < 300))
        }
      },
    ),
    { numRuns: 150 },
  )
})

test('no intent takes long to think about', () => {
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

test('an intent of words that announce a message, and of spaces, is read at once', () => {
  const toBob = 'send an email to bob@example.com from ana@agentmail.to '
  const intents = [10, 40, 70, 80, 90, 100, 110]
    .map((count) => `${toBob}${'saying '.repeat(count)}`.padEnd(1_990))
    .concat('find a'.padEnd(1_990))
    .map((intent) => `${intent}x`)
  const cpuMs = cpuMsOf(() => intents.forEach((intent) => void turn(intent)))
  assert.ok(cpuMs < 1_500, `${cpuMs} ms`)
})

test('a message of several lines is taken whole, without the marks around it', () => {
  assert.deepEqual(
    turn(
      'send an email to bob@example.com from ana@agentmail.to about the launch saying "We ship.\nOn Monday."',
    ).calls[0]?.params['text'],
    'We ship.\nOn Monday.',
  )
})

describe('a conversation', () => {
  test('asks for what is missing and takes the answer', () => {
    const asked = talk('verify an email address')
    assert.deepEqual([asked.calls, asked.question], [[], 'Which e-mail address?'])
    const answered = turn('ana@example.org', asked.state)
    assert.deepEqual(
      answered.calls.map(({ params }) => params),
      [{ email: 'ana@example.org' }],
    )
    assert.equal(answered.question, null)
  })

  test('takes an answer in free words where words are asked for', () => {
    const [call] = talk('search the academic papers', 'heat pumps in cold climates').calls
    assert.match(JSON.stringify(call?.params), /heat pumps in cold climates/)
  })

  test('leaves a question alone when something else is wanted', () => {
    const { calls } = talk('verify an email address', 'actually, read https://example.com/a')
    assert.match(JSON.stringify(calls[0]?.params), /example\.com\/a/)
  })

  test('changes the last call by what is said next', () => {
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

  test('goes on with what was named before', () => {
    const { calls } = talk(
      'is bob@acme.com deliverable?',
      'and what is the phone number of that person?',
    )
    assert.deepEqual(calls[0]?.params['email'], 'bob@acme.com')
  })

  test('knows from before who "her" is, and asks the web where nobody was named', () => {
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
    assert.equal(
      nameOf(
        talk('search the web for heat pumps', 'what is her phone number?')
          .calls[0] as SuggestedCall,
      ),
      'cited/search',
    )
  })

  test('asks whose inbox sends a message, and what it is about, and makes neither up', () => {
    const asked = talk('send an email to bob@x.com saying we ship on Monday')
    assert.deepEqual(
      [asked.calls, asked.question],
      [[], 'Which inbox? Its address, please; inbox/create_inbox makes one.'],
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

  test('a company that is written small is one where it is said who works there', () => {
    const companyOf = (intent: string) => turn(intent).calls[0]?.params['company']
    assert.deepEqual(
      [
        'who works at acme as head of sales?',
        'people who work at acme',
        'who works at night in Berlin',
        'people working for startups in Lyon',
      ].map(companyOf),
      [['acme'], ['acme'], undefined, undefined],
    )
  })

  test('does the same for something else', () => {
    const { calls } = talk('lawsuits against Acme Corp', 'the same for Globex Inc')
    assert.deepEqual([calls[0]?.service, calls[0]?.params['party_name']], ['courts', 'Globex Inc'])
  })

  test('several tasks in one sentence become several calls', () => {
    const { calls } = talk(
      'Take a screenshot of example.com and check whether bob@acme.com is deliverable',
    )
    assert.equal(calls.length, 2)
  })

  test('a sentence that nothing fits asks for other words', () => {
    const { calls, question, candidates } = talk('iron my shirts')
    assert.deepEqual([calls, candidates], [[], []])
    assert.match(question ?? '', /Nothing in the catalog fits/)
  })

  test('remembers a bounded number of turns', () => {
    const said = Array.from({ length: 40 }, (_, at) => `search the web for topic ${at}`)
    assert.ok(JSON.stringify(talk(...said).state).length < 5_000)
  })
})

describe('the action', () => {
  function memory(): Conversations & { readonly kept: Map<string, Conversation> } {
    const kept = new Map<string, Conversation>()
    const keyOf = (owner: { accountId: string; mode: string }, id: string) =>
      `${owner.accountId}/${owner.mode}/${id}`
    return {
      kept,
      load: async (owner, id) => kept.get(keyOf(owner, id)) ?? null,
      save: async (owner, id, state) => void kept.set(keyOf(owner, id), state),
    }
  }

  test('hands out a conversation that the next call goes on with, and knows no other', async () => {
    const consult = createConsult({ ...parts, conversations: memory() })
    const asked = await consult({ intent: 'verify an email address' }, fakeTools({}))
    assert.ok(asked.kind === 'done')
    const id = asked.data['conversation_id']
    assert.match(String(id), /^conv_[0-9a-f]{32}$/)
    const answered = await consult(
      { intent: 'ana@example.org', conversation_id: id },
      fakeTools({}),
    )
    assert.ok(answered.kind === 'done' && !('question' in answered.data))
    for (const stranger of [`conv_${'0'.repeat(32)}`, 'invalidSetting']) {
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

  test('is free when nothing fits', async () => {
    assert.equal(
      (
        await createConsult({ ...parts, conversations: memory() })(
          { intent: 'iron my shirts' },
          fakeTools({}),
        )
      ).kind,
      'empty',
    )
  })

  const unsure = 'extract product name and price from https://shop.example.com/p/1'
  async function withModel(
    text: string | null,
    intent = unsure,
  ): Promise<{ calls: SuggestedCall[]; asked: number }> {
    let asked = 0
    const complete: Complete = async () => {
      asked += 1
      return text
    }
    const outcome = await createConsult({ ...parts, conversations: memory(), complete })(
      { intent },
      fakeTools({}),
    )
    assert.ok(outcome.kind === 'done')
    return { calls: outcome.data['calls'] as SuggestedCall[], asked }
  }

  test('a model may choose and fill in what the rules are unsure of, and is not believed where its call would be refused', async () => {
    const { calls: byRules, candidates } = turn(unsure)
    const number =
      candidates.findIndex(
        ({ target }) => target.action === 'extract' && target.service === 'proxy',
      ) + 1
    const params = {
      url: 'https://shop.example.com/p/1',
      extract_properties: 'product name, price(number)',
    }
    const { calls } = await withModel(`Here you are: ${JSON.stringify({ choice: number, params })}`)
    assert.deepEqual(
      calls.map(({ service, params: filled }) => [service, filled]),
      [['proxy', params]],
    )
    calls.forEach(assertCallable)
    for (const text of [
      null,
      '',
      'no',
      `{"choice": ${number}, "params": {"link": "x"}}`,
      '{"choice": 99, "params": {}}',
      '{"choice": null}',
      '{"choice": 1, "params": []}',
    ]) {
      assert.deepEqual((await withModel(text)).calls, byRules, text ?? 'no answer')
    }
  })

  test('a model is not asked about what the rules are sure of', async () => {
    const { asked, calls } = await withModel(
      '{"choice": 2, "params": {}}',
      'is ana@example.org deliverable?',
    )
    assert.deepEqual([asked, calls.length], [0, 1])
  })
})
