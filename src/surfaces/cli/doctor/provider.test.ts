import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLIENT, startSignInProvider } from '../../../../test/harness/vendors/sign-in-provider.ts'
import { loadConfig } from '../../../app/settings/config.ts'
import { checkProvider } from './provider.ts'

const provider = await startSignInProvider()
const settings = {
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: CLIENT.clientId,
  OIDC_CLIENT_SECRET: CLIENT.clientSecret,
  OIDC_NAME: 'Example',
}

test('names the redirect address to register at the provider', async () => {
  assert.equal((await checkProvider(loadConfig({}))).state, 'missing')
  const { state, found } = await checkProvider(
    loadConfig({ ...settings, PUBLIC_URL: 'https://gate.example' }),
  )
  assert.deepEqual(
    [state, found.includes('https://gate.example/sign-in/provider/back')],
    ['ok', true],
  )
})

test('reports an unreachable or different provider as broken without its secret', async () => {
  for (const OIDC_ISSUER of [`${provider.issuer}/other`, 'http://127.0.0.1:9']) {
    const check = await checkProvider(loadConfig({ ...settings, OIDC_ISSUER }))
    assert.deepEqual(
      [
        check.state,
        check.found.includes(OIDC_ISSUER),
        JSON.stringify(check).includes(CLIENT.clientSecret),
      ],
      ['broken', true, false],
    )
  }
})
