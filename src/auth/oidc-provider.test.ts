import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { afterEach, test } from 'node:test'
import {
  CLIENT,
  startSignInProvider,
  type SignInProvider,
} from '../../test/harness/vendors/sign-in-provider.ts'
import type { AppError } from '../errors/app-error.ts'
import { openProvider } from './oidc-provider.ts'
import type { Identity, Provider } from './auth-services.ts'

const BACK = 'https://gate.example/sign-in/provider/back'
const vendor = await startSignInProvider()
vendor.person = { subject: 'jo', email: 'jo@example.com', email_verified: true }
const settings = { ...CLIENT, issuer: vendor.issuer, name: 'Example' }

afterEach(() => {
  vendor.lies = {}
})

async function closedAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return `http://127.0.0.1:${port}`
}

async function goThere(provider: Provider, at: SignInProvider = vendor): Promise<Identity> {
  const { url, roundTrip } = await provider.begin(BACK)
  return provider.finish(await at.follow(url), roundTrip)
}

test('an identity is the issuer and the subject', async () => {
  assert.deepEqual(await goThere(openProvider(settings)), {
    issuer: vendor.issuer,
    subject: 'jo',
    email: 'jo@example.com',
    isEmailVerified: true,
  })
})

test('authenticates the client with a method that the provider accepts', async () => {
  for (const methods of [
    undefined,
    ['client_secret_basic'],
    ['client_secret_post'],
    ['client_secret_post', 'client_secret_basic'],
  ]) {
    vendor.lies = { document: { token_endpoint_auth_methods_supported: methods } }
    assert.equal((await goThere(openProvider(settings))).subject, 'jo')
  }
})

test('finds an issuer whose URL ends with a slash or has a path', async () => {
  for (const path of ['/', '/realms/ours', '/o/tollgate/']) {
    const other = await startSignInProvider(path)
    other.person = vendor.person
    assert.equal(
      (await goThere(openProvider({ ...settings, issuer: other.issuer }), other)).issuer,
      other.issuer,
    )
    if (path !== '/')
      await assert.rejects(
        openProvider({
          ...settings,
          issuer: other.issuer.endsWith('/') ? other.issuer.slice(0, -1) : `${other.issuer}/`,
        }).begin(BACK),
        { code: 'upstream_error' },
      )
  }
})

test('reads the metadata once for concurrent sign-ins', async () => {
  const provider = openProvider(settings)
  const asked = vendor.asked.length
  await Promise.all(Array.from({ length: 5 }, () => provider.begin(BACK)))
  assert.equal(vendor.asked.length - asked, 1)
})

test('each round trip has its own secrets', async () => {
  const provider = openProvider(settings)
  const trips = [(await provider.begin(BACK)).roundTrip, (await provider.begin(BACK)).roundTrip]
  assert.equal(
    new Set(trips.flatMap(({ state, nonce, codeVerifier }) => [state, nonce, codeVerifier])).size,
    6,
  )
})

test('a code is invalid with the secrets of another round trip, and a second time', async () => {
  const provider = openProvider(settings)
  const [mine, theirs] = [await provider.begin(BACK), await provider.begin(BACK)]
  const back = await vendor.follow(mine.url)
  for (const roundTrip of [theirs.roundTrip, { ...mine.roundTrip, state: theirs.roundTrip.state }])
    await assert.rejects(provider.finish(back, roundTrip), (error: AppError) =>
      ['sign_in_refused', 'upstream_error'].includes(error.code),
    )
  await provider.finish(back, mine.roundTrip)
  await assert.rejects(provider.finish(back, mine.roundTrip), { code: 'sign_in_refused' })
})

test('a failure logs its reason, without secrets, codes and tokens', async () => {
  for (const lies of [
    { signing: 'other key' },
    { claims: { nonce: 'other' } },
    { broken: { token: 'fails' } },
    { broken: { jwks: 'babbles' } },
  ] as const) {
    vendor.lies = lies
    const provider = openProvider(settings)
    const { url, roundTrip } = await provider.begin(BACK)
    const back = await vendor.follow(url)
    await assert.rejects(provider.finish(back, roundTrip), (error: AppError) => {
      const told = `${error.message} ${error.fix} ${JSON.stringify(error.details)} ${String(error.cause)}`
      const secrets = [
        CLIENT.clientSecret,
        new URL(back).searchParams.get('code') ?? '',
        roundTrip.codeVerifier,
        roundTrip.nonce,
        'an access token',
        'eyJ',
      ]
      assert.deepEqual(
        secrets.filter((secret) => told.includes(secret)),
        [],
      )
      return error.code === 'upstream_error' && /"code":"\w+"/.test(told)
    })
  }
  vendor.lies = {}
  await assert.rejects(
    goThere(openProvider({ ...settings, clientSecret: 'a wrong one' })),
    (error: AppError) => JSON.stringify(error.details).includes('invalid_client'),
  )
  await assert.rejects(
    openProvider({ ...settings, issuer: await closedAddress() }).begin(BACK),
    (error: AppError) => JSON.stringify(error.details).includes('ECONNREFUSED'),
  )
})
