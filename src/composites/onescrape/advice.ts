import type { CallTools } from '../../catalog/vocabulary/handlers.ts'
import type { SitePages } from './map-site.ts'
import type { PageRow } from './page-row.ts'
import { getsPastWalls, NO_READER_FOR_WALLS } from './walls.ts'

type Gateway = Pick<CallTools, 'isLive'>

const LARGE_PAGE_CHARS = 60_000

/** What to do next, in a sentence or two that an agent can act on. */
export function adviceFor(gateway: Gateway, rows: readonly PageRow[]): string {
  const unread = rows.filter(({ content }) => content === null)
  if (unread.length === 0) return everythingRead(gateway, rows)
  const walled = unread.filter(({ error }) => error === 'blocked')
  const missing = unread.filter(({ error }) => error === 'no reader is configured')
  const failed = unread.filter((row) => !walled.includes(row) && !missing.includes(row))
  return [
    ...(unread.length < rows.length
      ? [`${rows.length - unread.length} of ${rows.length} pages were read.`]
      : []),
    ...(walled.length > 0
      ? [
          `${named(walled)} showed a bot check or an empty page to every reader${getsPastWalls(gateway) ? '. core/onescrape-deep tries harder.' : `, and ${NO_READER_FOR_WALLS}`}`,
        ]
      : []),
    ...(failed.length > 0 ? [`${failures(failed)} Check the address, or try again later.`] : []),
    ...(missing.length > 0
      ? [`${named(missing)} found no reader on this gateway: the operator can set one up.`]
      : []),
  ].join(' ')
}

/** The same for a finished job, whose ladder has no higher rung. */
export function adviceForDeep(
  gateway: Gateway,
  rows: readonly PageRow[],
  site: SitePages | null,
): string {
  const unread = rows.filter(({ content }) => content === null)
  const ofSite = site === null ? [] : adviceForSite(site)
  if (unread.length === 0)
    return ofSite.length > 0 ? ofSite.join(' ') : everythingRead(gateway, rows)
  const unpaid = unread.filter(({ error }) => error === 'over budget')
  const ended = unread.filter(({ error }) => error === 'cancelled' || error === 'deadline')
  const walled = unread.filter(({ error, hard }) => error === 'blocked' && hard)
  // Walled, and no reader was there that gets past walls.
  const softWalled = unread.filter(({ error, hard }) => error === 'blocked' && !hard)
  const files = unread.filter(({ error }) => error === 'document')
  const rest = unread.filter(
    (row) => ![unpaid, ended, walled, softWalled, files].some((group) => group.includes(row)),
  )
  return [
    ...ofSite,
    ...(unread.length < rows.length
      ? [`${rows.length - unread.length} of ${rows.length} pages were read.`]
      : []),
    ...(unpaid.length > 0
      ? [`${named(unpaid)} went beyond the budget: send them again, or raise "budgetCents".`]
      : []),
    ...(ended.length > 0 ? [`${named(ended)} were not tried to the end: send them again.`] : []),
    ...(walled.length > 0
      ? [
          `${named(walled)} showed a wall to every reader${gateway.isLive('browser', 'create_session') ? ': a browser session is the last resort.' : '.'}`,
        ]
      : []),
    ...(softWalled.length > 0
      ? [`${named(softWalled)} showed a wall, and ${NO_READER_FOR_WALLS}`]
      : []),
    ...(files.length > 0
      ? [`${failures(files, 'lead to files')} files/upload_from_url keeps documents as files.`]
      : []),
    ...(rest.length > 0 ? [`${failures(rest)} Check the address, or try again later.`] : []),
  ].join(' ')
}

/** Why no page of a site was asked for but the one where it is entered. */
function adviceForSite({ seed, seedAlone }: SitePages): string[] {
  if (seedAlone === null) return []
  return seedAlone === 'not mapped'
    ? [
        `The pages of the site could not be listed, so ${seed} alone was asked for: send those that you know as "urls".`,
      ]
    : [`No other page of the site fits "include" and "exclude", so ${seed} alone was asked for.`]
}

function everythingRead({ isLive }: Gateway, rows: readonly PageRow[]): string {
  const longest = Math.max(...rows.map(({ chars }) => chars))
  if (longest > LARGE_PAGE_CHARS)
    return 'Every page was read. The longest is large: cut it to what you need before you hand it to a model.'
  if (rows.some(({ format }) => format === 'text'))
    return 'Every page was read; those with format "text" lost their structure on the way.'
  const further = [
    ...(isLive('semantic', 'search')
      ? ['to find more pages on a subject use semantic/search']
      : []),
    ...(isLive('render', 'map') ? ['to list the pages of a site use render/map'] : []),
  ].join('; ')
  return `Every page was read.${further === '' ? '' : ` ${further.charAt(0).toUpperCase()}${further.slice(1)}.`}`
}

function failures(rows: readonly PageRow[], what = 'did not answer as a web page'): string {
  const [first] = rows
  if (rows.length === 1 && first?.reason !== undefined) return `${first.url}: ${first.reason}`
  return `${named(rows)} ${what}.`
}

function named(rows: readonly PageRow[]): string {
  const [first] = rows
  return rows.length === 1 && first !== undefined ? first.url : `${rows.length} pages`
}
