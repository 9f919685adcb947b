import type { CallTools } from '../../catalog/vocabulary/handlers.ts'
import type { PersonRow, RowError } from './person-row.ts'

type Gateway = Pick<CallTools, 'isLive'>

const ENRICHABLE_ROWS = 50

/** What to do next, in a sentence that an agent can act on. */
export function adviceFor(
  { isLive }: Gateway,
  rows: readonly PersonRow[],
  isOnePerson: boolean,
): string {
  const profiles = rows.map(({ linkedin }) => linkedin).filter((linkedin) => linkedin !== null)
  const [first] = profiles
  if (first === undefined)
    return 'No LinkedIn profile is known, so contact data cannot be looked up.'
  if (!isLive('contactfind', 'linkedin-contacts') && !isLive('emailintel', 'linkedin-finder'))
    return 'Contact data cannot be looked up: this gateway has no supplier of it.'
  const example = `core/onefind-deep {"rows": [${JSON.stringify(first)}${isOnePerson || profiles.length === 1 ? '' : ', …'}]}`
  return isOnePerson
    ? `For the e-mail address: ${example}, at most 15¢, free when nobody has it.`
    : `Contact data is not looked up yet. For those you want: ${example} with 1 to ${ENRICHABLE_ROWS} of the "linkedin" values, at most 15¢ a row, free for each that nobody has.`
}

/** The same for a finished job. */
export function adviceForEnriched({ isLive }: Gateway, rows: readonly PersonRow[]): string {
  const withError = (...errors: readonly RowError[]) =>
    rows.filter(({ error }) => error !== undefined && errors.includes(error))
  const unpaid = withError('over budget')
  const broken = withError('lookup failed')
  const ended = withError('cancelled', 'deadline')
  const unknown = withError('not found')
  const unusable = withError(
    'a phone number cannot be looked up',
    'no person named',
    'no person profile',
  )
  const unreached = rows.filter(
    ({ email, enriched, error }) => error === undefined && !enriched && email === null,
  )
  const withoutProfile = unreached.filter(({ linkedin }) => linkedin === null)
  const withoutSupplier = unreached.filter(({ linkedin }) => linkedin !== null)
  const missing = rows.filter(
    ({ email, enriched, error }) => enriched && email === null && error === undefined,
  )
  const advice = [
    ...(unpaid.length > 0
      ? [
          `${unpaid.length} of ${rows.length} rows were beyond the budget: send them again as "rows", or raise "budgetCents".`,
        ]
      : []),
    ...(broken.length > 0
      ? [`For ${counted(broken, 'row')} a supplier did not answer: send them again later.`]
      : []),
    ...(ended.length > 0
      ? [`${counted(ended, 'row')} came to no end: send them again as "rows".`]
      : []),
    ...(unknown.length > 0
      ? [
          `${counted(unknown, 'row')} could not be found with any supplier: check the spelling, or send another address or profile of the person.`,
        ]
      : []),
    ...(unusable.length > 0
      ? [
          `${counted(unusable, 'row')} cannot be looked up; "error" says why. Rows are e-mail addresses, LinkedIn profiles, or names with the company.`,
        ]
      : []),
    ...(withoutProfile.length > 0
      ? [
          `Of ${counted(withoutProfile, 'person', 'people')} no LinkedIn profile is known, so contact data was not looked up.`,
        ]
      : []),
    ...(withoutSupplier.length > 0
      ? [
          `Contact data of ${counted(withoutSupplier, 'person', 'people')} was not looked up: this gateway has no supplier of it.`,
        ]
      : []),
    ...(missing.length > 0
      ? [
          `${counted(missing, 'person has', 'people have')} no e-mail address with any supplier${isLive('emailintel', 'email-finder') ? '; where "domain" is known, emailintel/email-finder can guess one' : ''}.`,
        ]
      : []),
  ]
  if (advice.length > 0) return advice.join(' ')
  return `Every row was looked up.${isLive('emailintel', 'email-verifier') ? ' Check an address before you write to it: emailintel/email-verifier.' : ''}`
}

function counted(rows: readonly PersonRow[], one: string, many = `${one}s`): string {
  return `${rows.length} ${rows.length === 1 ? one : many}`
}
