/** The words and amounts of all pages of the console. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { publicId, type Id } from '../../src/lib/ids.ts'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'
import { openOwnerSession } from '../harness/owner-session.ts'
import { CONSOLE_PAGES, PUBLIC_PAGES } from '../harness/pages/page-list.ts'
import { startStripe } from '../harness/vendors/stripe.ts'

const texts = new Map<string, string>()

before(async () => {
  const bed = await openAppBed({ cards: (await startStripe()).desk })
  const { rows } = await bed.database.query<{ id: Id }>(
    "update accounts set is_operator = true where email = 'mine@gate.example.com' returning id",
  )
  const accountId = rows[0]?.id ?? ''
  const session = await openOwnerSession({ database: bed.database, now: bed.clock }, accountId)
  const ids = { ...(await fillAccount(bed)), account: publicId('account', accountId) }
  for (const path of [
    ...CONSOLE_PAGES,
    ...PUBLIC_PAGES.filter((page) => !page.startsWith('/docs')),
  ]) {
    const url = path.replaceAll(/:([a-z]+)/g, (all, name: keyof typeof ids) => ids[name] ?? all)
    if (url.includes('/:')) continue
    const { body, statusCode } = await bed.app.inject({
      url,
      headers: { accept: 'text/html', cookie: `__Host-tollgate-page=${session}` },
    })
    assert.ok(statusCode < 500, `${url} answers ${statusCode}`)
    texts.set(url, textOf(body))
  }
  assert.ok(texts.size > 50)
})

/** Keys, calls and a webhook. */
async function fillAccount(bed: AppBed): Promise<Readonly<Record<string, string>>> {
  const create = async (url: string, body: object): Promise<Record<string, string>> =>
    (await bed.post(url, body)).json<{ data: Record<string, string> }>().data
  const parent = await create('/api/v1/agents', {
    label: 'parent',
    ceiling_cents: 50,
    may_mint: true,
    max_call_cents: 20,
  })
  const key = await create('/api/v1/agents', { label: 'other', ceiling_cents: 1 })
  const webhook = await create('/api/v1/webhooks', { url: 'https://hook.example/', events: ['*'] })
  bed.vendor.answerWith(() => ({
    body: { requestId: 'r', results: [{ id: 'https://a.example/', url: 'https://a.example/' }] },
  }))
  const called = await bed.post('/api/run/semantic/search', { query: 'x' })
  assert.equal(called.statusCode, 200, called.body)
  const rejected = await bed.post('/api/run/none/none', {})
  const requestOf = ({ json }: typeof called): string => json<{ request_id: string }>().request_id
  return {
    parent: parent['id'] ?? '',
    key: key['id'] ?? '',
    webhook: webhook['id'] ?? '',
    call: requestOf(called),
    rejected: requestOf(rejected),
  }
}

/** The text of a page that people read, without code, examples and given names. */
function textOf(body: string): string {
  return body
    .replaceAll(/<(script|style|pre|code|svg|head|textarea|option)\b.*?<\/\1>/gs, ' ')
    .replaceAll(/<[^>]* class="given"[^>]*>[^<]*/g, ' ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ')
}

/** Pages on which each of the words occurs, with their surroundings. */
function findings(words: RegExp): readonly string[] {
  return [...texts].flatMap(([url, text]) =>
    [...text.matchAll(words)].map(
      ({ index, 0: found }) =>
        `${url}: …${text.slice(Math.max(0, index - 40), index + found.length + 40)}…`,
    ),
  )
}

it('writes amounts below a dollar in cents', () => {
  // Prices of models are dollars per million tokens, so that columns compare.
  assert.deepEqual(
    findings(/\$0\.\d*[1-9]\d*|(?<![\d.])\d{3,}¢/g).filter(
      (line) => !/^\/(models|pricing)\b/.test(line),
    ),
    [],
  )
})

it('uses no former word of the table in docs/style.md', () => {
  const former = [
    'One shape of call',
    'as it stands',
    'in short',
    'Make the first call',
    'Make an account',
    'Your account is made',
    'Look into your mail',
    'Look among',
    'Whoever',
    'not any more',
    'Present password',
    'The key is made',
    'on this page alone',
    'Counted over',
    'Starts anew',
    'Spent from the top down',
    'Of them failed',
    'Nothing fits',
    'There is nothing here',
    'Get a link by mail',
    'not set up',
    'account holders?',
    'the holder',
    'settled',
    'released',
    'composites?',
    'ceilings?',
    'films?',
    'letters',
    'sold',
  ]
  assert.deepEqual(findings(new RegExp(`\\b(?:${former.join('|')})\\b`, 'gi')), [])
})
