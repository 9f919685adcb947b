import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '../../errors/app-error.ts'
import type { Outcome } from '../../catalog/vocabulary/outcome.ts'
import { fakeJob, type Answers } from '../testing/fake-job.ts'
import { onefind, rejectIdentifiers } from './onefind.ts'
import type { PersonRow } from './person-row.ts'
import { broken, hits, profile } from './testing/people.ts'
import { assertFits } from '../../catalog/testing/assert-fits.ts'

type Answer = {
  query: string
  person: boolean
  row_count: number
  enriched: boolean
  rows: PersonRow[]
  calls: unknown[]
  next: string
}

async function find(query: string, answers: Answers, limit = 15) {
  const job = fakeJob(answers)
  const outcome: Outcome = await onefind({ query, limit }, job)
  if (outcome.kind !== 'failed') assertFits('core/onefind', outcome.data)
  return { job, outcome, data: (outcome.kind === 'failed' ? {} : outcome.data) as Answer }
}

const people = (...names: string[]): Answers => ({
  'semantic/search': () => hits(...names.map((name) => profile({ name }))),
})

describe('core/onefind', () => {
  test('returns a row without contact data for each person of one search', async () => {
    const { job, data } = await find('CTOs in Lisbon', people('Ana Example', 'Ben Sample'), 7)
    assert.deepEqual(job.steps, [
      {
        name: 'semantic/search',
        input: { query: 'CTOs in Lisbon', category: 'people', numResults: 7, type: 'auto' },
      },
    ])
    assert.equal(data.person, false)
    assert.equal(data.enriched, false)
    assert.equal(data.row_count, 2)
    assert.deepEqual(data.calls, [
      { service: 'semantic', action: 'search', ok: true, latency_ms: 5 },
    ])
    const [ana] = data.rows
    const facts = {
      name: 'Ana Example',
      title: 'CTO',
      company: 'Acme',
      location: 'Lisbon',
      linkedin: 'https://www.linkedin.com/in/ana-example',
    }
    const unknown = {
      email: null,
      phone: null,
      domain: null,
      industry: null,
      headcount: null,
      hq: null,
    }
    const sources = {
      name: 'semantic',
      title: 'semantic',
      company: 'semantic',
      location: 'semantic',
      linkedin: 'semantic',
    }
    const {
      hops,
      charged_cents: _cents,
      charged_micros: _micros,
      ...rest
    } = ana ?? assert.fail('no row')
    assert.deepEqual(rest, { id: facts.linkedin, ...facts, ...unknown, sources, enriched: false })
    assert.deepEqual(
      hops.map(({ provider, action, ok }) => [provider, action, ok]),
      [['semantic', 'search', true]],
    )
  })

  test('explains how to look up contact data, or that there is no supplier', async () => {
    const supplier: Answers = { 'emailintel/linkedin-finder': broken }
    assert.match(
      (await find('CTOs in Lisbon', { ...people('Ana Example'), ...supplier })).data.next,
      /core\/onefind-deep/,
    )
    assert.match((await find('CTOs in Lisbon', people('Ana Example'))).data.next, /no supplier/)
  })

  test('returns exactly the named person, not the first hit', async () => {
    const others = [
      profile({ name: 'Anna Exampleson' }),
      profile({ name: 'Ana Example', company: 'Elsewhere Ltd', slug: 'ana-2' }),
      profile({ name: 'Ana Example', company: 'Acme GmbH', slug: 'ana-3' }),
    ]
    const { data } = await find('Ana Example at Acme', { 'semantic/search': () => hits(...others) })
    assert.equal(data.person, true)
    assert.equal(data.row_count, 1)
    assert.deepEqual(
      data.rows.map(({ linkedin }) => linkedin),
      ['https://www.linkedin.com/in/ana-3'],
    )
  })

  test('matches names without accents, with short first names and swapped', async () => {
    const found = async (query: string, name: string) =>
      (await find(query, people('Someone Else', name))).data.rows.map((row) => row.name)
    assert.deepEqual(await found('Joao Mendez, Acme', 'João Méndez'), ['João Méndez'])
    assert.deepEqual(await found('Bob Specimen, Acme', 'Robert Specimen'), ['Robert Specimen'])
    assert.deepEqual(await found('Wei Zhang at Acme', 'Zhang Wei'), ['Zhang Wei'])
  })

  test('reads name and company without a separator as a person only if a hit matches exactly', async () => {
    const rowsFor = async (query: string) => {
      const { data } = await find(query, {
        'semantic/search': () =>
          hits(
            profile({ name: 'Ben Sample' }),
            profile({ name: 'Ana Example', company: 'Acme Inc.' }),
          ),
      })
      return [data.person, ...data.rows.map(({ name }) => name)]
    }
    assert.deepEqual(await rowsFor('Ana Example Acme'), [true, 'Ana Example'])
    assert.deepEqual(await rowsFor('ana example acme.com'), [true, 'Ana Example'])
    for (const query of ['Ana Example Globex', 'Example Acme', 'Acme Ana', 'data engineers Acme'])
      assert.deepEqual(await rowsFor(query), [false, 'Ben Sample', 'Ana Example'], query)
  })

  test('fails instead of returning a different person', async () => {
    const { outcome } = await find('Ana Example at Acme', people('Ana Other', 'Ben Sample'))
    assert.ok(outcome.kind === 'failed')
    assert.equal(outcome.code, 'no_people')
  })

  test('distinguishes an empty search from a failed one', async () => {
    const codeOf = async (answers: Answers) => {
      const { outcome } = await find('CTOs in Lisbon', answers)
      return outcome.kind === 'failed' ? outcome.code : outcome.kind
    }
    assert.equal(await codeOf(people()), 'no_people')
    assert.equal(await codeOf({ 'semantic/search': broken }), 'upstream_error')
    assert.equal(await codeOf({}), 'upstream_not_configured')
  })

  test('returns a person found twice as one row', async () => {
    const twice = [
      profile({ name: 'Ana Example', slug: 'ana' }),
      {
        ...profile({ name: 'Ana Example', slug: 'ana' }),
        url: 'https://pt.linkedin.com/in/Ana?trk=x',
      },
    ]
    assert.equal(
      (await find('CTOs in Lisbon', { 'semantic/search': () => hits(...twice) })).data.row_count,
      1,
    )
  })

  test('reads a hit without structured facts from its title', async () => {
    const titles = ['Ana Example - CTO - Acme | LinkedIn', 'Ana Example | CTO at Acme']
    const answers: Answers = {
      'semantic/search': () =>
        hits(
          ...titles.map((title, place) => ({
            url: `https://www.linkedin.com/in/ana-${place}`,
            title,
          })),
        ),
    }
    const { data } = await find('CTOs in Lisbon', answers)
    assert.deepEqual(
      data.rows.map(({ name, title, company }) => [name, title, company]),
      titles.map(() => ['Ana Example', 'CTO', 'Acme']),
    )
  })

  test('skips malformed hits', async () => {
    const odd = [
      null,
      7,
      {},
      { url: 3 },
      { url: 'https://a.example/', entities: 'none' },
      {
        url: 'https://www.linkedin.com/in/ana',
        entities: [{ properties: { workHistory: [null, { company: 3 }] } }],
      },
    ]
    const { data } = await find('CTOs in Lisbon', { 'semantic/search': () => hits(...odd) })
    assert.deepEqual(
      data.rows.map(({ id }) => id),
      ['https://www.linkedin.com/in/ana'],
    )
  })
})

