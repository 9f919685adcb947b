/** The calling key, the credit and generations in the formats of OpenRouter, for its clients. Free. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from '../../../../lib/schema.ts'
import { readBalance } from '../../../../accounts/balance.ts'
import type { Database } from '../../../../db/database.ts'
import type { Validator } from '../../../../catalog/validate/validate.ts'
import { findGeneration } from '../../../../history/find-generation.ts'
import type { Histories } from '../../../../history/histories.ts'
import { readQuery } from '../../read-input.ts'
import { generationData } from './generation-data.ts'
import { describeKey, type OwnKey } from '../../../../keys/describe-key.ts'
import { readTotalUsage, readUsage, type KeyUsage } from '../../../../keys/read-usage.ts'
import type { Clock } from '../../../../lib/clock.ts'
import { publicId } from '../../../../lib/ids.ts'
import type { Micros } from '../../../../lib/money.ts'
import { renderChatError } from '../../../router/render-chat-error.ts'

export type KeyRouteDeps = {
  readonly database: Database
  readonly now: Clock
  readonly histories: Histories
  readonly validator: Validator
  /** The gateway's limit for each key. */
  readonly ratePerMinute: number
}

const GenerationQuery = Type.Object(
  { id: Type.String({ pattern: '^[!-~]{1,200}$' }) },
  { additionalProperties: false },
)
const RESETS = { day: 'daily', week: 'weekly', month: 'monthly', total: null } as const
// OpenRouter's own clients use both addresses.
const KEY_PATHS = ['/key', '/auth/key']

/** Registers the routes. */
export async function keyRoutes(app: FastifyInstance, deps: KeyRouteDeps): Promise<void> {
  app.setErrorHandler(renderChatError)
  for (const path of KEY_PATHS)
    app.get(`/api/llm/v1${path}`, async (request, reply) => {
      const [key, usage] = await Promise.all([
        describeKey(deps, request.caller),
        readUsage(deps, request.caller),
      ])
      return sendFree(request, reply, keyData(key, usage, deps.ratePerMinute))
    })

  app.get('/api/llm/v1/generation', async (request, reply) => {
    const { caller } = request
    const { id } = readQuery(deps.validator, GenerationQuery, request.query)
    const reader = {
      database: deps.histories(caller.accountId),
      owner: caller,
      walletId: caller.walletId,
      nowMs: deps.now(),
    }
    return sendFree(request, reply, generationData(await findGeneration(reader, id)))
  })

  app.get('/api/llm/v1/credits', async (request, reply) => {
    const [{ available_micros: available }, usage] = await Promise.all([
      readBalance(deps, request.caller),
      readTotalUsage(deps, request.caller),
    ])
    // Clients show the difference of the two as the available credit.
    return sendFree(request, reply, {
      total_credits: toDollars(usage + BigInt(available)),
      total_usage: toDollars(usage),
    })
  })
}

function keyData(key: OwnKey, usage: KeyUsage, perMinute: number): object {
  const limit = key.ceiling_cents === null ? null : key.ceiling_cents / 100
  return {
    label: key.label ?? key.key_prefix,
    limit,
    limit_remaining: key.remaining_micros === null ? null : key.remaining_micros / 1_000_000,
    limit_reset: limit === null ? null : RESETS[key.ceiling_period],
    usage: toDollars(usage.total),
    usage_daily: toDollars(usage.day),
    usage_weekly: toDollars(usage.week),
    usage_monthly: toDollars(usage.month),
    byok_usage: 0,
    byok_usage_daily: 0,
    byok_usage_weekly: 0,
    byok_usage_monthly: 0,
    include_byok_in_limit: false,
    is_free_tier: false,
    is_management_key: key.primary,
    is_provisioning_key: key.primary,
    free_model_daily_requests: { limit: 0, remaining: 0, used: 0 },
    rate_limit: {
      requests: strictestRate(key, perMinute),
      interval: '1m',
      note: 'Requests of this key. Unlike at OpenRouter, this limit applies.',
    },
    expires_at: key.expires_at,
    allowed_data_regions: [],
    creator_user_id: null,
    organization_id: null,
    workspace_id: null,
  }
}

function strictestRate({ rate_limit_per_minute: own, ancestors }: OwnKey, most: number): number {
  const limits = [own, ...ancestors.map((above) => above.rate_limit_per_minute)]
  return Math.min(most, ...limits.filter((limit) => limit !== null))
}

function toDollars(amount: Micros): number {
  return Number(amount) / 1_000_000
}

function sendFree({ id }: FastifyRequest, reply: FastifyReply, data: object): FastifyReply {
  return reply
    .header('x-request-id', publicId('request', id))
    .header('x-charged-micros', '0')
    .header('cache-control', 'no-store')
    .send({ data })
}
