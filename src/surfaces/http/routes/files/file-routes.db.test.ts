import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import {
  createServer,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestListener,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, it, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openAppBed } from '../../../../../test/harness/beds/app.ts'
import { cleanUp } from '../../../../../test/harness/clean-up.ts'
import { closeAccount } from '../../../../accounts/close-account.ts'
import { createAccount } from '../../../../accounts/create-account.ts'
import { sweepFiles } from '../../../../resources/files/sweep.ts'
import { fileHeaders } from './file-headers.ts'

// Short enough for a test, long enough for a busy machine.
const LIMITS = { headersMs: 1_000, requestMs: 1_000, checkEveryMs: 50, stalledMs: 60_000 }
const bed = await openAppBed({ clientLimits: LIMITS })
const url = await bed.app.listen({ port: 0, host: '127.0.0.1' })
const local = (link: string): string => link.replace('https://gate.example', url)

type Slot = { file_id: string; put_url: string; get_url: string }
type Row = Slot & {
  filename: string
  mime: string
  size: number
  sha256: string
  source: string
  tags: string[]
  files: Row[]
  used_bytes: number
}
type Ran = { status: number; data: Row; code: string | undefined; micros: number; body: string }

async function run(action: string, body: unknown, key = bed.liveKey): Promise<Ran> {
  const reply = await bed.post(`/api/run/files/${action}`, body, { authorization: `Bearer ${key}` })
  const {
    data,
    error,
    charged_micros: micros,
  } = reply.json<{ data: Row; error?: { code: string }; charged_micros: number }>()
  return { status: reply.statusCode, data, code: error?.code, micros, body: reply.body }
}

async function slotFor(bytes: Buffer, facts: object = {}): Promise<Slot> {
  return (await run('upload', { filename: 'a.bin', size_bytes: bytes.length, ...facts })).data
}

