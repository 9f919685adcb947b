import type { CallTools, Hop } from '../../catalog/vocabulary/handlers.ts'
import type { Failed } from '../../catalog/vocabulary/outcome.ts'
import { fieldsOf } from '../../lib/json-fields.ts'
import { profileUrlOf } from './identifiers.ts'
import type { Facts } from './person-row.ts'
import { known, listOf, textOf } from './read-reply.ts'

/** `employers` are all companies of the person, the present one first. */
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

/** The search for people, as "service/action". */
export const PEOPLE_SEARCH = 'semantic/search'

/** Asks for at most `limit` profiles that fit the words, the best first; each person once. */
export async function findPeople(tools: CallTools, query: string, limit: number): Promise<Search> {
  const { hop, outcome } = await tools.invoke('semantic', 'search', {
    query,
    category: 'people',
    numResults: limit,
  })
  if (outcome.kind === 'failed') return { hop, found: [], failure: outcome }
  const people = new Map<string, Found>()
  for (const result of listOf(outcome.data['results'])) {
    const person = foundIn(result)
    if (person !== null && !people.has(person.id)) people.set(person.id, person)
  }
  return { hop, found: [...people.values()].slice(0, limit), failure: null }
}

/** A hit tells in `entities` what the profile says; one without them has only its title. */
function foundIn(result: unknown): Found | null {
  const { url, id, title, entities } = fieldsOf(result)
  const address = textOf(url, id)
  if (address === undefined) return null
  const linkedin = profileUrlOf(address) ?? undefined
  const headline = textOf(title) ?? ''
  const entity = listOf(entities)
    .map(fieldsOf)
    .find(({ type }) => type === undefined || type === 'person')
  const { name, location, workHistory } = fieldsOf(entity?.['properties'])
  const jobs = listOf(workHistory).map(jobOf)
  const job = jobs.find(({ isPresent }) => isPresent) ?? jobs[0]
  const told = factsIn(headline)
  const facts: Facts = known({
    name: textOf(name) ?? told.name,
    title: job?.title ?? (job === undefined ? told.title : undefined),
    company: job?.company ?? (job === undefined ? told.company : undefined),
    location: textOf(location) ?? job?.location,
    linkedin,
  })
  if (facts.name === undefined && linkedin === undefined) return null
  const employers = [job, ...jobs]
    .map((one) => one?.company)
    .filter((company) => company !== undefined)
  return { id: linkedin ?? address, facts, employers, headline }
}

function jobOf(value: unknown) {
  const { title, location, dates, company } = fieldsOf(value)
  const { to } = fieldsOf(dates)
  return {
    title: textOf(title),
    location: textOf(location),
    company: textOf(fieldsOf(company)['name'], company),
    isPresent: to === null || to === undefined,
  }
}

/** "Ana X | CTO at Y", "Ana X - CTO - Y | LinkedIn". */
function factsIn(headline: string): {
  name?: string | undefined
  title?: string | undefined
  company?: string | undefined
} {
  const [name, role, place] = headline.replace(/\s*[|–-]\s*LinkedIn\s*$/i, '').split(/\s+[|–-]\s+/)
  const [title, company] = (role ?? '').split(/\s+(?:at|@)\s+/)
  return { name: textOf(name), title: textOf(title), company: textOf(company, place) }
}
