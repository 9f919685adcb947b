import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RULES } from './index.ts'
import { sizeTable } from './function-length.ts'
import { parseSources } from './parse.ts'
import type { SourceFile } from './source.ts'

type Sources = Readonly<Record<string, string>>

const parse = (sources: Sources): readonly SourceFile[] =>
  parseSources('/sources', Object.keys(sources), sources)

const linesOf = (count: number): string => 'f()\n'.repeat(count)
const functionOf = (lines: number): string => `function g() {\n${linesOf(lines - 2)}}\n`
const filesIn = (folder: string, count: number): Sources =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${folder}/f${index}.ts`, '']))

interface Case {
  /** Each is one violation. */
  readonly bad: readonly Sources[]
  readonly good: Sources
}

const CASES: Readonly<Record<string, Case>> = {
  'import cycles': {
    bad: [
      { 'src/a.ts': "import { b } from './b.ts'", 'src/b.ts': "import { a } from './a.ts'" },
      { 'src/a.ts': "import type { B } from './b.ts'", 'src/b.ts': "export * from './a.ts'" },
      { 'src/a.ts': "let b: import('./b.ts').B", 'src/b.ts': "await import('./a.ts')" },
      { 'src/a.ts': "import './a.ts'" },
      {
        'src/a.ts': "import './b/c.ts'",
        'src/b/c.ts': "import '../d.ts'",
        'src/d.ts': "import './a.ts'",
      },
    ],
    good: {
      'src/a.ts': "import './b.ts'\nimport './c.ts'",
      'src/b.ts': "import type { C } from './c.ts'\n// import './a.ts'",
      'src/c.ts': "const text = `import './a.ts'`",
    },
  },
  'folder size': {
    bad: [filesIn('src/a', 31)],
    good: { ...filesIn('src/a', 30), 'src/a/b/c.ts': '', 'src/a/d.test.ts': '' },
  },
  'file length': {
    bad: [{ 'src/a.ts': linesOf(301) }],
    good: {
      'src/a.ts': linesOf(300),
      'src/a.test.ts': linesOf(301),
      'src/errors/catalog.ts': linesOf(301),
    },
  },
  'function length': {
    bad: [
      { 'src/a.ts': functionOf(81) + 'function f() {}\n'.repeat(150) },
      { 'src/a.ts': functionOf(61) },
    ],
    good: { 'src/a.ts': functionOf(60), 'src/a.test.ts': functionOf(90) },
  },
  'simulator imports record': {
    bad: [
      { 'src/vendors/a/simulator.ts': "import { a } from './record.ts'" },
      { 'src/vendors/a/simulator.ts': "import type { A } from './record.ts'" },
      {
        'src/vendors/a/simulator.ts': "import './fields.ts'",
        'src/vendors/a/fields.ts': "import './record.ts'",
      },
    ],
    good: {
      'src/vendors/a/simulator.ts': "import './sample.ts'\nimport '../../simulators/vendor.ts'",
      'src/vendors/a/sample.ts': '',
      'src/vendors/a/record.ts': "import './sample.ts'",
    },
  },
  'vendor registry': {
    bad: [
      { 'src/calls/a.ts': "import { a } from '../vendors/a/record.ts'" },
      {
        'src/vendors/b/record.ts': "import type { A } from '../a/fields.ts'",
      },
      { 'src/vendors/shared/a.ts': "import '../a/record.ts'" },
      { 'src/calls/a.ts': "import '../vendors/a/source.ts'" },
    ],
    good: {
      'src/vendors/index.ts': "import './a/record.ts'",
      'src/vendors/a/record.ts':
        "import './fields.ts'\nimport '../shared/b.ts'\nimport '../b/source.ts'",
      'src/calls/a.ts': "import '../vendors/index.ts'",
      'src/calls/a.test.ts': "import '../vendors/a/record.ts'",
    },
  },
  'shared places': {
    bad: [
      { 'src/a.ts': 'const slots = createSlots({ places: 1 })' },
      { 'src/a.ts': 'const sent = new Attempts(limits, now)' },
      { 'src/a.ts': "throw new AppError('overloaded')" },
      { 'src/jobs/worker.ts': 'const shares = null' },
    ],
    good: {
      'src/a.test.ts': 'const slots = createSlots({ places: 1 })',
      'src/b.ts': "if (code === 'overloaded') retry()",
      'src/jobs/worker.ts': 'const shares = createShares(places)',
    },
  },
  'ledger calls': {
    bad: [
      { 'src/calls/a.ts': 'await ledger.hold(request)' },
      { 'src/calls/a.ts': 'await this.deps.ledger.resolve({ hold })' },
      { 'src/calls/a.ts': 'const open = calls.ledger.hold' },
      { 'src/calls/a.ts': "import { holdWithin } from '../../src/ledger/within-transaction.ts'" },
    ],
    good: {
      'src/calls/charge.ts': 'await ledger.hold(request)\nawait ledger.resolve(resolution)',
      'src/calls/a.ts': 'ledger.sweep()\npromise.resolve()\n// ledger.hold()',
      'src/calls/a.test.ts': 'ledger.hold(request)',
      'src/ledger/ledger.ts': "import { holdWithin } from '../../src/ledger/within-transaction.ts'",
    },
  },
  'outbound requests': {
    bad: [
      { 'src/calls/a.ts': 'await fetch(url)' },
      { 'src/calls/a.ts': 'await globalThis.fetch(url)' },
      { 'src/calls/a.ts': 'new WebSocket(url)' },
      { 'src/calls/a.ts': "import { Agent } from 'undici'" },
      { 'src/calls/a.ts': "import { request as send } from 'node:https'" },
      { 'src/calls/a.ts': "import http from 'node:http'" },
      { 'src/calls/a.ts': "import * as net from 'node:net'" },
      { 'src/calls/a.ts': "import { connect } from 'node:tls'" },
      { 'src/calls/a.ts': "const { request } = await import('undici')" },
    ],
    good: {
      'src/calls/a.ts':
        "import { isIP, type Socket } from 'node:net'\nimport type { Agent } from 'undici'\nstore.fetch(1)",
      'src/surfaces/a.ts': "import { createServer, STATUS_CODES } from 'node:http'",
      'src/upstream/a.ts': "import { request } from 'undici'\nfetch(url)",
      'src/calls/a.test.ts': 'fetch(url)',
    },
  },
  'SQL in surfaces': {
    bad: [
      { 'src/surfaces/a.ts': "query('select id from keys')" },
      { 'src/surfaces/a.ts': 'query(`\n  insert into keys (id) values (${id})`)' },
      { 'src/surfaces/a.ts': "query('update keys set name = $1')" },
      { 'src/surfaces/a.ts': "query('delete from keys')" },
      { 'src/surfaces/a.ts': "query('with old as (select 1) delete from keys')" },
    ],
    good: {
      'src/surfaces/a.ts': "print('Select a key', 'Delete', 'update set', '<select><option>')",
      'src/surfaces/a.test.ts': "query('select id from keys')",
      'src/keys/a.ts': "query('select id from keys')",
    },
  },
  'vendor records': {
    bad: [
      { 'src/vendors/a/record.ts': 'const at = Date.now()' },
      { 'src/vendors/a/fields.ts': 'const at = new Date()' },
      { 'src/vendors/a/record.ts': 'performance.now()' },
      { 'src/composites/onefind/record.ts': 'const key = process.env.KEY' },
      { 'src/vendors/a/record.ts': "import { readFileSync } from 'node:fs'" },
    ],
    good: {
      'src/vendors/a/record.ts':
        "const day = new Date(input.day)\nimport type { Stats } from 'node:fs'",
      'src/vendors/a/simulator.ts': 'const at = new Date()',
      'src/vendors/a/record.test.ts': 'const at = new Date()',
      'src/calls/a.ts': 'const at = performance.now()',
    },
  },
  environment: {
    bad: [
      { 'src/calls/a.ts': 'const a = process.env.A' },
      { 'src/calls/a.ts': "const a = process.env['A']" },
      { 'src/calls/a.ts': 'run({ env: process.env })' },
      { 'src/calls/a.ts': "import { env } from 'node:process'" },
    ],
    good: {
      'src/app/settings/config.ts': 'const a = process.env.A',
      'src/app/processes/serve.ts': 'serve(process.env)',
      'src/calls/a.ts': 'process.exit(settings.env)',
      'src/calls/a.test.ts': 'const a = process.env.A',
    },
  },
}

test('every rule has examples', () => {
  assert.deepEqual(
    RULES.map(({ name }) => name),
    Object.keys(CASES),
  )
})

for (const rule of RULES) {
  const { bad = [], good = {} } = CASES[rule.name] ?? {}
  test(`"${rule.name}" reports each bad example once and no good one`, () => {
    for (const sources of bad) {
      const violations = rule.find(parse(sources))
      assert.equal(violations.length, 1, `${JSON.stringify(sources).slice(0, 300)}: ${violations}`)
    }
    assert.deepEqual(rule.find(parse(good)), [])
  })
}

test('a function counts without the functions inside it, the table with them', () => {
  const inner = functionOf(50)
  const files = parse({ 'src/a/b.ts': `function outer() {\n${inner}${inner}}\n` })
  const sizes = files[0]?.functions.map(({ name, lines, ownLines }) => [name, lines, ownLines])
  assert.deepEqual(sizes, [
    ['g', 50, 50],
    ['g', 50, 50],
    ['outer', 102, 6],
  ])
  assert.deepEqual(sizeTable(files).at(-1), '| `all` | 1 | 102 | 3 | 50 | 102 | 102 | 102 |')
})

test('a cycle is printed along its shortest path, with the number of other files in it', () => {
  const files = parse({
    'src/a.ts': "import './b.ts'",
    'src/b.ts': "import './a.ts'\nimport './c.ts'",
    'src/c.ts': "import './d.ts'",
    'src/d.ts': "import './a.ts'",
  })
  const cycles = RULES.find(({ name }) => name === 'import cycles')?.find(files)
  assert.deepEqual(cycles, [
    'src/a.ts → src/b.ts → src/a.ts, and 2 more files that import each other',
  ])
})
