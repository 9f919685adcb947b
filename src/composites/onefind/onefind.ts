import type { Hop, LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import { failed } from '../../catalog/vocabulary/outcome.ts'
import { withoutCharge } from '../../catalog/prices/hop.ts'
import { AppError } from '../../errors/app-error.ts'
import { writeAdvice } from './write-advice.ts'
import { findPeople, type Found } from './find-people.ts'
import { parseIdentifiers, type Identifier } from './identifiers.ts'
import { HITS_FOR_ONE, matchPerson, findUnmarkedName } from './match-person.ts'
import { parsePersonQuery, type NamedPerson } from './person-query.ts'
import { callOf, fill, rowOf, createDraft, type PersonDraft } from './person-row.ts'

type OnefindInput = { readonly query: string; readonly limit: number }

const IDENTIFIER_WORDS = {
  email: 'an email address',
  linkedin: 'a LinkedIn address',
  phone: 'a phone number',
}

/** Throws AppError onefind_identifier if the query consists of email addresses, LinkedIn URLs or phone numbers. */
export function rejectIdentifiers(query: string): void {
  const found = parseIdentifiers(query)
  const [first] = found
  if (first === undefined) return
  const words = found.length === 1 ? IDENTIFIER_WORDS[first.kind] : 'a list of identifiers'
  const rows = found.filter(canEnrich).map(({ value }) => value)
  throw new AppError(
    'onefind_identifier',
    `"query" is ${words}. Describe the people, or name one person with the company.`,
    {
      param: 'query',
      fix:
        rows.length > 0
          ? `Look ${found.length === 1 ? 'it' : 'them'} up with core/onefind-deep: {"rows": ${JSON.stringify(rows)}}.`
          : 'Describe the people, or name one person with the company.',
    },
  )
}

function canEnrich(identifier: Identifier): boolean {
  return (
    identifier.kind === 'email' || (identifier.kind === 'linkedin' && identifier.profile !== null)
  )
}

/** `core/onefind`: finds people by description, or the one person that the query names. */
export const onefind: LocalHandler = async (data, tools) => {
  const { query, limit } = data as OnefindInput
  const named = parsePersonQuery(query)
  const { hop, found, failure } = await findPeople(
    tools,
    query,
    named === null ? limit : HITS_FOR_ONE,
  )
  const person = named ?? findUnmarkedName(query, found)
  const chosen = choosePeople(person, found)
  if (chosen.length === 0)
    return failure !== null && failure.code !== 'no_results' ? failure : failWithoutPeople(person)
  const rows = createDrafts(chosen, hop).map((draft) => rowOf(draft))
  const answer = {
    query,
    person: person !== null,
    row_count: rows.length,
    enriched: false,
    rows,
    calls: [callOf(hop)],
    next: writeAdvice(tools, rows, person !== null),
  }
  return { kind: 'done', data: answer }
}

/** All hits, or only the match for `person`. */
export function choosePeople(
  person: NamedPerson | null,
  found: readonly Found[],
): readonly Found[] {
  if (person === null) return found
  const match = matchPerson(person, found)
  return match === null ? [] : [match]
}

/** The first row contains the charge of the search, which is one call for all rows. */
export function createDrafts(found: readonly Found[], search: Hop): PersonDraft[] {
  return found.map(({ id, facts }, place) => {
    const draft = createDraft(id)
    fill(draft, facts, 'semantic')
    draft.hops.push(place === 0 ? search : withoutCharge(search))
    return draft
  })
}

export function failWithoutPeople(person: NamedPerson | null) {
  if (person === null)
    return failed('no_people', 'No person matches the description. Nothing was charged.')
  return {
    ...failed('no_people', `No person named ${person.name} was found. Nothing was charged.`),
    fix: 'Check the spelling of the name, or describe the person by role and company.',
  }
}
