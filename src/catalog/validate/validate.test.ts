import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cpuMsOf } from '../../../test/harness/cpu-time.ts'
import { usedBytes } from '../../../test/harness/used-memory.ts'
import { fc } from '../../../test/harness/property.ts'
import { Type, type TSchema } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import { endpoint, params, type EndpointEntry } from '../vocabulary/define.ts'
import { emailAddress } from '../vocabulary/fields.ts'
import { done } from '../vocabulary/outcome.ts'
import { flat } from '../vocabulary/tariff.ts'
import { createCatalog } from '../index.ts'
import type { Problem } from './problems.ts'
import { createValidator } from './validate.ts'

const { validate, matches } = createValidator()

const person = params({
  profile: Type.String({ minLength: 1, maxLength: 50 }),
  limit: Type.Integer({ minimum: 1, maximum: 25, default: 15 }),
  kind: Type.Optional(Type.Enum(['neural', 'keyword'])),
  tags: Type.Optional(Type.Array(Type.String(), { maxItems: 3 })),
  contents: Type.Optional(
    params({
      text: Type.Optional(
        Type.Union([
          Type.Boolean(),
          params({ maxCharacters: Type.Optional(Type.Integer({ minimum: 1 })) }),
        ]),
      ),
    }),
  ),
})

function refusal(schema: TSchema, value: unknown): AppError {
  try {
    validate(schema, value)
  } catch (error) {
    assert.ok(error instanceof AppError)
    assert.equal(error.code, 'invalid_params')
    return error
  }
  assert.fail('the value was accepted')
}

function problemsOf(error: AppError): readonly Problem[] {
  return error.details?.['problems'] as readonly Problem[]
}

