import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { createGuard } from './guard.ts'
import { download, type Download } from './download.ts'

const guard = createGuard({ allowPrivateNetworks: ['127.0.0.0/8'] })
let answer: { readonly body: Buffer; readonly encoding: string | readonly string[] }
let server: Server
let url = ''
before(async () => {
  server = createServer((_request, response) =>
    response.setHeader('content-encoding', answer.encoding).end(answer.body),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`
})
after(async () => {
  await guard.close()
  server.close()
})

function downloaded(body: Buffer, encoding: string | readonly string[]): Promise<Download> {
  answer = { body, encoding }
  return download(url, {
    guard,
    userAgent: 'Gate/1.0',
    signal: new AbortController().signal,
    idleMs: 60_000,
    now: () => 0,
  })
}

test('decodes a file with several encodings, in one header or several', async () => {
  for (const [body, encoding] of [
    [gzipSync('content'), 'gzip'],
    [brotliCompressSync(gzipSync('content')), 'gzip, br'],
    [brotliCompressSync(gzipSync('content')), ['gzip', 'br']],
    [zstdCompressSync(gzipSync(gzipSync('content'))), 'gzip, identity, x-gzip, zstd'],
  ] as const) {
    const found = await downloaded(body, encoding)
    assert.deepEqual(
      [String(await buffer(found.body)), found.announcedBytes],
      ['content', null],
      String(encoding),
    )
  }
})

test('rejects a file with an unknown encoding or too many encodings', async () => {
  for (const encoding of ['compress', 'gzip, compress', 'gzip, gzip, gzip, gzip'])
    await assert.rejects(
      downloaded(gzipSync('content'), encoding),
      { code: 'upstream_error' },
      encoding,
    )
})

test('fails when a file does not match its outer or inner encoding', async () => {
  for (const body of [Buffer.from('content'), gzipSync('content')]) {
    const found = await downloaded(body, 'gzip, gzip')
    await assert.rejects(buffer(found.body))
  }
})
