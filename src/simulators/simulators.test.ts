import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { cpuMsOf } from '../../test/harness/cpu-time.ts'
import { systemClock } from '../lib/clock.ts'
import { faultOf } from './faults.ts'
import { startSimulators, type Simulators } from './start.ts'
import { simulators as proxySimulators } from '../vendors/proxy/simulator.ts'

let simulators: Simulators
before(async () => {
  simulators = await startSimulators({ now: systemClock })
})
after(() => simulators.close())
beforeEach(() => simulators.requests.clear())

const KEY = 'any-key-will-do'

function exa(
  path: string,
  body: unknown,
  headers: Record<string, string> = { 'x-api-key': KEY },
): Promise<Response> {
  return fetch(`${simulators.url}/semantic${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

function scrape(
  label: 'render' | 'render2',
  url: string,
  more: object = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${simulators.url}/${label}${label === 'render' ? '' : '/v1'}/scrape`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}` },
    body: JSON.stringify({ url, formats: ['markdown', 'html'], ...more }),
    ...(signal === undefined ? {} : { signal }),
  })
}

async function read(url: string): Promise<{ data: { markdown: string } }> {
  return (await (await scrape('render', url)).json()) as { data: { markdown: string } }
}

function unblock(url: string, more: Record<string, string> = {}): Promise<Response> {
  return fetch(
    `${simulators.url}/cheapunblock/?${new URLSearchParams({ token: KEY, url, ...more }).toString()}`,
  )
}

describe('the simulated vendors', () => {
  test('require a credential in the vendor’s place, and accept any value', async () => {
    assert.equal((await exa('/search', { query: 'x' }, {})).status, 401)
    assert.equal((await exa('/search', { query: 'x' }, { 'x-api-key': ' ' })).status, 401)
    assert.equal(
      (await exa('/search', { query: 'x' }, { authorization: `Bearer ${KEY}` })).status,
      200,
    )
    assert.equal(
      (await fetch(`${simulators.url}/render/scrape`, { method: 'POST', body: '{}' })).status,
      401,
    )
    assert.equal(
      (await fetch(`${simulators.url}/cheapunblock/?url=https://example.com/`)).status,
      401,
    )
    assert.equal((await unblock('https://example.com/')).status, 200)
  })

  test('return the same page for the same URL', async () => {
    const first = await read('https://example.com/a')
    assert.deepEqual(await read('https://example.com/a'), first)
    assert.notEqual((await read('https://example.com/b')).data.markdown, first.data.markdown)
  })

  test('return pages of realistic length that are marked as simulated', async () => {
    for (const text of [
      await (await unblock('https://example.com/guide', { output: 'markdown' })).text(),
      await (await unblock('https://example.com/guide', { output: 'raw' })).text(),
    ]) {
      assert.ok(text.split(/\s+/).length > 250)
      assert.match(text, /simulated/i)
    }
  })

  test('mark every search result as simulated', async () => {
    for (const category of [undefined, 'people', 'company']) {
      const { results } = (await (
        await exa('/search', { query: 'x', category, numResults: 3 })
      ).json()) as {
        results: { title: string }[]
      }
      assert.equal(results.length, 3)
      for (const result of results) assert.match(JSON.stringify(result), /simulated/i)
    }
  })

  test('miss a video like an image', async () => {
    let nowMs = systemClock()
    const server = await startSimulators({ now: () => nowMs })
    const headers = { authorization: `Key ${KEY}`, 'content-type': 'application/json' }
    const submitted = await fetch(`${server.url}/media/queue/fal-ai/veo3.1`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ prompt: 'A boat, sim:miss.', duration: '4s' }),
    })
    const { request_id: id } = (await submitted.json()) as { request_id: string }
    nowMs += 2_000
    const made = await fetch(`${server.url}/media/queue/fal-ai/veo3.1/requests/${id}`, { headers })
    await server.close()
    assert.equal(made.status, 422)
  })

  test('return results only from the requested domains', async () => {
    const { results } = (await (
      await exa('/search', { query: 'x', includeDomains: ['a.example', 'b.example'] })
    ).json()) as { results: { url: string }[] }
    for (const { url } of results) assert.match(new URL(url).hostname, /^[ab]\.example$/)
  })

  test('reject invalid requests like the vendor', async () => {
    assert.equal((await exa('/search', {})).status, 400)
    assert.equal((await exa('/search', { query: 'x', numResults: 1_000 })).status, 400)
    assert.equal((await exa('/search', '{not json')).status, 400)
    assert.equal((await exa('/nowhere', {})).status, 404)
    assert.equal(
      (await scrape('render2', 'https://example.com/', { formats: ['json'] })).status,
      422,
    )
    assert.equal((await fetch(`${simulators.url}/nobody/`)).status, 404)
  })

  test('reject a body above two mebibytes without logging it', async () => {
    assert.equal((await exa('/search', { query: 'x'.repeat(3 * 1024 * 1024) })).status, 413)
    assert.equal(simulators.requests.count(), 0)
  })
})

