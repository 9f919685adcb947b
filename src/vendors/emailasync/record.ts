import { Type, type Static, type TObject } from '../../lib/schema.ts'
import type { ErrorCode } from '../../errors/catalog.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params, type CallAction } from '../../catalog/vocabulary/define.ts'
import { emailAddress, optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { done, failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { uncheckedOutcome } from '../../catalog/answers/unchecked.ts'
import { asText, field, textField, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { keyHeader, post, type Reply, type Vendor } from '../../catalog/vocabulary/wire.ts'
import { requirePublicDomain } from '../../composites/emails/require-domain.ts'
import { returns } from './returns.ts'

const icypeas: Vendor = {
  baseUrl: 'https://app.icypeas.com/api',
  // The plain key, without "Bearer".
  auth: keyHeader('authorization'),
  docsUrl: 'https://api-doc.icypeas.com/',
  readFailure: (reply) =>
    vendorFailure(reply, { code: mapVendorCode(reply.body), message: readMessage(reply.body) }),
}

/** The message of a rejection, from any of its fields. */
function readMessage(body: unknown): string {
  const parts = ['code', 'name', 'error', 'message', 'validationErrors']
    .map((name) => field(body, name))
    .filter((part) => part !== undefined && part !== null)
  return parts
    .map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
    .join(' ')
    .slice(0, 500)
}

function mapVendorCode(body: unknown): ErrorCode | undefined {
  const words = readMessage(body)
  if (/UnpaidSubscription|insufficient/i.test(words)) return 'upstream_payment'
  return words.includes('SearchNotFoundError') ? 'unknown_job' : undefined
}

/** The vendor rejects with status 200 and `success: false`. */
function accepted<B extends { success: boolean }>(
  { status, body }: Reply<B>,
  delivered: (body: B) => boolean,
  code: ErrorCode = 'upstream_error',
): Outcome {
  if (!body.success) return toRejection(status, body)
  return delivered(body) ? done(body) : failed(code, 'The vendor returned no search.')
}

/** Invalid parameters are reported by name. Their names are the same here and at the vendor. */
function toRejection(status: number, body: unknown): Outcome {
  const errors = field(body, 'validationErrors')
  const wrong: readonly unknown[] = Array.isArray(errors) ? errors : []
  const named = textField(wrong[0], 'field')
  const message =
    named !== ''
      ? wrong
          .map((error) => `${textField(error, 'field')}: ${textField(error, 'type')}`)
          .join(', ')
          .slice(0, 500)
      : readMessage(body)
  const details = {
    upstream: {
      service: 'emailasync',
      status,
      code: null,
      message: message === '' ? null : message,
    },
  }
  const code = mapVendorCode(body)
  if (code !== undefined)
    return failed(
      code,
      code === 'unknown_job'
        ? 'The vendor does not know this search.'
        : 'The vendor demands payment from the operator of this gateway. Nothing was charged.',
      details,
    )
  const failure = failed(
    'upstream_rejected',
    message === ''
      ? 'The vendor rejected these parameters.'
      : `The vendor rejected these parameters: ${message}`,
    details,
  )
  return named === '' ? failure : { ...failure, param: named }
}

const itemId = (body: unknown): string | undefined => {
  const id = field(field(body, 'item'), '_id')
  return typeof id === 'string' && id !== '' ? id : undefined
}

type Launch<S extends TObject> = Pick<CallAction, 'title' | 'summary' | 'keywords'> & {
  readonly input: S
  readonly example: Partial<Static<S>>
  readonly priceCents: string
  readonly path: string
  /** The handler of the part `emails`, and the input that it does not support. */
  readonly inHouse?: string
  readonly inHouseCheck?: (input: Static<S>) => void
}

/** Starts a search. `emailasync/result` returns its result. */
function launch<S extends TObject>({
  priceCents,
  path,
  inHouse,
  inHouseCheck,
  ...spec
}: Launch<S>): CallAction {
  return call({
    ...spec,
    ...(inHouse === undefined ? {} : { inHouse, inHousePart: 'emails', inHouseCheck }),
    description:
      'Returns {item: {_id}}. Poll emailasync/result with that id every 3 to 5 seconds. Charged when the search starts, regardless of the result.',
    price: flat(cents(priceCents)),
    priceSource: 'List price of this gateway, 2026-11.',
    billing: {
      chargeWhen: 'success',
      onMiss: 'charged',
      onPartial: 'full_price',
      pollPrice: cents('1'),
    },
    timeoutMs: 30_000,
    request: (input) => post(path, input),
    reply: Type.Object({ success: Type.Boolean(), item: Type.Optional(Type.Unknown()) }),
    outcome: (reply) =>
      uncheckedOutcome(reply.body) ??
      accepted(reply, (body) => itemId(body) !== undefined, 'order_unknown'),
    ownership: { createdId: ({ body }) => itemId(body) },
  })
}

/** The vendor lists at most this many searches. */
const MAX_LISTED = 100

const domainOrCompany = text('Domain or name of the company. A domain finds more.', 255)
const name = (description: string) => optional(text(description, 100))

const resultInput = params(
  {
    id: optional(
      text(
        'The _id that emailasync/email-search, email-verification or domain-scan returned.',
        200,
      ),
    ),
    mode: optional(
      Type.Literal('single', {
        description:
          '"single" lists your latest searches, as far as they are among the latest hundred of this gateway.',
      }),
    ),
    limit: optional(
      whole('For mode single: number of latest searches to list; all if omitted.', 1, MAX_LISTED),
    ),
    type: optional(
      Type.Enum(['email-search', 'domain-scan', 'email-verification'], {
        description: 'For mode single: only searches of this type.',
      }),
    ),
  },
  { oneOf: [{ required: ['id'] }, { required: ['mode'] }] },
)

export const service = defineService({
  id: 'emailasync',
  title: 'Find and verify email addresses in the background',
  category: 'people and companies',
  vendor: icypeas,
  returns,
  actions: {
    'email-search': launch({
      title: 'Start an email search',
      summary: 'Start a search for the email address of a person at a company.',
      keywords: ['find email', 'work email', 'email by name'],
      input: params(
        { firstname: name('First name.'), lastname: name('Last name.'), domainOrCompany },
        { anyOf: [{ required: ['firstname'] }, { required: ['lastname'] }] },
      ),
      example: { firstname: 'Ana', lastname: 'Example', domainOrCompany: 'example.com' },
      priceCents: '4',
      path: '/email-search',
      inHouse: 'emailasync.email-search',
      inHouseCheck: (input) => void requirePublicDomain(input.domainOrCompany, 'domainOrCompany'),
    }),
    'email-verification': launch({
      title: 'Start an email verification',
      summary: 'Start a check whether an email address accepts mail.',
      keywords: ['verify email', 'email validation', 'bounce check'],
      input: params({ email: emailAddress('The email address to check.') }),
      example: { email: 'ana.example@example.com' },
      priceCents: '2',
      path: '/email-verification',
      inHouse: 'emailasync.email-verification',
    }),
    'domain-scan': launch({
      title: 'Start a scan for role addresses',
      summary: 'Start a search for the role addresses of a company, such as info@ and sales@.',
      keywords: ['company emails', 'generic addresses', 'emails of a domain'],
      input: params({ domainOrCompany }),
      example: { domainOrCompany: 'example.com' },
      priceCents: '4',
      path: '/domain-search',
      inHouse: 'emailasync.domain-scan',
      inHouseCheck: (input) => void requirePublicDomain(input.domainOrCompany, 'domainOrCompany'),
    }),
    result: call({
      title: 'Email search result',
      summary: 'Poll an emailasync search for its findings. Each poll costs 1¢.',
      description:
        'items[0].status: NONE, SCHEDULED or IN_PROGRESS while the search runs; FOUND or DEBITED with a result; NOT_FOUND or DEBITED_NOT_FOUND without one; BAD_INPUT, INSUFFICIENT_FUNDS or ABORTED if it failed. Poll every 3 to 5 seconds.',
      keywords: ['poll email search', 'search status'],
      input: resultInput,
      example: {
        id: 'sim-0-eyJmaXJzdG5hbWUiOiJBbmEiLCJsYXN0bmFtZSI6IkV4YW1wbGUiLCJkb21haW5PckNvbXBhbnkiOiJleGFtcGxlLmNvbSJ9',
      },
      price: flat(cents('1')),
      priceSource:
        'List price of this gateway, 2026-11: one cent per poll, regardless of the status.',
      billing: {
        chargeWhen: 'success',
        onMiss: 'charged',
        onPartial: 'full_price',
        pollPrice: cents('1'),
      },
      timeoutMs: 30_000,
      limits: { perMinute: 30 },
      inHouse: 'emailasync.result',
      inHousePart: 'emails',
      // The vendor lists the searches of all accounts, so the caller's limit is applied after
      // filtering.
      request: (input) =>
        post(
          '/bulk-single-searchs/read',
          input.mode === undefined ? input : { ...input, limit: MAX_LISTED },
        ),
      reply: Type.Object({
        success: Type.Boolean(),
        items: Type.Optional(Type.Array(Type.Unknown())),
      }),
      outcome: ({ body, ...reply }, { limit }) =>
        accepted(
          {
            ...reply,
            body: body.items === undefined ? body : { ...body, items: body.items.slice(0, limit) },
          },
          ({ items }) => items !== undefined,
        ),
      ownership: {
        targetId: ({ id }) => id,
        filterList: (reply, isOwn) => {
          const items = field(reply.body, 'items')
          if (!Array.isArray(items)) return reply
          return {
            ...reply,
            body: {
              ...(reply.body as object),
              items: items.filter((item) => isOwn(asText(field(item, '_id')))),
            },
          }
        },
      },
    }),
  },
})
