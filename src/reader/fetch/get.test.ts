import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import { createGuard, type Guard } from '../../upstream/guard.ts'
import { createPageGetter, MAX_PAGE_BYTES, type GetterSettings, type PageGetter } from './get.ts'
import type { GetOptions } from './resource.ts'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

describe('reading a page', () => {
  const routes = new Map<string, Handler>()
  const asked: string[] = []
  let base = ''
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const handler = routes.get((request.url ?? '').replace(/\?.*/, ''))
    if (handler === undefined) return void response.writeHead(404).end()
    handler(request, response)
  })
  const guards: Guard[] = []
  const getterWith = (
    settings: Partial<GetterSettings> & { opened?: string[]; ownPages?: string[] } = {},
  ): PageGetter => {
    const guard = createGuard({
      allowPrivateNetworks: settings.opened ?? ['127.0.0.0/8'],
      ownPages: settings.ownPages,
    })
    guards.push(guard)
    return createPageGetter({
      guard,
      userAgent: 'Mozilla/5.0 (compatible; Tollgate/1.0)',
      respectRobots: false,
      now: manualClock(0),
      ...settings,
    })
  }
  const options = (more: Partial<GetOptions> = {}): GetOptions => ({
    signal: new AbortController().signal,
    timeoutMs: 60_000,
    ...more,
  })
  const serve = (
    path: string,
    body: string | Buffer,
    headers: Record<string, string> = { 'content-type': 'text/html; charset=utf-8' },
  ) => routes.set(path, (_request, response) => response.writeHead(200, headers).end(body))

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(async () => {
    await Promise.all(guards.map((guard) => guard.close()))
    server.closeAllConnections()
    server.close()
  })

  const failure = async (path: string, more: Partial<GetOptions> = {}, getter = getterWith()) => {
    const answer = await getter.page(
      path.startsWith('http') ? path : `${base}${path}`,
      options(more),
    )
    assert.equal(answer.kind, 'failed')
    return answer.kind === 'failed' ? answer : assert.fail()
  }
  const textOf = async (path: string) => {
    const answer = await getterWith().page(`${base}${path}`, options())
    return answer.kind === 'page' ? answer.html : assert.fail(answer.reason)
  }

  it('follows a redirect and returns the final URL, status and type', async () => {
    routes.set('/old', (_request, response) =>
      response.writeHead(302, { location: 'new?x=1' }).end('moved'),
    )
    serve('/new', '<p>hello</p>')
    const answer = await getterWith().page(`${base}/old`, options())
    assert.ok(answer.kind === 'page')
    const { html, finalUrl, url, status, contentType, bytes } = answer
    assert.deepEqual(
      { html, finalUrl, url, status, contentType, bytes },
      {
        html: '<p>hello</p>',
        finalUrl: `${base}/new?x=1`,
        url: `${base}/old`,
        status: 200,
        contentType: 'text/html',
        bytes: 12,
      },
    )
  })

  for (const target of [
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/',
    'http://[::ffff:10.0.0.1]/',
    'file:///etc/passwd',
    'http://user@127.0.0.1/',
    'http://2130706433:22/',
  ]) {
    it(`rejects a redirect to ${target}`, async () => {
      routes.set('/away', (_request, response) =>
        response.writeHead(302, { location: target }).end(),
      )
      const guard = createGuard({ allowPrivateNetworks: ['127.0.0.1/32'] })
      guards.push(guard)
      const { reason } = await failure('/away', {}, getterWith({ guard }))
      assert.ok(['blocked_address', 'bad_url', 'refused'].includes(reason), reason)
      assert.ok(target.includes('2130706433') || reason !== 'refused')
    })
  }

  it('rejects a private address after any redirect without contacting it', async () => {
    serve('/secret', 'secret')
    routes.set('/hop', (_request, response) =>
      response.writeHead(307, { location: `${base}/secret` }).end(),
    )
    const getter = getterWith({ opened: [], ownPages: [`${base}/hop`, `${base}/secret`] })
    const start = asked.length
    assert.equal((await failure('/hop', {}, getter)).reason, 'blocked_address')
    assert.deepEqual(asked.slice(start), ['/hop'])
    assert.equal((await failure('/other', {}, getter)).reason, 'blocked_address')
    assert.equal((await getter.page(`${base}/secret`, options())).kind, 'page')
  })

  it('follows at most ten redirects', async () => {
    const step =
      (left: number): Handler =>
      (_request, response) =>
        response.writeHead(301, { location: `/step${left - 1}` }).end()
    for (let left = 1; left <= 11; left += 1) routes.set(`/step${left}`, step(left))
    serve('/step0', 'end')
    assert.equal(await textOf('/step10'), 'end')
    assert.equal((await failure('/step11')).reason, 'too_many_redirects')
  })

  it('follows and checks meta refreshes and single frames like redirects', async () => {
    serve(
      '/moved',
      '<title>Moved</title><meta http-equiv="refresh" content="0; url=/new-place">You are being redirected.',
    )
    routes.set('/moved-by-header', (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html', refresh: '0; url=/moved' })
        .end('Redirecting'),
    )
    serve('/new-place', '<p>the new place')
    const answer = await getterWith().page(`${base}/moved-by-header`, options())
    assert.ok(answer.kind === 'page')
    assert.deepEqual([answer.html, answer.finalUrl], ['<p>the new place', `${base}/new-place`])
    serve('/inward', '<meta http-equiv="refresh" content="0; url=http://10.0.0.1/">')
    const { reason, finalUrl } = await failure(
      '/inward',
      {},
      getterWith({ opened: ['127.0.0.1/32'] }),
    )
    assert.deepEqual([reason, finalUrl], ['blocked_address', 'http://10.0.0.1/'])
    serve('/ping', '<meta http-equiv="refresh" content="0; url=/pong">')
    serve('/pong', '<meta http-equiv="refresh" content="0; url=/ping">')
    assert.equal((await failure('/ping')).reason, 'too_many_redirects')
    serve(
      '/framed',
      '<frameset cols="*,*"><frame src="/menu" name="menu"><frame src="/new-place" name="main"></frameset>',
    )
    assert.equal(await textOf('/framed'), '<p>the new place')
    serve('/source', '<meta http-equiv="refresh" content="0; url=/new-place">', {
      'content-type': 'text/plain',
    })
    assert.match(await textOf('/source'), /^<meta/)
  })

  it('reads a page that redirects to a download, or has content and a broken redirect', async () => {
    const leading = (to: string, words: string) =>
      `<title>Soon</title><meta http-equiv="refresh" content="3; url=${to}"><p>${words}`
    serve('/archive.zip', 'PK', { 'content-type': 'application/zip' })
    serve('/archive', Buffer.from('504b0304140000000800', 'hex'), {
      'content-type': 'application/octet-stream',
    })
    const much = 'The ledger balances to the micro-dollar. '.repeat(20)
    serve('/download', leading('/archive.zip', 'Your download begins shortly.'))
    serve('/download-by-bytes', leading('/archive', 'Your download begins shortly.'))
    for (const path of ['/download', '/download-by-bytes'])
      assert.match(await textOf(path), /Your download begins/, path)
    let shown = 0
    routes.set('/live', (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(leading(`/live?at=${(shown += 1)}`, much)),
    )
    serve('/left', leading('/nowhere', much))
    serve('/inwards', leading('http://10.0.0.1/', much))
    for (const path of ['/live', '/left', '/inwards'])
      assert.match(await textOf(path), /balances to the micro-dollar/, path)
    serve('/notice', leading('/nowhere', 'You are being redirected.'))
    assert.equal((await failure('/notice')).reason, 'http_status')
  })

  it('returns a cookie set by a redirect, so that a cookie wall does not loop', async () => {
    routes.set('/wall', (request, response) =>
      request.headers.cookie === 'seen=1'
        ? response.writeHead(200, { 'content-type': 'text/html' }).end('inside')
        : response
            .writeHead(302, {
              location: '/wall',
              'set-cookie': ['seen=1; Path=/; HttpOnly', 'far=2; Domain=example.com'],
            })
            .end(),
    )
    assert.equal(await textOf('/wall'), 'inside')
  })

  it('limits the size of a stream, of a declared length and of a decompression bomb', async () => {
    let sent = 0
    routes.set('/endless', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      const push = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024, 97))) sent += 64 * 1024
      }
      response.on('drain', push)
      push()
    })
    serve('/declared', 'x', {
      'content-type': 'text/html',
      'content-length': String(MAX_PAGE_BYTES + 1),
    })
    serve('/bomb', gzipSync(Buffer.alloc(MAX_PAGE_BYTES * 3, 97)), {
      'content-type': 'text/html',
      'content-encoding': 'gzip',
    })
    serve('/double-bomb', gzipSync(gzipSync(Buffer.alloc(MAX_PAGE_BYTES * 3, 97))), {
      'content-type': 'text/html',
      'content-encoding': 'gzip, gzip',
    })
    for (const path of ['/endless', '/bomb', '/double-bomb'])
      assert.equal((await failure(path)).reason, 'too_large', path)
    assert.equal((await failure('/declared')).reason, 'too_large')
    assert.ok(sent < MAX_PAGE_BYTES * 2)
  })

  const packed: Record<string, (text: string) => Buffer> = {
    gzip: gzipSync,
    'x-gzip': gzipSync,
    br: brotliCompressSync,
    zstd: zstdCompressSync,
    deflate: deflateSync,
    'deflate (raw)': deflateRawSync,
    'gzip, br': (text) => brotliCompressSync(gzipSync(text)),
    unheard: (text) => Buffer.from(text),
  }
  for (const [name, pack] of Object.entries(packed)) {
    it(`decodes a body in ${name}`, async () => {
      serve('/packed', pack('<p>grüße</p>'), {
        'content-type': 'text/html; charset=utf-8',
        'content-encoding': name.replace(' (raw)', ''),
      })
      assert.equal(await textOf('/packed'), '<p>grüße</p>')
    })
  }

  for (const [name, pack] of Object.entries(packed).filter(([one]) => one !== 'unheard'))
    it(`rejects a body in ${name} that is cut, but not one without its checksum`, async () => {
      const page = `<p>${Array.from({ length: 2_000 }, (_value, index) => index).join(' ')}</html>\n`
      const serveUntil = (end: number) =>
        serve('/cut', pack(page).subarray(0, end), {
          'content-type': 'text/html',
          'content-encoding': name.replace(' (raw)', ''),
        })
      serveUntil(-500)
      assert.equal((await failure('/cut')).reason, 'incomplete')
      serveUntil(-1)
      if (name.includes('gzip')) assert.equal(await textOf('/cut'), page)
    })

  it('rejects a body that is not in its declared encoding', async () => {
    serve('/liar', 'plain text', { 'content-type': 'text/html', 'content-encoding': 'gzip' })
    assert.equal((await failure('/liar')).reason, 'bad_response')
  })

  it('rejects documents and images before reading their body, but not text', async () => {
    serve('/a.pdf', '%PDF', { 'content-type': 'application/pdf' })
    serve('/a.png', 'x', { 'content-type': 'image/png' })
    serve('/binary', Buffer.from([60, 0, 1, 2]), {})
    serve('/plain', 'plain', { 'content-type': 'text/plain' })
    serve('/unnamed', '<p>x', {})
    for (const path of ['/a.pdf', '/a.png', '/binary'])
      assert.equal((await failure(path)).reason, 'not_html', path)
    assert.equal(await textOf('/plain'), 'plain')
    assert.equal(await textOf('/unnamed'), '<p>x')
  })

  it('detects a document labeled as a page by its first bytes', async () => {
    const zip = (name: string) =>
      Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(26), Buffer.from(name)])
    const documents: [string, Buffer | string][] = [
      ['application/pdf', `%PDF-1.7\n%âãÏÓ\n${'words of a stream '.repeat(100)}`],
      ['application/pdf', '\r\n%PDF-1.4'],
      ['application/rtf', '{\\rtf1\\ansi words'],
      ['application/msword', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
      [
        'application/vnd.oasis.opendocument.spreadsheet',
        zip('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
      ],
      ['application/vnd.openxmlformats-officedocument', zip('[Content_Types].xml')],
    ]
    for (const headers of [
      { 'content-type': 'text/html' },
      {},
      { 'content-type': 'application/octet-stream' },
      { 'content-type': 'binary/octet-stream' },
      { 'content-type': 'application/x-download' },
    ]) {
      for (const [contentType, body] of documents) {
        serve('/file', body, headers)
        const failed = await failure('/file')
        assert.deepEqual(
          [failed.reason, failed.contentType, failed.finalUrl],
          ['not_html', contentType, `${base}/file`],
        )
      }
      const others: [string, Buffer][] = [
        ['image/png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
        ['image/jpeg', Buffer.from('ffd8ffe000104a46494600', 'hex')],
        ['application/zip', zip('photo.raw')],
        ['application/gzip', gzipSync('words')],
        ['application/octet-stream', Buffer.from([77, 90, 144, 0, 3, 0, 0])],
      ]
      for (const [contentType, body] of others) {
        serve('/file', body, headers)
        const failed = await failure('/file')
        assert.deepEqual([failed.reason, failed.contentType], ['not_html', contentType])
      }
    }
    serve('/about', '<title>About %PDF-1.7</title><p>A stray\u0000 character')
    assert.equal(await textOf('/about'), '<title>About %PDF-1.7</title><p>A stray character')
  })

  it('detects an oversized file by its first bytes and reads no more of it', async () => {
    let sent = 0
    routes.set('/large', (_request, response) => {
      response.writeHead(200, {
        'content-type': 'application/octet-stream',
        'content-length': String(MAX_PAGE_BYTES * 4),
      })
      const push = (): void => {
        while (!response.destroyed && response.write(Buffer.from('%PDF-1.7\n'.repeat(8_192))))
          sent += 73_728
      }
      response.on('drain', push)
      push()
    })
    const { reason, contentType } = await failure('/large')
    assert.deepEqual([reason, contentType], ['not_html', 'application/pdf'])
    assert.ok(sent < MAX_PAGE_BYTES)
  })

  it('reads a page or a text under a generic type', async () => {
    for (const type of [
      'application/octet-stream',
      'binary/octet-stream',
      'application/vnd.api+json',
      'application/yaml',
      '',
    ]) {
      for (const body of ['<!doctype html><p>words', 'title: words']) {
        serve('/vague', body, type === '' ? {} : { 'content-type': type })
        assert.equal(await textOf('/vague'), body, type)
      }
    }
  })

  it('decodes an unescaped redirect URL as UTF-8', async () => {
    serve('/s%C3%BC%C3%9F', 'sweet')
    for (const location of ['/süß', '/s%C3%BC%C3%9F']) {
      routes.set('/raw', (_request, response) =>
        response.writeHead(302, { location: Buffer.from(location).toString('latin1') }).end(),
      )
      assert.equal(await textOf('/raw'), 'sweet', location)
    }
  })

  it('returns an error status as a failure with the status', async () => {
    assert.deepEqual(await failure('/missing'), {
      kind: 'failed',
      reason: 'http_status',
      url: `${base}/missing`,
      finalUrl: `${base}/missing`,
      status: 404,
    })
  })

  it('distinguishes a silent server, a closed port and an unknown name', async () => {
    routes.set('/silent', () => undefined)
    routes.set(
      '/stalls',
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).write('<p>'),
    )
    assert.equal((await failure('/silent', { timeoutMs: 30 })).reason, 'timeout')
    assert.equal((await failure('/stalls', { timeoutMs: 30 })).reason, 'timeout')
    assert.equal((await failure('http://127.0.0.1:2/')).reason, 'refused')
    const lookup = async () =>
      Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
    const guard = createGuard({ allowPrivateNetworks: [], lookup })
    guards.push(guard)
    assert.equal(
      (await failure('http://nowhere.example/', {}, getterWith({ guard }))).reason,
      'dns',
    )
    assert.equal((await failure('ftp://nowhere.example/')).reason, 'bad_url')
    assert.equal((await failure(base.replace('http', 'https'))).reason, 'tls')
  })

  it('ends the request when the caller aborts', async () => {
    const caller = new AbortController()
    const gone = new Promise((resolve) => {
      routes.set('/waits', (_request, response) => {
        response.on('close', resolve)
        caller.abort()
      })
    })
    assert.equal((await failure('/waits', { signal: caller.signal })).reason, 'aborted')
    await gone
  })

  it('obeys robots.txt only if configured, hourly fetched, and also after redirects', async () => {
    serve('/robots.txt', 'User-agent: tollgate\nDisallow: /hidden\n', {
      'content-type': 'text/plain',
    })
    serve('/hidden', 'hidden')
    serve('/open', 'open')
    routes.set('/to-hidden', (_request, response) =>
      response.writeHead(302, { location: '/hidden' }).end(),
    )
    assert.equal(await textOf('/hidden'), 'hidden')
    const now = manualClock(1)
    const polite = getterWith({ respectRobots: true, now })
    const start = asked.length
    assert.equal((await failure('/hidden', {}, polite)).reason, 'robots')
    assert.equal((await failure('/to-hidden', {}, polite)).reason, 'robots')
    assert.equal((await polite.page(`${base}/open`, options())).kind, 'page')
    now.advance(61 * 60 * 1_000)
    assert.equal((await failure('/hidden', {}, polite)).reason, 'robots')
    assert.deepEqual(asked.slice(start), ['/robots.txt', '/to-hidden', '/open', '/robots.txt'])
  })

  it('reports an unreachable host as such, not as forbidden by robots.txt', async () => {
    const gone = createServer()
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
    const away = `http://127.0.0.1:${(gone.address() as AddressInfo).port}/page`
    await new Promise((resolve) => gone.close(resolve))
    const { reason, finalUrl } = await failure(away, {}, getterWith({ respectRobots: true }))
    assert.deepEqual([reason, finalUrl], ['refused', away])
  })

  it('forbids for an unavailable robots.txt, allows for a missing one, caches responses only', async () => {
    serve('/open', 'open')
    let status: number | undefined
    routes.set('/robots.txt', (_request, response) =>
      status === undefined ? response.destroy() : response.writeHead(status).end(),
    )
    const polite = getterWith({ respectRobots: true, now: manualClock(1) })
    assert.equal((await failure('/open', {}, polite)).reason, 'robots')
    status = 404
    assert.equal((await polite.page(`${base}/open`, options())).kind, 'page')
    status = 500
    assert.equal((await polite.page(`${base}/open`, options())).kind, 'page')
    assert.equal(
      (await failure('/open', {}, getterWith({ respectRobots: true, now: manualClock(1) }))).reason,
      'robots',
    )
  })
})
