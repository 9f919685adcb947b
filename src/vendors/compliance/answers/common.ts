/** Parts that the answers of checks share. */
import type { TObject, TProperties } from '../../../lib/schema.ts'
import {
  maybe,
  number,
  openAnswer,
  record,
  text,
  open,
} from '../../../catalog/vocabulary/returns.ts'

const meta = maybe(
  record('The origin of the answer.', {
    capability: maybe(text("The vendor's name of the check.")),
    latency_ms: maybe(number('How long the vendor took.', 'milliseconds')),
    provenance: maybe(open('The sources of the check.')),
    payment: maybe(
      record("The vendor's price. The charge is in the envelope.", {
        method: maybe(text('How it was paid.')),
        price_usd: maybe(number('The price.', 'USD')),
      }),
    ),
  }),
)

/** The answer of one check. The vendor may return further fields. */
export function check(fields: TProperties): TObject {
  return openAnswer(
    'The vendor may return further fields than this gateway and public registers.',
    {
      ...fields,
      _meta: meta,
    },
  )
}
