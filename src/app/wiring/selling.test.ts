import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { startVendor } from '../../../test/harness/vendors/vendor.ts'
import { StartError } from '../../errors/start-error.ts'
import { loadConfig } from '../settings/config.ts'
import { watchFacilitator } from '../monitoring/facilitator-watch.ts'
import { openSelling } from './selling.ts'

const ADDRESS = '0x2222222222222222222222222222222222222222'
const SECRET = 'a-secret-of-this-gateway-of-32-bytes-or-more'
const lines: { level: number; msg: string }[] = []
const logger = pino(
  { level: 'info' },
  { write: (line: string) => void lines.push(JSON.parse(line) as { level: number; msg: string }) },
)
const selling = (settings: Record<string, string>) =>
  openSelling(loadConfig(settings), { secretKey: SECRET, now: Date.now, logger })

describe('pay-per-call without an account', () => {
  it('offers no x402 on main networks without a facilitator, and logs an error', () => {
    assert.equal(selling({ SELL_EVM_ADDRESS: ADDRESS }), null)
    assert.deepEqual(
      [lines.at(-1)?.level, /SELL_FACILITATOR_URL/.test(lines.at(-1)?.msg ?? '')],
      [50, true],
    )
    assert.deepEqual(
      selling({ SELL_EVM_ADDRESS: ADDRESS, SELL_TEMPO_ADDRESS: ADDRESS })?.acceptances.map(
        ({ name }) => name,
      ),
      ['tempo.charge'],
    )
    assert.deepEqual(
      selling({
        SELL_EVM_ADDRESS: ADDRESS,
        SELL_FACILITATOR_URL: 'https://pay.example',
      })?.acceptances.map(({ name }) => name),
      ['x402.exact'],
    )
  })

  it('simulates on test networks, with their default facilitator', async () => {
    const test = selling({
      SELL_EVM_ADDRESS: ADDRESS,
      SELL_TEMPO_ADDRESS: ADDRESS,
      SELL_NETWORKS: 'test',
    })
    assert.equal(test?.mode, 'test')
    const terms = {
      realm: 'gate.example',
      url: 'https://gate.example/x',
      description: '',
      discovery: { example: {}, schema: {} },
      amount: 5n,
      digest: null,
      expiresMs: Date.now() + 1_000,
    }
    const asked = await Promise.all(
      test?.acceptances.map((acceptance) => acceptance.request(terms)) ?? [],
    )
    const headers = Object.assign({}, ...asked.map((one) => one.headers)) as Record<string, string>
    assert.match(
      Buffer.from(headers['payment-required'] ?? '', 'base64').toString(),
      /0x036CbD53842c5426634e7929541eC2318f3dCF7e.*"name":"USDC".*"network":"eip155:84532"/,
    )
    const request = /request="([^"]+)"/.exec(headers['www-authenticate'] ?? '')?.[1] ?? ''
    assert.match(
      Buffer.from(request, 'base64url').toString(),
      /0x20c0000000000000000000000000000000000000.*42431/,
    )
  })

  it('rejects half a facilitator key and one that cannot sign', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    for (const settings of [
      { SELL_FACILITATOR_KEY_ID: 'a' },
      { SELL_FACILITATOR_KEY_SECRET: 'hunter2' },
      { SELL_FACILITATOR_KEY_ID: 'a', SELL_FACILITATOR_KEY_SECRET: 'hunter2' },
      {
        SELL_FACILITATOR_KEY_ID: 'a',
        SELL_FACILITATOR_KEY_SECRET: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
      },
    ]) {
      assert.throws(
        () => loadConfig(settings),
        (error) =>
          error instanceof StartError &&
          /SELL_FACILITATOR_KEY/.test(error.message) &&
          !/hunter2|BEGIN/.test(error.message),
      )
    }
  })
})

it('asks the facilitator at startup in the background and logs what is missing', async () => {
  const facilitator = await startVendor()
  for (const [reply, level, words] of [
    [
      { body: { kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:84532' }] } },
      50,
      /does not serve this network/,
    ],
    [
      { body: { kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }] } },
      30,
      /serves this network/,
    ],
    ['reset', 40, /could not be reached/],
  ] as const) {
    facilitator.answerWith(() => reply)
    const logged = Promise.withResolvers<{ level: number; msg: string }>()
    const watch = watchFacilitator(
      { url: facilitator.url, key: null, now: Date.now },
      'eip155:8453',
      pino(
        { level: 'info' },
        {
          write: (line: string) =>
            logged.resolve(JSON.parse(line) as { level: number; msg: string }),
        },
      ),
    )
    const line = await logged.promise
    watch.stop()
    assert.deepEqual([line.level, words.test(line.msg)], [level, true], line.msg)
  }
})
