import assert from 'node:assert/strict'
import { it } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import { requestHead, type PlainRequest } from './request-text.ts'

const request: PlainRequest = {
  origin: 'http://vendor.example',
  path: '/search?q=a',
  method: 'POST',
  headers: { 'x-key': 'one' },
  body: '{}',
}

it('writes the host, the headers and the length of the body', () => {
  assert.equal(
    requestHead(request, 'vendor.example', 2),
    'POST /search?q=a HTTP/1.1\r\nhost: vendor.example\r\nconnection: keep-alive\r\nx-key: one\r\naccept-encoding: identity\r\ncontent-length: 2\r\n\r\n',
  )
  assert.equal(
    requestHead({ ...request, method: 'GET', headers: {}, body: null }, 'vendor.example', 0),
    'GET /search?q=a HTTP/1.1\r\nhost: vendor.example\r\nconnection: keep-alive\r\naccept-encoding: identity\r\n\r\n',
  )
  assert.match(
    requestHead({ ...request, body: null }, 'vendor.example', 0),
    /content-length: 0\r\n/,
  )
})

it('requests an uncompressed response, unless the caller sets accept-encoding', () => {
  assert.match(requestHead(request, 'vendor.example', 2), /\r\naccept-encoding: identity\r\n/)
  assert.equal(
    requestHead({ ...request, headers: { 'accept-encoding': 'gzip' } }, 'vendor.example', 2)
      .match(/accept-encoding: .*/g)
      ?.join(),
    'accept-encoding: gzip',
  )
})

it('rejects any request that could start another one', () => {
  const smuggled: readonly Partial<PlainRequest>[] = [
    { path: '/a HTTP/1.1\r\nx: y' },
    { path: '/a b' },
    { path: 'a' },
    { path: '/\u{fc}' },
    { method: 'GET /' },
    { method: 'get' },
    { headers: { 'x-key': 'one\r\nx-two: 2' } },
    { headers: { 'x-key': 'one\n' } },
    { headers: { 'x-key': '\u{2014}' } },
    { headers: { 'x key': 'one' } },
    { headers: { 'x-key\r\n': 'one' } },
    { headers: { host: 'elsewhere.example' } },
    { headers: { 'content-length': '0' } },
    { headers: { 'transfer-encoding': 'chunked' } },
    { headers: { connection: 'upgrade' } },
    { headers: { 'Content-Length': '0' } },
    { headers: { HOST: 'elsewhere.example' } },
    { headers: { 'Transfer-Encoding': 'chunked' } },
  ]
  for (const change of smuggled)
    assert.throws(
      () => requestHead({ ...request, ...change }, 'vendor.example', 2),
      (error) => error instanceof AppError && error.code === 'upstream_error',
      JSON.stringify(change),
    )
})
