import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMessage } from './parse-message.ts'
import type { ParsedMessage } from './parsed-message.ts'

async function parse(...lines: readonly string[]): Promise<ParsedMessage> {
  const answer = await parseMessage(Buffer.from(lines.join('\r\n')))
  assert.ok(answer.kind === 'parsed')
  return answer.message
}

const NAME = '日本語の長い件名です'
const SPLIT = [0, 10, 20]
  .map((at) =>
    Buffer.from(NAME)
      .subarray(at, at + 10)
      .toString('base64'),
  )
  .map((part) => `=?UTF-8?B?${part}?=`)
  .join('\r\n ')

test('reads subjects, names and file names whose encoded words split a character', async () => {
  const message = await parse(
    `From: ${SPLIT} <bo@sender.example>`,
    `To: "${SPLIT}" <ana@agents.example>, team: ${SPLIT} <c@d.example>;`,
    `Cc: ${SPLIT} <c@d.example>`,
    `Reply-To: ${SPLIT} <r@d.example>`,
    `Subject: Re: ${SPLIT}`,
    'Content-Type: multipart/mixed; boundary=q',
    '',
    '--q',
    `Content-Type: text/plain; name="${SPLIT}.txt"`,
    'Content-Disposition: attachment',
    '',
    'x',
    '--q',
    'Content-Type: text/plain',
    `Content-Disposition: attachment; filename="${SPLIT}.txt"`,
    '',
    'x',
    '--q--',
    '',
  )
  assert.equal(message.subject, `Re: ${NAME}`)
  assert.deepEqual(
    [message.from, ...message.to, ...message.cc, ...message.replyTo],
    ['bo@sender.example', 'ana@agents.example', 'c@d.example', 'c@d.example', 'r@d.example'].map(
      (address) => `${NAME} <${address}>`,
    ),
  )
  assert.deepEqual(
    message.attachments.map(({ filename }) => filename),
    [`${NAME}.txt`, `${NAME}.txt`],
  )
})

test('derives the text of a message that has only HTML, or a blank text', async () => {
  const html = '<p style="display:none">no</p><p>Code <a href="https://a.example/c">123</a></p>'
  const text = 'Code [123](https://a.example/c)'
  const only = await parse('From: bo@sender.example', 'Content-Type: text/html', '', html, '')
  assert.deepEqual([only.text, only.html?.trim()], [text, html])
  const alternative = (plain: string) =>
    parse(
      'From: bo@sender.example',
      'Content-Type: multipart/alternative; boundary=q',
      '',
      '--q',
      'Content-Type: text/plain',
      '',
      plain,
      '--q',
      'Content-Type: text/html',
      '',
      html,
      '--q--',
      '',
    )
  assert.equal((await alternative(' ')).text, text)
  assert.equal((await alternative('written')).text?.trim(), 'written')
  const image = await parse('From: bo@sender.example', 'Content-Type: text/html', '', '<img>', '')
  assert.equal(image.text, '')
})