const put = (
  link: string,
  body: Buffer | ReadableStream,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(local(link), {
    method: 'PUT',
    body: body as RequestInit['body'],
    headers,
    duplex: 'half',
  } as RequestInit)
const codeOf = async (reply: Response): Promise<string> =>
  ((await reply.json()) as { error: { code: string } }).error.code

async function fileOf(bytes: Buffer, facts: object = {}): Promise<Slot> {
  const slot = await slotFor(bytes, facts)
  assert.equal((await put(slot.put_url, bytes)).status, 200)
  return slot
}

/** Opens a PUT whose body the test sends step by step. */
function openPut(
  link: string,
  headers: Record<string, string | number>,
): { request: ClientRequest; answer: Promise<{ status: number; body: string }> } {
  const request = httpRequest(local(link), { method: 'PUT', headers })
  const answer = once(request, 'response').then(async ([response]) => ({
    status: (response as IncomingMessage).statusCode ?? 0,
    body: await text(response as IncomingMessage),
  }))
  answer.catch(() => undefined)
  request.flushHeaders()
  return { request, answer }
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

describe('a file', () => {
  it('is uploaded to put_url and downloaded from get_url unchanged, for one cent, without a key', async () => {
    const bytes = randomBytes(300_000)
    const slot = await run('upload', {
      filename: 'Bericht "Ä".png',
      size_bytes: bytes.length,
      tags: ['t'],
      note: 'n',
    })
    assert.deepEqual([slot.status, slot.micros], [200, 10_000])
    const uploaded = await put(slot.data.put_url, bytes, {
      'content-type': 'application/x-www-form-urlencoded',
    })
    const { data } = (await uploaded.json()) as { data: Row }
    assert.deepEqual(
      [uploaded.status, data.size, data.mime, data.source, data.sha256],
      [200, bytes.length, 'image/png', 'upload', createHash('sha256').update(bytes).digest('hex')],
    )
    const reply = await fetch(local(slot.data.get_url))
    assert.deepEqual(Buffer.from(await reply.arrayBuffer()), bytes)
    assert.equal(
      reply.headers.get('content-disposition'),
      `attachment; filename="Bericht ___.png"; filename*=UTF-8''Bericht%20%22%C3%84%22.png`,
    )
    const again = await run('get', { file_id: slot.data.file_id })
    assert.deepEqual(
      [again.micros, again.data.sha256, (await fetch(local(again.data.get_url))).status],
      [0, data.sha256, 200],
    )
  })

  it('supports ranges, conditions and HEAD', async () => {
    const bytes = randomBytes(1_000)
    const { get_url: link } = await fileOf(bytes)
    const ask = (headers: Record<string, string>, method = 'GET'): Promise<Response> =>
      fetch(local(link), { headers, method })
    const part = await ask({ range: 'bytes=100-199' })
    assert.deepEqual(
      [part.status, part.headers.get('content-range'), part.headers.get('content-length')],
      [206, 'bytes 100-199/1000', '100'],
    )
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), bytes.subarray(100, 200))
    const tag = part.headers.get('etag') ?? ''
    assert.deepEqual(
      Buffer.from(await (await ask({ range: 'bytes=-5', 'if-range': tag })).arrayBuffer()),
      bytes.subarray(995),
    )
    assert.equal((await ask({ range: 'bytes=0-4', 'if-range': '"other"' })).status, 200)
    const beyond = await ask({ range: 'bytes=1000-' })
    assert.deepEqual(
      [
        beyond.status,
        beyond.headers.get('content-range'),
        beyond.headers.get('content-disposition'),
        await codeOf(beyond),
      ],
      [416, 'bytes */1000', null, 'range_not_satisfiable'],
    )
    for (const known of [tag, `"other", W/${tag}`, '*'])
      assert.equal((await ask({ 'if-none-match': known })).status, 304, known)
    assert.equal((await ask({ 'if-none-match': '"other"' })).status, 200)
    assert.deepEqual(
      [
        (await ask({ range: 'bytes=0-4' }, 'HEAD')).status,
        (await ask({ range: 'bytes=2000-' }, 'HEAD')).status,
      ],
      [200, 200],
    )
    const head = await ask({}, 'HEAD')
    assert.deepEqual(
      [
        head.status,
        head.headers.get('content-length'),
        head.headers.get('accept-ranges'),
        await head.text(),
      ],
      [200, '1000', 'bytes', ''],
    )
  })

  it('has its announced media type without parameters', async () => {
    const { data } = await run('upload', {
      filename: 'x.bin',
      size_bytes: 3,
      mime: 'Text/CSV ; charset="utf-8"',
    })
    assert.equal(data.mime, 'text/csv')
    assert.equal(
      (await run('upload', { filename: 'x.bin', size_bytes: 3, mime: 'charset=utf-8' })).code,
      'invalid_params',
    )
  })

  it('is never displayed on the gateway’s own origin, for any media type', async () => {
    for (const [filename, mime] of [
      ['x.html', undefined],
      ['x.svg', undefined],
      ['x.bin', 'text/html'],
      ['x.bin', 'application/xhtml+xml'],
      ['x.xml', 'text/xml'],
      ['x.js', 'text/javascript'],
      ['x', 'image/svg+xml'],
    ] as const) {
      const { get_url: link } = await fileOf(Buffer.from('<script>alert(1)</script>'), {
        filename,
        ...(mime === undefined ? {} : { mime }),
      })
      const { headers } = await fetch(local(link))
      assert.equal(headers.get('content-type'), 'application/octet-stream')
      assert.match(headers.get('content-disposition') ?? '', /^attachment; /)
      assert.equal(headers.get('x-content-type-options'), 'nosniff')
      assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox")
    }
    assert.equal(
      fileHeaders({ filename: 'a.png', mime: 'image/png', sha256: null })['content-type'],
      'image/png',
    )
    assert.equal(
      fileHeaders({ filename: 'a', mime: 'image/png+xml', sha256: null })['content-type'],
      'application/octet-stream',
    )
  })

  it('that is deleted is gone immediately with its links, and its space is free', async () => {
    const { file_id: fileId, get_url: link, put_url: slot } = await fileOf(Buffer.alloc(50))
    const before = (await run('list', {})).data.used_bytes
    assert.deepEqual((await run('delete', { file_id: fileId })).data, {
      file_id: fileId,
      deleted: true,
      freed_bytes: 50,
    })
    assert.deepEqual(
      [
        (await fetch(local(link))).status,
        (await put(slot, Buffer.alloc(50))).status,
        (await run('get', { file_id: fileId })).code,
      ],
      [404, 404, 'unknown_file'],
    )
    assert.equal((await run('list', {})).data.used_bytes, before - 50)
  })

  it('is not accessible to other accounts or the test key', async () => {
    const { file_id: fileId } = await fileOf(Buffer.alloc(10))
    for (const key of [bed.strangerKey, bed.testKey]) {
      for (const action of ['get', 'delete'])
        assert.deepEqual(
          [
            (await run(action, { file_id: fileId }, key)).status,
            (await run(action, { file_id: fileId }, key)).code,
          ],
          [404, 'unknown_file'],
        )
      assert.deepEqual((await run('list', {}, key)).data.files, [])
    }
    assert.equal((await run('get', { file_id: fileId })).status, 200)
  })

  it('of a test key is marked as test and uses test credit', async () => {
    const slot = await run('upload', { filename: 'a', size_bytes: 1 }, bed.testKey)
    assert.match(slot.body, /"test":true/)
    assert.match(slot.data.put_url, /mode=test/)
    assert.equal((await put(slot.data.put_url, Buffer.from('x'))).status, 200)
    assert.equal(
      (await put(slot.data.put_url.replace('mode=test', 'mode=live'), Buffer.from('x'))).status,
      403,
    )
  })
})

