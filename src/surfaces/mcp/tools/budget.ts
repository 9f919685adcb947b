import { answerOnce } from '../../../calls/idempotency/answers.ts'
import { fingerprintOf } from '../../../calls/idempotency/fingerprint.ts'
import { params } from '../../../catalog/vocabulary/define.ts'
import { choice, optional, text, texts, whole } from '../../../catalog/vocabulary/fields.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { NewChild } from '../../../keys/children/child-input.ts'
import { NewChildBody } from '../../../keys/children/child-input.ts'
import { endChild } from '../../../keys/children/end-child.ts'
import { listChildren } from '../../../keys/children/list-children.ts'
import { mintChild } from '../../../keys/children/mint-child.ts'
import type { KeyWithSecret } from '../../../keys/key-record.ts'
import { PERIOD_NAMES } from '../../../keys/key-fields.ts'
import { LONGEST_EXTERNAL_ID, LONGEST_LABEL } from '../../../keys/key-input.ts'
import { BREAKERS } from '../../../keys/policy/breaker.ts'
import { requireKnownPatterns } from '../../../keys/policy/require-known-patterns.ts'
import { ownRoute, SCOPES } from '../../../lib/owner.ts'
import { bearerSecret } from '../../http/guards/require-caller.ts'
import { keyOf } from './idempotency.ts'
import { reply, type Tool, type ToolCall, type ToolDeps, type ToolReply } from './tool.ts'

const MOST_LISTED = 100

/** The child keys of the calling key as a tool: /api/v1/agents/me/children. */
export const budget: Tool = {
  name: 'budget',
  title: 'Budgets for sub-agents',
  description:
    'Create, list or end keys for sub-agents. Each has a limit and an expiry of its own and spends from this key. create returns the key once. Free.',
  input: params({
    do: choice('The operation.', ['create', 'list', 'end'], { type: 'string' }),
    label: optional(text('Name of a new key.', LONGEST_LABEL)),
    ceiling_cents: optional(whole('Most that it spends per ceiling_period.', 0, 1e9)),
    ceiling_period: optional(choice('Default: total.', PERIOD_NAMES, { type: 'string' })),
    max_call_cents: optional(whole('Most that one call costs.', 0, 1e9)),
    ttl_s: optional(whole('Seconds until it expires.', 1, 31_622_400)),
    allow: optional(texts('Its only actions, such as "core/*".', 100)),
    deny: optional(texts('Actions that it may not use; wins over allow.', 100)),
    scope: optional(
      choice('own (default): it sees only what it creates.', SCOPES, { type: 'string' }),
    ),
    breaker: optional(choice('When it repeats itself.', BREAKERS, { type: 'string' })),
    rate_limit_per_minute: optional(whole('Most requests a minute.', 1, 1e6)),
    external_id: optional(text('Your id for its user, on each transaction.', LONGEST_EXTERNAL_ID)),
    id: optional(text('The key to end (agk_…).', 100)),
  }),
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
  async call(deps, call) {
    const { do: operation, id, ...settings } = call.input
    if (operation === 'create') return createChild(deps, call, settings)
    const unused = Object.keys(settings)[0]
    if (unused !== undefined)
      throw new AppError('invalid_params', `"${unused}" applies to create only.`, { param: unused })
    if (operation === 'list') {
      const { keys } = await listChildren(deps.keys, call.request.caller, {
        limit: MOST_LISTED,
        cursor: null,
      })
      return reply(call.request, { keys })
    }
    if (typeof id !== 'string')
      throw new AppError('invalid_params', 'Send the "id" of the key to end.', { param: 'id' })
    return reply(call.request, { ...(await endChild(deps.keys, call.request.caller, id)) })
  },
}

async function createChild(
  { keys, calls }: ToolDeps,
  { request, idempotencyKey }: ToolCall,
  settings: Readonly<Record<string, unknown>>,
): Promise<ToolReply> {
  const { caller } = request
  const input = calls.validator.validate(NewChildBody, settings) as NewChild
  requireKnownPatterns(input, calls.catalog.allActions())
  const key = keyOf(idempotencyKey)
  const replyWith = (made: KeyWithSecret): ToolReply => reply(request, { ...made })
  if (key === null) return replyWith(await mintChild(keys, caller, input))
  const slot = {
    accountId: caller.accountId,
    route: ownRoute(caller, `${caller.mode === 'test' ? 'test:' : ''}mcp/budget`),
    key,
    fingerprint: fingerprintOf(settings),
    callId: request.id,
    nowMs: keys.now(),
    secret: bearerSecret(request) ?? '',
  }
  const { body, replayed } = await answerOnce<KeyWithSecret>(
    keys.database,
    slot,
    (made) => ({ status: 200, body: replyWith(made).body }),
    (keep) => mintChild(keys, caller, input, keep),
  )
  return { body, meta: replayed ? { idempotencyReplayed: true } : null }
}
