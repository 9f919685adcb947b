import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import {
  answerOnce,
  findAnswer,
  keepAnswer,
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

// A browser shows the answer to the last click. For five seconds it waits for what comes of the first one.
const LOOKS = 100
const LOOK_AGAIN_MS = 50

/** A form that holds this field is carried out once. `token`: that of a form that is shown again to be sent again. */
export function onceField(token = newToken()): Html {
  return html`<input type="hidden" name="${FIELD}" value="${token}">`
}

export function onceTokenOf(body: unknown): string {
  return fieldOf(body, FIELD)
}

/**
 * Carries a form out once, and answers a double click or a reload as the first time: with the secret of the one key that
 * was made. One that comes while the first is worked on waits for it. What is kept for that is sealed with the browser's
 * own session, so no other browser can read it. Throws AppError bad_request, idempotency_in_progress, idempotency_key_reused.
 */
export async function answerFormOnce<Answer>(
  { database, now, cookie }: PageDeps,
  request: FastifyRequest,
  caller: Caller,
  work: (keep: Keep<Answer>) => Promise<Answer>,
  pause: () => Promise<void> = () => delay(LOOK_AGAIN_MS),
): Promise<Answer> {
  const token = onceTokenOf(request.body)
  if (hashOfToken(token) === null)
    throw new AppError('bad_request', 'This form is not complete.', {
      fix: 'Send it again from this page.',
    })
  const slot = {
    ...slotOf(request, caller, { key: token, fingerprint: fingerprintOf(request) }),
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
  for (let looksLeft = LOOKS; ; looksLeft -= 1) {
    try {
      return await answer()
    } catch (error) {
      if (
        !(error instanceof AppError && error.code === 'idempotency_in_progress') ||
        looksLeft === 0
      )
        throw error
      await pause()
    }
  }
}

/** Whose answer it is, and what the browser had before it was theirs: the token of a form's page, or of a cookie. */
export type SignInAnswerOwner = { readonly accountId: Id; readonly token: string }

/**
 * The same for a request that signs a stranger in, whose proof works once by itself: a double click or a reload finds what
 * the first one brought. No browser has a session yet that could seal it, so the token does, which this browser alone has; of
 * it only the hash is kept.
 */
export async function storeSignInAnswer(
  tx: Transaction,
  request: FastifyRequest,
  { nowMs, ...whose }: SignInAnswerOwner & { readonly nowMs: number },
  answer: object,
): Promise<void> {
  const slot = signInSlotOf(request, whose)
  if (slot !== null)
    await keepAnswer(tx, { ...slot, nowMs }, { status: 200, body: JSON.stringify(answer) })
}

/** What the first sending of this very request brought, entries and all; null for any other. */
export async function findSignInAnswer<Answer>(
  database: Database,
  request: FastifyRequest,
  whose: SignInAnswerOwner,
): Promise<Answer | null> {
  const slot = signInSlotOf(request, whose)
  const kept = slot === null ? null : await findAnswer(database, slot)
  return kept === null ? null : (JSON.parse(kept.body) as Answer)
}

function signInSlotOf(request: FastifyRequest, { accountId, token }: SignInAnswerOwner) {
  const hash = hashOfToken(token)
  return hash === null
    ? null
    : {
        ...slotOf(
          request,
          { accountId, mode: 'live', keyId: null, scope: 'account' },
          { key: hash.toString('hex'), fingerprint: fingerprintOf(request) },
        ),
        secret: token,
      }
}

function fingerprintOf({ body, query }: FastifyRequest): string {
  return createHash('sha256')
    .update(JSON.stringify(body ?? query))
    .digest('hex')
}

function toPageError(error: unknown): unknown {
  if (!(error instanceof AppError)) return error
  const { code, retryAfterSeconds } = error
  if (code === 'idempotency_in_progress')
    return new AppError(code, 'This form is still being worked on.', {
      fix: 'Reload this page in a moment to see what came of it; nothing is made twice.',
      retryAfterSeconds,
    })
  if (code === 'idempotency_key_reused')
    return new AppError(
      code,
      'This form was sent before, from another browser or with other entries.',
      { fix: 'See what came of that; if you want this too, send it again.' },
    )
  return error
}
