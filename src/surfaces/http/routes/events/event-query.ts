import { Type } from '../../../../lib/schema.ts'
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
} from '../../../../events/delivery/delivery-record.ts'
import { EVENT_TYPE_NAMES } from '../../../../events/event-types.ts'

const strict = { additionalProperties: false }

export const LONGEST_WAIT_SECONDS = 60

const limit = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: 100,
    description: 'Maximum number of items. Default: 50.',
  }),
)

export const EventQuery = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        description:
          'next_after of the previous response, or the id of an event. Absent: from the oldest stored event. "latest": returns no events and the newest id.',
      }),
    ),
    wait_s: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LONGEST_WAIT_SECONDS,
        description: 'How long to wait for the next event, in seconds. Default: 0.',
      }),
    ),
    types: Type.Optional(
      Type.String({
        maxLength: 500,
        description: 'Types and patterns, separated by commas, such as "job.*,key.threshold".',
      }),
    ),
    limit,
  },
  strict,
)

export const DeliveryQuery = Type.Object(
  {
    webhook_id: Type.Optional(Type.String({ description: 'Deliveries of one webhook (whk_…).' })),
    status: Type.Optional(
      Type.Unsafe<DeliveryStatus>({
        enum: [...DELIVERY_STATUSES],
        description: '"waiting" includes deliveries that will be tried again.',
      }),
    ),
    type: Type.Optional(
      Type.Unsafe<string>({ enum: [...EVENT_TYPE_NAMES], description: 'One type of event.' }),
    ),
    limit,
    cursor: Type.Optional(Type.String({ description: 'next_cursor of the previous page.' })),
  },
  strict,
)
