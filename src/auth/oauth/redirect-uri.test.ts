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
    ['vscode://vscode.github-authentication/did-authenticate', 'device'],
    ['vscode-insiders://x.y/cb', 'device'],
    ['org.example.reader://oauth', 'device'],
    ['de.example.app:/oauth', 'device'],
    ['https://my_app.example/cb', 'site'],
    ['https://[2001:db8::1]:8443/cb', 'site'],
    ['http://app.example/callback', null],
    ...[
      ';sandbox',
      ',default-src',
      '*',
      "'self'",
      '"',
      '$&',
      '!',
      '(',
      '+',
      '=',
      '&',
      '{',
      '`',
      '~',
    ].map((text) => [`https://a${text}/cb`, null] as const),
    ['https://*.example/', null],
    ['https://%3bsandbox/', null],
    ['https:a;sandbox/', null],
    ...[
      'ms-settings',
      'ms-officecmd',
      'ms-msdt',
      'search',
      'search-ms',
      'shell',
      'ssh',
      'jar',
      'ldap',
      'telnet',
      'facetime',
      'itms-services',
      'android-app',
      'x-apple.systempreferences',
      'microsoft.windows.camera',
      'ftp',
      'unheard-of',
    ].map((scheme) => [`${scheme}://x/cb`, null] as const),
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
