import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '../../../../errors/app-error.ts'
import type { ErrorCode } from '../../../../errors/catalog.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import { settingsTag } from '../../../../keys/settings-tag.ts'
import { onceTokenOf } from '../visitor/answer-form-once.ts'
import { fieldErrors, type FieldErrors } from '../visitor/field-errors.ts'
import { sendPage, sendErrorPage, describeError } from '../visitor/send-page.ts'
import { formValuesOfKey, KEY_FIELD_NAMES, type KeyFormValues } from './key-form.ts'
import type { KeyView } from './key-view.ts'

/** A rejected key form with its submitted values. `filledFrom` is the tag of the settings that the form showed. */
export type RejectedForm = {
  readonly error: AppError
  readonly typed?: KeyFormValues
  readonly filledFrom?: string
  readonly grace?: string
  readonly onceToken?: string
}

/** Keeps the token of a form that is still in progress, so that sending it again returns the first result. */
export function resendToken({ body }: FastifyRequest, { code }: AppError): { onceToken?: string } {
  return code === 'idempotency_in_progress' ? { onceToken: onceTokenOf(body) } : {}
}

/** The values of the settings form: the current ones, or the submitted ones with their original tag. */
export function formValuesFor(
  key: KeyRecord,
  refused: RejectedForm | undefined,
): Pick<KeyView, 'typed' | 'filledFrom' | 'notSaved'> {
  const present = { typed: formValuesOfKey(key), filledFrom: settingsTag(key) }
  if (refused?.typed === undefined) return present
  const { error, typed, filledFrom = '' } = refused
  return error.code === 'key_changed' ? { ...present, notSaved: typed } : { typed, filledFrom }
}

/** Advice for errors whose default advice names HTTP addresses. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  unknown_key: 'Choose a key from the list.',
  key_cannot_mint_keys: 'Sign in as an owner of the account, or with its primary key.',
  primary_key_needed: 'Rotate its secret instead.',
  key_quota_exceeded: 'Revoke keys that you no longer use.',
}

/** Sends a page with the status of the rejected form, or 200. */
export function sendKeyPage(
  reply: FastifyReply,
  refused: RejectedForm | undefined,
  markup: string,
): FastifyReply {
  return refused === undefined
    ? sendPage(reply, 200, markup)
    : sendErrorPage(reply, refused.error, markup)
}

/** The fields of the forms of a key, by the parameters of errors. */
const FIELD_NAMES = {
  ...KEY_FIELD_NAMES,
  grace_seconds: 'grace_seconds',
  threshold_percents: 'percents',
  sure: 'sure',
}

/** The parts of a rejected form that the page shows. */
export function rejectionView(refused: RejectedForm | undefined): {
  errors: FieldErrors
  problem?: string
  grace?: string
  onceToken?: string
} {
  if (refused === undefined) return { errors: {} }
  const { error, grace, onceToken } = refused
  const errors = fieldErrors(error, FIELD_NAMES)
  return {
    errors,
    ...(Object.keys(errors).length > 0
      ? {}
      : { problem: describeError(error, ADVICE[error.code]) }),
    ...(grace === undefined ? {} : { grace }),
    ...(onceToken === undefined ? {} : { onceToken }),
  }
}
