import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emailOf, slackBody } from '../../src/events/delivery/message.ts'
import type { EventRecord } from '../../src/events/event-record.ts'
import { csvLine } from '../../src/lib/csv.ts'
import { cleanFilename } from '../../src/resources/files/filename.ts'
import { parseMessage } from '../../src/resources/inboxes/receiving/parse-message.ts'
import { createCompose } from '../../src/resources/inboxes/sending/compose.ts'
import { columns, facts } from '../../src/surfaces/cli/show.ts'
import { html } from '../../src/surfaces/http/html/html.ts'
import { siteMap } from '../../src/surfaces/http/routes/public/site-map.ts'
import { fileHeaders } from '../../src/surfaces/http/routes/files/file-headers.ts'
import { readCallingApp } from '../../src/surfaces/router/read-calling-app.ts'

const HOSTILE =
  '=HYPERLINK("x") <!channel> <https://evil.example|Reset & win> @everyone @here [Reset](https://evil.example) \'"\u001b[2J\u009b\u202ecod.exe\u2066\u2028\r\nBcc: all@victim.example\r\n\r\n<b>'

const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u
const MARKUP = /<[!hb]/
const MENTION = /@(everyone|here|channel)\b/
const MASKED_LINK = /\]\(/
const ADDED_LINE = /[\r\n]Bcc:/

const event: EventRecord = {
  id: 'evt_1',
  type: 'inbox.message',
  timestamp: '2027-01-01T00:00:00.000Z',
  data: { inbox_id: 'a@b.example', from: HOSTILE, subject: HOSTILE },
} as unknown as EventRecord

const file = { filename: HOSTILE, mime: 'text/plain', sha256: null }

const draft = {
  inbox: 'a@b.example',
  displayName: HOSTILE,
  messageId: '<1@b.example>',
  to: ['c@d.example'],
  subject: HOSTILE,
  text: 'text',
  html: undefined,
  inReplyTo: null,
  references: [],
}

const encoded = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`

async function parsed(): Promise<string> {
  const raw = `From: ${encoded(HOSTILE)} <a@b.example>\r\nSubject: ${encoded(HOSTILE)}\r\nContent-Type: text/plain; name="${encoded(HOSTILE)}"\r\nContent-Disposition: attachment; filename="${encoded(HOSTILE)}"\r\n\r\ntext`
  const answer = await parseMessage(Buffer.from(raw))
  assert.ok(answer.kind === 'parsed')
  const { from, subject, attachments } = answer.message
  return [from, subject, ...attachments.map(({ filename }) => filename)].join('')
}

/** Every format in which the gateway writes text of strangers, and what must not survive there. */
const TARGETS: readonly (readonly [string, () => string | Promise<string>, readonly RegExp[]])[] = [
  [
    'the text of a Slack message',
    () => (JSON.parse(slackBody(event)) as { text: string }).text,
    [CONTROLS, MARKUP, MENTION, MASKED_LINK],
  ],
  [
    'the sentence of an email',
    () =>
      emailOf(event, { to: 'c@d.example', publicUrl: 'https://t.example' }).text.split('\n\n')[0]!,
    [CONTROLS],
  ],
  [
    'the header of a sent message',
    async () => (await createCompose('b.example', null, () => 0)(draft)).toString(),
    [ADDED_LINE],
  ],
  ['the names of a received message', parsed, [CONTROLS]],
  ['a cell of a CSV export', () => csvLine([HOSTILE]), [/^"?=/]],
  ['an HTML page', () => html`<i title="${HOSTILE}">${HOSTILE}</i>`.markup, [MARKUP, /title="="/]],
  [
    'the site map',
    () => siteMap({ services: [], publicUrl: '' } as never, [HOSTILE]),
    [/<[!b]|<https:/, / & /],
  ],
  ['a table of the command line', () => columns(['name'], [[HOSTILE]]).slice(5), [CONTROLS]],
  ['a fact of the command line', () => facts([['name', HOSTILE]]), [CONTROLS]],
  ['the name of a file', () => cleanFilename(HOSTILE), [CONTROLS, /[/\\]/]],
  [
    'the name of a download',
    () => decodeURIComponent(fileHeaders(file)['content-disposition'] ?? ''),
    [CONTROLS],
  ],
  [
    'the name of a calling app',
    () => readCallingApp({ 'x-title': Buffer.from(HOSTILE).toString('latin1') })?.title ?? '',
    [CONTROLS],
  ],
]

for (const [name, write, forbidden] of TARGETS)
  test(`${name} runs nothing that a stranger wrote`, async () => {
    const text = await write()
    assert.match(text, /evil\.example|HYPERLINK/)
    for (const pattern of forbidden) assert.doesNotMatch(text, pattern)
  })

test('the text of a Slack message shows the characters of markup', () => {
  const data = { inbox_id: 'i@b.example', from: 'Ann <ann@b.example>', subject: 'R&D @ here.com' }
  assert.equal(
    (JSON.parse(slackBody({ ...event, data: { ...data, sequence: 1 } })) as { text: string }).text,
    'i@b.example received a message from Ann &lt;ann@b.example&gt;: R&amp;D @ here.com',
  )
})
