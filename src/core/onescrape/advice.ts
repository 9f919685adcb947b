import type { PageRow } from './page-row.ts'

const LARGE_PAGE_CHARS = 60_000

/** What to do next, in a sentence or two that an agent can act on. */
export function adviceFor(rows: readonly PageRow[]): string {
  const unread = rows.filter(({ content }) => content === null)
  if (unread.length === 0) return everythingRead(rows)
  const walled = unread.filter(({ error }) => error === 'blocked')
  const missing = unread.filter(({ error }) => error === 'no reader is configured')
  const failed = unread.filter((row) => !walled.includes(row) && !missing.includes(row))
  return [
    ...(unread.length < rows.length ? [`${rows.length - unread.length} of ${rows.length} pages were read.`] : []),
    ...(walled.length > 0 ? [`${named(walled)} showed a bot check or an empty page to every reader. core/onescrape-deep tries harder.`] : []),
    ...(failed.length > 0 ? [`${failures(failed)} Check the address, or try again later.`] : []),
    ...(missing.length > 0 ? [`${named(missing)} found no reader on this gateway: the operator can set one up.`] : []),
  ].join(' ')
}

/** The same for a finished job, whose ladder has no higher rung. */
export function adviceForDeep(rows: readonly PageRow[]): string {
  const unread = rows.filter(({ content }) => content === null)
  if (unread.length === 0) return everythingRead(rows)
  const unpaid = unread.filter(({ error }) => error === 'over budget')
  const ended = unread.filter(({ error }) => error === 'cancelled' || error === 'deadline')
  const walled = unread.filter(({ error, hard }) => error === 'blocked' && hard)
  // Walled, and no reader was there that gets past walls.
  const softWalled = unread.filter(({ error, hard }) => error === 'blocked' && !hard)
  const rest = unread.filter((row) => ![unpaid, ended, walled, softWalled].some((group) => group.includes(row)))
  return [
    ...(unread.length < rows.length ? [`${rows.length - unread.length} of ${rows.length} pages were read.`] : []),
    ...(unpaid.length > 0 ? [`${named(unpaid)} went beyond the budget: send them again, or raise "budgetCents".`] : []),
    ...(ended.length > 0 ? [`${named(ended)} were not tried to the end: send them again.`] : []),
    ...(walled.length > 0 ? [`${named(walled)} showed a wall to every reader: a browser session is the last resort.`] : []),
    ...(softWalled.length > 0 ? [`${named(softWalled)} showed a wall, and this gateway has no reader for walls: its operator can set up unblock and proxy.`] : []),
    ...(rest.length > 0 ? [`${failures(rest)} Check the address, or try again later.`] : []),
  ].join(' ')
}

function everythingRead(rows: readonly PageRow[]): string {
  const longest = Math.max(...rows.map(({ chars }) => chars))
  if (longest > LARGE_PAGE_CHARS) return 'Every page was read. The longest is large: cut it to what you need before you hand it to a model.'
  return rows.some(({ format }) => format === 'text') ? 'Every page was read; those with format "text" lost their structure on the way.' : 'Every page was read. To find more pages on a subject use semantic/search; to list the pages of a site use render/map.'
}

function failures(rows: readonly PageRow[]): string {
  const [first] = rows
  if (rows.length === 1 && first?.reason !== undefined) return `${first.url}: ${first.reason}`
  return `${named(rows)} did not answer as a web page.`
}

function named(rows: readonly PageRow[]): string {
  const [first] = rows
  return rows.length === 1 && first !== undefined ? first.url : `${rows.length} pages`
}
