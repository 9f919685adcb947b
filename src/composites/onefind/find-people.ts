import type { CallTools, Hop } from '../../catalog/vocabulary/handlers.ts'
import type { Failed } from '../../catalog/vocabulary/outcome.ts'
import { fieldsOf } from '../../lib/json-fields.ts'
import { toProfileUrl } from './identifiers.ts'
import type { Facts } from './person-row.ts'
import { withoutUndefined, toList, firstText } from './read-reply.ts'

/** `employers` are all companies of the person, the current one first. */
export type Found = {
  readonly id: string
  readonly facts: Facts
  readonly employers: readonly string[]
  readonly headline: string
}

export type Search = {
  readonly hop: Hop
  readonly found: readonly Found[]
  readonly failure: Failed | null
}

/** The id of the people search. */
export const PEOPLE_SEARCH = 'semantic/search'

/** Returns at most `limit` people for a query, the best first and without duplicates. */
export async function findPeople(tools: CallTools, query: string, limit: number): Promise<Search> {
  const { hop, outcome } = await tools.invoke('semantic', 'search', {
    query,
    category: 'people',
    numResults: limit,
  })
  if (outcome.kind === 'failed') return { hop, found: [], failure: outcome }
  const people = new Map<string, Found>()
  for (const result of toList(outcome.data['results'])) {
    const person = parseHit(result)
    if (person !== null && !people.has(person.id)) people.set(person.id, person)
  }
  return { hop, found: [...people.values()].slice(0, limit), failure: null }
}

/** Reads the facts from `entities`, otherwise from the title. */
function parseHit(result: unknown): Found | null {
  const { url, id, title, entities } = fieldsOf(result)
  const address = firstText(url, id)
  if (address === undefined) return null
  const linkedin = toProfileUrl(address) ?? undefined
  const headline = firstText(title) ?? ''
  const entity = toList(entities)
    .map(fieldsOf)
    .find(({ type }) => type === undefined || type === 'person')
  const { name, location, workHistory } = fieldsOf(entity?.['properties'])
  const jobs = toList(workHistory).map(parseJob)
  const job = jobs.find(({ isPresent }) => isPresent) ?? jobs[0]
  const fromHeadline = parseHeadline(headline)
  const facts: Facts = withoutUndefined({
    name: firstText(name) ?? fromHeadline.name,
    title: job?.title ?? (job === undefined ? fromHeadline.title : undefined),
    company: job?.company ?? (job === undefined ? fromHeadline.company : undefined),
    location: firstText(location) ?? job?.location,
    linkedin,
  })
  if (facts.name === undefined && linkedin === undefined) return null
  const employers = [job, ...jobs]
    .map((one) => one?.company)
    .filter((company) => company !== undefined)
  return { id: linkedin ?? address, facts, employers, headline }
}

function parseJob(value: unknown) {
  const { title, location, dates, company } = fieldsOf(value)
  const { to } = fieldsOf(dates)
  return {
    title: firstText(title),
    location: firstText(location),
    company: firstText(fieldsOf(company)['name'], company),
    isPresent: to === null || to === undefined,
  }
}

/** "Ana X | CTO at Y", "Ana X - CTO - Y | LinkedIn". */
function parseHeadline(headline: string): {
  name?: string | undefined
  title?: string | undefined
  company?: string | undefined
} {
  const [name, role, place] = headline.replace(/\s*[|–-]\s*LinkedIn\s*$/i, '').split(/\s+[|–-]\s+/)
  const [title, company] = (role ?? '').split(/\s+(?:at|@)\s+/)
  return { name: firstText(name), title: firstText(title), company: firstText(company, place) }
}
