import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { isTextual } from '../../catalog/vocabulary/wire.ts'
import { toCentsRoundedUp } from '../../lib/money.ts'
import type { CallRequest } from '../call.ts'
import { writeEnvelope } from '../perform/envelope.ts'
import type { Fetched } from './fetch-and-pay.ts'

/** Headers about the connection, and headers that would change the state of the client. */
const LEFT_OUT = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'set-cookie',
  'payment-receipt',
  'payment-response',
  'x-payment-response',
])

/** The body of a fetch: the server's response with its price and receipt. */
export function writeFetchEnvelope(
  { id, caller }: CallRequest,
  { answer, receipt, charge }: Fetched,
): string {
  const headers = Object.fromEntries(
    Object.entries(answer.headers).filter(([name]) => !LEFT_OUT.has(name)),
  )
  const response = {
    status: answer.status,
    headers,
    encoding: isTextual(answer.headers['content-type'] ?? '') ? 'text' : 'base64',
    body: answer.text,
  }
  const data: Data = {
    price_cents: toCentsRoundedUp(charge),
    price_micros: Number(charge),
    receipt,
    response,
  }
  return writeEnvelope({
    data,
    untrusted: true,
    charge,
    requestId: id,
    isTest: caller.mode === 'test',
  })
}
