import { Type, type Static, type TObject } from 'typebox'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params, type CallAction } from '../../catalog/vocabulary/define.ts'
import {
  choice,
  domainName,
  emailAddress,
  flag,
  optional,
  text,
  whole,
} from '../../catalog/vocabulary/fields.ts'
import { done, failed } from '../../catalog/vocabulary/outcome.ts'
import { computed, flat, free, type Price } from '../../catalog/vocabulary/tariff.ts'
import { field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { get, keyHeaders, post, type Vendor } from '../../catalog/vocabulary/wire.ts'

const nyne: Vendor = {
  baseUrl: 'https://api.nyne.ai',
  auth: keyHeaders({ 'x-api-key': 'KEY', 'x-api-secret': 'SECRET' }),
  docsUrl: 'https://api.nyne.ai/documentation',
  limits: { perSecond: 1 },
  readFailure: (reply) => {
    const error = field(reply.body, 'error')
    const vendorCode = field(error, 'code') ?? error
    const code =
      reply.status === 403
        ? 'upstream_payment'
        : vendorCode === 'request_not_found'
          ? 'unknown_job'
          : undefined
    return vendorFailure(reply, {
      code,
      vendorCode,
      message: field(error, 'message') ?? field(reply.body, 'message'),
    })
  },
}

const PATHS = {
  'person-enrich': '/person/enrichment',
  'company-funders': '/company/funders',
  'person-interactions': '/person/interactions',
} as const
type Endpoint = keyof typeof PATHS

const requestIdOf = (body: unknown): string | undefined => {
  const id = field(field(body, 'data'), 'request_id')
  return typeof id === 'string' && id !== '' ? id : undefined
}

type Launch<S extends TObject> = Pick<CallAction, 'summary' | 'keywords'> & {
  readonly endpoint: Endpoint
  readonly input: S
  readonly example: Partial<Static<S>>
  readonly price: Price<Static<S>>
  /** What the vendor is told; the input as it is when left out. */
  readonly sent?: (input: Static<S>) => unknown
  readonly check?: (input: Static<S>) => void
}

/** Submits a request that the vendor works on for seconds to minutes; it is billed at submit. */
function launch<S extends TObject>({ endpoint, sent, ...spec }: Launch<S>): CallAction {
  return call({
    answerStatus: 202,
    ...spec,
    description: `Answers at once with request_id; read the result with deepenrich/result {"endpoint": "${endpoint}", "request_id": …}. Charged when it is submitted, whatever is found.`,
    priceSource: 'List price of this gateway, 2026-11; the vendor bills 3 to 6 credits a request.',
    billing: { chargeWhen: 'success', onMiss: 'charged', onPartial: 'full_price' },
    timeoutMs: 60_000,
    request: (input) => post(PATHS[endpoint], sent?.(input) ?? input),
    reply: Type.Object({ success: Type.Boolean(), data: Type.Optional(Type.Unknown()) }),
    outcome: ({ body }) =>
      body.success && requestIdOf(body) !== undefined
        ? done({ request_id: requestIdOf(body), ...body })
        : failed('upstream_error', 'The vendor did not accept the request.'),
    ownership: { createdId: ({ body }) => requestIdOf(body) },
  })
}

const socialProfile = (description: string) => text(description, 500, { pattern: '\\S\\.\\S+/' })

const personInput = params(
  {
    email: optional(emailAddress('Address of the person.')),
    phone: optional(
      text('Phone number: E.164, or ten digits in the US.', 16, {
        pattern: '^(\\+[1-9][0-9]{6,14}|[0-9]{10})$',
      }),
    ),
    social_media_url: optional(
      socialProfile('Address of a profile, such as one on LinkedIn or X.'),
    ),
    name: optional(text('Full name; needs the company beside it.', 200)),
    company: optional(text('Company of the person, with the name.', 200)),
    city: optional(text('City, to tell people of one name apart.', 200)),
    lite_enrich: flag(
      'Only name, first organisation and LinkedIn address, for 30¢ in place of 55¢.',
      { default: false },
    ),
    ai_enhanced_search: optional(flag('Searches longer.')),
    strict_email_check: optional(flag('Takes only addresses that were verified.')),
    probability_score: optional(flag('Adds how sure the match is.')),
  },
  {
    anyOf: [
      { required: ['email'] },
      { required: ['phone'] },
      { required: ['social_media_url'] },
      { required: ['name', 'company'] },
    ],
  },
)

const POST_NUMBER = /(?:^|\/status\/)([0-9]{10,25})/

const interactionsInput = params({
  social_media_url: socialProfile('Address of the profile.'),
  type: choice(
    'What to list; replies exist on X alone.',
    ['replies', 'followers', 'following', 'followers,following'],
    { default: 'followers' },
  ),
  tweet_id: optional(
    text('With the type replies: the post on X, by its number or its address.', 300, {
      pattern: '^([0-9]{10,25}|.*/status/[0-9]{10,25}.*)$',
    }),
  ),
  max_results: whole('Maximum number of entries, 10 to 1000.', 10, 1_000, { default: 100 }),
})

function checkInteractions({
  type,
  social_media_url: profile,
  tweet_id: tweet,
}: Static<typeof interactionsInput>): void {
  if (type !== 'replies' && tweet !== undefined)
    throw new AppError(
      'invalid_params',
      `"tweet_id" does not go with the type "${type}": a post has replies.`,
      { param: 'tweet_id', fix: 'Send "type": "replies" with it, or leave it out.' },
    )
  if (type !== 'replies' || /(^|[/.])(x|twitter)\.com\//i.test(profile)) return
  throw new AppError('invalid_params', 'Replies exist on X alone.', {
    param: 'type',
    fix: 'Choose "followers" or "following", or send the address of a profile on x.com.',
  })
}

export const service = defineService({
  id: 'deepenrich',
  title: 'Enrich people and companies in depth',
  category: 'people and companies',
  vendor: nyne,
  actions: {
    'person-enrich': launch({
      endpoint: 'person-enrich',
      summary:
        'Find out all about a person from an e-mail address, phone number, profile, or name and company.',
      keywords: [
        'person profile',
        'enrich lead',
        'reverse phone lookup',
        'social profiles of a person',
        'phone numbers',
      ],
      input: personInput,
      example: { email: 'ana.example@example.com', lite_enrich: true },
      price: computed(
        ({ lite_enrich }: Static<typeof personInput>) => cents(lite_enrich ? '30' : '55'),
        cents('30'),
        cents('55'),
      ),
    }),
    'company-funders': launch({
      endpoint: 'company-funders',
      summary:
        'Look up an investor by name or domain: partners, thesis, cheque size and recent investments.',
      keywords: [
        'investors',
        'venture capital firm',
        'funders of companies',
        'backers',
        'fund profile',
      ],
      input: params(
        {
          company_name: optional(text('Name of the investor.', 200)),
          company_domain: optional(domainName('Domain of the investor.')),
        },
        { anyOf: [{ required: ['company_name'] }, { required: ['company_domain'] }] },
      ),
      example: { company_domain: 'fund.example.com' },
      price: flat(cents('30')),
    }),
    'person-interactions': launch({
      endpoint: 'person-interactions',
      summary: 'List the followers of a profile, whom it follows, or the replies to a post.',
      keywords: ['followers', 'following', 'replies', 'twitter audience', 'instagram followers'],
      input: interactionsInput,
      example: { social_media_url: 'https://x.com/example', type: 'followers' },
      price: flat(cents('30')),
      check: checkInteractions,
      sent: ({ tweet_id: tweet, ...input }) => ({
        ...input,
        tweet_id: tweet === undefined ? undefined : POST_NUMBER.exec(tweet)?.[1],
      }),
    }),
    result: call({
      summary: 'Read what came of a request of deepenrich; free.',
      description:
        'status is queued, pending or processing while it works, then completed with the findings in `result`, or failed with an error. Ask every 3 seconds for up to 6 minutes.',
      keywords: ['poll enrichment', 'request status'],
      input: params({
        endpoint: choice('The action that was submitted; its upstream path is taken too.', [
          ...(Object.keys(PATHS) as Endpoint[]),
          ...Object.values(PATHS),
        ]),
        request_id: text('The request_id that the submitted action returned.', 200),
      }),
      example: {
        endpoint: 'person-enrich',
        request_id: 'sim-0-eyJlbWFpbCI6ImFuYS5leGFtcGxlQGV4YW1wbGUuY29tIn0',
      },
      price: free,
      timeoutMs: 60_000,
      untrustedContent: true,
      request: ({ endpoint, request_id }) =>
        get(Object.hasOwn(PATHS, endpoint) ? PATHS[endpoint as Endpoint] : endpoint, {
          request_id,
        }),
      reply: Type.Object({ success: Type.Boolean(), data: Type.Object({ status: Type.String() }) }),
      outcome: ({ body }) =>
        done({
          status: body.data.status,
          ...('result' in body.data ? { result: body.data['result'] } : {}),
          ...body,
        }),
      ownership: { targetId: ({ request_id }) => request_id },
    }),
  },
})
