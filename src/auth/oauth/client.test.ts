import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { documentUrlOf, readClientMetadata } from './client.ts'
import { isVerified } from './pkce.ts'
import { actionsOfScope, scopeOfActions } from './scope.ts'

describe('documentUrlOf', () => {
  for (const id of ['https://app.example/client.json', 'https://app.example:8443/a/b?c=1'])
    it(`accepts ${id}`, () => {
      assert.equal(documentUrlOf(id)?.href, id)
    })

  for (const id of [
    'http://app.example/client.json',
    'https://app.example',
    'https://app.example/',
    'https://app.example/a/../client.json',
    'https://app.example/a/%2e%2e/client.json',
    'https://app.example/./client.json',
    'https://APP.example/client.json',
    'https://app.example:443/client.json',
    'https://user:pass@app.example/client.json',
    'https://app.example/client.json#x',
    'tgc_123',
    `https://app.example/${'x'.repeat(500)}`,
  ])
    it(`rejects ${id.slice(0, 60)}`, () => {
      assert.equal(documentUrlOf(id), null)
    })
})

describe('readClientMetadata', () => {
  const uris = { redirect_uris: ['https://app.example/cb'] }

  it('cleans the name, and falls back for a client without a readable one', () => {
    const names = ['  Two\n lines ', '\u202e\u200b', 7, 'x'.repeat(200)].map(
      (name) => readClientMetadata({ ...uris, client_name: name }, 'fallback').name,
    )
    assert.deepEqual(names, ['Two lines', 'fallback', 'fallback', 'x'.repeat(80)])
  })
})

describe('isVerified', () => {
  // The example of RFC 7636, appendix B.
  const [verifier, challenge] = [
    'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  ]
  it('accepts only the verifier of the challenge', () => {
    assert.deepEqual(
      [
        isVerified(challenge, verifier),
        isVerified(challenge, `${verifier}x`),
        isVerified(challenge, challenge),
        isVerified(challenge, ''),
        isVerified('', verifier),
        isVerified(verifier, verifier),
      ],
      [true, false, false, false, false, false],
    )
  })
})

describe('scopes', () => {
  it('are every action, or patterns of actions; others are ignored', () => {
    const requested = [
      null,
      '',
      'actions',
      'openid email',
      'core/* openid',
      'core/* actions',
      'a/<b>',
    ]
    assert.deepEqual(
      requested.map((scope) => scopeOfActions(actionsOfScope(scope))),
      ['actions', 'actions', 'actions', 'actions', 'core/*', 'actions', 'actions'],
    )
  })
})