describe('a link', () => {
  it('is rejected after a change of any field, and for the other method', async () => {
    const { put_url: up, get_url: down, file_id: fileId } = await fileOf(Buffer.alloc(10))
    const other = await slotFor(Buffer.alloc(10))
    const changes = (link: string, from: string, to: string): string[] => [
      link.replace(/expires=(\d+)/, (_, at: string) => `expires=${Number(at) + 1}`),
      link.replace('size=10', 'size=11'),
      link.replace('mode=live', 'mode=test'),
      link.replace(/.$/, (letter) => (letter === 'A' ? 'B' : 'A')),
      link.replace(/&signature=.*/, ''),
      link.replace(from, to),
      `${link}&x=1`,
      `${link}&mode=live`,
      link.replace(/\?.*/, ''),
    ]
    for (const link of [...changes(down, fileId, other.file_id), up]) {
      const reply = await fetch(local(link))
      assert.deepEqual([reply.status, await codeOf(reply)], [403, 'link_invalid'], link)
    }
    for (const link of [...changes(other.put_url, other.file_id, fileId), other.get_url]) {
      const reply = await put(link, Buffer.alloc(10))
      assert.deepEqual([reply.status, await codeOf(reply)], [403, 'link_invalid'], link)
    }
  })

  it('ends immediately with the account, for both methods', async () => {
    const { account, live } = await createAccount(
      { database: bed.database, now: bed.clock },
      { email: 'leaves@example.com', tier: 'personal' },
    )
    const bytes = randomBytes(100)
    const [file, slot] = await Promise.all(
      [1, 2].map(
        async () =>
          (await run('upload', { filename: 'a.bin', size_bytes: bytes.length }, live.key)).data,
      ),
    )
    assert.ok(file !== undefined && slot !== undefined)
    await put(file.put_url, bytes)
    assert.equal((await fetch(local(file.get_url))).status, 200)
    await closeAccount(bed.database, account.id)
    const links = [
      () => fetch(local(file.get_url)),
      () => fetch(local(file.get_url), { headers: { 'if-none-match': '*' } }),
      () => put(file.put_url, bytes),
      () => put(slot.put_url, bytes),
    ]
    for (const open of links) {
      const reply = await open()
      assert.deepEqual([reply.status, await codeOf(reply)], [404, 'unknown_file'])
    }
  })

  it('expires after an hour; the file stays', async () => {
    const { get_url: link, file_id: fileId } = await fileOf(Buffer.alloc(10))
    bed.clock.advance(3_600_000)
    assert.equal((await fetch(local(link))).status, 403)
    assert.equal(
      (await fetch(local((await run('get', { file_id: fileId })).data.get_url))).status,
      200,
    )
  })
})

