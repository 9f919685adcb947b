import type { StoredAnswer } from '../../calls/idempotency/answers.ts'
import { writeOrReject } from '../../calls/perform/envelope.ts'
import type { WalletState } from '../../ledger/hold.ts'
import type { Micros } from '../../lib/money.ts'
import type { Bill } from '../bill/bill.ts'
import type { CallerLine } from '../ask/caller-line.ts'
import { Delivered } from './delivered.ts'
import { eventsOfCompletion } from './events-of-completion.ts'
import type { Fields } from '../../lib/json-fields.ts'
import { meter } from '../bill/metering.ts'
import type { Candidate } from '../lists/model.ts'
import { servedHop, usageBlock } from '../bill/receipt.ts'
import type { ActiveCompletion } from '../bill/active-completion.ts'
import { readUsage } from '../bill/usage.ts'
import { END_MARK, usageEvent } from './write-events.ts'

/** A response that is sent in one piece. */
export type CompletionAnswer = StoredAnswer & {
  readonly charged: Micros
  readonly wallet: WalletState | null
  readonly replayed: boolean
  readonly isEvents: boolean
  readonly model: string | null
}

/** Bills a whole response. If the caller requested a stream, it is converted to events. */
export async function wholeAnswer(
  completion: ActiveCompletion,
  candidate: Candidate,
  json: Fields,
  { isDisconnected }: Pick<CallerLine, 'isDisconnected'>,
): Promise<CompletionAnswer> {
  const { request, held } = completion
  const isOwed = isDisconnected && held.hold.claim === null
  const bill = await meter(completion, {
    candidate,
    delivered: () => deliveredIn(json),
    reported: readUsage(json['usage']),
    usageIs: 'final',
    generationId: json['id'],
    isOwed,
  })
  held.hops.push(servedHop(candidate, bill, held.latencyMs))
  const body = writeOrReject(() =>
    (request.stream ? asEvents : asJson)(completion, candidate, json, bill),
  )
  const { charged, wallet } = await held.settle(bill.charge, { status: 200, body })
  return {
    status: 200,
    body,
    charged,
    wallet,
    replayed: false,
    isEvents: request.stream,
    model: candidate.id,
  }
}

function asJson(
  { call }: ActiveCompletion,
  candidate: Candidate,
  json: Fields,
  bill: Bill,
): string {
  return JSON.stringify({
    ...json,
    model: json['model'] ?? candidate.id,
    usage: usageBlock(json['usage'], bill),
    ...(call.caller.mode === 'test' ? { test: true } : {}),
  })
}

function asEvents(
  { call, request }: ActiveCompletion,
  candidate: Candidate,
  json: Fields,
  bill: Bill,
): string {
  const usage = request.wantsUsage
    ? usageEvent({ sent: json, bill, modelId: candidate.id, isTest: call.caller.mode === 'test' })
    : ''
  return `${eventsOfCompletion({ ...json, model: json['model'] ?? candidate.id })}${usage}${END_MARK}`
}

function deliveredIn(json: Fields): Delivered {
  const delivered = new Delivered()
  delivered.addChoices(json['choices'])
  return delivered
}
