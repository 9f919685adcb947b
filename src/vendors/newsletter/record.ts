import { Type, type Static } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import {
  cents,
  formatDollars,
  maxMicros,
  MICROS_PER_DOLLAR,
  roundUpToCent,
  toCentsRoundedUp,
  type Micros,
} from '../../lib/money.ts'
import { maxCostError } from '../../catalog/prices/max-cost-error.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { text } from '../../catalog/vocabulary/fields.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { tempoMerchant } from '../../catalog/vocabulary/merchant.ts'
import { done, failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { asText, field, isErrorAlone, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import {
  bearer,
  get,
  post,
  type Reply,
  type Vendor,
  type WireRequest,
} from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const dripStack: Vendor = {
  baseUrl: 'https://dripstack.xyz',
  // The token of an account with credit at the vendor.
  auth: bearer(),
  docsUrl: 'https://docs.dripstack.xyz/',
  readFailure: (reply) =>
    vendorFailure(reply, {
      code: reply.status === 404 ? 'no_results' : undefined,
      message: field(reply.body, 'message') ?? field(reply.body, 'error'),
    }),
}

const LEAST = cents('5')
const MOST = MICROS_PER_DOLLAR

const postInput = params({
  publication: text('Host, URL or slug of the newsletter, such as example.substack.com.', 500),
  post: text('URL or slug of the post.', 1_000),
})
type PostInput = Static<typeof postInput>

/** The vendor identifies a publication by its host without "www.". */
function publicationSlug(publication: string): string {
  return publication
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[/?#].*$/, '')
}

function postSlug(address: string): string {
  const path = address
    .trim()
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
  return path.slice(path.lastIndexOf('/') + 1)
}

function pathOf({ publication, post: address }: PostInput): string {
  return `/api/v1/publications/${encodeURIComponent(publicationSlug(publication))}/${encodeURIComponent(postSlug(address))}`
}

/**
 * The price in a 402, in either of the vendor's two schemes. Tokens with six decimals are
 * micro-dollars.
 */
function quoteOf({ headers, body }: Reply): Micros | undefined {
  const challenge = /request="([^"]+)"/.exec(headers['www-authenticate'] ?? '')?.[1]
  const offers = [
    field(decodeHeader(headers['payment-required']), 'accepts'),
    field(body, 'accepts'),
  ].flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
  const amounts = [decodeHeader(challenge), ...offers].map(
    (offer) => field(offer, 'amount') ?? field(offer, 'maxAmountRequired'),
  )
  const known = amounts
    .filter((amount): amount is string => typeof amount === 'string' && /^\d{1,15}$/.test(amount))
    .map(BigInt)
  return known.length === 0 ? undefined : maxMicros(0n, ...known)
}

/** Base64-encoded JSON, the header format of both schemes. */
function decodeHeader(encoded: string | undefined): unknown {
  if (encoded === undefined) return undefined
  try {
    return JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
}

/** Buys nothing unless the price is known and fits. */
function buy(reply: Reply, input: PostInput, held: Micros = MOST): WireRequest | null {
  if (reply.status !== 402) return null
  const quote = quoteOf(reply)
  if (quote === undefined)
    throw new AppError('price_unknown', 'The price of this post is unknown. Nothing was bought.')
  const price = maxMicros(roundUpToCent(quote), LEAST)
  if (price > MOST)
    throw new AppError(
      'max_cost_exceeded',
      `This post costs ${formatDollars(price)}, but the limit per post is ${formatDollars(MOST)}.`,
      { fix: 'Read another post.', details: { price_cents: toCentsRoundedUp(price) } },
    )
  if (price > held)
    throw maxCostError(
      `This post costs ${formatDollars(price)}; this call may cost ${formatDollars(held)}.`,
      price,
      held,
    )
  return { ...post(pathOf(input), {}), agreed: price }
}

const reply = Type.Object({
  paymentInfo: Type.Optional(Type.Unknown()),
  title: Type.Optional(Type.Unknown()),
})

/** The failure of an answer without post content. */
function missingPost({
  status,
  body: { paymentInfo: _paid, ...fields },
}: Reply<Data>): Outcome | undefined {
  return isFilled(fields) && !isErrorAlone({ status, headers: {}, body: fields })
    ? undefined
    : failed('no_results', 'The answer contains no post. Nothing was charged.')
}

/** If the vendor does not report its charge, it charged the quoted price. */
function outcomeOf(answer: Reply<Static<typeof reply>>): Outcome {
  const { status, body, agreed = 0n } = answer
  if (status !== 200 && status !== 201)
    return failed('upstream_payment', 'The vendor rejected the payment. Nothing was charged.')
  const missing = missingPost(answer)
  if (missing !== undefined) return missing
  const paid = Number(asText(field(body.paymentInfo, 'amountUsd')))
  const settled =
    Number.isFinite(paid) && paid > 0 && paid < 1_000
      ? BigInt(Math.ceil(paid * 1_000_000 - 1e-6))
      : agreed
  return { kind: 'done', data: body, actual: maxMicros(roundUpToCent(settled), LEAST) }
}

export const service = defineService({
  id: 'newsletter',
  title: 'Newsletter posts',
  category: 'research',
  vendor: dripStack,
  returns,
  actions: {
    post: call({
      title: 'Newsletter post',
      summary:
        "Read a newsletter post, including paid ones, at the publisher's price: 5¢ to 1 USD.",
      description:
        'The call looks up the price first. Above 1 USD or max_cost_cents, nothing is bought or charged.',
      keywords: ['substack', 'paywalled article', 'blog post', 'subscription content'],
      input: postInput,
      example: {
        publication: 'example.substack.com',
        post: 'https://example.substack.com/p/a-simulated-post',
      },
      price: { kind: 'actual', cap: MOST },
      leastCharge: LEAST,
      priceSource: "The publisher's price, 0.05 USD by default, 2026-08; above 1 USD rejected.",
      timeoutMs: 60_000,
      untrustedContent: true,
      // With credentials the vendor would sell immediately, before the price is known.
      request: (input) => ({ ...get(pathOf(input)), anonymous: true, acceptedStatuses: [402] }),
      followUps: [buy],
      merchant: {
        at: tempoMerchant(dripStack.baseUrl),
        request: (input) => get(pathOf(input)),
        outcome: (answer) => missingPost(answer as Reply<Data>) ?? done(answer.body as Data),
      },
      reply,
      outcome: outcomeOf,
    }),
  },
})
