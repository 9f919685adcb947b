import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isBelow, isTest, type Rule, type SourceFile } from './source.ts'

const TABLE = 'src/lib/fairness/README.md'

/** Functions and classes that create a place for several accounts. */
const PRIMITIVES = [
  'createSlots',
  'createShares',
  'Attempts',
  'FairQueue',
  'PublicWork',
  'SharedCapacity',
  'WebSocketServer',
]
const DEFINED_IN = ['src/lib/fairness/fair-slots.ts', 'src/lib/fairness/shared-capacity.ts']
const FULL = ["'overloaded'", "'rate_limited'"]

/** Files that reject for another reason than a full place, with that reason. */
const NOT_PLACES: Readonly<Record<string, string>> = {
  'src/auth/attempts.ts': 'the counter; each use of it has a row',
  'src/auth/oauth/authorization-request.ts': 'passes on the error of the metadata',
  'src/calls/payments/intents.ts': 'the database is unavailable',
  'src/calls/payments/leased-intents.ts': 'the database is unavailable',
  'src/calls/perform/request-end.ts': 'the gateway stops',
  'src/composites/crawls/crawl-worker.ts': 'reads the page again later',
  'src/composites/emails/read-site-addresses.ts': 'passes on the error of a page',
  'src/db/database.ts': 'another transaction holds a lock',
  'src/ledger/assert-held.ts': 'the database failed',
  'src/ledger/ledger.ts': 'another transaction holds a lock, or the disk is full',
  'src/resources/boxes/session-box.ts': 'a machine did not answer',
  'src/resources/files/drivers/disk.ts': 'the disk is unavailable',
  'src/resources/files/drivers/s3.ts': 'the file store is unavailable',
  'src/resources/files/receive.ts': 'the disk is full',
  'src/resources/inboxes/delete-messages.ts': 'the message still counts toward a limit',
  'src/resources/sessions/open-session.ts': 'passes on the refusal of a driver',
  'src/surfaces/http/direct/render-overload.ts': 'renders the rejection of the ledger',
  'src/upstream/guard-proxy.ts': 'passes on the error of the guard',
}

const ROWS = readRows(readFileSync(join(import.meta.dirname, '../..', TABLE), 'utf8'))

/** The table of places that accounts share has a row for each place of the code, and no other. */
export const sharedPlaces: Rule = {
  name: 'shared places',
  find: (files) =>
    files
      .filter(({ name }) => isBelow(name, 'src') && !isTest(name) && !DEFINED_IN.includes(name))
      .flatMap((file) => {
        const isListed = ROWS.has(file.name) || NOT_PLACES[file.name] !== undefined
        if (hasPlace(file) === isListed) return []
        return isListed
          ? [`${file.name}: is listed as a shared place, but has none`]
          : [`${file.name}: has a shared place without a row in ${TABLE}`]
      }),
}

/** The files in the second cells. Throws RangeError for a row with an empty cell. */
function readRows(markdown: string): ReadonlySet<string> {
  const rows = markdown.split('\n').flatMap((line) => {
    const cells = line.split('|').slice(1, -1)
    const file = /^ `([^`]+)` $/.exec(cells[1] ?? '')?.[1]
    if (file === undefined) return []
    if (cells.length !== 6 || cells.some((cell) => cell.trim() === ''))
      throw new RangeError(`${TABLE}: the row of ${file} needs six cells with text.`)
    return [file]
  })
  return new Set(rows)
}

function hasPlace({ uses, texts }: SourceFile): boolean {
  const creates = (names: readonly string[]): boolean =>
    uses.some((use) => use.kind !== 'member' && names.includes(use.name))
  return (
    creates(PRIMITIVES) || (creates(['AppError']) && texts.some(({ text }) => FULL.includes(text)))
  )
}
