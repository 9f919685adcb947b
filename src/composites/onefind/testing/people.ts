/** Replies of the people suppliers in their documented form. */
import {
  done,
  empty,
  failed,
  type Data,
  type Outcome,
} from '../../../catalog/vocabulary/outcome.ts'

type Profile = {
  readonly name: string
  readonly title?: string
  readonly company?: string
  readonly slug?: string
}

/** A hit of semantic/search with category people. */
export function profile({
  name,
  title = 'CTO',
  company = 'Acme',
  slug = name.toLowerCase().replaceAll(' ', '-'),
}: Profile) {
  const url = `https://www.linkedin.com/in/${slug}`
  const workHistory = [
    {
      title: 'Intern',
      location: 'Porto',
      dates: { from: '2015-01-01', to: '2016-01-01' },
      company: { name: 'Elsewhere' },
    },
    {
      title,
      location: 'Lisbon',
      dates: { from: '2022-01-01', to: null },
      company: { name: company },
    },
  ]
  return {
    id: url,
    url,
    title: `${name} | ${title} at ${company}`,
    entities: [{ type: 'person', properties: { name, location: 'Lisbon', workHistory } }],
  }
}

export function hits(...results: readonly unknown[]): Outcome {
  return results.length === 0 ? empty({ results }) : done({ results })
}

export function contacts(...emails: readonly string[]): Outcome {
  return emails.length === 0
    ? failed('no_results', 'No contact data.')
    : done({
        status_code: 200,
        profile: { email: emails, work_email: emails, personal_email: [], phone: [] },
      })
}

/** emailintel charges for a miss: an empty reply at the full price. */
export function finder(person: Data | null): Outcome {
  return person === null ? empty({ data: { email: null } }) : done({ data: person })
}

export const noPerson = (): Outcome => failed('no_results', 'Nothing is known about this person.')
export const broken = (): Outcome => failed('upstream_error', 'The vendor failed.')
