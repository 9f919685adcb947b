/** Inboxes of this gateway in the OpenAPI document. */
import { answers, schemaRef } from '../../../catalog/published/openapi-parts.ts'
import type { DeletedInbox, DeletedMessage } from '../../../resources/inboxes/delete-messages.ts'
import type { InboxRecord } from '../../../resources/inboxes/list-inboxes.ts'
import { MessageQuery } from '../routes/inboxes/inbox-routes.ts'
import { queryParameters } from './from-schema.ts'
import { KEYED, READ, requestId, security } from './path-parts.ts'
import { amount, record, text, textOrNull, time, type FieldsOf } from './schema-parts.ts'

const freed = { ...amount, description: 'The bytes that the inbox has gained.' }

const inboxFields: FieldsOf<InboxRecord> = {
  inbox_id: { ...text, description: 'The address.' },
  display_name: textOrNull,
  created_at: time,
  bytes: { ...amount, description: 'The size of the received messages.' },
}
const deletedInboxFields: FieldsOf<DeletedInbox> = {
  inbox_id: text,
  messages: { ...amount, description: 'The number of deleted messages.' },
  freed_bytes: freed,
}
const deletedMessageFields: FieldsOf<DeletedMessage> = {
  inbox_id: text,
  message_id: text,
  freed_bytes: freed,
}

export const inboxSchemas = {
  Inbox: record(inboxFields),
  DeletedInbox: record(deletedInboxFields),
  DeletedMessage: record(deletedMessageFields),
}

const data = (schema: object) => ({
  type: 'object',
  required: ['ok', 'data'],
  properties: { ok: { const: true }, data: schema },
})

const inboxParameter = {
  name: 'inbox',
  in: 'path',
  required: true,
  schema: text,
  description: 'The inbox_id (address) that inbox/create_inbox returned.',
}

type OperationParts = Readonly<Record<string, unknown>> & {
  readonly schema: object
  readonly statuses: readonly number[]
}

function operation(
  operationId: string,
  summary: string,
  { schema, statuses, ...more }: OperationParts,
) {
  const answer = {
    status: 200,
    description: 'The result.',
    schema: data(schema),
    headers: requestId,
  }
  return {
    operationId,
    tags: ['inboxes'],
    security,
    summary,
    ...more,
    responses: answers(answer, statuses),
  }
}

export const inboxPaths = {
  '/api/v1/inboxes': {
    get: operation(
      'list_inboxes',
      'List the inboxes of this gateway, newest first. A key of scope "own" sees its own.',
      { schema: { type: 'array', items: schemaRef('Inbox') }, statuses: KEYED },
    ),
  },
  '/api/v1/inboxes/{inbox}': {
    parameters: [inboxParameter],
    delete: operation(
      'delete_inbox',
      'Delete an inbox and its messages. Its address is never given again.',
      { schema: schemaRef('DeletedInbox'), statuses: [...KEYED, 404] },
    ),
  },
  '/api/v1/inboxes/{inbox}/messages': {
    parameters: [inboxParameter],
    delete: operation('delete_message', 'Delete a message and its attachments.', {
      schema: schemaRef('DeletedMessage'),
      statuses: [...READ, 404],
      parameters: queryParameters(MessageQuery),
    }),
  },
}
