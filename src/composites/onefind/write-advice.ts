import type { CallTools } from '../../catalog/vocabulary/handlers.ts'
import type { PersonRow, RowError } from './person-row.ts'

type Gateway = Pick<CallTools, 'isLive'>

const ENRICHABLE_ROWS = 50

/** The `next` field: one or two sentences that an agent can act on. */
export function writeAdvice(
  { isLive }: Gateway,
  rows: readonly PersonRow[],
  isOnePerson: boolean,
): string {
  const profiles = rows.map(({ linkedin }) => linkedin).filter((linkedin) => linkedin !== null)
  const [first] = profiles
  if (first === undefined)
    return 'No LinkedIn profile was found, so contact data cannot be looked up.'
  if (!isLive('contactfind', 'linkedin-contacts') && !isLive('emailintel', 'linkedin-finder'))
    return 'Contact data cannot be looked up: this gateway has no supplier for it.'
  const example = `core/onefind-deep {"rows": [${JSON.stringify(first)}${isOnePerson || profiles.length === 1 ? '' : ', …'}]}`
  return isOnePerson
    ? `For the email address: ${example}, at most 15¢, free if no supplier has it.`
    : `For contact data: ${example} with 1 to ${ENRICHABLE_ROWS} of the "linkedin" values, at most 15¢ a row, free for rows that no supplier has.`
}

/** The `next` field of a finished job. */
export function writeDeepAdvice({ isLive }: Gateway, rows: readonly PersonRow[]): string {
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
          `${unpaid.length} of ${rows.length} rows exceeded the budget. Send them again as "rows", or raise "budgetCents".`,
        ]
      : []),
    ...(broken.length > 0
      ? [`A supplier did not answer for ${counted(broken, 'row')}. Send them again later.`]
      : []),
    ...(ended.length > 0
      ? [
          `The job ended before ${counted(ended, 'row was', 'rows were')} looked up. Send them again as "rows".`,
        ]
      : []),
    ...(unknown.length > 0
      ? [
          `${counted(unknown, 'row')} could not be found with any supplier. Check the spelling, or send another address or profile of the person.`,
        ]
      : []),
    ...(unusable.length > 0
      ? [
          `${counted(unusable, 'row')} cannot be looked up; "error" gives the reason. Rows are email addresses, LinkedIn profiles, or names with the company.`,
        ]
      : []),
    ...(withoutProfile.length > 0
      ? [
          `${counted(withoutProfile, 'person has', 'people have')} no known LinkedIn profile, so contact data was not looked up.`,
        ]
      : []),
    ...(withoutSupplier.length > 0
      ? [
          `Contact data of ${counted(withoutSupplier, 'person', 'people')} was not looked up: this gateway has no supplier for it.`,
        ]
      : []),
    ...(missing.length > 0
      ? [
          `${counted(missing, 'person has', 'people have')} no email address with any supplier${isLive('emailintel', 'email-finder') ? '. If "domain" is known, emailintel/email-finder can guess one' : ''}.`,
        ]
      : []),
  ]
  if (advice.length > 0) return advice.join(' ')
  return `Every row was looked up.${isLive('emailintel', 'email-verifier') ? ' Verify an address with emailintel/email-verifier before you write to it.' : ''}`
}

function counted(rows: readonly PersonRow[], one: string, many = `${one}s`): string {
  return `${rows.length} ${rows.length === 1 ? one : many}`
}
