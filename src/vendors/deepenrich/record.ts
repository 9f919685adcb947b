import { Type, type Static, type TObject } from '../../lib/schema.ts'
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
import { returns } from './returns.ts'

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

type Launch<S extends TObject> = Pick<CallAction, 'title' | 'summary' | 'keywords'> & {
  readonly endpoint: Endpoint
  readonly input: S
  readonly example: Partial<Static<S>>
  readonly price: Price<Static<S>>
  /** The vendor's input; the caller's input by default. */
  readonly sent?: (input: Static<S>) => unknown
  readonly check?: (input: Static<S>) => void
}

/** Submits a request that takes the vendor seconds to minutes. It is charged at submit. */
function launch<S extends TObject>({ endpoint, sent, ...spec }: Launch<S>): CallAction {
  return call({
    answerStatus: 202,
    ...spec,
    description: `Returns a request_id immediately. Read the result with deepenrich/result {"endpoint": "${endpoint}", "request_id": …}. Charged at submit, regardless of the result.`,
    priceSource:
      'List price of this gateway, 2026-11; the vendor bills 3 to 6 credits per request.',
    billing: { chargeWhen: 'success', onMiss: 'charged', onPartial: 'full_price' },
    timeoutMs: 60_000,
    request: (input) => post(PATHS[endpoint], sent?.(input) ?? input),
    reply: Type.Object({ success: Type.Boolean(), data: Type.Optional(Type.Unknown()) }),
    outcome: ({ body }) => {
      if (!body.success) return failed('upstream_error', 'The vendor did not accept the request.')
      const requestId = requestIdOf(body)
      return requestId === undefined
        ? failed(
            'order_unknown',
            'The vendor accepted the request without returning its id. Nothing was charged.',
          )
        : done({ request_id: requestId, ...body })
    },
    ownership: { createdId: ({ body }) => requestIdOf(body) },
  })
}

const socialProfile = (description: string) => text(description, 500, { pattern: '\\S\\.\\S+/' })

const personInput = params(
  {
    email: optional(emailAddress('Email address of the person.')),
    phone: optional(
      text('Phone number: E.164, or ten digits in the US.', 16, {
        pattern: '^(\\+[1-9][0-9]{6,14}|[0-9]{10})$',
      }),
    ),
    social_media_url: optional(socialProfile('URL of a profile, such as one on LinkedIn or X.')),
    name: optional(text('Full name. Requires the company.', 200)),
    company: optional(text('Company of the person. Requires the name.', 200)),
    city: optional(text('City, to distinguish people with the same name.', 200)),
    lite_enrich: flag(
      'Returns only name, first organization and LinkedIn URL, for 30¢ instead of 55¢.',
      { default: false },
    ),
    ai_enhanced_search: optional(flag('Searches longer.')),
    strict_email_check: optional(flag('Returns only verified addresses.')),
    probability_score: optional(flag('Adds the confidence of the match.')),
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
  social_media_url: socialProfile('URL of the profile.'),
  type: choice(
    'The list to read. Only X has replies.',
    ['replies', 'followers', 'following', 'followers,following'],
    { default: 'followers' },
  ),
  tweet_id: optional(
    text('For type replies: the post on X, by number or URL.', 300, {
      pattern: '^([0-9]{10,25}|.*/status/[0-9]{10,25}.*)$',
    }),
  ),
  max_results: whole('Maximum number of entries, 10 to 1,000.', 10, 1_000, { default: 100 }),
})

function checkInteractions({
  type,
  social_media_url: profile,
  tweet_id: tweet,
}: Static<typeof interactionsInput>): void {
  if (type !== 'replies' && tweet !== undefined)
    throw new AppError(
      'invalid_params',
      `"tweet_id" cannot be combined with type "${type}", because only replies belong to a post.`,
      { param: 'tweet_id', fix: 'Also send "type": "replies", or remove "tweet_id".' },
    )
  if (type !== 'replies' || /(^|[/.])(x|twitter)\.com\//i.test(profile)) return
  throw new AppError('invalid_params', 'Only X has replies.', {
    param: 'type',
    fix: 'Use "followers" or "following", or send the URL of a profile on x.com.',
  })
}

export const service = defineService({
  id: 'deepenrich',
  title: 'Enrich people and companies in depth',
  category: 'people and companies',
  vendor: nyne,
  returns,
  actions: {
    'person-enrich': launch({
      endpoint: 'person-enrich',
      title: 'Comprehensive person data',
      summary:
        'Find comprehensive data about a person by email address, phone number, profile, or name and company.',
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
      title: 'Investor profile',
      summary:
        'Look up an investor by name or domain: partners, thesis, check size and recent investments.',
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
      title: 'Followers, follows and replies of a profile',
      summary:
        'List the followers of a profile, the accounts that it follows, or the replies to a post.',
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
      title: 'Enrichment result',
      summary: 'Read the result of a deepenrich request. Free.',
      description:
        'status is queued, pending or processing while the request runs, then completed with the findings in `result`, or failed with an error. Poll every 3 seconds for up to 6 minutes.',
      keywords: ['poll enrichment', 'request status'],
      input: params({
        endpoint: choice('The submitted action, by its name or its upstream path.', [
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
