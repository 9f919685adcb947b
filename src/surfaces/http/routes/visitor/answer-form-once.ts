import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import {
  answerOnce,
  findAnswer,
  storeAnswer,
  type Keep,
} from '../../../../calls/idempotency/answers.ts'
import type { Database, Transaction } from '../../../../db/database.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { Caller } from '../../../../keys/caller.ts'
import type { Id } from '../../../../lib/ids.ts'
import { hashOfToken, newToken } from '../../../../lib/token.ts'
import { html, type Html } from '../../html/html.ts'
import { slotOf } from '../../idempotency.ts'
import { fieldOf } from './forms.ts'
import type { PageDeps } from './page-deps.ts'

const FIELD = 'once'

// A browser shows the response to the last click, which waits up to five seconds for the first one.
const MOST_CHECKS = 100
const CHECK_EVERY_MS = 50

/** A hidden field that makes a form run once. `token`: of an earlier form that the visitor sends again. */
export function onceField(token = newToken()): Html {
  return html`<input type="hidden" name="${FIELD}" value="${token}">`
}

export function onceTokenOf(body: unknown): string {
  return fieldOf(body, FIELD)
}

/**
 * Runs a form once and returns the first result for a double click or a reload, such as the secret of a
 * new key. A concurrent request waits for the first. The stored result is sealed with the session, so
 * no other browser can read it. Throws AppError bad_request, idempotency_in_progress, idempotency_key_reused.
 */
export async function answerFormOnce<Answer>(
  { database, now, cookie }: PageDeps,
  request: FastifyRequest,
  caller: Caller,
  work: (keep: Keep<Answer>) => Promise<Answer>,
  pause: () => Promise<void> = () => delay(CHECK_EVERY_MS),
): Promise<Answer> {
  const token = onceTokenOf(request.body)
  if (hashOfToken(token) === null)
    throw new AppError('bad_request', 'This form is incomplete.', {
      fix: 'Submit it again from this page.',
    })
  const slot = {
    ...slotOf(request, caller, {
      key: token,
      fingerprint: fingerprintOf(request.body ?? request.query),
    }),
    nowMs: now(),
    secret: cookie.read(request) ?? '',
  }
  try {
    const { body } = await afterTheFirst(
      () =>
        answerOnce(
          database,
          slot,
          (answer) => ({ status: 200, body: JSON.stringify(answer) }),
          work,
        ),
      pause,
    )
    return JSON.parse(body) as Answer
  } catch (error) {
    throw toPageError(error)
  }
}

async function afterTheFirst<Answer>(
  answer: () => Promise<Answer>,
  pause: () => Promise<void>,
): Promise<Answer> {
  for (let checksLeft = MOST_CHECKS; ; checksLeft -= 1) {
    try {
      return await answer()
    } catch (error) {
      if (
        !(error instanceof AppError && error.code === 'idempotency_in_progress') ||
        checksLeft === 0
      )
        throw error
      await pause()
    }
  }
}

/** The account of a stored result, and the token from the form or cookie that the browser had before. */
export type SignInAnswerOwner = {
  readonly accountId: Id
  readonly token: string
  /** The address that finds the result from several addresses, regardless of fields; default: that of the request. */
  readonly place?: string
}

/**
 * Stores the result of a request that signs in with single-use proof, so that a double click or a reload
 * returns it again. The browser has no session yet, so the token seals the result; only its hash is stored.
 */
export async function storeSignInAnswer(
  tx: Transaction,
  request: FastifyRequest,
  { nowMs, ...whose }: SignInAnswerOwner & { readonly nowMs: number },
  answer: object,
): Promise<void> {
  const slot = signInSlotOf(request, whose)
  if (slot !== null)
    await storeAnswer(tx, { ...slot, nowMs }, { status: 200, body: JSON.stringify(answer) })
}

/** Finds the result of the same earlier request with the same fields, or null. */
export async function findSignInAnswer<Answer>(
  database: Database,
  request: FastifyRequest,
  whose: SignInAnswerOwner,
): Promise<Answer | null> {
  const slot = signInSlotOf(request, whose)
  const stored = slot === null ? null : await findAnswer(database, slot)
  return stored === null ? null : (JSON.parse(stored.body) as Answer)
}

function signInSlotOf(request: FastifyRequest, { accountId, token, place }: SignInAnswerOwner) {
  const hash = hashOfToken(token)
  return hash === null
    ? null
    : {
        ...slotOf(
          { id: request.id, method: request.method, url: place ?? request.url },
          { accountId, mode: 'live', keyId: null, scope: 'account' },
          {
            key: hash.toString('hex'),
            fingerprint: fingerprintOf(place ?? request.body ?? request.query),
          },
        ),
        secret: token,
      }
}

function fingerprintOf(fields: unknown): string {
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex')
}

function toPageError(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const { code, retryAfterSeconds } = error
  if (code === 'idempotency_in_progress')
    return new AppError(code, 'This form is still in progress.', {
      fix: 'Reload this page in a moment to see the result. The form runs only once.',
      retryAfterSeconds,
    })
  if (code === 'idempotency_key_reused')
    return new AppError(
      code,
      'This form was already submitted, from another browser or with other values.',
      { fix: 'Check the result, then submit the form again if you still need it.' },
    )
  return error
}
