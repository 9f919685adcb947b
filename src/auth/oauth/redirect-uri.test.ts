import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isRegisteredRedirect, redirectTargetOf } from './redirect-uri.ts'

describe('redirectTargetOf', () => {
  for (const [uri, target] of [
    ['https://app.example/callback', 'site'],
    ['https://app.example:8443/callback?tenant=1', 'site'],
    ['http://127.0.0.1/callback', 'device'],
    ['http://[::1]:5000/callback', 'device'],
    ['http://localhost:33418', 'device'],
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'device'],
    ['com.example.app:/oauth', 'device'],
    ['http://app.example/callback', null],
    ['http://127.0.0.1.evil.example/callback', null],
    ['http://localhost.evil.example/', null],
    ['http://localhost:80@evil.example/', null],
    ['http://127.0.0.2/callback', null],
    ['https://user@app.example/', null],
    ['https://app.example/#fragment', null],
    ['https://app.example\\@evil.example/', null],
    ['https://app.example/\u0000', null],
    ['https://app.example/ x', null],
    ['javascript:alert(1)', null],
    ['JavaScript://app.example/%0aalert(1)', null],
    ['data:text/html,x', null],
    ['file:///etc/passwd', null],
    ['view-source:https://app.example/', null],
    ['urn:ietf:wg:oauth:2.0:oob', null],
    ['/callback', null],
    ['', null],
    [`https://app.example/${'x'.repeat(500)}`, null],
  ] as const)
    it(`of ${JSON.stringify(uri.slice(0, 50))} is ${String(target)}`, () => {
      assert.equal(redirectTargetOf(uri), target)
    })
})

describe('isRegisteredRedirect', () => {
  const registered = [
    'https://app.example/callback',
    'http://127.0.0.1/cb',
    'http://localhost:1/x?y=1',
  ]

  for (const uri of [
    'https://app.example/callback',
    'http://127.0.0.1/cb',
    'http://127.0.0.1:49152/cb',
    'http://localhost:65535/x?y=1',
  ])
    it(`accepts ${uri}`, () => {
      assert.equal(isRegisteredRedirect(registered, uri), true)
    })

  for (const uri of [
    'https://app.example:8443/callback',
    'https://app.example/callback/',
    'https://app.example/callback?x=1',
    'http://app.example/callback',
    'http://127.0.0.1:49152/cb/more',
    'http://127.0.0.1:99999/cb',
    'http://localhost:1/cb',
    'http://localhost:1/x?y=2',
    'http://127.0.0.1:1@evil.example/cb',
    'https://127.0.0.1/cb',
  ])
    it(`rejects ${uri}`, () => {
      assert.equal(isRegisteredRedirect(registered, uri), false)
    })
})
