import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createProgressBar } from '../src/output/progress-bar.ts'
import { renderData } from '../src/output/render-data.ts'
import { safeText } from '../src/output/safe-text.ts'
import { table, widthOf, wrap } from '../src/output/table.ts'
import type { Terminal } from '../src/terminal.ts'

describe('tables', () => {
  test('fit the terminal: the widest columns are cut, then the last ones are left out', () => {
    const rows = [['a'.repeat(80), 'b', '日本'.repeat(20)]]
    for (const width of [30, 50, 90])
      for (const line of table(['one', 'two', 'three'], rows, width).split('\n'))
        assert.ok(widthOf(line) <= width, `${widthOf(line)} in ${width}`)
    assert.equal(
      table(['a', 'b', 'c'], [['x'.repeat(20), 'y'.repeat(20), 'z'.repeat(20)]], 12).split('\n')[0],
      'A',
    )
  })

  test('never contain the control characters of a third party', () => {
    const evil = 'a\u001b[2J\u0007\u202eb\u009bc\nd'
    assert.equal(safeText(evil), 'a[2Jbc\nd')
    const text = renderData(
      {
        rows: [
          { title: evil, url: 'u' },
          { title: evil, url: 'v' },
        ],
      },
      80,
    )
    // eslint-disable-next-line no-control-regex
    assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  })

  test('wrap descriptions within the width', () => {
    for (const line of wrap('a description with several words and more', 20, 4).split('\n'))
      assert.ok(line.length <= 20 && line.startsWith('    '))
  })
})

describe('a result', () => {
  test('with rows is a table whose first columns are the title and the address', () => {
    const rows = [
      { id: 'u1', score: 0.5, url: 'u1', title: 'First', tags: [], text: 'long '.repeat(50) },
      { id: 'u2', score: 0.4, url: 'u2', title: 'Second', tags: ['x'] },
    ]
    const [head = '', first = ''] = renderData({ results: rows, total: 2 }, 60).split('\n')
    assert.match(head, /^TITLE +URL +SCORE +TEXT$/)
    assert.match(first, /^First +u1/)
    assert.match(renderData({ results: rows, total: 2 }, 60), /total {2}2$/)
  })

  test('with one row is a list of facts with the long text below', () => {
    const text = renderData({ rows: [{ title: 'T', content: 'one\ntwo', empty: null }] }, 60)
    assert.equal(text, 'title  T\n\ncontent:\none\ntwo')
  })

  test('shows inner objects by their path once, and the list inside them', () => {
    const email = { result: 'deliverable', score: 9 }
    assert.equal(
      renderData({ email, data: email, left: { rate: { day: 5 } } }, 60),
      'email.result   deliverable\nemail.score    9\nleft.rate.day  5',
    )
    const found = renderData(
      { meta: { id: 'x' }, series: { points: [{ day: 1 }, { day: 2 }] } },
      60,
    )
    assert.equal(found, 'DAY\n1\n2\n\nmeta.id  x')
  })

  test('is cut after 40 lines and 50 rows, with the number of the rest', () => {
    const content = Array.from({ length: 60 }, (_, line) => `line ${line}`).join('\n')
    assert.match(renderData({ content }, 60), /line 39\n… 20 more lines with --json$/)
    const rows = Array.from({ length: 60 }, (_, row) => ({ name: `n${row}` }))
    assert.match(renderData({ rows }, 60), /n49\n… 10 more rows with --json$/)
  })
})

test('a progress bar shows the share on a terminal, and nothing on a pipe', () => {
  let written = ''
  const terminal = { errColumns: 80, err: (text: string) => void (written += text) }
  const bar = createProgressBar(terminal as unknown as Terminal, 'Uploading')
  bar.show(1, 4, '1 kB of 4 kB')
  assert.match(written, /Uploading \[█{6}░{18}\] {2}25 % 1 kB of 4 kB$/)
  bar.end()
  assert.ok(written.endsWith('\r\u001b[K'))
  written = ''
  const silent = createProgressBar({ ...terminal, errColumns: null } as unknown as Terminal, 'x')
  silent.show(1, 4, '')
  silent.end()
  assert.equal(written, '')
})
