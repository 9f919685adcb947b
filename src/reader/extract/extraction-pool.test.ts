import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, describe, it } from 'node:test'
import { tryTimeLimits } from '../../../test/harness/try-time-limits.ts'
import { AppError } from '../../errors/app-error.ts'
import { createExtractionPool, type ExtractionPool, type PoolSettings } from './extraction-pool.ts'
import type { WorkInput } from './extraction-worker.ts'
import { cpuTimeOf } from './process-cpu.ts'

const page = (html: string): WorkInput => ({
  html,
  url: 'https://site.example/',
  format: 'markdown',
  mainContent: true,
  status: 200,
})
const visitor = (accountId = 'a', signal = new AbortController().signal) => ({ accountId, signal })
const refusedWith = (code: string) => (error: unknown) =>
  error instanceof AppError && error.code === code
/** Takes seconds to score: every paragraph counts for each of its ancestors. */
const STUCK = '<div>'.repeat(1_900) + `<p>${'many words of prose '.repeat(5)}</p>`.repeat(40_000)

const childProcesses = async (): Promise<string[]> =>
  (await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8'))
    .trim()
    .split(' ')
    .filter((pid) => pid !== '')

describe('extraction pool', () => {
  const pools: ExtractionPool[] = []
  const poolWith = (settings: Partial<PoolSettings> = {}): ExtractionPool => {
    const pool = createExtractionPool({ workers: 1, ...settings })
    pools.push(pool)
    return pool
  }
  after(() => Promise.all(pools.map((pool) => pool.close())))

  it('fails a stuck page at its time limit and reads the next pages', async () => {
    await tryTimeLimits([600, 3_000, 12_000], async (timeoutMs) => {
      const pool = poolWith({ timeoutMs })
      const [stuck, next] = await Promise.allSettled([
        pool.run(page(STUCK), visitor()),
        pool.run(page('<p>hello there'), visitor()),
      ])
      assert.ok(stuck.status === 'rejected' && refusedWith('upstream_error')(stuck.reason))
      assert.ok(next.status === 'fulfilled', 'a worker is started and has read the page in time')
      assert.equal(next.value.content, 'hello there')
    })
  })

  it('fails a page that exhausts memory and reads the next pages', async () => {
    const pool = poolWith({ timeoutMs: 60_000, maxMemoryMb: 40 })
    await assert.rejects(
      pool.run(page('<a href=/a>x</a>'.repeat(6_000_000)), visitor()),
      refusedWith('upstream_error'),
    )
    assert.equal((await pool.run(page('<p>after'), visitor())).content, 'after')
  })

  it('reads a feed as its entries, other XML as its source, and keeps all characters', async () => {
    const pool = poolWith()
    const read = async (contentType: string, html: string) =>
      pool.run({ ...page(html), contentType }, visitor())
    const feed = await read(
      'application/rss+xml',
      '<rss><title>Sea</title><item><title>Ship</title></item></rss>',
    )
    assert.deepEqual([feed.title, feed.content], ['Sea', '# Sea\n\n## Ship'])
    const empty = await read('application/rss+xml', '<rss><title>Sea</title></rss>')
    assert.deepEqual(
      [empty.title, empty.content],
      ['Sea', '```\n<rss><title>Sea</title></rss>\n```'],
    )
    assert.match((await read('text/plain', 'a < b && c')).content, /a < b && c/)
  })

  it('hides the environment of the gateway from workers', async () => {
    const own = poolWith()
    const read = own.run(page('<p>one'), visitor())
    const workers = await childProcesses()
    assert.ok(workers.length > 0)
    for (const pid of workers) {
      const names = (await readFile(`/proc/${pid}/environ`, 'utf8'))
        .split('\0')
        .map((pair) => pair.split('=')[0] ?? '')
      assert.deepEqual(
        names.filter((name) => name !== '' && !name.startsWith('NODE_CHANNEL_')),
        [],
      )
    }
    await read
  })

  it('fails a page whose worker hangs without using the CPU', async () => {
    await tryTimeLimits([300, 3_000, 12_000], async (maxWallMs) => {
      const others = new Set(await childProcesses())
      const pool = poolWith({ timeoutMs: 600_000, crowdedMs: 600_000, maxWallMs })
      await pool.run(page('<p>one'), visitor())
      const own = (await childProcesses()).filter((pid) => !others.has(pid))
      for (const pid of own) process.kill(Number(pid), 'SIGSTOP')
      await assert.rejects(pool.run(page('<p>two'), visitor()), refusedWith('upstream_error'))
      assert.ok(own.length > 0)
    })
  })

  it('counts CPU time, not the time in which a worker waits for the CPU', async () => {
    const before = cpuTimeOf(process.pid) ?? 0
    while ((cpuTimeOf(process.pid) ?? 0) < before + 50) JSON.stringify(process.versions)
    const others = new Set(await childProcesses())
    const pool = poolWith()
    await pool.run(page('<p>one'), visitor())
    const [own] = (await childProcesses()).filter((pid) => !others.has(pid))
    assert.equal(cpuTimeOf(Number(own)), cpuTimeOf(Number(own)), 'an idle worker uses none')
    assert.equal(cpuTimeOf(undefined), undefined)
  })

  it('returns the words of an endlessly nested page', async () => {
    const pool = poolWith()
    const deep = await pool.run(
      page(`${'<div><span>'.repeat(60_000)}deep words${'</span></div>'.repeat(60_000)}`),
      visitor(),
    )
    assert.match(deep.content, /deep words/)
    assert.equal((await pool.run(page('<p>after'), visitor())).content, 'after')
  })

  it('reads a page of brackets, or of preformatted spaces, within its time', async () => {
    const pool = poolWith({ timeoutMs: 8_000 })
    for (const piece of ['<p>[', '<p>![a](', '<pre>a ', '<pre>\t\n ']) {
      const [tag = '', ...rest] = piece.split('>')
      const hostile = `${tag}>${rest.join('>').repeat(300_000)}b</${tag.slice(1)}>`
      assert.ok(
        (
          await pool.run(
            {
              ...page(`<p>${'words of prose '.repeat(20)}</p>${hostile}`),
              highlights: { query: 'prose', count: 1 },
            },
            visitor(),
          )
        ).chars > 0,
        piece,
      )
    }
    const spaces = await pool.run(page(`<pre>a${' '.repeat(300_000)}b</pre>`), visitor())
    assert.ok(spaces.chars > 300_000)
  })

  it('rejects immediately when the queue is full', async () => {
    const pool = poolWith({ maxQueued: 1 })
    const running = [pool.run(page('<p>one'), visitor()), pool.run(page('<p>two'), visitor())]
    await assert.rejects(pool.run(page('<p>three'), visitor()), refusedWith('overloaded'))
    assert.deepEqual(
      (await Promise.all(running)).map(({ content }) => content),
      ['one', 'two'],
    )
  })

  it('alternates between accounts: one with many pages delays another by one page', async () => {
    const pool = poolWith()
    const order: string[] = []
    const parse = (accountId: string, text: string) =>
      pool
        .run(page(`<p>${text}`), visitor(accountId))
        .then(({ content }) => order.push(`${accountId} ${content}`))
    await Promise.all([
      ...['one', 'two', 'three', 'four'].map((text) => parse('a', text)),
      parse('b', 'five'),
      parse('c', 'six'),
    ])
    assert.deepEqual(order, ['a one', 'b five', 'a two', 'c six', 'a three', 'a four'])
  })

  it('reads pages of another account while hostile pages of one account keep parsing', async () => {
    const pool = poolWith({ workers: 2, timeoutMs: 600_000 })
    let hostileEnded = 0
    const hostile = Array.from({ length: 4 }, () =>
      assert
        .rejects(pool.run(page(STUCK), visitor('hostile')), refusedWith('shutting_down'))
        .finally(() => (hostileEnded += 1)),
    )
    for (const text of ['one', 'two', 'three'])
      assert.equal((await pool.run(page(`<p>${text}`), visitor('b'))).content, text)
    assert.equal(hostileEnded, 0, 'no page of the other account had to end first')
    await pool.close()
    await Promise.all(hostile)
  })

  it('ends a page after the shorter limit when another account waits for its worker', async () => {
    const pool = poolWith({ timeoutMs: 600_000, crowdedMs: 0 })
    const stuck = assert.rejects(pool.run(page(STUCK), visitor('a')), refusedWith('upstream_error'))
    assert.equal((await pool.run(page('<p>next'), visitor('b'))).content, 'next')
    await stuck
  })

  it('gives a page its full time while only its own account waits', async () => {
    const pool = poolWith({ crowdedMs: 0 })
    const pages = ['one', 'two', 'three'].map((text) =>
      pool.run(page(`<p>${'a paragraph '.repeat(50_000)}${text}`), visitor('a')),
    )
    for (const { chars } of await Promise.all(pages)) assert.ok(chars > 500_000)
  })

  it('rejects an account above its share of the queue or text, and reads others', async () => {
    const shares: Partial<PoolSettings>[] = [{ maxQueued: 4 }, { maxCharacters: 120 }]
    for (const settings of shares) {
      const pool = poolWith(settings)
      const running = Array.from({ length: 3 }, () =>
        pool.run(page('<p>fifteen letters'), visitor('a')),
      )
      await assert.rejects(
        pool.run(page('<p>fifteen letters'), visitor('a')),
        refusedWith('rate_limited'),
      )
      running.push(pool.run(page('<p>fifteen letters'), visitor('b')))
      assert.deepEqual(
        (await Promise.all(running)).map(({ content }) => content),
        Array.from({ length: 4 }, () => 'fifteen letters'),
      )
    }
  })

  it('skips a page whose visitor aborts while waiting', async () => {
    const pool = poolWith({ maxQueued: 1 })
    const leaving = new AbortController()
    const first = pool.run(page('<p>one'), visitor())
    const left = assert.rejects(pool.run(page('<p>two'), visitor('a', leaving.signal)), {
      name: 'AbortError',
    })
    leaving.abort()
    await left
    assert.equal((await pool.run(page('<p>three'), visitor())).content, 'three')
    assert.equal((await first).content, 'one')
  })

  it('rejects waiting and later pages when closed', async () => {
    const pool = poolWith()
    const running = [pool.run(page('<p>one'), visitor()), pool.run(page('<p>two'), visitor())]
    const ends = Promise.all(
      running.map((run) => assert.rejects(run, refusedWith('shutting_down'))),
    )
    await pool.close()
    await ends
    await assert.rejects(pool.run(page('<p>late'), visitor()), refusedWith('shutting_down'))
  })
})
