import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseDocument } from '../parse-document.ts'
import { docxFile, item, paragraph, style } from '../testing/office-files.ts'

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const read = async (body: string, more: Readonly<Record<string, string>>) =>
  (
    await parseDocument({
      bytes: docxFile(body, more),
      contentType: '',
      filename: '',
      maxPages: 100,
      maxChars: 100_000,
    })
  ).markdown

const level = (at: number, format: string, text: string, more = '') =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`
const numbering = (levels: string, nums = '') =>
  `<w:numbering ${W}><w:abstractNum w:abstractNumId="8">${levels}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="8"/></w:num>${nums}</w:numbering>`
const list = (
  levels: string,
  places: readonly (readonly [list: number, level: number])[],
  nums = '',
) =>
  read(places.map(([number, at], index) => paragraph(`Item ${index}`, item(number, at))).join(''), {
    'word/numbering.xml': numbering(levels, nums),
  })

describe('the numbers of a Word document', () => {
  it('are those of a contract with numbers of several levels', async () => {
    const levels =
      level(0, 'decimal', '%1.') + level(1, 'decimal', '%1.%2') + level(2, 'lowerLetter', '(%3)')
    const markdown = await list(levels, [
      [1, 0],
      [1, 1],
      [1, 1],
      [1, 2],
      [1, 2],
      [1, 0],
      [1, 1],
    ])
    assert.equal(
      markdown,
      '1. Item 0\n   - 1.1 Item 1\n   - 1.2 Item 2\n     - (a) Item 3\n     - (b) Item 4\n2. Item 5\n   - 2.1 Item 6',
    )
  })

  for (const [format, text, shown] of [
    ['upperRoman', 'Article %1', 'Article II'],
    ['lowerRoman', '%1.', 'ii.'],
    ['upperLetter', '%1)', 'B)'],
    ['decimalZero', '%1', '02'],
    ['decimal', '§ %1', '§ 2'],
    ['ordinal', '%1', '2nd'],
  ] as const)
    it(`have the form of their level: ${format}`, async () => {
      assert.match(
        await list(level(0, format, text), [
          [1, 0],
          [1, 0],
        ]),
        new RegExp(`^- ${shown.replace(')', '\\)')} Item 1$`, 'm'),
      )
    })

  it('are decimal in levels for laws', async () => {
    const levels = level(0, 'upperRoman', '%1.') + level(1, 'decimal', '%1.%2', '<w:isLgl/>')
    assert.match(
      await list(levels, [
        [1, 0],
        [1, 1],
      ]),
      /- 1\.1 Item 1$/,
    )
  })

  it('continue in another list of the same kind, unless it starts again', async () => {
    const nums =
      '<w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="8"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>'
    const markdown = await list(
      level(0, 'decimal', '%1.'),
      [
        [1, 0],
        [2, 0],
        [3, 0],
        [3, 0],
      ],
      nums,
    )
    assert.equal(markdown, '1. Item 0\n2. Item 1\n7. Item 2\n8. Item 3')
  })

  it('stand before their headings', async () => {
    const styles = `<w:styles ${W}><w:style w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style><w:style w:styleId="H2"><w:name w:val="heading 2"/><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style></w:styles>`
    const body = [
      paragraph('Scope', style('H1')),
      paragraph('Term', style('H1')),
      paragraph('Start', style('H2')),
    ].join('')
    const levels = level(0, 'decimal', '%1') + level(1, 'decimal', '%1.%2')
    assert.equal(
      await read(body, { 'word/styles.xml': styles, 'word/numbering.xml': numbering(levels) }),
      '# 1 Scope\n\n# 2 Term\n\n## 2.1 Start',
    )
  })
})

const reference = (kind: string, id: number, more = '') =>
  `<w:r><w:${kind}Reference w:id="${id}"${more}/></w:r>`
const note = (kind: string, id: number, text: string) =>
  `<w:${kind} w:id="${id}"><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:${kind}>`
const text = (words: string) => `<w:r><w:t xml:space="preserve">${words}</w:t></w:r>`

describe('the notes of a Word document', () => {
  const parts = {
    'word/footnotes.xml': `<w:footnotes ${W}>${note('footnote', 7, 'Foot one.')}${note('footnote', 3, 'Foot two.')}${note('footnote', 9, '* Foot star.')}</w:footnotes>`,
    'word/endnotes.xml': `<w:endnotes ${W}>${note('endnote', 4, 'End one.')}</w:endnotes>`,
  }

  it('have the numbers of their order, and Roman ones at the end', async () => {
    const body = `<w:p>${text('A')}${reference('footnote', 7)}${text(' B')}${reference('endnote', 4)}${text(' C')}${reference('footnote', 3)}</w:p>`
    assert.equal(
      await read(body, parts),
      'A[1] B[i] C[2]\n\n[1] Foot one.\n\n[i] End one.\n\n[2] Foot two.',
    )
  })

  it('keep the mark that their author wrote', async () => {
    const body = `<w:p>${text('A')}${reference('footnote', 9, ' w:customMarkFollows="1"')}${text('* B')}${reference('footnote', 3)}</w:p>`
    assert.equal(await read(body, parts), 'A\\* B[1]\n\n\\* Foot star.\n\n[1] Foot two.')
  })

  it('have the form that the document sets', async () => {
    const settings = `<w:settings ${W}><w:footnotePr><w:numFmt w:val="lowerLetter"/><w:numStart w:val="3"/></w:footnotePr></w:settings>`
    const body = `<w:p>${text('A')}${reference('footnote', 7)}</w:p>`
    assert.equal(
      await read(body, { ...parts, 'word/settings.xml': settings }),
      'A[c]\n\n[c] Foot one.',
    )
  })
})
