import type { PageRow } from './page-row.ts'

/** What to do next, in a sentence or two that an agent can act on. */
export function adviceFor(rows: readonly PageRow[]): string {
  const unread = rows.filter(({ content }) => content === null)
  if (unread.length === 0) return everythingRead(rows)
  const walled = unread.filter(({ error }) => error === 'blocked')
  const missing = unread.filter(({ error }) => error === 'no reader is configured')
  const parts = [`${rows.length - unread.length} of ${rows.length} pages were read.`]
  if (walled.length > 0) {
    parts.push(`${named(walled)} met a wall or an empty shell in every cheap reader. Where this gateway offers core/onescrape-deep, it climbs on through the unblocking readers.`)
  }
  const failed = unread.length - walled.length - missing.length
  if (failed > 0) parts.push(`${named(unread.filter((row) => !walled.includes(row) && !missing.includes(row)))} did not answer as a web page: check the address, or try again later.`)
  if (missing.length > 0) parts.push(`${named(missing)} found no reader on this gateway: the operator can configure one.`)
  return parts.join(' ')
}

function everythingRead(rows: readonly PageRow[]): string {
  const longest = Math.max(...rows.map(({ chars }) => chars))
  if (longest > 60_000) return 'Every page was read. The longest is large: cut it to what you need before you hand it to a model.'
  return rows.some(({ format }) => format === 'text') ? 'Every page was read; those with format "text" lost their structure on the way.' : 'Every page was read. To find more pages on a subject use semantic/search; to list the pages of a site use render/map.'
}

function named(rows: readonly PageRow[]): string {
  const [first] = rows
  return rows.length === 1 && first !== undefined ? first.url : `${rows.length} pages`
}
