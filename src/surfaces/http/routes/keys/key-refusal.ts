import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '../../../../errors/app-error.ts'
import type { ErrorCode } from '../../../../errors/catalog.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { settingsTag } from '../../../../keys/settings-tag.ts'
import { onceTokenOf } from '../visitor/answer-form-once.ts'
import { sendPage, sendRefusal, wordsOf } from '../visitor/send-page.ts'
import { typedOf, type TypedKey } from './key-form.ts'
import type { KeyView } from './key-page.ts'

/** A form about keys that was refused, and what it was sent with: `filledFrom` is the tag of the settings that it was filled from. */
export type Refused = {
  readonly error: AppError
  readonly typed?: TypedKey
  readonly filledFrom?: string
  readonly grace?: string
  readonly onceToken?: string
}

/** The form that is being worked on keeps its token, so that sending it again brings what comes of it. */
export function toSendAgain({ body }: FastifyRequest, { code }: AppError): { onceToken?: string } {
  return code === 'idempotency_in_progress' ? { onceToken: onceTokenOf(body) } : {}
}

/** What the form for changes holds: the present values, or what was typed into it, which knows no more of the key than it did. */
export function filledOf(
  key: KeyRecord,
  refused: Refused | undefined,
): Pick<KeyView, 'typed' | 'filledFrom' | 'notSaved'> {
  const present = { typed: typedOf(key), filledFrom: settingsTag(key) }
  if (refused?.typed === undefined) return present
  const { error, typed, filledFrom = '' } = refused
  return error.code === 'key_changed' ? { ...present, notSaved: typed } : { typed, filledFrom }
}

/** What to do where the advice for programs names addresses. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  unknown_key: 'These are the keys that there are.',
  key_cannot_mint_keys: 'Sign in as the holder of the account, or with its primary key.',
  primary_key_needed: 'Give it a new secret instead.',
  key_quota_exceeded: 'Revoke keys that are no longer used.',
}

/** The page with the status of what was refused, if anything was. */
export function sendShown(
  reply: FastifyReply,
  refused: Refused | undefined,
  markup: string,
): FastifyReply {
  return refused === undefined
    ? sendPage(reply, 200, markup)
    : sendRefusal(reply, refused.error, markup)
}

/** What a page shows of it. */
export function shown(refused: Refused | undefined): {
  problem?: string
  grace?: string
  onceToken?: string
} {
  if (refused === undefined) return {}
  const { error, grace, onceToken } = refused
  return {
    problem: wordsOf(error, ADVICE[error.code]),
    ...(grace === undefined ? {} : { grace }),
    ...(onceToken === undefined ? {} : { onceToken }),
  }
}
