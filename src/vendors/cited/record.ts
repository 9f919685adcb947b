import { Type, type Static } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { done, empty, failed, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import {
  bearer,
  post,
  type Reply,
  type Vendor,
  type WireRequest,
} from '../../catalog/vocabulary/wire.ts'
import { choice, flag, list, openObject, optional, text } from '../../catalog/vocabulary/fields.ts'
import { isFilled } from '../../catalog/answers/filled.ts'
import { field, vendorFailure } from '../../catalog/answers/vendor-failure.ts'
import { checkOwnSearch, inSearchForCallsOnly, rejectInSearch } from '../shared/in-house-search.ts'
import { returns } from './returns.ts'

/**
 * Codes that are more precise than their status: 400 also means a search without results, 429 also
 * used-up credit.
 */
const CODES = {
  SEARCH_QUERY_NO_RESULT: 'no_results',
  INSUFFICIENT_FUNDS_CREDITS: 'upstream_payment',
  EXCEED_BUDGET_LIMIT: 'upstream_payment',
} as const

const linkup: Vendor = {
  baseUrl: 'https://api.linkup.so/v1',
  auth: bearer(),
  docsUrl: 'https://docs.linkup.so/pages/documentation/api-reference/endpoint/post-search',
  readFailure: (reply) => {
    const error = field(reply.body, 'error')
    const vendorCode = field(error, 'code')
    const code = Object.entries(CODES).find(([name]) => name === vendorCode)?.[1]
    return vendorFailure(reply, { code, vendorCode, message: field(error, 'message') })
  },
}

const date = (description: string) =>
  optional(text(description, 10, { pattern: '^\\d{4}-\\d{2}-\\d{2}$' }))
const domains = (description: string) =>
  optional(list(description, Type.String({ minLength: 1, maxLength: 253 }), 100))

const searchInput = params({
  q: text('The question in plain words.', 4_000),
  outputType: choice(
    'The output: an answer with sources, only the results, or data in your schema.',
    ['sourcedAnswer', 'searchResults', 'structured'],
    { default: 'sourcedAnswer' },
  ),
  structuredOutputSchema: optional(
    openObject('JSON Schema of the answer, of type "object". Requires outputType structured.'),
  ),
  fromDate: date('Only pages published on or after this day, such as "2026-01-31".'),
  toDate: date('Only pages published up to this day, such as "2026-02-28".'),
  includeDomains: domains('Only pages of these domains.'),
  excludeDomains: domains('No pages of these domains.'),
  includeImages: flag('Adds images to the results.', { default: false }),
  includeInlineCitations: optional(
    flag('Marks the source of each statement in the answer. Requires outputType sourcedAnswer.'),
  ),
})
type SearchInput = Static<typeof searchInput>

function checkSearch({
  outputType,
  structuredOutputSchema: schema,
  includeInlineCitations: citations,
  fromDate,
  toDate,
}: SearchInput): void {
  const reject = (param: keyof SearchInput, message: string, fix: string) => {
    throw new AppError('invalid_params', message, { param, fix })
  }
  if (outputType === 'structured' && schema === undefined)
    reject(
      'structuredOutputSchema',
      'Output type "structured" requires a schema.',
      'Add "structuredOutputSchema", the JSON Schema of the answer.',
    )
  if (outputType !== 'structured' && schema !== undefined)
    reject(
      'structuredOutputSchema',
      `Output type "${outputType}" does not support a schema.`,
      'Remove it, or set "outputType" to "structured".',
    )
  if (schema !== undefined && schema['type'] !== 'object')
    reject(
      'structuredOutputSchema',
      'The schema must be of type "object" at its root.',
      'Put the fields under { "type": "object", "properties": … }.',
    )
  if (outputType !== 'sourcedAnswer' && citations === true)
    reject(
      'includeInlineCitations',
      `Output type "${outputType}" has no answer with citations.`,
      'Remove it, or set "outputType" to "sourcedAnswer".',
    )
  if (fromDate !== undefined && toDate !== undefined && fromDate > toDate)
    reject('fromDate', '"fromDate" is after "toDate".', 'Swap the two dates.')
}

function searchRequest(
  depth: 'standard' | 'deep',
  { structuredOutputSchema, ...rest }: SearchInput,
): WireRequest {
  // The vendor expects the schema as text.
  return post('/search', {
    ...rest,
    depth,
    structuredOutputSchema:
      structuredOutputSchema === undefined ? undefined : JSON.stringify(structuredOutputSchema),
  })
}

const searchReply = Type.Record(Type.String(), Type.Unknown())

/** A structured answer has the caller's fields. It goes under `data` to avoid conflicts. */
function searchOutcome(
  { body }: Reply<Static<typeof searchReply>>,
  { outputType }: SearchInput,
): Outcome {
  switch (outputType) {
    case 'searchResults':
      return isFilled(body['results']) ? done(body) : empty(body)
    case 'sourcedAnswer':
      return isFilled(body['answer'])
        ? done(body)
        : failed('no_results', 'The search returned no answer.')
    default:
      return isFilled(body)
        ? done({ data: body })
        : failed('no_results', 'The search filled no field of the schema.')
  }
}

const search = (depth: 'standard' | 'deep') => ({
  input: searchInput,
  untrustedContent: true,
  check: checkSearch,
  request: (input: SearchInput) => searchRequest(depth, input),
  reply: searchReply,
  outcome: searchOutcome,
  ...inSearchForCallsOnly,
  inHouseCheck: ({ q, includeImages }: SearchInput) => {
    checkOwnSearch(q, 'q')
    rejectInSearch('includeImages', includeImages)
  },
})

export const service = defineService({
  id: 'cited',
  title: 'Answers from the web with sources',
  category: 'web search',
  vendor: linkup,
  returns,
  actions: {
    search: call({
      ...search('standard'),
      inHouse: 'cited.search',
      title: 'Answer from the web with sources',
      summary: 'Answer a question from the web in one search round, with sources.',
      description:
        'Returns an answer with sources, only the results, or data in your own JSON Schema. A search without results is not charged.',
      keywords: [
        'answer with sources',
        'citations',
        'question answering',
        'grounded answer',
        'structured search',
      ],
      example: { q: 'Which year was PostgreSQL first released?', outputType: 'sourcedAnswer' },
      price: flat(cents('1')),
      priceSource: 'Vendor rate card $0.005 to $0.006 per standard search, 2026-10-01.',
      timeoutMs: 60_000,
    }),
    'deep-search': call({
      ...search('deep'),
      inHouse: 'cited.deep-search',
      title: 'In-depth answer with sources',
      summary: 'Answer a difficult question from the web in several search rounds, with sources.',
      description:
        'Searches, reads and searches again, which takes tens of seconds. Returns the same forms as cited/search. A search without results is not charged.',
      keywords: [
        'deep research',
        'multi-step search',
        'answer with sources',
        'citations',
        'iterative search',
      ],
      example: {
        q: 'How do the licences of three open vector databases differ?',
        outputType: 'sourcedAnswer',
        includeInlineCitations: true,
      },
      price: flat(cents('5')),
      priceSource: 'Vendor rate card $0.05 to $0.055 per deep search, 2026-10-01.',
      timeoutMs: 120_000,
    }),
  },
})
