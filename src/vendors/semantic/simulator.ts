/** Exa's API: POST /search and POST /contents with the header x-api-key or a bearer key. */
import { pageFor, SHELL, shortHash, toHtml, toMarkdown, WALL } from '../../simulators/content.ts'
import { faultOf, type PageFault, isPageFault } from '../../simulators/faults.ts'
import { hitAt } from '../../simulators/hits.ts'
import { personFor } from '../../simulators/people.ts'
import {
  bearerCredential,
  bodyField,
  stringsOf,
  type FailureReason,
  type SimulatedReply,
  type SimulatedRequest,
  type SimulatedVendor,
} from '../../simulators/vendor.ts'

const semantic: SimulatedVendor = {
  credential: (request) => headerKey(request) ?? bearerCredential(request),
  quotaStatus: 402,
  failure: (status, reason) => ({
    status,
    json: {
      requestId: 'simulated',
      error: `Simulated failure with status ${status}.`,
      tag: tagOf(status, reason),
    },
  }),
  texts: (request) => [...stringsOf(bodyField(request, 'query')), ...addressesOf(request)],
  answer: (request) => {
    if (request.method !== 'POST') return undefined
    if (request.path === '/search') return search(request)
    return request.path === '/contents' ? contents(request) : undefined
  },
}

function headerKey({ headers }: SimulatedRequest): string | undefined {
  const key = headers['x-api-key']
  return Array.isArray(key) ? key[0] : key
}

function tagOf(status: number, reason: FailureReason): string {
  if (reason === 'quota') return 'NO_MORE_CREDITS'
  if (reason === 'credentials') return 'INVALID_API_KEY'
  return status === 400 ? 'INVALID_REQUEST_BODY' : 'SIMULATED_FAILURE'
}

function addressesOf(request: SimulatedRequest): string[] {
  return [...stringsOf(bodyField(request, 'urls')), ...stringsOf(bodyField(request, 'ids'))]
}

function search(request: SimulatedRequest): SimulatedReply {
  const query = bodyField(request, 'query')
  if (typeof query !== 'string' || query === '') return semantic.failure(400, 'fault')
  const asked = Number(bodyField(request, 'numResults') ?? 10)
  if (!Number.isInteger(asked) || asked < 1 || asked > 100) {
    return {
      status: 400,
      json: {
        requestId: 'simulated',
        error: 'numResults must be 1 to 100',
        tag: 'INVALID_NUM_RESULTS',
      },
    }
  }
  const missed =
    faultOf(query, 'semantic')?.kind === 'miss' ||
    (bodyField(request, 'category') === 'people' && /\bnobody\b/i.test(query))
  const results = missed
    ? []
    : Array.from({ length: Math.min(asked, 25) }, (_, index) => searchResult(request, query, index))
  return {
    status: 200,
    json: {
      requestId: shortHash(query),
      resolvedSearchType: stringsOf(bodyField(request, 'type'))[0] ?? 'auto',
      results,
      costDollars: { total: 0.007 },
      simulated: true,
    },
  }
}

function searchResult(request: SimulatedRequest, query: string, index: number): unknown {
  const category = bodyField(request, 'category')
  const id = shortHash(`${query} ${index}`)
  const entity =
    category === 'people' ? person(query, index) : category === 'company' ? company(id) : undefined
  const hit = hitAt(query, index, {
    now: request.now,
    domains: stringsOf(bodyField(request, 'includeDomains')),
  })
  const url = entity?.url ?? hit.url
  return {
    id: url,
    url,
    title: entity?.title ?? hit.title,
    publishedDate: hit.publishedAt,
    author: null,
    score: Math.max(0, Math.round((0.95 - index * 0.02) * 1000) / 1000),
    ...contentOf(url, bodyField(request, 'contents')),
    ...(entity === undefined ? {} : { entities: [entity.facts] }),
  }
}

/** A person who matches the words. The first one has the name in the query, if there is one. */
function person(query: string, index: number) {
  const [, name, workplace] =
    index === 0
      ? (NAMED.exec(query) ??
        NAMED_IN_SMALL_LETTERS.exec(query) ??
        NAMED_WITHOUT_CAPITALS.exec(query) ??
        [])
      : []
  const invented = personFor(name ?? `#${index} ${query}`)
  const fullName = name ?? invented.fullName
  const employer = workplace ?? invented.company
  const work = [
    {
      title: invented.title,
      location: invented.city,
      dates: { from: '2022-01-01', to: null },
      company: { id: `company-${shortHash(employer)}`, name: employer },
    },
  ]
  return {
    // Digits only, because the people vendors read the name from the URL.
    url: `https://www.linkedin.com/in/${fullName.toLowerCase().replaceAll(/[^\p{L}]+/gu, '-')}-${index}${Number.parseInt(shortHash(query), 16) % 10_000}`,
    title: `${fullName} | simulated profile`,
    facts: {
      id: `person-${shortHash(`${query} ${index}`)}`,
      type: 'person',
      version: 1,
      properties: { name: fullName, location: invented.city, workHistory: work },
    },
  }
}

