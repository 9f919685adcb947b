/** core/consult over the whole catalog, without a database and, unless given, without a language model. */
import { createCatalog } from '../../src/catalog/index.ts'
import { createValidator } from '../../src/catalog/validate/validate.ts'
import type { CallTools } from '../../src/catalog/vocabulary/handlers.ts'
import { failed } from '../../src/catalog/vocabulary/outcome.ts'
import { createConsult, type ConsultDeps } from '../../src/composites/consult/consult.ts'
import { NEW_CONVERSATION } from '../../src/composites/consult/conversation.ts'
import { createDiscover } from '../../src/composites/discover/create-discover.ts'
import type { Complete } from '../../src/composites/shared/complete.ts'
import type { WholeAnswer } from './judge-values.ts'

/** The day to which "last week" relates in all judged intents. */
const NOW_MS = Date.UTC(2026, 10, 20, 12)

export type Ask = (intent: string) => Promise<WholeAnswer>

/** Returns a function that asks core/consult in a new conversation. `discover` is shared by all of them. */
export function prepareConsult(): {
  readonly withModel: (complete: Complete | null) => Ask
  readonly discover: ConsultDeps['discover']
} {
  const catalog = createCatalog()
  const laneOf = () => ({ live: 'vendor', lanes: ['vendor'] }) as const
  const discover = createDiscover({ services: catalog.services, laneOf })
  const validator = createValidator()
  return {
    discover,
    withModel: (complete) => {
      let pendingTarget: WholeAnswer['offered'] = []
      let priced: WholeAnswer['priced'] = null
      const conversations: ConsultDeps['conversations'] = {
        load: async () => NEW_CONVERSATION,
        save: async (_owner, _id, { pending }) => {
          pendingTarget = pending === null ? [] : [pending.target]
          priced = pending?.missing === '' ? { ...pending.target, params: pending.params } : null
        },
      }
      const consult = createConsult({
        catalog,
        validator,
        discover,
        laneOf,
        conversations,
        complete,
      })
      return async (intent) => {
        const outcome = await consult({ intent }, tools)
        if (outcome.kind !== 'done' && outcome.kind !== 'empty')
          throw new RangeError(`core/consult failed for "${intent}"`)
        const data = outcome.data as Partial<WholeAnswer> & {
          alternatives?: WholeAnswer['offered']
          left_out?: readonly string[]
        }
        return {
          calls: data.calls ?? [],
          question: data.question ?? null,
          offered: [...pendingTarget, ...(data.alternatives ?? [])],
          priced,
          isCharged: outcome.kind === 'done',
          later: data.later ?? [],
          leftOut: data.left_out ?? [],
        }
      }
    },
  }
}

const tools: CallTools = {
  mode: 'test',
  accountId: '0'.repeat(32),
  keyId: null,
  scope: 'account',
  callId: '0'.repeat(32),
  signal: new AbortController().signal,
  timeoutMs: 60_000,
  now: () => NOW_MS,
  isLive: () => true,
  invoke: () => {
    throw failed('upstream_not_configured', 'core/consult calls no action.')
  },
}