describe('an upload', () => {
  it('that is interrupted creates no file, and the same link accepts the whole file later', async () => {
    const bytes = randomBytes(200_000)
    const slot = await slotFor(bytes)
    const { request } = openPut(slot.put_url, { 'content-length': bytes.length })
    request.on('error', () => undefined)
    await new Promise<void>((sent) => request.write(bytes.subarray(0, 150_000), () => sent()))
    request.destroy()
    assert.deepEqual(
      [
        (await fetch(local(slot.get_url))).status,
        (await run('get', { file_id: slot.file_id })).code,
      ],
      [404, 'unknown_file'],
    )
    assert.equal((await put(slot.put_url, bytes)).status, 200)
    assert.deepEqual(Buffer.from(await (await fetch(local(slot.get_url))).arrayBuffer()), bytes)
  })

  it('over a slow connection may take longer than other requests', async () => {
    const slot = await slotFor(Buffer.alloc(20))
    const { request, answer } = openPut(slot.put_url, { 'content-length': 20 })
    for (let index = 0; index < 20; index += 1) {
      request.write('x')
      await pause(LIMITS.requestMs / 10)
    }
    request.end()
    assert.equal((await answer).status, 200)
  })

  it('that stalls is rejected with a timeout', async () => {
    const slot = await slotFor(Buffer.alloc(8))
    const { request, answer } = openPut(slot.put_url, { 'content-length': 8 })
    request.on('error', () => undefined)
    request.write('xxx')
    const { status, body } = await answer
    assert.equal(status, 408)
    assert.match(body, /"code":"request_timeout"/)
  })

  it('replaces an earlier upload to the same slot', async () => {
    const slot = await slotFor(Buffer.alloc(8))
    const { request, answer } = openPut(slot.put_url, { 'content-length': 8 })
    request.on('error', () => undefined)
    await new Promise<void>((sent) => request.write('xxx', () => sent()))
    while (readdirSync(bed.files.incoming).length === 0) await pause(5)
    assert.equal((await put(slot.put_url, Buffer.alloc(8, 'b'))).status, 200)
    assert.match((await answer).body, /replaced this one/)
    assert.equal(await (await fetch(local(slot.get_url))).text(), 'bbbbbbbb')
    assert.deepEqual(readdirSync(bed.files.incoming), [])
  })

  it('without bytes creates an empty file', async () => {
    const { get_url: link } = await fileOf(Buffer.alloc(0))
    const reply = await fetch(local(link))
    assert.deepEqual(
      [reply.status, reply.headers.get('content-length'), await reply.text()],
      [200, '0', ''],
    )
  })

  it('gets a retryable error if the disk is unusable, and the slot stays', async () => {
    const slot = await slotFor(Buffer.alloc(8))
    rmSync(bed.files.incoming, { recursive: true })
    writeFileSync(bed.files.incoming, '')
    const refused = await put(slot.put_url, Buffer.alloc(8))
    rmSync(bed.files.incoming)
    assert.deepEqual(
      [refused.status, refused.headers.get('retry-after'), await codeOf(refused)],
      [503, '30', 'overloaded'],
    )
    assert.equal((await put(slot.put_url, Buffer.alloc(8))).status, 200)
  })

  it('with a different size or hash than announced is rejected', async () => {
    const bytes = randomBytes(100)
    const digest = (of: Buffer): string =>
      `sha-256=:${createHash('sha256').update(of).digest('base64')}:`
    const slot = await slotFor(bytes)
    const chunked = (size: number): ReadableStream => new Blob([new Uint8Array(size)]).stream()
    for (const reply of [
      await put(slot.put_url, Buffer.alloc(99)),
      await put(slot.put_url, chunked(200_000)),
      await put(slot.put_url, chunked(99)),
      await put(slot.put_url, bytes, { 'content-digest': digest(Buffer.alloc(1)) }),
    ]) {
      assert.deepEqual([reply.status, await codeOf(reply)], [422, 'upload_mismatch'])
    }
    assert.equal(
      (await put(slot.put_url, bytes, { 'content-digest': 'sha-256=invalidSetting' })).status,
      400,
    )
    assert.equal((await put(slot.put_url, bytes, { 'content-digest': digest(bytes) })).status, 200)
  })

  it('above the quota is rejected before any charge', async () => {
    const used = (await run('list', {})).data.used_bytes
    const cases = [
      [{ filename: 'a', size_bytes: 100 * 1024 * 1024 + 1 }, 413, 'file_too_large'],
      [{ filename: 'a', size_bytes: 1_000_001 }, 413, 'file_too_large'],
    ] as const
    for (const [body, status, code] of cases) {
      const reply = await run('upload', body)
      assert.deepEqual([reply.status, reply.code, reply.micros], [status, code, 0])
    }
    const slots = await Promise.all(
      [1, 2, 3].map(() => run('upload', { filename: 'a', size_bytes: 900_000 })),
    )
    const full = slots.filter(({ status }) => status === 403)
    assert.ok(
      full.length > 0 &&
        full.every(({ code, micros }) => code === 'storage_quota_exceeded' && micros === 0),
    )
    bed.clock.advance(2 * 3_600_000 + 1)
    await sweepFiles(bed.files)
    assert.ok((await run('list', {})).data.used_bytes <= used)
  })
})

