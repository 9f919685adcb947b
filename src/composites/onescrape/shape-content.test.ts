import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createTask, rowOf, type PageRow } from './page-row.ts'
import { chunksOf, shapeRow, toPlainText, type ContentOptions } from './shape-content.ts'

const MARKDOWN = `# Kettles

A [kettle](https://a.example/k) of **2 l** with \\* sign.

![A kettle](https://a.example/k.png)

## Care

- Rinse *well*
- Dry

| Part | Price |
| --- | --- |
| Lid | 5 \\| 6 |

\`\`\`sh
boil **now**
\`\`\``

const row = (content: string | null, format: PageRow['format'] = 'markdown'): PageRow => ({
  ...rowOf(createTask('https://a.example/'), 'markdown'),
  content,
  format,
  chars: content?.length ?? 0,
})
const shape = (options: Partial<ContentOptions>, content = MARKDOWN, format?: PageRow['format']) =>
  shapeRow(row(content, format), { format: 'markdown', ...options })

describe('content options', () => {
  it('change nothing when the call sets none', () => {
    const { chars, ...rest } = shape({})
    assert.equal(chars, MARKDOWN.length)
    assert.deepEqual({ ...rest, chars }, row(MARKDOWN))
    assert.deepEqual(shapeRow(row(null), { format: 'text', max_chars: 100 }), row(null))
  })

  it('write links as words and leave out images', () => {
    const { content } = shape({ links: false, images: false })
    assert.match(content ?? '', /A kettle of/)
    assert.doesNotMatch(content ?? '', /k\.png|\(https/)
    const html = shape(
      { links: false, images: false },
      '<p>A <a href="/k">kettle</a><img src="/k.png"></p>',
      'html',
    )
    assert.equal(html.content, '<p>A kettle</p>')
    assert.equal(
      shape({ links: false }, '[![a](b)](c) [d [e] \\] f](g) \\[h](i)').content,
      '![a](b) d [e] \\] f \\[h](i)',
    )
  })

  it('write markdown as plain text', () => {
    const { content, format } = shape({ format: 'text' })
    assert.equal(format, 'text')
    assert.equal(
      content,
      'Kettles\n\nA kettle of 2 l with * sign.\n\nCare\n\n- Rinse well\n- Dry\n\nPart\tPrice\nLid\t5 | 6\n\nboil **now**',
    )
  })

  it('cut the content at a paragraph, a word or a tag, and mark it', () => {
    const text = `${'word '.repeat(30)}\n\n${'more '.repeat(30)}`
    const cut = shape({ max_chars: 160 }, text)
    assert.equal(cut.content, 'word '.repeat(30).trim())
    assert.deepEqual([cut.truncated, cut.chars], [true, 149])
    assert.equal(shape({ max_chars: 1_000 }, text).truncated, undefined)
    assert.equal(shape({ max_chars: 101 }, 'x'.repeat(300)).content?.length, 101)
    assert.equal(
      shape({ max_chars: 100 }, `<p>${'y'.repeat(90)}</p><p>z</p>`, 'html').content?.endsWith(
        '</p>',
      ),
      true,
    )
  })

  it('split the content into chunks with the headings above them', () => {
    assert.deepEqual(
      shape({ chunk_chars: 10_000 }).chunks?.map(({ heading }) => heading),
      ['Kettles', 'Kettles > Care'],
    )
    const plain = shape({ format: 'text', chunk_chars: 10_000 }).chunks
    assert.equal(plain?.[0]?.text, 'Kettles\n\nA kettle of 2 l with * sign.')
    assert.deepEqual(chunksOf('a\n\n# B\n\nc\n\n### D\n\n# E', 200), [
      { heading: '', text: 'a' },
      { heading: 'B', text: '# B\n\nc' },
      { heading: 'B > D', text: '### D' },
      { heading: 'E', text: '# E' },
    ])
  })

  it('never lose a word or exceed the size of a chunk', () => {
    const piece = fc.constantFrom(
      'word ',
      'longer-word ',
      '\n\n',
      '\n',
      '# H\n\n',
      '```\ncode\n\nx\n```\n\n',
      'x'.repeat(300),
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }),
        fc.integer({ min: 200, max: 500 }),
        (pieces, most) => {
          const text = pieces.join('')
          const chunks = chunksOf(text, most)
          for (const chunk of chunks) assert.ok(chunk.text.length <= most)
          const letters = (words: string) => words.replace(/\s+/g, '')
          assert.equal(letters(chunks.map((chunk) => chunk.text).join('')), letters(text))
        },
      ),
    )
  })

  it('read hostile content in linear time', () => {
    for (const piece of ['[', '![', '[a](', '\\', '*', '`', '| ', '# '])
      assert.equal(typeof toPlainText(piece.repeat(20_000)), 'string')
  })
})
