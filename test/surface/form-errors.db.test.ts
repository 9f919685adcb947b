/** A rejected form marks the field at fault, for every field of the forms of the console. */
import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { parseHTML as parse } from 'linkedom'

import type { Id } from '../../src/lib/ids.ts'
import { newToken } from '../../src/lib/token.ts'
import { openAppBed, type AppBed } from '../harness/beds/app.ts'
import { sendForm } from '../harness/clients/forms.ts'
import { openOwnerSession } from '../harness/owner-session.ts'

const HTTPS = { host: 'gate.example', origin: 'https://gate.example' }
/** Longer than any field may be. */
const WRONG_TEXT = 'W'.repeat(3000)
const WRONG_CHOICE = 'nonsense'

/** Fields whose wrong value is reported elsewhere, with the reason. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '/sign-in email': 'the error does not reveal whether the address has an account',
}

/** Declared here, because the tests are compiled without the types of browsers. */
type Element = {
  readonly tagName: string
  readonly textContent: string
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  querySelector(selector: string): Element | null
  querySelectorAll(selector: string): Iterable<Element>
}
const parseHTML = parse as unknown as (markup: string) => { readonly document: Element }

type Control = {
  readonly name: string
  readonly kind: 'text' | 'choice' | 'hidden'
  readonly value: string
}
type Form = { readonly action: string; readonly controls: readonly Control[] }

let bed: AppBed
let cookie: string
let pages: readonly string[]

before(async () => {
  bed = await openAppBed()
  const { database, clock: now } = bed
  const made = async (path: string, body: object): Promise<string> =>
    (await bed.post(path, body)).json<{ data: { id: string } }>().data.id
  const key = await made('/api/v1/agents', { label: 'capped', ceiling_cents: 100, may_mint: true })
  const hook = await made('/api/v1/webhooks', {
    url: 'https://ops.example.com/',
    events: ['job.*'],
  })
  const { rows } = await database.query<{ id: Id }>(
    'select account_id as id from keys where starts_with($1, key_prefix)',
    [bed.liveKey],
  )
  const token = await openOwnerSession({ database, now }, rows[0]?.id ?? '')
  cookie = `__Host-tollgate-page=${token}`
  pages = [
    '/sign-in',
    '/keys/new',
    `/keys/${key}`,
    `/keys/${key}/children/new`,
    '/webhooks/new',
    `/webhooks/${hook}`,
    '/account',
    '/credit',
  ]
})

const open = (url: string) =>
  bed.app.inject({ url, headers: { ...HTTPS, cookie: url === '/sign-in' ? '' : cookie } })

/** The forms of a page that change something. */
function formsIn(body: string): readonly Form[] {
  const { document } = parseHTML(body)
  return [...document.querySelectorAll('form[method=post]')].map((form) => ({
    action: form.getAttribute('action') ?? '',
    controls: [...form.querySelectorAll('input, select, textarea')].flatMap(controlOf),
  }))
}

function controlOf(element: Element): readonly Control[] {
  const name = element.getAttribute('name') ?? ''
  const type = element.getAttribute('type') ?? 'text'
  if (element.tagName === 'SELECT') {
    const chosen = element.querySelector('option[selected]') ?? element.querySelector('option')
    return [{ name, kind: 'choice', value: chosen?.getAttribute('value') ?? '' }]
  }
  if (element.tagName === 'TEXTAREA') return [{ name, kind: 'text', value: element.textContent }]
  if (['checkbox', 'radio'].includes(type))
    return element.hasAttribute('checked')
      ? [{ name, kind: 'hidden', value: element.getAttribute('value') ?? 'on' }]
      : []
  const isFixed = type === 'hidden' || element.hasAttribute('readonly')
  return [{ name, kind: isFixed ? 'hidden' : 'text', value: element.getAttribute('value') ?? '' }]
}

function isMarked(body: string, name: string): boolean {
  const marked = parseHTML(body).document.querySelector(`[name="${name}"][aria-invalid="true"]`)
  const described = marked?.getAttribute('aria-describedby') ?? ''
  return marked !== null && body.includes(`id="${described.split(' ')[0]}"`)
}

it('marks each field with a wrong value and describes the error next to it', async () => {
  const unmarked: string[] = []
  let tried = 0
  for (const page of pages) {
    const { statusCode, body } = await open(page)
    assert.equal(statusCode, 200, page)
    for (const form of formsIn(body))
      for (const wrong of form.controls.filter(({ kind }) => kind !== 'hidden')) {
        // A form with a token runs once, so each attempt has a token of its own.
        const fields = form.controls.map(
          ({ name, value }) => [name, name === 'once' ? newToken() : value] as const,
        )
        const bad = wrong.kind === 'choice' ? WRONG_CHOICE : WRONG_TEXT
        const response = await sendForm(bed.app, {
          url: form.action,
          fields: { ...Object.fromEntries(fields), [wrong.name]: bad },
          headers: { ...HTTPS, cookie: page === '/sign-in' ? '' : cookie },
        })
        tried += 1
        const name = `${form.action} ${wrong.name}`
        if (name in ELSEWHERE) continue
        const isRejected = response.statusCode >= 400 && response.statusCode < 500
        if (!isRejected) unmarked.push(`${name}: answers ${response.statusCode}`)
        else if (!isMarked(response.body, wrong.name)) unmarked.push(name)
      }
  }
  assert.deepEqual(unmarked, [])
  assert.ok(tried > 40, `tried ${tried} fields`)
})
