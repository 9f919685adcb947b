import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Descriptor, Schema } from '../src/input/descriptor.ts'
import { flagOf, valueForm } from '../src/input/input-flags.ts'
import { readInputs } from '../src/input/read-inputs.ts'
import { RUN_FLAGS } from '../src/commands/run.ts'
import { UsageError } from '../src/usage-error.ts'

const PROPERTIES: Readonly<Record<string, Schema>> = {
  urls: { type: 'array', items: { type: 'string' } },
  url: { type: 'string' },
  numResults: { type: 'integer' },
  ratio: { type: 'number' },
  links: { type: 'boolean' },
  format: { enum: ['markdown', 'html', 'text'] },
  site: { type: 'object' },
  rows: { type: 'array', items: { type: 'object' } },
  query: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  amount: { anyOf: [{ type: 'number' }, { type: 'string' }] },
  render: { anyOf: [{ type: 'boolean' }, { type: 'object' }] },
}
const descriptor = {
  params: { type: 'object', properties: PROPERTIES },
  call_params: { max_cost_cents: { type: 'integer' } },
  required_params: ['urls'],
} as unknown as Descriptor

const read = (...words: string[]) => readInputs(words, 'a/b', descriptor, RUN_FLAGS)

function problem(...words: string[]): string {
  try {
    read(...words)
  } catch (error) {
    assert.ok(error instanceof UsageError)
    return `${error.message} ${error.fix ?? ''}`.trim()
  }
  return 'accepted'
}

describe('flags from the schema of an action', () => {
  test('convert values to the type of the input', () => {
    const cases: readonly (readonly [readonly string[], unknown])[] = [
      [['--urls', 'a', 'b', '--urls', 'c'], { urls: ['a', 'b', 'c'] }],
      [['--urls', '["a","b"]'], { urls: ['a', 'b'] }],
      [['--urls=a'], { urls: ['a'] }],
      [['--num-results', '5'], { numResults: 5 }],
      [['--numResults=5'], { numResults: 5 }],
      [['--num_results', '-5'], { numResults: -5 }],
      [['--ratio', '0.5'], { ratio: 0.5 }],
      [['--links'], { links: true }],
      [['--links=false'], { links: false }],
      [['--links', 'false', '--ratio', '1'], { links: false, ratio: 1 }],
      [['--no-links'], { links: false }],
      [['--format', 'html'], { format: 'html' }],
      [['--site', '{"url":"x"}'], { site: { url: 'x' } }],
      [['--rows', '{"a":1}', '{"a":2}'], { rows: [{ a: 1 }, { a: 2 }] }],
      [['--query', 'one'], { query: 'one' }],
      [['--query', 'one', 'two'], { query: ['one', 'two'] }],
      [['--amount', '7'], { amount: 7 }],
      [['--amount', '7350810998023949599'], { amount: '7350810998023949599' }],
      [['--amount', '7 EUR'], { amount: '7 EUR' }],
      [['--render', 'true'], { render: true }],
      [['--render', '--links'], { render: true, links: true }],
      [['--render', '{"wait":1}'], { render: { wait: 1 } }],
      [['--max-cost-cents', '2'], { max_cost_cents: 2 }],
      [['--url', 'https://x'], { url: 'https://x' }],
    ]
    for (const [words, inputs] of cases)
      assert.deepEqual(read(...words).inputs, inputs, words.join(' '))
  })

  test('an input wins over a flag of the same name, and other flags stay flags', () => {
    assert.deepEqual(read('--url', 'x', '--json', '--key', 'k'), {
      inputs: { url: 'x' },
      flags: { json: ['true'], key: ['k'] },
    })
  })

  test('errors name the flag, the problem and the fix', () => {
    const cases: readonly (readonly [readonly string[], string])[] = [
      [
        ['--ulrs', 'x'],
        'Unknown flag --ulrs for a/b. Did you mean --urls? "describe a/b" lists its inputs.',
      ],
      [
        ['--formt', 'x'],
        'Unknown flag --formt for a/b. Did you mean --format? "describe a/b" lists its inputs.',
      ],
      [
        ['--format', 'htlm'],
        '--format cannot be "htlm". Did you mean "html"? The values are markdown, html, text.',
      ],
      [['--num-results', '1.5'], '--num-results must be a whole number, not "1.5".'],
      [['--ratio', 'half'], '--ratio must be a number, not "half".'],
      [
        ['--links=maybe'],
        '--links is a switch and takes no value "maybe". Write --links, or --links=false.',
      ],
      [
        ['--site', '{"url":'],
        `--site must be a JSON object, such as '{"url": "https://example.com"}', not "{"url":".`,
      ],
      [['--url'], '--url needs a value. Write --url=VALUE if the value begins with two dashes.'],
      [
        ['--url', '--json'],
        '--url needs a value, but "--json" looks like another flag. Write --url=VALUE if the value begins with two dashes.',
      ],
      [['--url', 'a', '--url', 'b'], '--url is given twice. Write --url once.'],
      [
        ['https://example.com'],
        'Unexpected "https://example.com" for a/b. Name the input, such as --urls https://example.com.',
      ],
    ]
    for (const [words, text] of cases) assert.equal(problem(...words), text)
  })

  test('help shows the form of each value', () => {
    const forms = Object.fromEntries(
      Object.entries(PROPERTIES).map(([name, schema]) => [flagOf(name), valueForm(schema)]),
    )
    assert.deepEqual(
      [forms['urls'], forms['num-results'], forms['format'], forms['links'], forms['site']],
      ['<text>…', '<number>', 'markdown|html|text', 'true|false', '<json>'],
    )
  })
})
