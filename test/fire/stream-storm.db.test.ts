import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent, request } from 'undici'
import { cleanUp } from '../harness/clean-up.ts'
import { reportFigure } from '../harness/figure.ts'
import { eventsOf, startModelServer, stream } from '../harness/vendors/model-upstream.ts'
import { openFireBed } from './bed.ts'

// bench/faults.ts sets more.
const KEYS = Number(process.env['STORM_KEYS'] ?? 300)
const CLIENTS_OF_A_KEY = 2
const KEYS_AT_ONCE = 50
const MOST_ATTEMPTS = 5_000
const LOST_OF_TEN = 3
const USAGE = { prompt_tokens: 5, completion_tokens: 20 }
const PRICE = 5n * 100_000n + 20n * 500_000n
const PICOS_IN_A_MICRO = 1_000_000n

const bed = await openFireBed()
const upstream = await startModelServer()
const LLM = { UPSTREAM_LLM_URL: upstream.url, UPSTREAM_LLM_KEY: 'secret' }
const gateways = await Promise.all([bed.start(LLM), bed.start(LLM)])
const dispatcher = new Agent({ connections: null })
cleanUp(() => dispatcher.destroy())

type Got = { readonly key: string; readonly text: string; readonly isReplayed: boolean }
const figures = { responses: 0, lost: 0 }

/** One request. Three of ten responses are cut after some bytes; null for those, and while another request runs. */
async function askOnce(place: number, apiKey: string, key: string): Promise<Got | null> {
  const { statusCode, headers, body } = await request(
    `${gateways[place % gateways.length]?.url}/api/llm/v1/chat/completions`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({
        model: 'maker/small',
        stream: true,
        max_tokens: 100,
        messages: [{ role: 'user', content: key }],
      }),
      dispatcher,
    },
  )
  if (statusCode !== 200) {
    assert.equal(statusCode, 409, await body.text())
    await body.dump()
    return null
  }
  figures.responses += 1
  const isLost = figures.responses % 10 < LOST_OF_TEN
  const mostBytes = isLost ? (figures.responses * 97) % 2_000 : Number.POSITIVE_INFINITY
  let text = ''
  for await (const chunk of body as AsyncIterable<Buffer>) {
    text += chunk.toString()
    if (text.length > mostBytes) {
      figures.lost += 1
      body.destroy()
      return null
    }
  }
  return { key, text, isReplayed: headers['idempotency-replayed'] === 'true' }
}

async function insist(apiKey: string, key: string, client: number): Promise<Got> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const got = await askOnce(client + attempt, apiKey, key).catch(() => null)
    if (got !== null) return got
  }
  return assert.fail(`"${key}" got no whole stream`)
}

test('streams whose connections break are charged once and replayed whole', async (context) => {
  const account = await bed.account('100000')
  const before = (await account.wallet()).balance
  const asked = new Map<string, number>()
  upstream.answerWith((one) => {
    const [message] = one.body['messages'] as { content: string }[]
    const content = message?.content ?? ''
    const time = (asked.get(content) ?? 0) + 1
    asked.set(content, time)
    const words = Array.from({ length: 20 }, (_, place) => ` ${content}.${time}.${place}`)
    stream(one, eventsOf(words, USAGE))
  })
  const keys = Array.from({ length: KEYS }, (_, place) => `stream ${place}`)
  const got: Got[] = []
  for (let start = 0; start < KEYS; start += KEYS_AT_ONCE)
    got.push(
      ...(await Promise.all(
        keys
          .slice(start, start + KEYS_AT_ONCE)
          .flatMap((key) =>
            Array.from({ length: CLIENTS_OF_A_KEY }, (_, client) =>
              insist(account.key, key, client),
            ),
          ),
      )),
    )

  const firstOf = new Map(got.map(({ key, text }) => [key, text]))
  for (const { key, text } of got) {
    assert.equal(text, firstOf.get(key))
    assert.ok(text.includes(` ${key}.1.19"`) && text.endsWith('data: [DONE]\n\n'), text)
  }
  assert.ok(got.filter(({ isReplayed }) => isReplayed).length >= KEYS)
  const repeats = [...asked.values()].filter((times) => times > 1).length
  const { rows: charges } = await bed.database.query(
    "select from transactions where kind = 'llm' and amount_micros < 0",
  )
  reportFigure(context, {
    what: `streams charged or run twice of ${got.length}, with ${Math.round((100 * figures.lost) / figures.responses)} % of responses cut and replays whole and equal`,
    measured: String(charges.length - KEYS + repeats),
    must: '0',
    isMet: charges.length === KEYS && repeats === 0,
  })
  assert.deepEqual([charges.length, asked.size, repeats], [KEYS, KEYS, 0])
  const price = (PRICE + PICOS_IN_A_MICRO - 1n) / PICOS_IN_A_MICRO
  assert.deepEqual(await account.wallet(), { balance: before - BigInt(KEYS) * price, held: 0n })
  await bed.assertSound()
})
