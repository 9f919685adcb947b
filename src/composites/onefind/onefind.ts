import type { Hop, LocalHandler } from '../../catalog/vocabulary/handlers.ts'
import { failed } from '../../catalog/vocabulary/outcome.ts'
import { withoutCharge } from '../../catalog/prices/hop.ts'
import { AppError } from '../../errors/app-error.ts'
import { adviceFor } from './advice.ts'
import { findPeople, type Found } from './find-people.ts'
import { identifiersIn, type Identifier } from './identifiers.ts'
import { HITS_FOR_ONE, matchPerson, namedWithoutMark } from './match-person.ts'
import { personIn, type NamedPerson } from './person-query.ts'
import { callOf, fill, rowOf, startDraft, type PersonDraft } from './person-row.ts'

type OnefindInput = { readonly query: string; readonly limit: number }

const IDENTIFIER_WORDS = {
  email: 'an e-mail address',
  linkedin: 'a LinkedIn address',
  phone: 'a phone number',
}

/** Throws AppError onefind_identifier when the query is an e-mail address, a LinkedIn address or a phone number, or several of them. */
export function refuseIdentifier(query: string): void {
  const found = identifiersIn(query)
  const [first] = found
  if (first === undefined) return
  const words = found.length === 1 ? IDENTIFIER_WORDS[first.kind] : 'a list of identifiers'
  const rows = found.filter(canEnrich).map(({ value }) => value)
  throw new AppError(
    'onefind_identifier',
    `"query" is ${words}; it takes a description of people, or one person by name and company.`,
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

/** `core/onefind`: people who fit a description, or the one person that the query names. */
export const onefind: LocalHandler = async (data, tools) => {
  const { query, limit } = data as OnefindInput
  const named = personIn(query)
  const { hop, found, failure } = await findPeople(
    tools,
    query,
    named === null ? limit : HITS_FOR_ONE,
  )
  const person = named ?? namedWithoutMark(query, found)
  const chosen = chosenOf(person, found)
  if (chosen.length === 0)
    return failure !== null && failure.code !== 'no_results' ? failure : nobody(person)
  const rows = draftsOf(chosen, hop).map((draft) => rowOf(draft))
  const answer = {
    query,
    person: person !== null,
    row_count: rows.length,
    enriched: false,
    rows,
    calls: [callOf(hop)],
    next: adviceFor(tools, rows, person !== null),
  }
  return { kind: 'done', data: answer }
}

/** Everybody found, or the one whom the query names. */
export function chosenOf(person: NamedPerson | null, found: readonly Found[]): readonly Found[] {
  if (person === null) return found
  const match = matchPerson(person, found)
  return match === null ? [] : [match]
}

/** The search is one call for all rows: its charge stands on the first. */
export function draftsOf(found: readonly Found[], search: Hop): PersonDraft[] {
  return found.map(({ id, facts }, place) => {
    const draft = startDraft(id)
    fill(draft, facts, 'semantic')
    draft.hops.push(place === 0 ? search : withoutCharge(search))
    return draft
  })
}

export function nobody(person: NamedPerson | null) {
  if (person === null)
    return failed('no_people', 'Nobody was found who fits the description. Nothing was charged.')
  return {
    ...failed('no_people', `Nobody named ${person.name} was found. Nothing was charged.`),
    fix: 'Check the spelling of the name, or describe the person by role and company instead.',
  }
}
