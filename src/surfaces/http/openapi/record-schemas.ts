/** JSON Schemas for the state of a call and the audit log. */
import type { CallState } from '../../../history/find-call.ts'
import { CHANGE_SUBJECTS, type ChangeRecord } from '../../../audit/change-record.ts'
import {
  amount,
  amountOrNull,
  record,
  text,
  textOrNull,
  time,
  timeOrNull,
  type FieldsOf,
} from './schema-parts.ts'

const callStateFields: FieldsOf<CallState> = {
  state: {
    enum: ['in_progress', 'answered', 'uncharged', 'unknown'],
    description:
      '"unknown": no call with this key is running or has an answer, so it charged nothing, and the same request may be sent again.',
  },
  request_id: textOrNull,
  transaction_id: textOrNull,
  created_at: timeOrNull,
  charged_micros: amountOrNull,
  error_code: textOrNull,
  answer: {
    anyOf: [record({ status: amount, body: {} }), { type: 'null' }],
    description:
      'The response, while it is stored: a day for calls with an idempotency key. The body of a stream is text.',
  },
  answer_stored_until: timeOrNull,
}

const changeFields: FieldsOf<ChangeRecord> = {
  id: text,
  changed_at: time,
  account_id: textOrNull,
  author: {
    ...text,
    description: 'Who made the change, such as "key agk_…", "holder" or "operator root".',
  },
  origin: {
    ...textOrNull,
    description: 'A network address or "command line"; null for the gateway itself.',
  },
  request_id: textOrNull,
  subject: { enum: CHANGE_SUBJECTS },
  subject_id: text,
  what: { enum: ['created', 'changed', 'deleted'] },
  fields: {
    type: 'object',
    additionalProperties: {
      anyOf: [{ type: 'array', minItems: 2, maxItems: 2, items: {} }, { const: 'hidden' }],
    },
    description: 'Each changed field with its value before and after; "hidden" for secrets.',
  },
}

export const recordSchemas = {
  Change: record(changeFields),
  CallState: record(callStateFields),
}
