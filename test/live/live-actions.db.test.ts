/**
 * Every action that the doctor counts as live without a vendor key, called once with a live key:
 * the number is no promise. New in-house actions are included without a change of this file, unless
 * their example needs a value that no other call of their service returns.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listLiveActions } from '../../src/app/wiring/in-house/live-actions.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import {
  IN_HOUSE_PART_NAMES,
  IN_HOUSE_PARTS,
  type InHousePart,
} from '../../src/app/settings/in-house-parts.ts'
import type { Entry } from '../../src/catalog/index.ts'
import { canBeJob } from '../../src/catalog/vocabulary/define.ts'
import type { Data } from '../../src/catalog/vocabulary/outcome.ts'
import { worstCase } from '../../src/catalog/prices/price.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { sampleOf } from '../harness/sample.ts'
import { openLiveBed, type LiveAnswer } from './open-live-bed.ts'

/**
 * The least numbers of live actions on a fresh machine, without settings, a model and proxies: with
 * the parts that need nothing from it, and with every part; then with SEARXNG_URL. A new part or
 * action raises them.
 */
const LEAST_LIVE = { withoutPrograms: 84, withEveryPart: 102, withSearch: 113 }
/** Parts without fixed programs that need something else: root or user namespaces, one of several programs, or a setting. */
const NEED_MORE: ReadonlySet<string> = new Set(['sandboxes', 'sessions', 'media', 'search'])
const JOB_WAITS = 5

/** They start Chromium, so a sample leaves them to `npm run fire`. */
const IN_BROWSER = new Set([
  'core/produce_demo',
  'core/produce_autodemo',
  'render/scrape',
  'scraping/scrape',
])
/** The local web has no domain, and the address of an author is one at the domain of the article. */
const NEED_DOMAIN = new Set(['emailintel/author-finder'])
/** The action whose answer has the value, if the names are no guide. */
const CREATORS: Readonly<Record<string, string>> = {
  'core/result': 'core/onescrape-deep',
  'core/cancel': 'core/onescrape-deep',
  'files/get': 'files/upload_from_url',
  'boxd/delete_snapshot': 'boxd/snapshot',
  'media/result': 'media/generate',
  'inbox/reply': 'inbox/list-messages',
  'emailasync/result': 'emailasync/email-verification',
}

/** Fields of examples that only the vendor supports. */
const VENDOR_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'sandbox/sandbox-create': ['image'],
}

const bed = await openLiveBed()
const { catalog, lanes } = bed.engine.calls
const live = catalog
  .allActions()
  .filter(({ service, name }) => lanes.statusOf(service.id, name).live !== null)
/** Polls of an action that needs a vendor, or programs that are not installed here. */
const withoutCreator = new Set(
  lanes.statusOf('media', 'generate').live === null ? ['media/result'] : [],
)
const nameOf = ({ service, name }: Entry): string => `${service.id}/${name}`
const cases = live.filter(
  (entry) => !withoutCreator.has(nameOf(entry)) && !NEED_DOMAIN.has(nameOf(entry)),
)
const answers = new Map<string, Promise<LiveAnswer>>()

/** The answer of an action to its example. Each action is called once. */
function answerOf(entry: Entry): Promise<LiveAnswer> {
  const known = answers.get(nameOf(entry))
  if (known !== undefined) return known
  const answer = toInput(entry).then((input) => bed.ask(entry.service.id, entry.name, input))
  answers.set(nameOf(entry), answer)
  return answer
}

async function toInput(entry: Entry): Promise<Data> {
  const { action } = entry
  const input: Record<string, unknown> = { ...action.example }
  const status = lanes.laneFor(entry, 'live', input)
  for (const field of VENDOR_FIELDS[nameOf(entry)] ?? []) delete input[field]
  const isReadHere = status?.kind === 'in-house' || status?.kind === 'local'
  for (const param of action.exampleNeeds) {
    const { data } = await answerOf(findCreator(entry))
    input[param] = findValue(data, param)
  }
  if (entry.service.id === 'inbox' && entry.name !== 'create_inbox')
    return toOwnInboxes(input, await inboxes())
  return isReadHere ? (onSite(input) as Data) : input
}

type Inboxes = { readonly ana: string; readonly bo: string }
let opened: Promise<Inboxes> | undefined
const inboxes = (): Promise<Inboxes> => (opened ??= openInboxes())

/** The inbox of the example, with a message from a second one. */
async function openInboxes(): Promise<Inboxes> {
  const { data } = await answerOf(
    live.find((one) => nameOf(one) === 'inbox/create_inbox') ?? assert.fail('inboxes are live'),
  )
  const second = await bed.ask('inbox', 'create_inbox', { username: 'bo' })
  const [ana, bo] = [String(data['inbox_id']), String(second.data['inbox_id'])]
  const sent = await bed.ask('inbox', 'send', {
    inbox_id: bo,
    to: ana,
    subject: 'Question',
    text: 'A question.',
  })
  assert.ok(sent.ok, JSON.stringify(sent.error))
  return { ana, bo }
}