/** Matches "Ana Example at Acme" and "who is Ana Example, CTO, Acme?". */
const NAMED =
  /(\p{Lu}[\p{L}'’.-]*(?:\s+(?:van|von|der|de|la|al))*(?:\s+\p{Lu}[\p{L}'’.-]*){1,3})\s*(?:[,;|(@]|\s[-–]|\s(?:at|from|of|with))\s*(?:.{0,100}(?:\s(?:at|@)\s+|,\s*))?([^,;|()?]{2,80}?)\s*[)?.]*$/u

const NAMED_IN_SMALL_LETTERS = /^([\p{Ll}'’-]+ [\p{Ll}'’-]*[^\Ws]) (?:at|@) ([^,]{2,80})$/u

/** Matches scripts without capitals: "王伟 at Alibaba", "山田太郎、トヨタ", "محمد علي (أرامكو)". */
const NAMED_WITHOUT_CAPITALS =
  /^([\p{Lo}\p{Lm}\p{M}・·'’-]+(?:\s+[\p{Lo}\p{Lm}\p{M}'’-]+){0,3})\s*(?:[,，、،;|(（@]|\s[-–]|\s(?:at|from|of|with)\s)\s*(?:.{0,100}(?:\s(?:at|@)\s+|[,，、،]\s*))?([^,，、،;|()（）?]{2,80}?)\s*[)）?.]*$/u

function company(id: string) {
  const name = `Simulated Company ${id.toUpperCase()}`
  return {
    url: `https://company-${id}.example.com/`,
    title: name,
    facts: {
      id: `company-${id}`,
      type: 'company',
      version: 1,
      properties: {
        name,
        foundedYear: 2015,
        description: 'A simulated company.',
        workforce: { total: 42 },
        headquarters: { city: 'Exampleville', country: 'Exampleland' },
      },
    },
  }
}

function contents(request: SimulatedRequest): SimulatedReply {
  const addresses = addressesOf(request)
  if (addresses.length === 0) return semantic.failure(400, 'fault')
  const pages = addresses.map((address) => ({ address, fault: faultOf(address, 'semantic') }))
  const read = pages.filter(
    ({ fault }) =>
      fault === undefined || fault.kind === 'wall' || fault.kind === 'thin' || !isPageFault(fault),
  )
  return {
    status: 200,
    json: {
      requestId: shortHash(addresses.join(' ')),
      results: read.map(({ address, fault }) => ({
        id: address,
        url: address,
        title: titleOf(address, fault?.kind),
        ...contentOf(address, request.body),
      })),
      statuses: pages.map(({ address, fault }) =>
        statusOf(address, fault !== undefined && isPageFault(fault) ? fault : undefined),
      ),
      costDollars: { total: Math.round(read.length * 1_000) / 1_000_000 },
      simulated: true,
    },
  }
}

function titleOf(address: string, fault: string | undefined): string {
  return fault === 'wall' ? WALL.title : fault === 'thin' ? SHELL.title : pageFor(address).title
}

/**
 * This vendor runs no scripts and judges no pages, so a wall and an empty shell look like success.
 */
function statusOf(address: string, fault: PageFault | undefined): unknown {
  if (fault === undefined || fault.kind === 'wall' || fault.kind === 'thin')
    return { id: address, status: 'success', source: 'crawled' }
  const status = fault.kind === 'page' ? fault.status : 500
  const tag =
    { 403: 'SOURCE_NOT_AVAILABLE', 404: 'CRAWL_NOT_FOUND', 408: 'CRAWL_TIMEOUT' }[status] ??
    'CRAWL_UNKNOWN_ERROR'
  return { id: address, status: 'error', source: 'crawled', error: { tag, httpStatusCode: status } }
}

function contentOf(address: string, options: unknown): Record<string, unknown> {
  if (typeof options !== 'object' || options === null) return {}
  const { text, highlights, summary } = options as Record<string, unknown>
  const kind = faultOf(address, 'semantic')?.kind
  const page = pageFor(address)
  const content: Record<string, unknown> = {}
  if (text !== undefined && text !== false) content['text'] = textOf(address, text, kind)
  if (highlights !== undefined && highlights !== false) {
    content['highlights'] = page.sections.map(({ paragraphs }) => paragraphs[0])
    content['highlightScores'] = page.sections.map((_, index) => 0.9 - index * 0.1)
  }
  if (summary !== undefined && summary !== false)
    content['summary'] = `Simulated summary. ${page.description}`
  return content
}

function textOf(address: string, options: unknown, kind: string | undefined): string {
  const {
    includeHtmlTags: html = false,
    verbosity,
    maxCharacters = Infinity,
  } = (typeof options === 'object' && options !== null ? options : {}) as Record<string, unknown>
  const special = kind === 'wall' ? WALL : kind === 'thin' ? SHELL : undefined
  const page = pageFor(address)
  const full =
    html === true
      ? (special?.html ?? toHtml(page, { mainOnly: verbosity !== 'full' }))
      : (special?.markdown ?? toMarkdown(page))
  return full.slice(0, Number(maxCharacters))
}

export const simulators = { semantic }
