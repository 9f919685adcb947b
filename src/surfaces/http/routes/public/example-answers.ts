/** Example responses for the action pages, from the recorded replies that the catalog tests verify. */
import type { Action } from '../../../../catalog/vocabulary/define.ts'
import { done, type Data, type Outcome } from '../../../../catalog/vocabulary/outcome.ts'
import type { Reply } from '../../../../catalog/vocabulary/wire.ts'
import type { Entry } from '../../../../catalog/index.ts'
import { findOutputs, formatPath, insertLink } from '../../../../catalog/vocabulary/file-field.ts'
import { billable } from '../../../../catalog/prices/price.ts'
import { isJob } from '../../../../calls/quote/webhook-url.ts'
import type { Discover } from '../../../../composites/discover/create-discover.ts'
import { toCentsRoundedUp } from '../../../../lib/money.ts'
import { readRecordedAnswer } from '../../../../vendors/recorded-answers.ts'

const MAX_TEXT_CHARS = 160
const MAX_ITEMS = 2

/** Creates a function that returns the shortened envelope for the action's example; undefined without a recorded reply. */
export function createExampleAnswers({
  discover,
  publicUrl,
}: {
  readonly discover: Discover
  readonly publicUrl: string
}): (entry: Entry) => Promise<unknown> {
  return async (entry) => {
    if (isJob(entry, entry.action.example))
      return {
        ok: true,
        data: { job_id: 'job_…', status: 'queued', async: true },
        charged_cents: 0,
        charged_micros: 0,
        request_id: 'req_…',
      }
    const outcome = await (entry.action.kind === 'local'
      ? localOutcome(entry, discover)
      : recordedOutcome(entry))
    return outcome === undefined || outcome.kind !== 'done'
      ? undefined
      : envelope(entry.action, {
          ...outcome,
          data: linkFiles(entry.action, outcome.data, publicUrl),
        })
  }
}

async function recordedOutcome({ service, name, action }: Entry): Promise<Outcome | undefined> {
  if (action.kind === 'local') return undefined
  const text = await readRecordedAnswer(service.id, name)
  if (text === undefined) return undefined
  const { input, reply } = JSON.parse(text) as { input: Data; reply?: Reply }
  const source = action.kind === 'job' ? (action.directly ?? action) : action
  return reply === undefined ? undefined : source.outcome(reply, input)
}

async function localOutcome(
  { service, name, action }: Entry,
  discover: Discover,
): Promise<Outcome | undefined> {
  const id = `${service.id}/${name}`
  if (id === 'core/discover') {
    await discover.prepare()
    return done(discover.search(String(action.example['query'])))
  }
  return id === 'core/onescrape' ? done(ONE_PAGE) : undefined
}

function envelope(action: Action, outcome: Extract<Outcome, { kind: 'done' }>) {
  const charged = billable(action, action.example, outcome)
  return {
    ok: true,
    data: {
      ...(shorten(outcome.data) as Data),
      ...(action.untrustedContent ? { content_trust: 'untrusted' } : {}),
    },
    charged_cents: toCentsRoundedUp(charged),
    charged_micros: Number(charged),
    request_id: 'req_…',
  }
}

/** The data after its files are stored: links instead of files, and `kept_files`. */
function linkFiles({ fileFields, isReplayable }: Action, data: Data, publicUrl: string): Data {
  const places = findOutputs(data, fileFields)
  const answer = places.reduce(
    (before, place) => insertLink(before, place, `${publicUrl}/files/file_…`),
    data,
  )
  const keptFiles = places.map((place) => ({
    field: formatPath(place, true),
    file_id: 'file_…',
    mime: place.field.mime,
  }))
  return {
    ...answer,
    ...(places.length === 0 ? {} : { kept_files: keptFiles }),
    ...(isReplayable ? { transaction_id: 'tx_…' } : {}),
  }
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > MAX_TEXT_CHARS ? `${value.slice(0, MAX_TEXT_CHARS)}…` : value
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(shorten)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shorten(field)]))
}

const ONE_PAGE: Data = {
  url_count: 1,
  row_count: 1,
  read_count: 1,
  format: 'markdown',
  hard: false,
  rows: [
    {
      id: 'https://example.com/',
      url: 'https://example.com/',
      final_url: 'https://example.com/',
      title: 'Example Domain',
      content:
        '# Example Domain\n\nThis domain is for use in illustrative examples in documents. …',
      format: 'markdown',
      fields: { language: 'en' },
      chars: 167,
      provider: 'semantic',
      yield: 0.9,
      quality_flags: [],
      hops: [
        {
          provider: 'semantic',
          action: 'contents',
          ok: true,
          charged_cents: 1,
          charged_micros: 1_000,
          latency_ms: 412,
        },
      ],
      hard: false,
      charged_cents: 1,
      charged_micros: 1_000,
    },
  ],
  calls: [{ service: 'semantic', action: 'contents', ok: true, latency_ms: 412 }],
  next: 'Every page was read. To list the pages of a site use render/map.',
}
