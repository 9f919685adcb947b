import type { PersonRow } from './person-row.ts'

const ENRICHABLE_ROWS = 50

/** What to do next, in a sentence that an agent can act on. */
export function adviceFor(rows: readonly PersonRow[], isOnePerson: boolean): string {
  const profiles = rows.map(({ linkedin }) => linkedin).filter((linkedin) => linkedin !== null)
  const [first] = profiles
  if (first === undefined) return 'No LinkedIn profile is known, so contact data cannot be looked up.'
  const example = `core/onefind-deep {"rows": [${JSON.stringify(first)}${isOnePerson || profiles.length === 1 ? '' : ', …'}]}`
  return isOnePerson
    ? `For the e-mail address: ${example}, at most 15¢, free when nobody has it.`
    : `Contact data is not looked up yet. For those you want: ${example} with 1 to ${ENRICHABLE_ROWS} of the "linkedin" values, at most 15¢ a row, free for each that nobody has.`
}

/** The same for a finished job. */
export function adviceForEnriched(rows: readonly PersonRow[]): string {
  const unpaid = rows.filter(({ error }) => error === 'over budget').length
  const broken = rows.filter(({ error }) => error === 'lookup failed').length
  const missing = rows.filter(({ email, enriched, error }) => enriched && email === null && error === undefined).length
  const advice = [
    ...(unpaid > 0 ? [`${unpaid} of ${rows.length} rows were beyond the budget: send them again as "rows", or raise "budgetCents".`] : []),
    ...(broken > 0 ? [`For ${broken} rows a supplier did not answer: send them again later.`] : []),
    ...(missing > 0 ? [`${missing} people have no e-mail address with any supplier; where "domain" is known, emailintel/email-finder can guess one.`] : []),
  ]
  return advice.length > 0 ? advice.join(' ') : 'Every row was looked up. Check an address before you write to it: emailintel/email-verifier.'
}
