import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { AppError } from '../errors/app-error.ts'
import { createExtractionPool, type ExtractionPool, type PoolSettings } from './extraction-pool.ts'
import type { WorkInput } from './extraction-worker.ts'

const page = (html: string): WorkInput => ({ html, url: 'https://site.example/', format: 'markdown', mainContent: true, status: 200 })
const refusedWith = (code: string) => (error: unknown) => error instanceof AppError && error.code === code
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
    const pool = poolWith({ timeoutMs: 600 })
    const stuck = pool.run(page(STUCK))
    const next = pool.run(page('<p>hello there'))
    await assert.rejects(stuck, refusedWith('upstream_error'))
    assert.equal((await next).content, 'hello there')
  })

  it('a page that is nested without end gives its words and harms nobody', async () => {
    const pool = poolWith()
    const deep = await pool.run(page(`${'<div><span>'.repeat(60_000)}deep words${'</span></div>'.repeat(60_000)}`))
    assert.match(deep.content, /deep words/)
    assert.equal((await pool.run(page('<p>after'))).content, 'after')
  })

  it('a full queue refuses at once', async () => {
    const pool = poolWith({ maxQueued: 1 })
    const running = [pool.run(page('<p>one')), pool.run(page('<p>two'))]
    await assert.rejects(pool.run(page('<p>three')), refusedWith('overloaded'))
    assert.deepEqual((await Promise.all(running)).map(({ content }) => content), ['one', 'two'])
  })

  it('closing fails what waits and refuses what comes later', async () => {
    const pool = poolWith()
    const running = [pool.run(page('<p>one')), pool.run(page('<p>two'))]
    const ends = Promise.all(running.map((run) => assert.rejects(run, refusedWith('shutting_down'))))
    await pool.close()
    await ends
    await assert.rejects(pool.run(page('<p>late')), refusedWith('shutting_down'))
  })
})
