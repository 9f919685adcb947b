/** A merchant that demands payment by "devledger" and delivers once per payment. */
import { Agent } from 'undici'
import { Deadline } from '../../../src/lib/deadline.ts'
import { exchange, type Incoming, type Outgoing } from '../../../src/upstream/exchange.ts'
import {
  challengeHeader,
  paidChallenge,
  receiptHeader,
  type ChallengeTerms,
} from '../../../src/upstream/pay/testing/devledger.ts'
import { cleanUp } from '../clean-up.ts'
import { startVendor, type TestVendor, type VendorReply, type VendorRequest } from './vendor.ts'

export type TestMerchant = TestVendor & {
  readonly host: string
  /** The accepted payments. */
  readonly taken: string[]
  /** Sets the demand, and the answer after a payment. */
  asks(
    asked: Partial<ChallengeTerms> & {
      readonly more?: string
      readonly paid?: (request: VendorRequest) => VendorReply
    },
  ): void
}

export async function startMerchant(): Promise<TestMerchant> {
  const vendor = await startVendor()
  const { host } = new URL(vendor.url)
  const taken: string[] = []
  function asks({ more, paid, ...asked }: Parameters<TestMerchant['asks']>[0]): void {
    vendor.answerWith((request) => {
      const challenge = paidChallenge(request.headers.authorization)
      const wanted = challengeHeader({ amount: '20000', realm: host, ...asked })
      if (challenge === null || taken.includes(challenge.id))
        return {
          status: 402,
          headers: { 'www-authenticate': more === undefined ? wanted : `${more}, ${wanted}` },
          body: { title: 'Payment Required' },
        }
      if (paid !== undefined) return paid(request)
      taken.push(challenge.id)
      return {
        headers: { 'payment-receipt': receiptHeader(`ref-${challenge.id.slice(0, 8)}`) },
        body: { results: ['bought'], sent: request.body ?? null },
      }
    })
  }
  asks({})
  return { ...vendor, host, taken, asks }
}

/** Sends a request to the merchant as the gateway does. */
export function senderTo(url: string): {
  send: (request: Outgoing) => Promise<Incoming>
  request: (body?: string) => Outgoing
} {
  const dispatcher = new Agent()
  cleanUp(() => dispatcher.close())
  return {
    request: (body) => ({
      origin: url,
      path: '/v1/thing',
      method: body === undefined ? 'GET' : 'POST',
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body ?? null,
    }),
    async send(request) {
      const deadline = new Deadline(60_000)
      return exchange(dispatcher, request, { deadline, maxBytes: 100_000 }).finally(() =>
        deadline.end(),
      )
    },
  }
}
