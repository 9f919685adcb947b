/** Makes purchases through the whole money path, each with a fault at another step, and checks the books. */
import { createIntents } from '../../src/calls/payments/intents.ts'
import { sweepPayments } from '../../src/calls/payments/queue.ts'
import { runCall } from '../../src/calls/run.ts'
import { AppError } from '../../src/errors/app-error.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { postCredit } from '../../src/ledger/credit.ts'
import { newId } from '../../src/lib/ids.ts'
import { cents, dollars } from '../../src/lib/money.ts'
import type { Intents } from '../../src/upstream/pay/intents.ts'
import {
  devledger,
  paidChallenge,
  challengeHeader,
  receiptHeader,
} from '../../src/upstream/pay/testing/devledger.ts'
import { openCallBed } from '../harness/beds/calls.ts'
import type { VendorReply, VendorRequest } from '../harness/vendors/vendor.ts'
import { startVendor } from '../harness/vendors/vendor.ts'
import { shopAt } from './shop.ts'

/** Faults of the merchant and of its network, and of this process before and after each commit. */
const MERCHANT_FAULTS = [
  'none',
  'quote lost',
  'quote broken',
  'too dear',
  'lost before taking',
  'lost after taking',
  'breaks after taking',
  'refuses after taking',
  'no receipt',
  'receipt broken',
] as const
const PROCESS_FAULTS = [
  'open before',
  'open after',
  'sign',
  'signed before',
  'signed after',
  'paid before',
  'paid after',
] as const
const FAULTS = [...MERCHANT_FAULTS, ...PROCESS_FAULTS]
type Fault = (typeof FAULTS)[number]

export type FaultReport = {
  readonly purchases: number
  readonly signed: number
  readonly paid: number
  readonly queued: number
  /** Purchases in the queue without a signature, because the process ended before it. */
  readonly cutBeforeSigning: number
  readonly takenByMerchant: number
  readonly charged: number
  readonly broken: readonly string[]
}

const PRICE = 12_345n

/** Makes `purchases` in batches, one fault after another. Returns the figures and the broken guarantees. */
export async function injectFaults(purchases: number, batch = 10): Promise<FaultReport> {
  const taken = new Set<string>()
  const faultOf = (index: number): Fault => FAULTS[index % FAULTS.length] ?? 'none'
  const merchant = await startVendor()
  const { host } = new URL(merchant.url)
  merchant.answerWith((request) => answer(request, faultOf(indexOf(request)), host, taken))
  const method = devledger()
  let cutBeforeSigning = 0
  const failing = {
    ...method,
    offersIn: async (...asked: Parameters<typeof method.offersIn>) =>
      (await method.offersIn(...asked)).map((offer) =>
        faultOf(Number((JSON.parse(asked[1].body ?? '{}') as { query?: unknown }).query)) === 'sign'
          ? { ...offer, sign: () => Promise.reject(new RangeError('cannot sign')) }
          : offer,
      ),
  }

  const faultOfCall = new Map<string, Fault>()
  const bed = await openCallBed({
    services: [shopAt(merchant.url)],
    configured: false,
    wallet: (database, now) => ({
      methods: [failing],
      intents: breaking(
        createIntents({ database, now, dailyCeiling: dollars('100000'), openCeiling: cents('5') }),
        faultOfCall,
        () => (cutBeforeSigning += 1),
      ),
      now,
    }),
  })
  await postCredit(bed.database, {
    id: newId(bed.clock()),
    walletId: bed.caller.walletId,
    kind: 'topup',
    amount: dollars('10000'),
    nowMs: bed.clock(),
  })

  for (let from = 0; from < purchases; from += batch) {
    await Promise.all(
      Array.from({ length: Math.min(batch, purchases - from) }, async (_, offset) => {
        const request = bed.request('shop', 'buy', { query: String(from + offset) })
        faultOfCall.set(request.id, faultOf(from + offset))
        await runCall(bed.calls, request).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error
        })
      }),
    )
  }
  bed.clock.advance(3_600_000)
  await sweepPayments(bed.database, bed.clock())
  await bed.calls.ledger.sweep()
  return count(bed, { purchases, signatures: method.signatures, taken, cutBeforeSigning })
}

type Made = {
  readonly purchases: number
  readonly signatures: readonly string[]
  readonly taken: ReadonlySet<string>
  readonly cutBeforeSigning: number
}

