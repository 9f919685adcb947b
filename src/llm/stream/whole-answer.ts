import type { StoredAnswer } from '../../calls/idempotency/answers.ts'
import { writeOrReject } from '../../calls/perform/envelope.ts'
import type { WalletState } from '../../ledger/hold.ts'
import type { Micros } from '../../lib/money.ts'
import type { CallerLine } from '../ask/caller-line.ts'
import { callerFormat } from '../wires/caller-formats.ts'
import type { UpstreamWire } from '../wires/wire.ts'
import type { Delivered } from './delivered.ts'
import type { Fields } from '../../lib/json-fields.ts'
import { meter } from '../bill/metering.ts'
import type { Candidate } from '../lists/model.ts'
import { servedHop } from '../bill/receipt.ts'
import type { ActiveCompletion } from '../bill/active-completion.ts'

/** A response that is sent in one piece. */
export type CompletionAnswer = StoredAnswer & {
  readonly charged: Micros
  readonly wallet: WalletState | null
  readonly replayed: boolean
  readonly isEvents: boolean
  readonly model: string | null
}

type WholeResponse = {
  readonly wire: UpstreamWire
  readonly json: Fields
  /** The response as the upstream sent it. */
  readonly text: string
}

/** Bills a whole response. If the caller requested a stream, it is converted to events. */
export async function wholeAnswer(
  completion: ActiveCompletion,
  candidate: Candidate,
  { wire, json, text }: WholeResponse,
  { isDisconnected }: Pick<CallerLine, 'isDisconnected'>,
): Promise<CompletionAnswer> {
  const { request, held } = completion
  const isOwed = isDisconnected && held.hold.claim === null
  const bill = await meter(completion, {
    candidate,
    delivered: () => deliveredIn(wire, json),
    reported: wire.usageOf(json),
    promptUsage: null,
    usageIs: 'final',
    generationId: json['id'],
    isOwed,
  })
  held.hops.push(
    servedHop(candidate, bill, { latencyMs: held.latencyMs, generationId: json['id'] }),
  )
  const format = callerFormat(request, wire.name)
  const facts = {
    bill,
    modelId: candidate.id,
    isTest: completion.call.caller.mode === 'test',
    wantsUsage: request.wantsUsage,
  }
  const body = writeOrReject(() =>
    request.stream ? format.writeEvents(json, facts) : format.writeWhole(json, text, facts),
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

function deliveredIn(wire: UpstreamWire, json: Fields): Delivered {
  const delivered = wire.createDelivered()
  delivered.addChoices(wire.choicesOf(json))
  return delivered
}
