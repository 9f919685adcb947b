import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeEmail, isSameMailbox, readEmail, readMailbox } from './email.ts'
import { AppError } from '../../errors/app-error.ts'

test('one mailbox has one address in every spelling', () => {
  for (const [typed, kept] of [
    [' jo@example.com\n', 'jo@example.com'],
    ['Jo@EXAMPLE.com', 'Jo@example.com'],
    ['owner@localhost', 'owner@localhost'],
    ["o'x+y.z%!#@a-b.example", "o'x+y.z%!#@a-b.example"],
    ['jo@exämple.com', 'jo@xn--exmple-cua.com'],
    ['jo@XN--EXMPLE-CUA.com', 'jo@xn--exmple-cua.com'],
    ['jo@ｅxample.com', 'jo@example.com'],
    ['jo\u0308rg@example.com', 'j\u00f6rg@example.com'],
    ['用户@例子.com', '用户@xn--fsqu00a.com'],
  ] as const)
    assert.equal(normalizeEmail(typed), kept)
})

test('refuses an address that could reach another mailbox', () => {
  for (const text of [
    '',
    '@',
    'jo',
    'jo@',
    '@example.com',
    'a@b@c',
    'a@b.example>',
    '<a>b@example.com',
    'a,b@example.com',
    'a;b@example.com',
    '"a"@example.com',
    'a\\@example.com',
    'a(c)@example.com',
    'a@b(c)',
    'group:a@b.example',
    'a@b.example.',
    'a@.b',
    'a@b..c',
    'a@[127.0.0.1]',
    'a@b.example/c',
    'a@b.example:25',
    'a@b%2eexample',
    'a@exam\u00adple.com',
    'a\u200b@example.com',
    'a@b。example',
    'a b@example.com',
    'a@b.example\r\nBcc: c@d',
    `${'x'.repeat(250)}@example.com`,
  ])
    assert.equal(normalizeEmail(text), null, text)
  assert.throws(
    () => readEmail('jo'),
    (error) =>
      error instanceof AppError && error.code === 'invalid_params' && error.param === 'email',
  )
})

test('distinguishes mailboxes that the database equates, except ASCII capitals', () => {
  for (const [one, other] of [
    ['Jo@Example.com', 'jo@example.COM'],
    ['jo@exämple.com', 'JO@xn--exmple-cua.com'],
  ] as const)
    assert.equal(isSameMailbox(one, other), true, one)
  for (const [one, other] of [
    ['\u0130an@example.com', 'ian@example.com'],
    ['jo', 'jo'],
  ] as const)
    assert.equal(isSameMailbox(one, other), false, one)
})

test("refuses a person's address in a special-use domain", () => {
  for (const domain of [
    'house.invalid',
    'localhost',
    'a.localhost',
    'a.test',
    'a.example',
    'a.local',
    'a.onion',
    'a.internal',
    'a.arpa',
    'a.alt',
    'INVALID',
    'intranet',
  ]) {
    assert.throws(
      () => readMailbox(`jo@${domain}`),
      (error) =>
        error instanceof AppError && error.code === 'invalid_params' && error.param === 'email',
      domain,
    )
  }
  for (const domain of ['example.com', 'invalid.org', 'test.localhost.de', 'xn--fsqu00a.com'])
    assert.equal(readMailbox(`jo@${domain}`), `jo@${domain}`)
})
