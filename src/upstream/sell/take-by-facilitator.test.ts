import assert from 'node:assert/strict'
import { generateKeyPairSync, verify, type KeyObject } from 'node:crypto'
import { it } from 'node:test'
import { startVendor, type VendorRequest } from '../../../test/harness/vendors/vendor.ts'
import type { Requirement, X402Payload } from './accept-x402.ts'
import { askSupported, type FacilitatorDeps } from './facilitator.ts'
import { readFacilitatorSecret } from './signed-token.ts'
import { takeByFacilitator } from './take-by-facilitator.ts'

const NOW_MS = Date.UTC(2026, 10, 23, 12)
const facilitator = await startVendor()
const requirement: Requirement = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '5',
  asset: '0xa',
  payTo: '0xb',
  maxTimeoutSeconds: 300,
  extra: { name: 'USD Coin', version: '2' },
}
const payload: X402Payload = {
  x402Version: 2,
  accepted: requirement,
  payload: {
    signature: '0x1',
    authorization: { from: '0xc', to: '0xb', value: '5', nonce: '0x2' },
  },
}
const deps: FacilitatorDeps = { url: facilitator.url, key: null, now: () => NOW_MS }
const waits: number[] = []
const take = takeByFacilitator(deps, async (ms) => waits.push(ms))

type Reply = { readonly status?: number; readonly body: object | string } | 'reset'
function answers(verified: Reply, settled: Reply): void {
  facilitator.answerWith(({ path }) => (path.endsWith('/verify') ? verified : settled))
}
const VALID = { body: { isValid: true, payer: '0xc' } }
const DONE = {
  body: { success: true, transaction: '0xdone', network: 'eip155:8453', payer: '0xc' },
}

it('takes a payment that the facilitator verified and settled', async () => {
  answers(VALID, DONE)
  const taken = await take(payload, requirement)
  assert.equal('reference' in taken && taken.reference, '0xdone')
  assert.deepEqual(
    facilitator.requests.map(({ path }) => path),
    ['/verify', '/settle'],
  )
})

it('refuses a payment that fails verification, with the reason', async () => {
  for (const [checked, reason] of [
    [
      {
        body: {
          isValid: false,
          invalidReason: 'insufficient_funds',
          invalidMessage: 'the payer holds 0.01',
        },
      },
      /^insufficient_funds: the payer holds 0\.01$/,
    ],
    [
      {
        status: 400,
        body: { isValid: false, invalidReason: 'invalid_exact_evm_payload_signature' },
      },
      /^invalid_exact_evm_payload_signature$/,
    ],
  ] as const) {
    answers(checked, DONE)
    const before = facilitator.requests.length
    const taken = await take(payload, requirement)
    assert.match('refused' in taken ? taken.refused : '', reason)
    assert.ok(facilitator.requests.slice(before).every(({ path }) => path === '/verify'))
  }
})

it('takes no answer to a verification, or a failure of the facilitator, for no verdict', async () => {
  for (const checked of [
    {
      status: 500,
      body: { errorMessage: 'No facilitator registered for scheme: exact and network: eip155:1' },
    },
    { status: 503, body: '<html>' },
    { status: 429, body: {} },
    { body: { isValid: false, invalidReason: 'unexpected_verify_error' } },
    { status: 400, body: { isValid: false, invalidReason: 'verification_state_unavailable' } },
    'reset',
  ] as const) {
    answers(checked, DONE)
    const before = facilitator.requests.length
    const taken = await take(payload, requirement)
    assert.match('unchecked' in taken ? taken.unchecked : '', /./, JSON.stringify(checked))
    assert.ok(facilitator.requests.slice(before).every(({ path }) => path === '/verify'))
  }
})

it('refuses a settlement only without a transaction and for a reason that excludes one', async () => {
  for (const errorReason of [
    'insufficient_funds',
    'invalid_exact_evm_payload_signature',
    'invalid_exact_evm_payload_authorization_valid_before',
    'invalid_exact_evm_insufficient_balance',
    'invalid_network',
  ])
    for (const status of [200, 400]) {
      const body = { success: false, errorReason, transaction: '', network: 'eip155:8453' }
      answers(VALID, { status, body })
      const before = facilitator.requests.length
      assert.deepEqual(await take(payload, requirement), { refused: errorReason })
      assert.equal(facilitator.requests.length, before + 2, 'the refusal is final')
    }
})

const failed = (errorReason: string, transaction = '', status = 200): Reply => ({
  status,
  body: { success: false, errorReason, transaction, network: 'eip155:8453' },
})
const UNDECIDED: readonly Reply[] = [
  failed('settlement_pending', '0xabab'),
  failed('settlement_pending', '0xabab', 400),
  failed('settlement_pending', '0xabab', 500),
  failed('settle_exact_evm_transaction_confirmation_timed_out', '0xabab'),
  failed('settlement_pending'),
  failed('settle_exact_node_failure'),
  failed('insufficient_funds', '0xreverted'),
  failed('insufficient_funds', '', 500),
  failed('nonce_used'),
  failed('invalid_exact_evm_nonce_already_used', '', 400),
  failed('invalid_transaction_state'),
  failed('unexpected_settle_error', '', 500),
  failed('a_reason_of_tomorrow'),
  { body: { success: false, transaction: '', network: 'eip155:8453' } },
  { body: {} },
  { status: 502, body: '<html>' },
  { status: 429, body: {} },
  'reset',
]

