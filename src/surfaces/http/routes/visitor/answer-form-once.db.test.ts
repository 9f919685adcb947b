import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { createWorld } from '../../../../../test/harness/beds/world.ts'
import type { Database } from '../../../../db/database.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { newId } from '../../../../lib/ids.ts'
import { newToken } from '../../../../lib/token.ts'
import type { Keep } from '../../../../calls/idempotency/answers.ts'
import { answerFormOnce } from './answer-form-once.ts'
import type { PageDeps } from './page-deps.ts'

const world = await createWorld()
const { caller } = await world.account()

/** A form that the test can submit repeatedly. */
function openForm(database: Database = world.database) {
  const pages = {
    database,
    now: world.now,
    cookie: { read: () => 'session' },
  } as unknown as PageDeps
  const body = { once: newToken(), label: 'a' }
  const created: string[] = []
  const create = (keep: Keep<{ readonly number: number }>) =>
    database.transaction(async (tx) => {
      const answer = { number: created.length + 1 }
      await keep(tx, answer)
      created.push('key')
      return answer
    })
  return {
    created,
    send(work = create, pause = () => Promise.resolve()) {
      const request = {
        id: newId(world.now()),
        body,
        query: {},
        method: 'POST',
        url: '/keys',
      } as unknown as FastifyRequest
      return answerFormOnce(pages, request, caller, work, pause)
    },
    create,
  }
}

const isInProgress = (error: unknown): boolean =>
  error instanceof AppError &&
  error.code === 'idempotency_in_progress' &&
  error.message === 'This form is still in progress.' &&
  error.fix.startsWith('Reload this page in a moment')

describe('a slow form', () => {
  it('is in progress for a second request, and a later reload shows the first result', async () => {
    const form = openForm()
    const finish = Promise.withResolvers<void>()
    const began = Promise.withResolvers<void>()
    const first = form.send(async (keep) => {
      began.resolve()
      await finish.promise
      return form.create(keep)
    })
    await began.promise
    let checks = 0
    await assert.rejects(
      form.send(form.create, async () => void (checks += 1)),
      isInProgress,
    )
    assert.equal(checks, 100)
    finish.resolve()
    assert.deepEqual(
      [await first, await form.send(), form.created.length],
      [{ number: 1 }, { number: 1 }, 1],
    )
  })

  it('changes nothing if its result cannot be stored, and can run again immediately', async () => {
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
    assert.equal(form.created.length, 0)
    isFull = false
    assert.deepEqual(
      [await form.send(), await form.send(), form.created.length],
      [{ number: 1 }, { number: 1 }, 1],
    )
  })

  it('can run again immediately after a failure', async () => {
    const form = openForm()
    await assert.rejects(
      form.send(() => Promise.reject(new AppError('overloaded'))),
      { code: 'overloaded' },
    )
    assert.deepEqual(await form.send(), { number: 1 })
  })
})