describe('validation', () => {
  test('asks callers to unwrap parameters that are wrapped in one field', () => {
    for (const name of ['params', 'input', 'body']) {
      const { param, fix } = refusal(person, { [name]: { profile: 'Ada', limit: 3 } })
      assert.deepEqual(
        [param, fix],
        [name, `Send the content of "${name}" directly: {"profile": …}.`],
      )
    }
    const whole = refusal(person, {
      service: 'people',
      action: 'find',
      params: { profile: 'Ada' },
      why: 'Finds people.',
    })
    assert.deepEqual(
      problemsOf(whole).map(({ param }) => param),
      ['params', 'service', 'action', 'why'],
    )
    assert.match(problemsOf(whole)[1]?.fix ?? '', /^Remove it\./)
    for (const inside of [{}, { profile: 'Ada', unheard: 1 }, 'Ada', ['profile'], null])
      assert.match(refusal(person, { params: inside }).fix, /^The expected field is `profile`/)
  })

  test('fills in defaults without changing the original', () => {
    const input = { profile: 'x', contents: {} }
    const before = structuredClone(input)
    assert.deepEqual(validate(person, input), { profile: 'x', contents: {}, limit: 15 })
    assert.deepEqual(input, before)
  })

  test('coerces nothing: rejects a number in quotes', () => {
    assert.equal(refusal(person, { profile: 'x', limit: '5' }).param, 'limit')
  })

  test('suggests the right name for a misspelled field', () => {
    const error = refusal(person, { profil: 'x' })
    assert.equal(error.param, 'profil')
    assert.match(error.fix, /Did you mean `profile`\?/)
  })

  test('suggests the missing field for a wrong one', () => {
    const error = refusal(person, { linkedin_url: 'https://example.com/in/x' })
    assert.equal(error.param, 'linkedin_url')
    assert.match(error.fix, /The expected field is `profile`/)
  })

  test('describes the value of a missing field', () => {
    const error = refusal(person, {})
    assert.equal(error.param, 'profile')
    assert.match(error.fix, /a string of 1 to 50 characters/)
  })

  test('lists the allowed values of a choice and suggests the nearest', () => {
    const error = refusal(person, { profile: 'x', kind: 'neurla' })
    assert.equal(error.param, 'kind')
    assert.match(error.fix, /Did you mean "neural"\? Allowed: "neural", "keyword"/)
  })

  test('states the limits of numbers, texts and lists', () => {
    assert.match(refusal(person, { profile: 'x', limit: 26 }).fix, /from 1 to 25/)
    assert.match(refusal(person, { profile: '' }).message, /at least 1 character\b/)
    assert.match(
      refusal(person, { profile: 'x', tags: ['a', 'b', 'c', 'd'] }).message,
      /at most 3 items/,
    )
  })

  test('returns paths into lists and objects', () => {
    assert.equal(refusal(person, { profile: 'x', tags: ['a', 2] }).param, 'tags[1]')
    assert.equal(
      refusal(person, { profile: 'x', contents: { text: { maxCharacters: 0 } } }).param,
      'contents.text.maxCharacters',
    )
  })

  test('reports one mistake inside an alternative once, for the intended alternative', () => {
    assert.equal(
      problemsOf(refusal(person, { profile: 'x', contents: { text: { maxCharacters: 0 } } }))
        .length,
      1,
    )
    assert.match(
      refusal(person, { profile: 'x', contents: { text: 'yes' } }).fix,
      /true or false, or an object/,
    )
  })

  test('describes the field of a malformed value, also inside a list', () => {
    const filing = params({
      cik: Type.Optional(
        Type.String({ pattern: '^[0-9]+$', description: 'Key of the filer, such as "320193".' }),
      ),
      places: Type.Optional(
        Type.Array(Type.String({ pattern: '^[A-Z]{3}$' }), {
          description: 'Countries, such as FRA.',
        }),
      ),
    })
    assert.equal(
      refusal(filing, { cik: 'Apple' }).fix,
      'Send "cik" as described: Key of the filer, such as "320193".',
    )
    assert.equal(
      refusal(filing, { places: ['FRA', 'fr'] }).fix,
      'Send "places[1]" as described: Countries, such as FRA.',
    )
  })

  test("describes a missing field with an object's fields, and omits meaningless limits", () => {
    const upload = params({
      size: Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Exact size in bytes.',
      }),
      site: Type.Optional(params({ url: Type.String() })),
    })
    assert.equal(
      refusal(upload, {}).fix,
      'Add "size", a whole number of at least 0: Exact size in bytes.',
    )
    assert.equal(
      refusal(upload, { size: 1, site: 'example.com' }).fix,
      'Send "site" as an object with "url".',
    )
  })

  test('shows a value of the wrong type in the right form', () => {
    assert.match(
      refusal(person, { profile: 'x', tags: 'new' }).fix,
      /a list of at most 3 items.* For example: \["new"\]\.$/,
    )
    assert.match(
      refusal(person, { profile: 'x', limit: '5' }).fix,
      /from 1 to 25\. Without quotes: 5\.$/,
    )
    assert.match(refusal(person, { profile: 'x', limit: 'five' }).fix, /from 1 to 25\.$/)
    assert.match(
      refusal(params({ deep: Type.Boolean() }), { deep: 'true' }).fix,
      /true or false\. Without quotes: true\.$/,
    )
  })

  test('reports fields that belong together as one problem', () => {
    const text = Type.Optional(Type.String())
    const area = params(
      { zip: text, latitude: text, longitude: text, radius: text },
      { anyOf: [{ required: ['zip'] }, { required: ['latitude', 'longitude', 'radius'] }] },
    )
    assert.equal(refusal(area, {}).fix, 'Add "zip" or "latitude" with "longitude" and "radius".')
  })

  test('reports up to ten problems and their number', () => {
    const many = params(
      Object.fromEntries(
        Array.from({ length: 15 }, (_, index) => [`field${index}`, Type.String()]),
      ),
    )
    const error = refusal(many, {})
    assert.equal(problemsOf(error).length, 10)
    assert.match(error.message, /one of 15 problems/)
  })

  test('lists the alternatives of required fields', () => {
    const pages = params(
      {
        urls: Type.Optional(Type.Array(Type.String())),
        ids: Type.Optional(Type.Array(Type.String())),
      },
      { anyOf: [{ required: ['urls'] }, { required: ['ids'] }] },
    )
    assert.match(refusal(pages, {}).message, /At least one of "urls", "ids" is required/)
    const either = params(
      { urls: Type.Optional(Type.String()), site: Type.Optional(Type.String()) },
      { oneOf: [{ required: ['urls'] }, { required: ['site'] }] },
    )
    assert.match(refusal(either, { urls: 'a', site: 'b' }).message, /Exactly one of/)
  })

  test('rejects input that is not a JSON object', () => {
    for (const value of [null, undefined, [], 'text', 5, true])
      assert.match(refusal(person, value).message, /JSON object/)
  })

  test('rejects a field named __proto__ without changing a prototype', () => {
    const error = refusal(person, JSON.parse('{"profile":"x","__proto__":{"limit":1}}'))
    assert.equal(error.param, '__proto__')
    assert.equal(Object.hasOwn(Object.prototype, 'limit'), false)
  })

  test('rejects input nested four hundred thousand levels deep without a crash', () => {
    const open = params({ value: Type.Unknown() })
    const deep: unknown = JSON.parse(`{"value":${'['.repeat(400_000)}${']'.repeat(400_000)}}`)
    assert.match(refusal(open, deep).message, /nested deeper/)
  })

  test('names a line break or invisible character as the only mistake of a text', () => {
    const zip = params({
      zip: Type.String({ pattern: '^[0-9]{5}$', description: 'Five-digit zip code.' }),
    })
    for (const value of ['12345\n', '123\u000045', '\u007f12345']) {
      const { message, fix, param } = refusal(zip, { zip: value })
      assert.deepEqual(
        [message, fix, param],
        [
          '"zip" contains a line break or another control character.',
          'Send "zip" without it.',
          'zip',
        ],
      )
    }
    assert.match(refusal(zip, { zip: '1234\n' }).message, /expected form/)
  })

  test('rejects a text that is too long without running a pattern that would take hours', () => {
    const contact = params({ email: emailAddress('Address.'), limit: Type.Integer() })
    const { message, details } = refusal(contact, {
      email: `a@${'.a'.repeat(499_000)}@`,
      limit: 'x',
    })
    assert.match(message, /^"email" must have at most 320 characters\. This is one of 2 problems/)
    assert.deepEqual(
      (details?.['problems'] as readonly Problem[]).map(({ param }) => param),
      ['email', 'limit'],
    )
    assert.match(refusal(contact, { email: 'a@b', limit: 1 }).message, /expected form/)
  })

  test('rejects half of a character and names its field', () => {
    assert.equal(refusal(person, { profile: 'a\ud83d' }).param, 'profile')
    assert.equal(refusal(person, { profile: 'a', tags: ['💥', '\udca5b'] }).param, 'tags[1]')
    assert.equal(
      refusal(params({ value: Type.Unknown() }), { value: { a: [{ b: '\ud83d' }] } }).param,
      'value.a[0].b',
    )
    assert.deepEqual(validate(person, { profile: '💥' }), { profile: '💥', limit: 15 })
  })

  test('reports a huge wrong list briefly', () => {
    const lists = params({ urls: Type.Array(Type.String()) })
    const error = refusal(lists, { urls: Array.from({ length: 200_000 }, () => 1) })
    assert.equal(error.param, 'urls[0]')
    assert.ok(JSON.stringify(error.details).length < 2_000)
  })

  test('accepts or rejects any JSON value, and rejects only with invalid_params', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.record(
          {
            profile: fc.jsonValue(),
            limit: fc.jsonValue(),
            contents: fc.jsonValue(),
            tags: fc.jsonValue(),
          },
          { requiredKeys: [] },
        ),
        (any, near) => {
          for (const value of [any, near]) {
            try {
              validate(person, value)
            } catch (error) {
              assert.ok(error instanceof AppError && error.code === 'invalid_params')
              assert.ok(problemsOf(error).length > 0)
            }
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  test('does not repeat the input in the report', () => {
    const secret = 'tg_live_not_to_be_seen'
    const error = refusal(person, { profile: [secret], limit: secret, kind: secret })
    assert.equal(JSON.stringify([error.message, error.fix, error.details]).includes(secret), false)
  })

  test('compiles every schema of the catalog under strict rules', () => {
    for (const { action } of createCatalog().allActions()) {
      assert.doesNotThrow(() => validate(action.input, action.example))
      if (action.kind !== 'local') matches(action.reply, {})
    }
  })
})

describe('a choice among many endpoints', () => {
  const entries: EndpointEntry[] = [
    {
      endpoint: '/api/v1/news',
      method: 'GET',
      summary: 'News',
      params: [{ name: 'q', required: true, type: 'string' }],
    },
    {
      endpoint: '/api/v1/prices',
      method: 'GET',
      summary: 'Prices',
      params: [
        { name: 'symbol', required: true, type: 'string' },
        { name: 'days', required: false, type: 'integer' },
      ],
    },
  ]
  const { input } = endpoint({
    summary: '',
    endpoints: entries,
    example: { endpoint: '/api/v1/news', q: 'x' },
    price: flat(1n),
    timeoutMs: 1_000,
    reply: Type.Unknown(),
    outcome: () => done({}),
  })

  test('checks only the parameters of the named endpoint', () => {
    assert.deepEqual(validate(input, { endpoint: '/api/v1/prices', symbol: 'ACME' }), {
      endpoint: '/api/v1/prices',
      symbol: 'ACME',
    })
    const error = refusal(input, { endpoint: '/api/v1/prices', q: 'x' })
    assert.equal(error.param, 'q')
    assert.match(error.fix, /The expected field is `symbol`/)
  })

  test('suggests the nearest endpoints for an unknown one', () => {
    assert.match(refusal(input, { endpoint: '/api/v1/price' }).fix, /\/api\/v1\/prices/)
    assert.match(refusal(input, {}).fix, /one of "\/api\/v1\/news"/)
    assert.equal(refusal(input, { endpoint: 7 }).param, 'endpoint')
  })
})

describe('reply checks', () => {
  const reply = Type.Object({
    results: Type.Array(Type.Object({ url: Type.String() })),
    note: Type.Optional(Type.String({ default: 'none' })),
  })

  test('allows unknown fields of a reply and adds none', () => {
    const body = { results: [{ url: 'a', extra: 1 }], more: true }
    assert.equal(matches(reply, body), true)
    assert.deepEqual(body, { results: [{ url: 'a', extra: 1 }], more: true })
  })

  test('rejects a reply without the fields that the outcome needs', () => {
    for (const body of [{}, null, 'text', { results: [{}] }])
      assert.equal(matches(reply, body), false)
  })
})

/** Every pattern in the schema and its parts. */
function* patternsIn(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return
  for (const [name, part] of Object.entries(schema)) {
    if (name === 'pattern' && typeof part === 'string') yield part
    else yield* patternsIn(part)
  }
}

test('no pattern of an input takes more than quadratic time, which would block other calls', () => {
  const patterns = new Set(
    [...createCatalog().allActions()].flatMap(({ action }) => [...patternsIn(action.input)]),
  )
  assert.ok(patterns.size > 10)
  const texts = ['.', 'a.', '@.', '/', ' ', '1', 'a', '-', ','].map(
    (part) => `${part.repeat(4_000)}\n`,
  )
  for (const pattern of patterns) {
    const expression = new RegExp(pattern, 'u')
    // Quadratic time takes milliseconds here, cubic time a minute.
    assert.ok(cpuMsOf(() => texts.forEach((text) => void expression.test(text))) < 5_000, pattern)
  }
})

test('rejects a large body of mistakes quickly', () => {
  const schema = Type.Object(
    {
      list: Type.Optional(
        Type.Array(
          Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.String() })]),
        ),
      ),
    },
    { additionalProperties: false },
  )
  const bodies = [
    Object.fromEntries(Array.from({ length: 1_990 }, (_, place) => [`field${place}`, 1])),
    { list: Array.from({ length: 1_990 }, () => 1) },
  ]
  const validator = createValidator()
  for (const body of bodies) {
    const refuse = (): void => assert.throws(() => validator.validate(schema, body), AppError)
    refuse()
    const cpuMs = cpuMsOf(() => {
      for (let count = 0; count < 10; count += 1) refuse()
    })
    assert.ok(cpuMs < 500, `${cpuMs} ms for ten`)
  }
})

test('stores no part of a rejected input or of an unfit reply', () => {
  const validator = createValidator()
  const schemas = Array.from({ length: 50 }, (_, place) =>
    Type.Object({ text: Type.String({ maxLength: place }) }, { additionalProperties: false }),
  )
  const refuse = (schema: TSchema, input: object): void => {
    assert.throws(() => validator.validate(schema, input), AppError)
    assert.equal(validator.matches(schema, input), false)
  }
  for (const schema of schemas) refuse(schema, { text: 'x'.repeat(100) })
  const before = usedBytes()
  for (const [place, schema] of schemas.entries())
    refuse(
      schema,
      JSON.parse(
        `{"text":"${String(place % 10).repeat(1_000_000)}","${String(place % 7).repeat(500_000)}":1}`,
      ) as object,
    )
  const grown = usedBytes() - before
  assert.ok(grown < 10_000_000, `${grown} bytes`)
})