test('reports a file without bytes as missing, with the reason', async () => {
  const { file_id: id } = await slotFor(Buffer.alloc(3))
  const { status, code, body } = await run('get', { file_id: id })
  assert.deepEqual([status, code], [404, 'unknown_file'])
  assert.match(
    (JSON.parse(body) as { error: { fix: string } }).error.fix,
    /exists once put_url has received all its bytes/,
  )
})

describe('a full account', () => {
  it('learns of unused upload slots, and has space again after their deletion', async () => {
    const upload = () => run('upload', { filename: 'a', size_bytes: 900_000 })
    const made = []
    let last = await upload()
    for (; last.status === 200; last = await upload()) made.push(last.data.file_id)
    const { error } = JSON.parse(last.body) as {
      error: {
        code: string
        fix: string
        details: { open_slots: { count: number; bytes: number; file_ids: string[] } }
      }
    }
    assert.equal(error.code, 'storage_quota_exceeded')
    assert.match(error.fix, /details\.open_slots/)
    const { count, bytes, file_ids: named } = error.details.open_slots
    assert.ok(
      made.length > 0 &&
        made.every((id) => named.includes(id)) &&
        count === named.length &&
        bytes >= 900_000 * made.length,
    )
    assert.ok((await run('list', {})).data.files.every(({ file_id: id }) => !named.includes(id)))
    for (const id of named) assert.equal((await run('delete', { file_id: id })).status, 200)
    assert.equal((await upload()).status, 200)
  })
})

