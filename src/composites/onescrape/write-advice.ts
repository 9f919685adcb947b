import type { CallTools } from '../../catalog/vocabulary/handlers.ts'
import type { SitePages } from './map-site.ts'
import type { PageFormat, PageRow } from './page-row.ts'
import { getsPastWalls, NO_READER_FOR_WALLS } from './walls.ts'

type Gateway = Pick<CallTools, 'isLive'>

const LARGE_PAGE_CHARS = 60_000

/** The `next` field: one or two sentences that an agent can act on. */
export function writeAdvice(
  gateway: Gateway,
  rows: readonly PageRow[],
  wanted: PageFormat,
): string {
  const unread = rows.filter(({ content }) => content === null)
  if (unread.length === 0) return adviseOnRead(gateway, rows, wanted)
  const walled = unread.filter(({ error }) => error === 'blocked')
  const missing = unread.filter(({ error }) => error === 'no reader is configured')
  const failed = unread.filter((row) => !walled.includes(row) && !missing.includes(row))
  return [
    ...(unread.length < rows.length
      ? [`${rows.length - unread.length} of ${rows.length} pages were read.`]
      : []),
    ...(walled.length > 0
      ? [
          `${named(walled)} showed a bot check or an empty page to every reader${getsPastWalls(gateway) ? '. Try core/onescrape-deep, which has stronger readers.' : `, and ${NO_READER_FOR_WALLS}`}`,
        ]
      : []),
    ...(failed.length > 0 ? [`${failures(failed)} Check the address, or try again later.`] : []),
    ...(missing.length > 0
      ? [`No reader is configured for ${named(missing)}. The operator can set one up.`]
      : []),
  ].join(' ')
}

/** The `next` field of a finished job, which has no further tier to try. */
export function writeDeepAdvice(
  gateway: Gateway,
  rows: readonly PageRow[],
  site: SitePages | null,
  wanted: PageFormat,
): string {
  const unread = rows.filter(({ content }) => content === null)
  const ofSite = site === null ? [] : adviseOnSite(site)
  if (unread.length === 0)
    return ofSite.length > 0 ? ofSite.join(' ') : adviseOnRead(gateway, rows, wanted)
  const unpaid = unread.filter(({ error }) => error === 'over budget')
  const ended = unread.filter(({ error }) => error === 'cancelled' || error === 'deadline')
  const walled = unread.filter(({ error, hard }) => error === 'blocked' && hard)
  // No tier that gets past walls was configured.
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
      ? [`${named(unpaid)} exceeded the budget. Send them again, or raise "budgetCents".`]
      : []),
    ...(ended.length > 0
      ? [`The job ended before all readers tried ${named(ended)}. Send them again.`]
      : []),
    ...(walled.length > 0
      ? [
          `${named(walled)} showed a wall to every reader${gateway.isLive('browser', 'create_session') ? '. Try a browser session.' : '.'}`,
        ]
      : []),
    ...(softWalled.length > 0
      ? [`${named(softWalled)} showed a wall, and ${NO_READER_FOR_WALLS}`]
      : []),
    ...(files.length > 0
      ? [
          `${failures(files, 'lead to files')} reader/document reads documents, and files/upload_from_url stores files.`,
        ]
      : []),
    ...(rest.length > 0 ? [`${failures(rest)} Check the address, or try again later.`] : []),
  ].join(' ')
}

/** The reason why only the seed of a site was read. */
function adviseOnSite({ seed, seedAlone }: SitePages): string[] {
  if (seedAlone === null) return []
  return seedAlone === 'not mapped'
    ? [
        `The pages of the site could not be listed, so only ${seed} was read. Send other pages as "urls".`,
      ]
    : [`No other page of the site matches "include" and "exclude", so only ${seed} was read.`]
}

function adviseOnRead({ isLive }: Gateway, rows: readonly PageRow[], wanted: PageFormat): string {
  const longest = Math.max(...rows.map(({ chars }) => chars))
  if (longest > LARGE_PAGE_CHARS)
    return 'Every page was read. The longest is large: send max_chars or chunk_chars before you pass it to a model.'
  if (wanted !== 'text' && rows.some(({ format }) => format === 'text'))
    return 'Every page was read. Pages with format "text" have lost their structure.'
  const further = [
    ...(isLive('semantic', 'search')
      ? ['to find more pages on a subject use semantic/search']
      : []),
    ...(isLive('render', 'map') ? ['to list the pages of a site use render/map'] : []),
  ].join('; ')
  return `Every page was read.${further === '' ? '' : ` ${further.charAt(0).toUpperCase()}${further.slice(1)}.`}`
}

function failures(rows: readonly PageRow[], problem = 'did not return a web page'): string {
  const [first] = rows
  if (rows.length === 1 && first?.reason !== undefined) return `${first.url}: ${first.reason}`
  return `${named(rows)} ${problem}.`
}

function named(rows: readonly PageRow[]): string {
  const [first] = rows
  return rows.length === 1 && first !== undefined ? first.url : `${rows.length} pages`
}
