import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, describe, it } from 'node:test'
import { withSomeLimit } from '../../../test/harness/patience.ts'
import { AppError } from '../../errors/app-error.ts'
import { createExtractionPool, type ExtractionPool, type PoolSettings } from './extraction-pool.ts'
import type { WorkInput } from './extraction-worker.ts'

const page = (html: string): WorkInput => ({
  html,
  url: 'https://site.example/',
  format: 'markdown',
  mainContent: true,
  status: 200,
})
const someone = (accountId = 'a', signal = new AbortController().signal) => ({ accountId, signal })
const refusedWith = (code: string) => (error: unknown) =>
  error instanceof AppError && error.code === code
/** Takes seconds to weigh: every paragraph counts for each of its ancestors. */
const STUCK = '<div>'.repeat(1_900) + `<p>${'many words of prose '.repeat(5)}</p>`.repeat(40_000)

describe('extraction pool', () => {
  const pools: ExtractionPool[] = []
  const poolWith = (settings: Partial<PoolSettings> = {}): ExtractionPool => {
    const pool = createExtractionPool({ workers: 1, ...settings })
    pools.push(pool)
    return pool
  }
  after(() => Promise.all(pools.map((pool) => pool.close())))

  it('a stuck page fails at its time limit, and the pages after it are read', async () => {
    await withSomeLimit([600, 3_000, 12_000], async (timeoutMs) => {
      const pool = poolWith({ timeoutMs })
      const [stuck, next] = await Promise.allSettled([
        pool.run(page(STUCK), someone()),
        pool.run(page('<p>hello there'), someone()),
      ])
      assert.ok(stuck.status === 'rejected' && refusedWith('upstream_error')(stuck.reason))
      assert.ok(next.status === 'fulfilled', 'a worker is started and has read the page in time')
      assert.equal(next.value.content, 'hello there')
    })
  })

  it('a page that fills the memory fails, and the process and the pages after it are none the worse', async () => {
    const pool = poolWith({ timeoutMs: 60_000, maxMemoryMb: 40 })
    await assert.rejects(
      pool.run(page('<a href=/a>x</a>'.repeat(6_000_000)), someone()),
      refusedWith('upstream_error'),
    )
    assert.equal((await pool.run(page('<p>after'), someone())).content, 'after')
  })

  it('a feed is read as its source, with its title, and a text with all of its signs', async () => {
    const pool = poolWith()
    const read = async (contentType: string, html: string) =>
      pool.run({ ...page(html), contentType }, someone())
    const feed = await read(
      'application/rss+xml',
      '<rss><title>Sea</title><item><title>Ship</title></item></rss>',
    )
    assert.deepEqual(
      [feed.title, feed.content],
      ['Sea', '```\n<rss><title>Sea</title><item><title>Ship</title></item></rss>\n```'],
    )
    assert.match((await read('text/plain', 'a < b && c')).content, /a < b && c/)
  })

  it('what parses pages knows nothing of the environment of the gateway', async () => {
    const own = poolWith()
    const read = own.run(page('<p>one'), someone())
    const workers = (await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8'))
      .trim()
      .split(' ')
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

  it('a page that is nested without end gives its words and harms nobody', async () => {
    const pool = poolWith()
    const deep = await pool.run(
      page(`${'<div><span>'.repeat(60_000)}deep words${'</span></div>'.repeat(60_000)}`),
      someone(),
    )
    assert.match(deep.content, /deep words/)
    assert.equal((await pool.run(page('<p>after'), someone())).content, 'after')
  })

  it('a page of brackets, or of spaces that stand for themselves, is read in its time', async () => {
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
            someone(),
          )
        ).chars > 0,
        piece,
      )
    }
    const spaces = await pool.run(page(`<pre>a${' '.repeat(300_000)}b</pre>`), someone())
    assert.ok(spaces.chars > 300_000)
  })

  it('a full queue refuses at once', async () => {
    const pool = poolWith({ maxQueued: 1 })
    const running = [pool.run(page('<p>one'), someone()), pool.run(page('<p>two'), someone())]
    await assert.rejects(pool.run(page('<p>three'), someone()), refusedWith('overloaded'))
    assert.deepEqual(
      (await Promise.all(running)).map(({ content }) => content),
      ['one', 'two'],
    )
  })

  it('pages are parsed in turns of the accounts: one with many delays another one by one of them', async () => {
    const pool = poolWith()
    const order: string[] = []
    const parse = (accountId: string, text: string) =>
      pool
        .run(page(`<p>${text}`), someone(accountId))
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
        .rejects(pool.run(page(STUCK), someone('hostile')), refusedWith('shutting_down'))
        .finally(() => (hostileEnded += 1)),
    )
    for (const text of ['one', 'two', 'three'])
      assert.equal((await pool.run(page(`<p>${text}`), someone('b'))).content, text)
    assert.equal(hostileEnded, 0, 'no page of the other account had to end first')
    await pool.close()
    await Promise.all(hostile)
  })

  it('ends a page after the shorter limit when another account waits for its worker', async () => {
    const pool = poolWith({ timeoutMs: 600_000, crowdedMs: 0 })
    const stuck = assert.rejects(pool.run(page(STUCK), someone('a')), refusedWith('upstream_error'))
    assert.equal((await pool.run(page('<p>next'), someone('b'))).content, 'next')
    await stuck
  })

  it('leaves a page its whole time while only its own account waits', async () => {
    const pool = poolWith({ crowdedMs: 0 })
    const pages = ['one', 'two', 'three'].map((text) =>
      pool.run(page(`<p>${'a paragraph '.repeat(50_000)}${text}`), someone('a')),
    )
    for (const { chars } of await Promise.all(pages)) assert.ok(chars > 500_000)
  })

  it('an account that has its share of those who wait, or of their text, is refused with rate_limited, and another one is read', async () => {
    const shares: Partial<PoolSettings>[] = [{ maxQueued: 4 }, { maxCharacters: 120 }]
    for (const settings of shares) {
      const pool = poolWith(settings)
      const running = Array.from({ length: 3 }, () =>
        pool.run(page('<p>fifteen letters'), someone('a')),
      )
      await assert.rejects(
        pool.run(page('<p>fifteen letters'), someone('a')),
        refusedWith('rate_limited'),
      )
      running.push(pool.run(page('<p>fifteen letters'), someone('b')))
      assert.deepEqual(
        (await Promise.all(running)).map(({ content }) => content),
        Array.from({ length: 4 }, () => 'fifteen letters'),
      )
    }
  })

  it('whoever leaves while it waits takes no turn', async () => {
    const pool = poolWith({ maxQueued: 1 })
    const leaving = new AbortController()
    const first = pool.run(page('<p>one'), someone())
    const left = assert.rejects(pool.run(page('<p>two'), someone('a', leaving.signal)), {
      name: 'AbortError',
    })
    leaving.abort()
    await left
    assert.equal((await pool.run(page('<p>three'), someone())).content, 'three')
    assert.equal((await first).content, 'one')
  })

  it('closing fails what waits and refuses what comes later', async () => {
    const pool = poolWith()
    const running = [pool.run(page('<p>one'), someone()), pool.run(page('<p>two'), someone())]
    const ends = Promise.all(
      running.map((run) => assert.rejects(run, refusedWith('shutting_down'))),
    )
    await pool.close()
    await ends
    await assert.rejects(pool.run(page('<p>late'), someone()), refusedWith('shutting_down'))
  })
})
