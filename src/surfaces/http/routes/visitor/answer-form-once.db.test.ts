import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { createWorld } from '../../../../../test/harness/world.ts'
import type { Database } from '../../../../db/database.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { newId } from '../../../../lib/ids.ts'
import { newToken } from '../../../../lib/token.ts'
import type { Keep } from '../../../../calls/idempotency/answers.ts'
import { answerFormOnce } from './answer-form-once.ts'
import type { PageDeps } from './page-deps.ts'

const world = await createWorld()
const { caller } = await world.account()

/** A form in a browser that may be sent again and again. */
function openForm(database: Database = world.database) {
  const pages = {
    database,
    now: world.now,
    cookie: { read: () => 'session' },
  } as unknown as PageDeps
  const body = { once: newToken(), label: 'a' }
  const made: string[] = []
  const make = (keep: Keep<{ readonly number: number }>) =>
    database.transaction(async (tx) => {
      const answer = { number: made.length + 1 }
      await keep(tx, answer)
      made.push('key')
      return answer
    })
  return {
    made,
    send(work = make, pause = () => Promise.resolve()) {
      const request = {
        id: newId(world.now()),
        body,
        query: {},
        method: 'POST',
        url: '/keys',
      } as unknown as FastifyRequest
      return answerFormOnce(pages, request, caller, work, pause)
    },
    make,
  }
}

const isStillWorkedOn = (error: unknown): boolean =>
  error instanceof AppError &&
  error.code === 'idempotency_in_progress' &&
  error.message === 'This form is still being worked on.' &&
  error.fix.startsWith('Reload this page in a moment')

describe('a form that takes long', () => {
  it('is still being worked on for whoever sends it again, and a reload afterwards shows what came of it: nothing is made twice', async () => {
    const form = openForm()
    const finish = Promise.withResolvers<void>()
    const began = Promise.withResolvers<void>()
    const first = form.send(async (keep) => {
      began.resolve()
      await finish.promise
      return form.make(keep)
    })
    await began.promise
    let looks = 0
    await assert.rejects(
      form.send(form.make, async () => void (looks += 1)),
      isStillWorkedOn,
    )
    assert.equal(looks, 100)
    finish.resolve()
    assert.deepEqual(
      [await first, await form.send(), form.made.length],
      [{ number: 1 }, { number: 1 }, 1],
    )
  })

  it('makes nothing where its answer cannot be kept, and can be sent again at once', async () => {
    let isFull = true
    const transaction: Database['transaction'] = (work) =>
      world.database.transaction((tx) =>
        work({
          query: (text, ...rest) =>
            isFull && text.startsWith('update answers')
              ? Promise.reject(new AppError('overloaded'))
              : tx.query(text, ...rest),
        }),
      )
    const form = openForm({ ...world.database, transaction })
    await assert.rejects(form.send(), { code: 'overloaded' })
    assert.equal(form.made.length, 0)
    isFull = false
    assert.deepEqual(
      [await form.send(), await form.send(), form.made.length],
      [{ number: 1 }, { number: 1 }, 1],
    )
  })

  it('can be sent again at once where nothing was made', async () => {
    const form = openForm()
    await assert.rejects(
      form.send(() => Promise.reject(new AppError('overloaded'))),
      { code: 'overloaded' },
    )
    assert.deepEqual(await form.send(), { number: 1 })
  })
})