describe('identifiers as the query', () => {
  const refusal = (query: string) => {
    try {
      rejectIdentifiers(query)
    } catch (error) {
      assert.ok(error instanceof AppError)
      return error
    }
    return assert.fail(`${query} was accepted`)
  }

  test('are rejected with the call that looks them up', () => {
    for (const query of ['ana@acme.test', 'https://www.linkedin.com/in/ana', '+1 415 555 0132'])
      assert.equal(refusal(query).code, 'onefind_identifier')
    assert.match(
      refusal('Ana X <ana@acme.test>').fix ?? '',
      /onefind-deep: \{"rows": \["ana@acme.test"\]\}/,
    )
    assert.doesNotMatch(refusal('+1 415 555 0132').fix ?? '', /rows/)
  })

  test('are rejected if there are several', () => {
    for (const query of [
      '+1 415 555 0132, +1 415 555 0133',
      'Emails: ana@acme.test; ben@acme.test',
      'https://linkedin.com/in/ana https://linkedin.com/in/ben',
      'ana@acme.test or linkedin.com/in/ben',
    ])
      assert.equal(refusal(query).code, 'onefind_identifier', query)
    assert.match(
      refusal('ana@acme.test, Ben <ben@acme.test> and +1 415 555 0132').fix,
      /Look them up with core\/onefind-deep: \{"rows": \["ana@acme.test","ben@acme.test"\]\}/,
    )
  })

  test('allow a description', () => {
    for (const query of [
      'CTOs of fintech startups in Lyon',
      'people at acme.test and ben@acme.test',
      'Ana Example, ana@acme.test, Acme',
    ])
      assert.doesNotThrow(() => rejectIdentifiers(query), query)
  })
})
