/** JSON Schemas for the state of a call and the audit log. */
import type { CallDetail } from '../../../history/calls/read-call.ts'
import type { CallRecord } from '../../../history/calls/call-record.ts'
import { CHARGE_STATES } from '../../../history/transaction-filter.ts'
import { SURFACES } from '../../../lib/surface.ts'
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

const callFields: FieldsOf<CallRecord> = {
  id: {
    ...textOrNull,
    description: 'The request id; of a session the transaction id; null for omitted calls.',
  },
  created_at: time,
  charge: { enum: [...CHARGE_STATES] },
  http_status: {
    ...amountOrNull,
    description: 'The HTTP status of the response. Null while the call is running.',
  },
  surface: { enum: [...SURFACES] },
  service: textOrNull,
  action: textOrNull,
  agent_id: textOrNull,
  external_id: textOrNull,
  duration_ms: amountOrNull,
  held_micros: amount,
  charged_micros: amount,
  error: {
    anyOf: [record({ code: text, message: text, param: textOrNull, fix: text }), { type: 'null' }],
    description: 'The error of the response. For older calls, the text of the catalog.',
  },
  replayed: {
    type: 'boolean',
    description: 'An earlier request with the same idempotency key had stored the answer.',
  },
  transaction_id: { ...textOrNull, description: 'Null for a call that held no credit.' },
  price_id: textOrNull,
  hops: { type: 'array', items: {}, description: 'The sources of the call, in order.' },
  omitted: {
    ...amount,
    description:
      'More than 0: this row counts that many further calls of one key and minute, which are not listed one by one. Without an error and with a status from 400, they are of several kinds, and the status is the first of their class.',
  },
}

const callStateFields: FieldsOf<CallDetail> = {
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
  call: {
    anyOf: [{ $ref: '#/components/schemas/LoggedCall' }, { type: 'null' }],
    description: 'The call as in the list of calls. Null while nothing is known about it.',
  },
  bodies: {
    anyOf: [
      record({
        request: textOrNull,
        response: textOrNull,
        request_chars: amount,
        response_chars: amount,
      }),
      { type: 'null' },
    ],
    description:
      'The request and the response without secrets, at most 65536 characters each, if the account stores them.',
  },
}

const changeFields: FieldsOf<ChangeRecord> = {
  id: text,
  changed_at: time,
  account_id: textOrNull,
  author: {
    ...text,
    description: 'Who made the change, such as "key agk_…", "member mem_…" or "operator root".',
  },
  origin: {
    ...textOrNull,
    description: 'A network address or "command line"; null for the gateway itself.',
  },
  request_id: textOrNull,
  reason: { ...textOrNull, description: 'Why an operator made the change.' },
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
  LoggedCall: record(callFields),
}
