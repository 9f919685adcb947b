import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { manualClock } from '../../../test/harness/manual-clock.ts'
import { fc } from '../../../test/harness/property.ts'
import { AppError } from '../../errors/app-error.ts'
import { newId, publicId } from '../../lib/ids.ts'
import { createLinks } from './link.ts'

const START_MS = Date.UTC(2026, 10, 20)
const clock = manualClock(START_MS)
const links = createLinks({
  secret: Buffer.alloc(32, 7),
  publicUrl: 'https://gate.example',
  now: clock,
})
const facts = {
  id: newId(START_MS),
  sizeBytes: 1_234,
  mode: 'live',
  expiresMs: START_MS + 3_600_000,
} as const

type LinkParams = { verb: 'get' | 'put'; fileId: string; query: Record<string, unknown> }
function paramsOf(verb: 'get' | 'put', url: string): LinkParams {
  const { pathname, searchParams } = new URL(url)
  return { verb, fileId: pathname.split('/').at(-1) ?? '', query: Object.fromEntries(searchParams) }
}
const isRefused = ({ verb, fileId, query }: LinkParams): boolean => {
  try {
    links.check(verb, fileId, query)
    return false
  } catch (error) {
    return error instanceof AppError && error.code === 'link_invalid' && error.spec.status === 403
  }
}

describe('a link', () => {
  it('returns its facts until it expires', () => {
    const params = paramsOf('put', links.urlFor('put', facts))
    assert.deepEqual(links.check('put', params.fileId, params.query), facts)
    clock.set(facts.expiresMs - 1)
    assert.equal(isRefused(params), false)
    clock.set(facts.expiresMs)
    assert.equal(isRefused(params), true)
    clock.set(START_MS)
  })

  it('for an upload whose size its sender declares has no size, which cannot be added', () => {
    const anySize = { ...facts, sizeBytes: null }
    const { fileId, query, verb } = paramsOf('put', links.urlFor('put', anySize))
    assert.deepEqual(links.check(verb, fileId, query), anySize)
    assert.equal(isRefused({ verb, fileId, query: { ...query, size: '5' } }), true)
  })

  it('names its file, and other addresses name none', () => {
    const id = publicId('file', facts.id)
    assert.equal(links.fileIdIn(links.urlFor('get', facts)), id)
    for (const address of [
      'https://gate.example.org/files/file_1',
      'http://gate.example/files/file_1',
      'https://gate.example/docs',
      `https://a.example/?u=https://gate.example/files/${id}`,
      'no address',
    ])
      assert.equal(links.fileIdIn(address), null, address)
  })

  it('names files/get or files/upload for a new link after it has expired', () => {
    clock.set(facts.expiresMs)
    for (const [verb, fix] of [
      ['get', /create a new one with files\/get/],
      ['put', /create a new upload with files\/upload/],
    ] as const) {
      const params = paramsOf(verb, links.urlFor(verb, facts))
      assert.throws(() => links.check(verb, params.fileId, params.query), {
        code: 'link_invalid',
        fix,
      })
    }
    clock.set(START_MS)
  })

  const good = paramsOf('get', links.urlFor('get', facts))
  const other = paramsOf(
    'get',
    links.urlFor('get', { ...facts, id: newId(START_MS), sizeBytes: 9 }),
  )
  const changes: readonly (readonly [string, LinkParams])[] = [
    ['for another verb', { ...good, verb: 'put' }],
    ['for another file', { ...good, fileId: other.fileId }],
    ['with another size', { ...good, query: { ...good.query, size: '1235' } }],
    ['with the size written otherwise', { ...good, query: { ...good.query, size: '01234' } }],
    [
      'with a later end',
      { ...good, query: { ...good.query, expires: String(Number(good.query['expires']) + 1) } },
    ],
    ['of the other mode', { ...good, query: { ...good.query, mode: 'test' } }],
    [
      'with the signature of another link',
      { ...good, query: { ...good.query, signature: other.query['signature'] } },
    ],
    ['with an empty signature', { ...good, query: { ...good.query, signature: '' } }],
    [
      'without a signature',
      {
        ...good,
        query: {
          expires: good.query['expires'],
          size: good.query['size'],
          mode: good.query['mode'],
        },
      },
    ],
    ['with a field twice', { ...good, query: { ...good.query, mode: ['live', 'live'] } }],
    ['with a further field', { ...good, query: { ...good.query, filename: 'x.html' } }],
    ['without anything', { ...good, query: {} }],
    ['to no file at all', { ...good, fileId: '../etc/passwd' }],
  ]
  for (const [name, params] of changes)
    it(`rejects a link: ${name}`, () => assert.ok(isRefused(params)))

  it('is rejected after any character is changed, removed or added', () => {
    const names = ['fileId', 'expires', 'size', 'mode', 'signature'] as const
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.nat(200),
        fc.constantFrom('change', 'drop', 'add'),
        fc.string({ minLength: 1, maxLength: 1 }),
        (name, position, how, letter) => {
          const text = name === 'fileId' ? good.fileId : String(good.query[name])
          const at = position % text.length
          const changed =
            text.slice(0, at) +
            (how === 'drop' ? '' : letter) +
            text.slice(how === 'add' ? at : at + 1)
          fc.pre(changed !== text)
          assert.ok(
            isRefused(
              name === 'fileId'
                ? { ...good, fileId: changed }
                : { ...good, query: { ...good.query, [name]: changed } },
            ),
          )
        },
      ),
      { numRuns: 300 },
    )
  })

  it('of another gateway is rejected', () => {
    const elsewhere = createLinks({
      secret: Buffer.alloc(32, 8),
      publicUrl: 'https://gate.example',
      now: clock,
    })
    assert.ok(isRefused(paramsOf('get', elsewhere.urlFor('get', facts))))
  })

  it('contains the public id', () => {
    assert.ok(
      links
        .urlFor('get', facts)
        .startsWith(`https://gate.example/files/${publicId('file', facts.id)}?expires=`),
    )
  })
})