describe('faults on demand', () => {
  test('return a status in the vendor’s format, with Retry-After for a busy vendor', async () => {
    const busy = await scrape('render', 'https://status-429.sim.test/')
    assert.equal(busy.status, 429)
    assert.equal(busy.headers.get('retry-after'), '1')
    assert.equal(((await busy.json()) as { success: boolean }).success, false)
    assert.equal((await exa('/search', { query: 'weather sim:503 today' })).status, 503)
  })

  test('report used-up credit in each vendor’s format', async () => {
    assert.equal((await exa('/search', { query: 'sim:quota' })).status, 402)
    const crw = await scrape('render2', 'https://quota.sim.test/')
    assert.equal(crw.status, 429)
    assert.equal(crw.headers.get('x-fastcrw-credits-available'), '0')
    assert.equal((await unblock('https://quota.sim.test/')).status, 401)
  })

  test('report the page’s own status in each vendor’s format', async () => {
    const fromRender = (await (await scrape('render', 'https://page-404.sim.test/')).json()) as {
      success: boolean
      data: { metadata: { statusCode: number } }
    }
    assert.deepEqual([fromRender.success, fromRender.data.metadata.statusCode], [true, 404])
    assert.equal(
      (
        (await (await scrape('render2', 'https://page-404.sim.test/')).json()) as {
          success: boolean
        }
      ).success,
      false,
    )
    assert.equal((await unblock('https://page-404.sim.test/')).status, 404)
    assert.equal((await unblock('https://page-500.sim.test/')).status, 502)
  })

  test('return walls and empty shells as success', async () => {
    for (const fault of ['wall', 'thin']) {
      const { success, data } = (await (
        await scrape('render', `https://${fault}.sim.test/`)
      ).json()) as {
        success: boolean
        data: { markdown: string }
      }
      assert.equal(success, true)
      assert.ok(data.markdown.length < 200)
      const { statuses } = (await (
        await exa('/contents', { urls: [`https://${fault}.sim.test/`], text: true })
      ).json()) as { statuses: { status: string }[] }
      assert.equal(statuses[0]?.status, 'success')
    }
  })

  test('affect only the named vendors, so that a fallback chain continues', async () => {
    const url = 'https://wall.semantic.render2.sim.test/'
    assert.equal(faultOf(url, 'semantic')?.kind, 'wall')
    assert.equal(faultOf(url, 'render2')?.kind, 'wall')
    assert.equal(faultOf(url, 'render'), undefined)
    const { data } = (await (await scrape('render', url)).json()) as { data: { markdown: string } }
    assert.ok(data.markdown.length > 500)
  })

  test('fail one page of several without the others', async () => {
    const { results, statuses } = (await (
      await exa('/contents', {
        urls: ['https://example.com/', 'https://page-404.sim.test/'],
        text: true,
      })
    ).json()) as { results: unknown[]; statuses: { status: string; error?: { tag: string } }[] }
    assert.equal(results.length, 1)
    assert.deepEqual(
      statuses.map(({ status }) => status),
      ['success', 'error'],
    )
    assert.equal(statuses[1]?.error?.tag, 'CRAWL_NOT_FOUND')
  })

  test('withhold an answer until the caller’s timeout, and answer the next call', async () => {
    await assert.rejects(
      scrape('render', 'https://timeout.sim.test/', {}, AbortSignal.timeout(50)),
      {
        name: 'TimeoutError',
      },
    )
    assert.equal((await scrape('render', 'https://example.com/')).status, 200)
  })

  test('delay an answer by at least the requested time', async () => {
    const beganMs = performance.now()
    assert.equal((await scrape('render', 'https://slow-100.sim.test/')).status, 200)
    assert.ok(performance.now() - beganMs >= 99)
  })

  test('drop the connection, and return broken and unexpected JSON', async () => {
    await assert.rejects(
      scrape('render', 'https://reset.sim.test/').then((response) => response.text()),
    )
    await assert.rejects(
      scrape('render', 'https://badjson.sim.test/').then((response) => response.json()),
      SyntaxError,
    )
    assert.deepEqual(
      Object.keys((await (await scrape('render', 'https://odd.sim.test/')).json()) as object),
      ['simulated', 'note'],
    )
  })

  test('fail a flaky page first, and return it on retry', async () => {
    const url = 'https://flaky.sim.test/one'
    assert.equal((await scrape('render', url)).status, 503)
    assert.equal((await scrape('render', url)).status, 200)
  })

  test('ignore ordinary URLs and phrases', () => {
    for (const text of [
      'https://example.com/',
      'https://sim.test/',
      'https://nothing.sim.test/',
      'a simple question',
      'https://example.com/?u=wall.sim.test',
      'sim:unknown',
      'https://status-200.sim.test/',
    ]) {
      assert.equal(faultOf(text, 'semantic'), undefined, text)
    }
  })
})

