import { Type, type Static } from '../../lib/schema.ts'
import { cents } from '../../lib/money.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { isoDate, optional, text, whole } from '../../catalog/vocabulary/fields.ts'
import { found } from '../shared/records.ts'
import { flat } from '../../catalog/vocabulary/tariff.ts'
import { field, messageFrom } from '../../catalog/answers/vendor-failure.ts'
import { get, keyHeader, type Vendor, type WireRequest } from '../../catalog/vocabulary/wire.ts'
import { returns } from './returns.ts'

const openDataPortal: Vendor = {
  baseUrl: 'https://api.uspto.gov/api/v1',
  auth: keyHeader('x-api-key'),
  // A key allows only one call at a time.
  limits: { concurrent: 1 },
  docsUrl: 'https://data.uspto.gov/apis/patent-file-wrapper/search',
  readFailure: messageFrom('message', 'errorDetails', 'error'),
}

const window = {
  date_gte: optional(isoDate('Granted on or after this day.')),
  date_lte: optional(isoDate('Granted on or before this day.')),
  limit: whole('Maximum number of patents.', 1, 100, { default: 25 }),
  offset: whole('Patents to skip.', 0, 10_000, { default: 0 }),
}
type Window = Pick<Static<ReturnType<typeof params<typeof window>>>, 'limit' | 'offset'> & {
  date_gte?: string
  date_lte?: string
}

/** A search without results has status 404. Granted patents only: the range requires both ends. */
function searchFor(
  q: string,
  { date_gte: from = '1976-01-01', date_lte: to = '2100-12-31', limit, offset }: Window,
): WireRequest {
  const query = {
    q,
    rangeFilters: `applicationMetaData.grantDate ${from}:${to}`,
    sort: 'applicationMetaData.grantDate desc',
    limit,
    offset,
  }
  return { ...get('/patent/applications/search', query), acceptedStatuses: [404] }
}

const reply = Type.Object({
  count: Type.Optional(Type.Integer()),
  patentFileWrapperDataBag: Type.Optional(Type.Array(Type.Unknown())),
})
const shared = {
  price: flat(cents('1')),
  priceSource: 'Own price; a key of the source is free, 2026-11.',
  timeoutMs: 30_000,
  reply,
}

function listOf(holder: unknown, name: string): unknown[] {
  const value = field(holder, name)
  return Array.isArray(value) ? (value as unknown[]) : []
}

/** The names of assignees and applicants of a patent. */
function ownersOf(patent: unknown): string[] {
  const assigned = listOf(patent, 'assignmentBag').flatMap((assignment) =>
    listOf(assignment, 'assigneeBag').map((assignee) => field(assignee, 'assigneeNameText')),
  )
  const applied = listOf(field(patent, 'applicationMetaData'), 'applicantBag').map((applicant) =>
    field(applicant, 'applicantNameText'),
  )
  return [...new Set([...assigned, ...applied].filter((name) => typeof name === 'string'))]
}

export const service = defineService({
  id: 'patents',
  title: 'Patents of the United States',
  category: 'public records',
  vendor: openDataPortal,
  returns,
  actions: {
    patents: call({
      ...shared,
      title: 'Search US patents',
      summary: 'Search granted US patents by words or fields.',
      description:
        'Put fields before their value, such as applicationMetaData.inventionTitle:lidar. AND, OR, NOT and * work.',
      keywords: ['uspto', 'invention', 'prior art', 'intellectual property'],
      input: params({ q: text('The search query.', 500), ...window }),
      example: { q: 'applicationMetaData.inventionTitle:lidar', date_gte: '2020-01-01', limit: 2 },
      request: ({ q, ...rest }) => searchFor(q, rest),
      outcome: ({ body }) => found(body, body.patentFileWrapperDataBag ?? []),
    }),
    assignees: call({
      ...shared,
      title: 'Patent owners by name',
      summary:
        'Find the names under which an organization owns patents, with the number of patents per name.',
      description: 'Counts the patents of this page; `count` is the total number.',
      keywords: ['patent owner', 'patent portfolio', 'applicant', 'uspto'],
      input: params({
        organization: text('Name of the organization.', 200),
        ...window,
        limit: whole('Maximum number of patents to count over.', 1, 100, { default: 100 }),
      }),
      example: { organization: 'Example Robotics', limit: 10 },
      request: ({ organization, ...rest }) => {
        const phrase = `"${organization.replaceAll(/["\\]/g, ' ')}"`
        return searchFor(
          `assignmentBag.assigneeBag.assigneeNameText:${phrase} OR applicationMetaData.applicantBag.applicantNameText:${phrase}`,
          rest,
        )
      },
      outcome: ({ body }, { organization }) => {
        const counts = new Map<string, number>()
        for (const name of (body.patentFileWrapperDataBag ?? []).flatMap(ownersOf))
          counts.set(name, (counts.get(name) ?? 0) + 1)
        const words = organization.toLowerCase().split(/\s+/)
        const named = [...counts].filter(([name]) =>
          words.some((word) => name.toLowerCase().includes(word)),
        )
        const assignees = named
          .toSorted(([, one], [, other]) => other - one)
          .map(([name, count]) => ({ organization: name, patents: count }))
        return found({ organization, count: body.count ?? null, assignees }, assignees)
      },
    }),
  },
})