it('repeats the identical settlement without a final answer, and then knows no outcome', async () => {
  for (const settled of UNDECIDED) {
    answers(VALID, settled)
    const before = facilitator.requests.length
    waits.length = 0
    const taken = await take(payload, requirement)
    assert.match('unknown' in taken ? taken.unknown : '', /./, JSON.stringify(settled))
    const [verified, ...settlements] = facilitator.requests.slice(before)
    assert.deepEqual(
      [verified?.path, settlements.map(({ path }) => path), waits],
      ['/verify', Array.from({ length: 4 }, () => '/settle'), [0, 1_000, 3_000]],
    )
    for (const { body } of settlements) assert.deepEqual(body, settlements[0]?.body)
  }
})

it('takes a payment whose repeated settlement succeeds, and nothing else decides it', async () => {
  for (const first of UNDECIDED) {
    const replies = [first, failed('insufficient_funds'), DONE]
    facilitator.answerWith(({ path }) =>
      path.endsWith('/verify') ? VALID : (replies.shift() ?? 'reset'),
    )
    const taken = await take(payload, requirement)
    assert.equal('reference' in taken && taken.reference, '0xdone', JSON.stringify(first))
  }
})

it('starts no repetition late, and verifies no repeated payment', async () => {
  let nowMs = NOW_MS
  const slow = takeByFacilitator({ ...deps, now: () => nowMs }, async () => undefined)
  facilitator.answerWith(({ path }) => {
    nowMs += 20_000
    return path.endsWith('/verify') ? VALID : 'reset'
  })
  const before = facilitator.requests.length
  await slow(payload, requirement)
  await slow(payload, requirement, true)
  assert.deepEqual(
    facilitator.requests.slice(before).map(({ path }) => path),
    ['/verify', '/settle', '/settle', '/settle', '/settle'],
  )
})

it('reports whether the facilitator serves a network by version 2 of x402', async () => {
  const served = (kinds: object[]) =>
    facilitator.answerWith(() => ({ body: { kinds, extensions: [], signers: {} } }))
  served([
    { x402Version: 2, scheme: 'exact', network: 'eip155:84532' },
    { x402Version: 1, scheme: 'exact', network: 'base' },
  ])
  assert.deepEqual(await askSupported(deps, 'eip155:8453'), {
    kind: 'lacks',
    served: ['exact on eip155:84532'],
  })
  assert.deepEqual(await askSupported(deps, 'eip155:84532'), { kind: 'serves' })
  served([{ x402Version: 2, scheme: 'upto', network: 'eip155:8453' }])
  assert.equal((await askSupported(deps, 'eip155:8453')).kind, 'lacks')
  facilitator.answerWith(() => ({ status: 401, body: { error: 'unauthorized' } }))
  const away = await askSupported(deps, 'eip155:8453')
  assert.match(away.kind === 'unreachable' ? away.reason : '', /401/)
})

/** The error in a request's token as a facilitator finds it; null for a valid one. */
function flawOf(
  { headers, method, path }: VendorRequest,
  publicKey: KeyObject,
  alg: string,
): string | null {
  const [header = '', claims = '', signature = ''] = (headers.authorization ?? '')
    .replace(/^Bearer /, '')
    .split('.')
  const read = (part: string) =>
    JSON.parse(Buffer.from(part, 'base64url').toString('utf8')) as Record<string, unknown>
  const { alg: own, kid, nonce } = read(header)
  const { sub, iss, aud, uris, nbf, exp } = read(claims)
  if (own !== alg || kid !== 'key-1' || !/^[0-9a-f]{32}$/.test(String(nonce))) return 'header'
  if (
    !verify(
      alg === 'EdDSA' ? null : 'sha256',
      Buffer.from(`${header}.${claims}`),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
  )
    return 'signature'
  if (sub !== 'key-1' || iss !== 'cdp' || JSON.stringify(aud) !== '["cdp_service"]') return 'names'
  if (nbf !== NOW_MS / 1000 || exp !== NOW_MS / 1000 + 120) return 'time'
  return JSON.stringify(uris) ===
    JSON.stringify([`${method} ${new URL(facilitator.url).host}${path}`])
    ? null
    : 'address'
}

const edwards = generateKeyPairSync('ed25519')
const { d = '', x = '' } = edwards.privateKey.export({ format: 'jwk' })
const elliptic = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
for (const [alg, publicKey, secret] of [
  [
    'EdDSA',
    edwards.publicKey,
    Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')]).toString('base64'),
  ],
  [
    'ES256',
    elliptic.publicKey,
    elliptic.privateKey.export({ format: 'pem', type: 'sec1' }).toString().replaceAll('\n', '\\n'),
  ],
] as const) {
  it(`signs each request by ${alg} for its method, host, path and two minutes`, async () => {
    const key = readFacilitatorSecret(secret) ?? assert.fail('it is a key')
    const url = `${facilitator.url}/platform/v2/x402`
    const flaws: (string | null)[] = []
    facilitator.answerWith((request) => {
      flaws.push(flawOf(request, publicKey, alg))
      return request.path.endsWith('/verify')
        ? VALID
        : request.path.endsWith('/settle')
          ? DONE
          : { body: { kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }] } }
    })
    const signing: FacilitatorDeps = { ...deps, url, key: { id: 'key-1', key } }
    assert.ok('reference' in (await takeByFacilitator(signing)(payload, requirement)))
    assert.equal((await askSupported(signing, 'eip155:8453')).kind, 'serves')
    assert.deepEqual(flaws, [null, null, null])
  })
}

it('rejects any other secret as a key', () => {
  const other = generateKeyPairSync('ec', { namedCurve: 'secp384r1' })
    .privateKey.export({ format: 'pem', type: 'pkcs8' })
    .toString()
  for (const secret of [
    '',
    'abc',
    Buffer.alloc(32).toString('base64'),
    '-----BEGIN EC PRIVATE KEY-----\nabc\n-----END EC PRIVATE KEY-----',
    other,
  ])
    assert.equal(readFacilitatorSecret(secret), null, secret)
})
