import type { Visitor } from '../../../../auth/records/browser-session.ts'
import type { EventRecord } from '../../../../events/event-record.ts'
import type { KeyRecord } from '../../../../keys/key-record.ts'
import type { ListedKey } from '../../../../keys/list-key-trees.ts'
import type { Bounds } from '../../../../keys/spendable.ts'
import type { FieldErrors } from '../visitor/field-errors.ts'
import type { KeyFormValues } from './key-form.ts'

/** A page of the child keys. */
export type ShownChildren = {
  readonly keys: readonly ListedKey[]
  readonly bounds: ReadonlyMap<string, Bounds>
  readonly looping: ReadonlySet<string>
  readonly isFirstPage: boolean
  readonly nextCursor: string | null
}

export type KeyView = {
  readonly visitor: Visitor
  readonly key: KeyRecord
  readonly bounds: Bounds | undefined
  readonly typed: KeyFormValues
  readonly children: ShownChildren
  /** The latest events of the key, newest first. */
  readonly events: readonly EventRecord[]
  /** The event of the loop breaker that paused the key. */
  readonly loop: EventRecord | undefined
  /** Percentages of the limit that write an event. */
  readonly alertPercents: readonly number[]
  /** The names of all actions. */
  readonly actions: readonly string[]
  /** The submitted values, if the key changed after the form was opened. */
  readonly notSaved?: KeyFormValues
  /** The tag of the settings that the form shows. */
  readonly filledFrom: string
  /** The completed change. */
  readonly done?: KeyDone
  /** The submitted grace period of the rotation form, in seconds. */
  readonly grace?: string
  /** The token of a form that must be sent again. */
  readonly onceToken?: string
  /** The errors of a form by the name of the field. */
  readonly errors: FieldErrors
  /** The error of a form that is about no field. */
  readonly problem?: string
}

/** Confirmations, by the query of the page. */
export const KEY_DONE = {
  saved: 'Saved.',
  paused: 'Key paused. Its calls are rejected until you resume it.',
  resumed: 'Key resumed.',
  revoked: 'Key revoked.',
  'former-ended': 'The former secret is no longer valid.',
  alerts: 'Notifications saved.',
} as const
export type KeyDone = keyof typeof KEY_DONE

export function isKeyDone(text: string | undefined): text is KeyDone {
  return text !== undefined && Object.hasOwn(KEY_DONE, text)
}
