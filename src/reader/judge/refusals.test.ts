import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { judgePage, type Verdict } from './judge.ts'

/**
 * Our own sentences, written before the words of `refusal-words.ts`. The set was split before any
 * was measured: only `dev` was read while writing the words.
 */
type Notice = { language: string; kind: string; title: string; text: string }

const FOLDER = join(import.meta.dirname, 'refusals')
const LEAST_SHARE = 0.9

const noticesOf = (name: string): Notice[] =>
  readFileSync(join(FOLDER, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Notice)

function judge({ title, text }: Notice, headline: string): Verdict {
  const html = `<!doctype html><html><head><title>${title}</title></head><body>${headline === '' ? '' : `<h1>${headline}</h1>`}<p>${text}</p></body></html>`
  return judgePage({
    html,
    content: `${headline === '' ? '' : `# ${headline}\n\n`}${text}`,
    title,
    status: 200,
    finalUrl: 'https://site.example/',
  })
}

const isBlocked = (notice: Notice): boolean => judge(notice, notice.title).flags.includes('blocked')

describe('refusals', () => {
  for (const name of ['dev', 'test'])
    it(`detects nine of ten refusals in thirty languages: ${name}`, () => {
      const notices = noticesOf(name)
      const missed = notices.filter((notice) => !isBlocked(notice))
      assert.ok(notices.length >= 100)
      assert.ok(
        missed.length <= notices.length * (1 - LEAST_SHARE),
        missed.map(({ text }) => text).join('\n'),
      )
    })

  it('detects most refusals of each language', () => {
    const all = [...noticesOf('dev'), ...noticesOf('test')]
    for (const language of new Set(all.map((notice) => notice.language))) {
      const own = all.filter((notice) => notice.language === language)
      const share = own.filter(isBlocked).length / own.length
      assert.ok(share >= 0.7, `${language}: ${share}`)
    }
  })

  it('accepts short ordinary pages, with and without a headline', () => {
    for (const notice of noticesOf('ordinary'))
      for (const headline of [notice.title, ''])
        assert.deepEqual(
          judge({ ...notice, title: `${notice.title} - Example` }, headline).flags,
          [],
          notice.text,
        )
  })

  const explained =
    'If you think this is a mistake, write to the owner of this site and describe the steps before this page appeared. '.repeat(
      4,
    )
  for (const [name, text] of [
    ['an address', 'Your request was blocked by our firewall. Your IP: 203.0.113.7.'],
    ['an id', 'Access to this service is denied. Incident ID: 7f31c-22.'],
    ['a reason', 'Your access to this service has been limited. Block reason: unsafe operation.'],
    [
      'three refusals',
      'Your address has been blocked. You are banned from this site. Bots are not allowed here.',
    ],
  ] as const)
    it(`detects a long refusal with ${name}`, () => {
      const notice = { language: 'en', kind: 'firewall', title: '', text: `${text} ${explained}` }
      assert.deepEqual(judge(notice, '').flags, ['blocked'])
    })

  for (const [name, text] of [
    [
      'a page about its firewall',
      'Our new firewall blocks malicious requests before they reach a shop. Customers see the number of blocked addresses each month.',
    ],
    [
      'the rules of a forum',
      'Members who insult others are banned. Write to the team to appeal. New members wait one day.',
    ],
    [
      'a page with the address of its reader',
      'Your IP address: 203.0.113.7. Your browser: Firefox. Your country: Norway. The map below shows the place.',
    ],
  ] as const)
    it(`accepts ${name}`, () => {
      const notice = { language: 'en', kind: 'ordinary', title: '', text: `${text} ${explained}` }
      assert.deepEqual(judge(notice, '').flags, [])
    })

  it('accepts a long page, a menu or an article about refusals', () => {
    const refusal = 'Your IP address 203.0.113.7 has been blocked.'
    const links = '<a href="/x">Topic</a> '.repeat(30)
    const words = 'The manual explains each message of the server in detail. '.repeat(12)
    const pages: Record<string, string> = {
      'a long page': `<p>${refusal} ${words}</p>`,
      'a page with a menu': `${links}<p>${refusal}</p>`,
      'an article': `<h1>Messages of the server</h1><p>${refusal} This message means that the list contains the address, which an administrator can change.</p>`,
    }
    for (const [name, body] of Object.entries(pages)) {
      const html = `<html><head><title>Messages of the server</title></head><body>${body}</body></html>`
      const content = body.replace(/<[^>]*>/g, ' ')
      const verdict = judgePage({
        html,
        content,
        title: 'Messages of the server',
        status: 200,
        finalUrl: 'https://site.example/',
      })
      assert.deepEqual(verdict.flags, [], name)
    }
  })
})
