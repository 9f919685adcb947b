/** The common parts of services over public records. */
import { Type } from '../../lib/schema.ts'
import { cents, type Micros } from '../../lib/money.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { type Data, done, empty, failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import type { ActualPrice } from '../../catalog/vocabulary/tariff.ts'
import { field, isErrorAlone, messageFrom } from '../../catalog/answers/vendor-failure.ts'
import { bearer, isTextual, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'

/** The answer, or an empty answer if no row contains anything. */
export function found(data: Data, rows: readonly unknown[]): Outcome {
  return isFilled(rows) ? done(data) : empty(data)
}

/** Like `found`, for an answer that is one record of unknown form. */
export function recordFound(reply: Reply<Data>): Outcome {
  return isErrorAlone(reply)
    ? failed('upstream_error', 'The vendor returned an error. Nothing was charged.')
    : found(reply.body, [reply.body])
}

/** A file for `binary` requests: text, or base64 if its content type is not textual. */
export function fileFound({ body, headers }: Reply, data: Data): Outcome {
  const contentType = headers['content-type'] ?? ''
  const content = typeof body === 'string' ? body : JSON.stringify(body ?? '')
  const file = {
    ...data,
    content_type: contentType,
    encoding: isTextual(contentType) ? 'text' : 'base64',
    content,
  }
  return !isFilled(content) || content === '""' ? empty(file) : done(file)
}

/**
 * A merchant's price up to its listed price. Under the operator's own key the listed price is due,
 * because no answer contains the vendor's charge.
 */
export function merchantPrice(listed: Micros): ActualPrice<unknown> {
  return { kind: 'actual', cap: listed, withKey: listed }
}

/** The price of a free public source where the listed price is a merchant's cap. */
const OPEN_SOURCE_PRICE = cents('1')

/**
 * Like `found`, for a free public source that replaces a merchant. Charged as the gateway's own
 * work, not at the cap.
 */
export function foundInOpenSource(data: Data, rows: readonly unknown[]): Outcome {
  return isFilled(rows) ? { kind: 'done', data, actual: OPEN_SOURCE_PRICE } : empty(data)
}

/** The rows of a merchant's answer under any of the usual names. */
export function rowsOf(body: unknown): readonly unknown[] {
  for (const name of ['data', 'results', 'items', 'records']) {
    const rows = field(body, name)
    if (Array.isArray(rows)) return rows as unknown[]
  }
  return []
}

/** A reply that may be any object. */
export const anyObject = Type.Record(Type.String(), Type.Unknown())

/**
 * The meaning of an error whose status alone is misleading. With `words`, it applies only if the
 * message matches.
 */
type StatusMeaning = {
  readonly statuses: readonly number[]
  readonly words?: RegExp
  readonly code: ErrorCode
  readonly fix: string
}

/** A merchant that is paid per call and has no accounts. */
export function merchant(baseUrl: string, docsUrl: string, meaning?: StatusMeaning): Vendor {
  return { ...keyedMerchant(baseUrl, docsUrl, meaning), isPaidOnly: true }
}

/** A merchant that is paid per call. Operators with an account there can set its key. */
export function keyedMerchant(baseUrl: string, docsUrl: string, meaning?: StatusMeaning): Vendor {
  const plain = messageFrom('error.message', 'error', 'message')
  return {
    baseUrl,
    auth: bearer(),
    docsUrl,
    readFailure: (reply) => {
      const failure = plain(reply)
      return meaning?.statuses.includes(reply.status) === true &&
        (meaning.words?.test(failure.message ?? '') ?? true)
        ? { ...failure, code: meaning.code, fix: meaning.fix }
        : failure
    },
  }
}
