import { isFields, listedFields, parseFields, type Fields } from '../../lib/json-fields.ts'
import { errorOf } from '../ask/upstream-error.ts'
import { readUsage, usageIn } from '../bill/usage.ts'
import type { UpstreamWire } from '../wires/wire.ts'
import { completionOfEvents } from './completion-of-events.ts'
import { Delivered } from './delivered.ts'
import { EventFilter } from './event-filter.ts'

/** Chat completions, which every upstream speaks. */
export const chatWire: UpstreamWire = {
  name: 'chat',
  path: '/chat/completions',
  createReader: () => new EventFilter(),
  createDelivered: () => new Delivered(),
  readWhole: (text) => withUsage(parseFields(text) ?? completionOfEvents(Buffer.from(text))),
  errorOf,
  isAnswered: ({ choices }) =>
    listedFields(choices).some(({ message, delta }) => isFields(message) || isFields(delta)),
  choicesOf: ({ choices }) => choices,
  usageOf: ({ usage }) => readUsage(usage),
}

/** Some upstreams report the usage in the choices. */
function withUsage(whole: Fields | null): Fields | null {
  const usage = whole === null ? null : usageIn(whole)
  return usage === null ? whole : { ...whole, usage }
}
