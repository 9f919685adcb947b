import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { withSomeLimit } from '../../test/harness/patience.ts'
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
    await withSomeLimit([600, 3_000, 12_000], async (timeoutMs) => {
      const pool = poolWith({ timeoutMs })
      const [stuck, next] = await Promise.allSettled([pool.run(page(STUCK)), pool.run(page('<p>hello there'))])
      assert.ok(stuck.status === 'rejected' && refusedWith('upstream_error')(stuck.reason))
      assert.ok(next.status === 'fulfilled', 'a worker is started and has read the page in time')
      assert.equal(next.value.content, 'hello there')
    })
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
