/** What services over public records have in common. */
import { Type } from 'typebox'
import { cents, type Micros } from '../../lib/money.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { type Data, done, empty, failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import type { ActualPrice } from '../../catalog/vocabulary/tariff.ts'
import { field, isErrorAlone, messageFrom } from '../../catalog/answers/vendor-failure.ts'
import { bearer, isTextual, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'

/** The answer, or a miss that the caller can read in it when there are no rows, or none that holds anything. */
export function found(data: Data, rows: readonly unknown[]): Outcome {
  return isFilled(rows) ? done(data) : empty(data)
}

/** As `found`, of an answer that is one record, in a form of which nothing is known. */
export function recordFound(reply: Reply<Data>): Outcome {
  return isErrorAlone(reply)
    ? failed('upstream_error', 'The vendor answered with an error. Nothing was charged.')
    : found(reply.body, [reply.body])
}

/** A file as it came, for requests that are `binary`: text, or base64 when its content type is not textual. */
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

/** What a merchant asks, up to its listed price, which is due under a key of the operator's own: no answer tells what the vendor took. */
export function merchantsPrice(listed: Micros): ActualPrice<unknown> {
  return { kind: 'actual', cap: listed, withKey: listed }
}

/** What a free public source costs where the listed price is a merchant's cap. */
const OPEN_SOURCE_PRICE = cents('1')

/** As `found`, from a free public source that stands in for a merchant: charged as our own work, not at the cap. */
export function foundOpenly(data: Data, rows: readonly unknown[]): Outcome {
  return isFilled(rows) ? { kind: 'done', data, actual: OPEN_SOURCE_PRICE } : empty(data)
}

/** The rows of a merchant's answer, whichever name it has for them. */
export function rowsOf(body: unknown): readonly unknown[] {
  for (const name of ['data', 'results', 'items', 'records']) {
    const rows = field(body, name)
    if (Array.isArray(rows)) return rows as unknown[]
  }
  return []
}

/** A reply of which only its being an object is known. */
export const anyObject = Type.Record(Type.String(), Type.Unknown())

/** What a merchant's answer means where its status alone would mislead; with `words`, where it says them. */
type Told = {
  readonly statuses: readonly number[]
  readonly words?: RegExp
  readonly code: ErrorCode
  readonly fix: string
}

/** A merchant that is paid by the call and knows no accounts. */
export function merchant(baseUrl: string, docsUrl: string, told?: Told): Vendor {
  return { ...keyedMerchant(baseUrl, docsUrl, told), isPaidOnly: true }
}

/** A merchant that is paid by the call; who has an account there sets its key. */
export function keyedMerchant(baseUrl: string, docsUrl: string, told?: Told): Vendor {
  const plain = messageFrom('error.message', 'error', 'message')
  return {
    baseUrl,
    auth: bearer(),
    docsUrl,
    readFailure: (reply) => {
      const failure = plain(reply)
      return told?.statuses.includes(reply.status) === true &&
        (told.words?.test(failure.message ?? '') ?? true)
        ? { ...failure, code: told.code, fix: told.fix }
        : failure
    },
  }
}