describe('upload_from_url', () => {
  const answers = new Map<string, RequestListener>()
  const server = createServer((request, response) =>
    answers.get(request.url ?? '')?.(request, response),
  )
  cleanUp(() => {
    server.closeAllConnections()
    server.close()
  })
  const serve = async (path: string, answer: RequestListener): Promise<string> => {
    if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening')
    answers.set(path, answer)
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  }

  it('stores the file with the server’s name and type, for one cent', async () => {
    const bytes = randomBytes(70_000)
    const target = await serve('/report', (_, response) =>
      response
        .writeHead(200, {
          'content-type': 'application/pdf; x=y',
          'content-disposition': `attachment; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf`,
        })
        .end(bytes),
    )
    const start = await serve('/start', (_, response) =>
      response.writeHead(302, { location: target }).end(),
    )
    const { data, micros } = await run('upload_from_url', { url: start, tags: ['x'] })
    assert.deepEqual(
      [micros, data.filename, data.mime, data.size, data.source, data.tags],
      [10_000, 'résumé.pdf', 'application/pdf', 70_000, 'url', ['x']],
    )
    assert.deepEqual(Buffer.from(await (await fetch(local(data.get_url))).arrayBuffer()), bytes)
  })

  it('decompresses an unrequested encoding and takes the name from the URL', async () => {
    const target = await serve('/dir/data%20set.csv', (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('a,b\n')),
    )
    const { data } = await run('upload_from_url', { url: target })
    assert.deepEqual([data.filename, data.mime, data.size], ['data set.csv', 'text/csv', 4])
  })

  it('reads a quoted name completely and ignores an empty one', async () => {
    for (const [quoted, filename] of [
      [String.raw`"the \"last\" word.txt"`, 'the "last" word.txt'],
      ['""', 'named.csv'],
      ['plain.txt', 'plain.txt'],
    ] as const) {
      const target = await serve('/named.csv', (_, response) =>
        response
          .writeHead(200, { 'content-disposition': `attachment; filename=${quoted}` })
          .end('a'),
      )
      assert.equal((await run('upload_from_url', { url: target })).data.filename, filename)
    }
  })

  it('from an unavailable server returns Retry-After', async () => {
    const target = await serve('/503', (_, response) =>
      response.writeHead(503, { 'retry-after': '9' }).end(),
    )
    const reply = await bed.post('/api/run/files/upload_from_url', { url: target })
    assert.deepEqual([reply.statusCode, reply.headers['retry-after']], [503, '9'])
  })

  it('that fails charges nothing and stores nothing', async () => {
    const kept = (await run('list', {})).data.used_bytes
    const cases: readonly (readonly [string, number, string, RequestListener])[] = [
      ['/404', 404, 'upstream_not_found', (_, response) => response.writeHead(404).end()],
      ['/401', 422, 'upstream_rejected', (_, response) => response.writeHead(401).end()],
      ['/204', 422, 'upstream_rejected', (_, response) => response.writeHead(204).end()],
      [
        '/206',
        422,
        'upstream_rejected',
        (_, response) => response.writeHead(206, { 'content-range': 'bytes 0-3/900' }).end('part'),
      ],
      ['/429', 503, 'upstream_busy', (_, response) => response.writeHead(429).end()],
      ['/500', 502, 'upstream_error', (_, response) => response.writeHead(500).end()],
      [
        '/large',
        413,
        'file_too_large',
        (_, response) => response.writeHead(200, { 'content-length': 1_000_001 }).flushHeaders(),
      ],
      [
        '/endless',
        413,
        'file_too_large',
        (_, response) => response.writeHead(200).end(Buffer.alloc(1_000_001)),
      ],
      [
        '/bomb',
        413,
        'file_too_large',
        (_, response) =>
          response
            .writeHead(200, { 'content-encoding': 'gzip' })
            .end(gzipSync(Buffer.alloc(2_000_000))),
      ],
      [
        '/cut',
        502,
        'upstream_error',
        (_, response) =>
          response.writeHead(200, { 'content-length': 100 }).write('x', () => response.destroy()),
      ],
      [
        '/broken',
        502,
        'upstream_error',
        (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'),
      ],
      [
        '/circle',
        502,
        'upstream_error',
        (_, response) => response.writeHead(302, { location: '/circle' }).end(),
      ],
      [
        '/inside',
        400,
        'bad_url',
        (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      ],
      [
        '/file',
        400,
        'bad_url',
        (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      ],
    ]
    for (const [path, status, code, answer] of cases) {
      const reply = await run('upload_from_url', { url: await serve(path, answer) })
      assert.deepEqual(
        [reply.status, reply.code, reply.micros],
        [status, code, 0],
        `${path} ${reply.body}`,
      )
    }
    for (const target of [
      'http://169.254.169.254/latest',
      'http://[::ffff:10.0.0.1]/',
      'ftp://example.com/a',
      'nonsense',
    ]) {
      const refused = await run('upload_from_url', { url: target })
      assert.deepEqual(
        [
          refused.code,
          refused.micros,
          (JSON.parse(refused.body) as { error: { param: string | null } }).error.param,
        ],
        ['bad_url', 0, 'url'],
      )
    }
    assert.equal((await run('list', {})).data.used_bytes, kept)
  })
})