/** Replaces the addresses of the example, which exist at the vendor only. */
function toOwnInboxes(input: Data, { ana, bo }: Inboxes): Data {
  const text = JSON.stringify(input)
  return JSON.parse(
    text.replaceAll('ana@agentmail.to', ana).replaceAll('bo@example.com', bo),
  ) as Data
}

function findCreator(entry: Entry): Entry {
  const { service, name } = entry
  const named = CREATORS[nameOf(entry)]
  const inService = live.filter((one) => one.service.id === service.id && one.name !== name)
  const creator =
    live.find((one) => nameOf(one) === named) ??
    inService.find((one) => name.startsWith(one.name)) ??
    inService.find((one) => one.action.exampleNeeds.length === 0 && /create|upload$/.test(one.name))
  return (
    creator ?? assert.fail(`no live action creates what ${nameOf(entry)} needs: add it to CREATORS`)
  )
}

/** The value of a field at any depth, whose name may be written in camel case. */
function findValue(data: unknown, name: string): unknown {
  if (typeof data !== 'object' || data === null) return undefined
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const fields = data as Data
  return (
    fields[name] ??
    fields[camel] ??
    fields[`_${name}`] ??
    Object.values(fields)
      .map((value) => findValue(value, name))
      .find((value) => value !== undefined)
  )
}

/** Replaces the web by the local site. */
function onSite(value: unknown): unknown {
  if (typeof value === 'string')
    return /^https?:\/\//.test(value) ? `${bed.site}${new URL(value).pathname}` : value
  if (Array.isArray(value)) return value.map(onSite)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, onSite(one)]))
}

async function endOf(jobId: unknown): Promise<Data> {
  for (let wait = 0; wait < JOB_WAITS; wait += 1) {
    const { data } = await bed.ask('core', 'result', { job_id: jobId, wait_s: 60 })
    if (data['status'] === 'succeeded' || data['status'] === 'failed') return data
  }
  return assert.fail('the job did not end')
}

describe('without vendor keys', () => {
  it('counts the same live actions as the doctor', () => {
    const { live: counted } = listLiveActions(loadConfig({}), {
      hasModel: true,
      parts: new Set(bed.engine.parts),
      proxies: [],
      hasOwnKernel: lanes.statusOf('boxa', 'create_session').live !== null,
    })
    assert.deepEqual(new Set(live.map(nameOf)), new Set(counted))
  })

  it('has at least this many live actions on a fresh machine', () => {
    const count = (parts: readonly InHousePart[]): number =>
      listLiveActions(loadConfig({}), { hasModel: false, parts: new Set(parts), proxies: [] }).live
        .length
    const simple = IN_HOUSE_PART_NAMES.filter(
      (part) => IN_HOUSE_PARTS[part].programs.length === 0 && !NEED_MORE.has(part),
    )
    for (const part of simple) assert.ok(bed.engine.parts.includes(part), `${part} works`)
    const counts = {
      withoutPrograms: count(simple),
      withEveryPart: count(IN_HOUSE_PART_NAMES.filter((part) => part !== 'search')),
      withSearch: count(IN_HOUSE_PART_NAMES),
    }
    for (const [name, least] of Object.entries(LEAST_LIVE))
      assert.ok(counts[name as keyof typeof counts] >= least, JSON.stringify(counts))
  })

  const isSample = process.env['TEST_SAMPLE'] !== undefined
  const tried = isSample ? cases.filter((entry) => !IN_BROWSER.has(nameOf(entry))) : cases
  for (const entry of sampleOf(tried, 8)) {
    it(`${nameOf(entry)} answers its example with a live key within its price`, async () => {
      const { action } = entry
      const answer = await answerOf(entry)
      assert.ok(
        answer.ok && (answer.status === 200 || answer.status === 202),
        `${answer.status} ${JSON.stringify(answer.error)}`,
      )
      if (canBeJob(action) && typeof answer.data['job_id'] === 'string')
        assert.equal((await endOf(answer.data['job_id']))['status'], 'succeeded')
      else
        assert.ok(
          answer.charged <=
            worstCase(
              action,
              bed.engine.calls.validator.validate(action.input, await toInput(entry)),
            ),
        )
    })
  }

  it('emailintel/email-verifier asks the email server of the address', async () => {
    const { data } = await bed.ask('emailintel', 'email-verifier', {
      email: 'ana.example@example.com',
    })
    const { result, smtp_check: isAccepted } = data['email'] as Data
    assert.deepEqual([result, isAccepted], ['deliverable', true])
  })

  it('leaves balanced books', async () => {
    assert.equal((await verifyLedger(bed.database)).ok, true)
  })
})