async function count(
  bed: Awaited<ReturnType<typeof openCallBed>>,
  { purchases, signatures, taken, cutBeforeSigning }: Made,
): Promise<FaultReport> {
  const { rows } = await bed.database.query<{
    challenge_id: string
    status: string
    amount: bigint
    charged: bigint | null
  }>(
    "select challenge_id, payments.status, payments.amount_micros as amount, -transactions.amount_micros as charged from payments left join transactions on transactions.id = call_id and transactions.kind = 'call'",
  )
  const { rows: charges } = await bed.database.query<{ id: string }>(
    "select id from transactions where kind = 'call' and amount_micros < 0 and not exists (select 1 from payments where call_id = transactions.id and payments.status = 'paid')",
  )
  const { rows: days } = await bed.database.query<{ outflow: bigint }>(
    'select sum(outflow_micros)::bigint as outflow from payment_days',
  )
  const ends = new Map(rows.map((row) => [row.challenge_id, row]))
  const withStatus = (status: string) => rows.filter((row) => row.status === status)
  const [paid, queued] = [withStatus('paid').length, withStatus('unknown').length]
  const { findings } = await verifyLedger(bed.database)
  const { held } = await bed.balance()
  const broken = [
    ...signatures
      .filter((id) => !['paid', 'unknown'].includes(ends.get(id)?.status ?? ''))
      .map((id) => `signed and neither receipted nor queued: ${id}`),
    ...[...taken]
      .filter((id) => !['paid', 'unknown'].includes(ends.get(id)?.status ?? ''))
      .map((id) => `money taken without a trace: ${id}`),
    ...rows
      .filter(
        ({ charged, status, amount }) =>
          (charged ?? 0n) > 0n && (status !== 'paid' || charged !== amount),
      )
      .map((row) => `charged ${row.charged} for a payment ${row.status} of ${row.amount}`),
    ...charges.map(({ id }) => `charged without a receipt: ${id}`),
    ...rows
      .filter(({ status }) => status === 'intended' || status === 'signed')
      .map(({ challenge_id: id }) => `left open: ${id}`),
    ...(signatures.length + cutBeforeSigning === paid + queued
      ? []
      : [
          `${signatures.length} signed and ${cutBeforeSigning} cut before, but ${paid} receipts and ${queued} queued`,
        ]),
    ...(days[0]?.outflow === PRICE * BigInt(paid + queued)
      ? []
      : [`the day counts ${days[0]?.outflow}`]),
    ...(new Set(signatures).size === signatures.length ? [] : ['a challenge was signed twice']),
    ...(held === 0n ? [] : [`${held} stays held`]),
    ...findings.map((finding) => JSON.stringify(finding)),
  ]
  return {
    purchases,
    signed: signatures.length,
    paid,
    queued,
    cutBeforeSigning,
    takenByMerchant: taken.size,
    charged: rows.filter(({ charged }) => (charged ?? 0n) > 0n).length,
    broken,
  }
}

function indexOf({ body }: VendorRequest): number {
  return Number((body as { query: string }).query)
}

function answer(
  request: VendorRequest,
  fault: Fault,
  host: string,
  taken: Set<string>,
): VendorReply {
  const challenge = paidChallenge(request.headers.authorization)
  if (challenge === null) {
    if (fault === 'quote lost') return 'reset'
    const quote = challengeHeader({
      amount: fault === 'too dear' ? '20001' : String(PRICE),
      realm: host,
    })
    return {
      status: 402,
      headers: {
        'www-authenticate':
          fault === 'quote broken' ? quote.replace('request="', 'request="%%') : quote,
      },
    }
  }
  if (fault === 'lost before taking') return 'reset'
  taken.add(challenge.id)
  if (fault === 'lost after taking') return 'reset'
  if (fault === 'breaks after taking') return { status: 500 }
  if (fault === 'refuses after taking')
    return {
      status: 402,
      headers: { 'www-authenticate': challengeHeader({ amount: String(PRICE), realm: host }) },
    }
  const receipt =
    fault === 'no receipt'
      ? {}
      : {
          'payment-receipt':
            fault === 'receipt broken' ? 'e30' : receiptHeader(`ref-${challenge.id}`),
        }
  return { headers: receipt, body: { results: ['bought'] } }
}

/** The intents of a process that ends directly before or after one of its commits. */
function breaking(intents: Intents, faults: ReadonlyMap<string, Fault>, cut: () => void): Intents {
  const callOf = new Map<string, string>()
  const ended = new AppError('overloaded', 'The process ended.')
  async function step(id: string, name: string, commit: () => Promise<void>): Promise<void> {
    const fault = faults.get(callOf.get(id) ?? '')
    if (fault === `${name} before`) throw ended
    await commit()
    if (fault === `${name} after`) throw ended
  }
  return {
    async open(intent) {
      callOf.set(intent.id, intent.callId)
      const fault = faults.get(intent.callId)
      if (fault === 'open before') throw ended
      const verdict = await intents.open(intent)
      if (fault !== 'open after') return verdict
      cut()
      throw ended
    },
    signed: (id, hash) => step(id, 'signed', () => intents.signed(id, hash)),
    paid: (id, receipt) => step(id, 'paid', () => intents.paid(id, receipt)),
    unknown: (id, reason) => intents.unknown(id, reason),
    unsigned: (id, reason) => intents.unsigned(id, reason),
  }
}