describe('the request log', () => {
  test('counts requests by vendor and stores no credentials', async () => {
    await exa('/search', { query: 'x' })
    await unblock('https://example.com/')
    assert.equal(simulators.requests.count(), 2)
    assert.equal(simulators.requests.count('semantic'), 1)
    assert.equal(simulators.requests.count('render'), 0)
    assert.deepEqual(simulators.requests.recent()[0], {
      service: 'semantic',
      method: 'POST',
      path: '/search',
      body: { query: 'x' },
    })
    assert.equal(JSON.stringify(simulators.requests.recent()).includes(KEY), false)
  })

  test('parses requested properties in linear time', () => {
    const extract = (extract_properties: string) => {
      const query = new URLSearchParams({
        url: 'https://example.com/',
        timeout: '30',
        extract_properties,
      })
      return proxySimulators.proxy.answer({
        method: 'GET',
        path: '/extract',
        query,
        headers: {},
        body: undefined,
        now: systemClock,
      })?.json
    }
    assert.deepEqual(
      Object.keys(extract('title, unit price (number), reviews(list: author, text), !') as object),
      ['title', 'unitPrice', 'reviews'],
    )
    const cpuMs = cpuMsOf(() =>
      [' ', ' a', '(', 'a(', 'a,', ',('].forEach(
        (piece) => void extract(`a${piece.repeat(2_000).slice(0, 1_998)}!`),
      ),
    )
    assert.ok(cpuMs < 1_000, `${cpuMs} ms`)
  })

  test('finds a long input again by the URL of its job', async () => {
    const headers = { authorization: `Key ${KEY}`, 'content-type': 'application/json' }
    const launched = await fetch(`${simulators.url}/media/queue/fal-ai/wan/v2.7/text-to-video`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ prompt: 'A film. '.repeat(2_500) }),
    })
    const { status_url: address } = (await launched.json()) as { status_url: string }
    const status = await fetch(`${simulators.url}/media/queue${new URL(address).pathname}`, {
      headers,
    })
    assert.deepEqual([status.status, await status.json()], [200, { status: 'IN_PROGRESS' }])
  })

  test('stores at most a hundred requests, and no large body', async () => {
    for (let index = 0; index < 250; index += 1)
      await exa('/search', { query: `q${index}`, pad: 'x'.repeat(index === 249 ? 20_000 : 0) })
    const recent = simulators.requests.recent()
    assert.equal(recent.length, 100)
    assert.equal(simulators.requests.count(), 250)
    assert.equal(recent.at(-1)?.body, undefined)
    assert.equal((recent.at(-2)?.body as { query: string } | undefined)?.query, 'q248')
  })
})

test('ends withheld answers on close', async () => {
  const own = await startSimulators({ now: systemClock })
  const withheld = fetch(`${own.url}/render/scrape`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}` },
    body: JSON.stringify({ url: 'https://timeout.sim.test/' }),
  })
  const ended = assert.rejects(withheld)
  while (own.requests.count() === 0) await new Promise((resolve) => setImmediate(resolve))
  await own.close()
  await ended
})
