import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StartError } from '../../errors/start-error.ts'
import { loadConfig } from './config.ts'

const PROVIDER = {
  OIDC_ISSUER: 'https://id.example/realms/ours/',
  OIDC_CLIENT_ID: 'tollgate',
  OIDC_CLIENT_SECRET: 'hunter2',
}
const isRefusal = (start: string) => (error: unknown) =>
  error instanceof StartError &&
  error.message.startsWith(start) &&
  !error.message.includes('hunter2')

describe('the OpenID Connect provider', () => {
  it('keeps its issuer as written, and shows its name or else its host', () => {
    assert.deepEqual(loadConfig(PROVIDER).people.provider, {
      issuer: 'https://id.example/realms/ours/',
      clientId: 'tollgate',
      clientSecret: 'hunter2',
      name: 'id.example',
    })
    assert.equal(loadConfig({ ...PROVIDER, OIDC_NAME: 'Example' }).people.provider?.name, 'Example')
    assert.equal(loadConfig({}).people.provider, null)
  })

  it('needs all of its settings or none', () => {
    for (const name of ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'])
      assert.throws(() => loadConfig({ ...PROVIDER, [name]: ' ' }), isRefusal(name))
  })

  it('uses https unless it is on this machine', () => {
    for (const issuer of [
      'http://id.example',
      'http://10.0.0.1',
      'http://localhost.example',
      'http://id.localhost',
      'http://127.0.0.1.example',
    ])
      assert.throws(
        () => loadConfig({ ...PROVIDER, OIDC_ISSUER: issuer }),
        isRefusal('OIDC_ISSUER must be an https URL'),
      )
    for (const issuer of ['http://localhost:9000', 'http://127.0.0.1:9000', 'http://[::1]:9000'])
      assert.equal(loadConfig({ ...PROVIDER, OIDC_ISSUER: issuer }).people.provider?.issuer, issuer)
  })

  it('needs a valid URL', () => {
    for (const issuer of [
      'id.example',
      'https://me:hunter2@id.example',
      'https://id.example/?tenant=ours',
      'https://id.example/#x',
    ])
      assert.throws(
        () => loadConfig({ ...PROVIDER, OIDC_ISSUER: issuer }),
        isRefusal('OIDC_ISSUER'),
      )
  })

  it('suffices for open sign-up', () => {
    assert.equal(loadConfig({ ...PROVIDER, SIGN_UP: 'open' }).people.signUp, true)
    assert.throws(() => loadConfig({ SIGN_UP: 'open' }), isRefusal('SIGN_UP'))
  })
})
