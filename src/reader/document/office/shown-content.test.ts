import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseDocument } from '../parse-document.ts'
import { docxFile, item, officeFile, paragraph, relations } from '../testing/office-files.ts'

const read = (bytes: Buffer) =>
  parseDocument({ bytes, contentType: '', filename: '', maxPages: 100, maxChars: 100_000 })

const S =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const escaped = (code: string) => code.replaceAll('"', '&quot;')

/** A workbook with one row of cells, and a style for each format code after the plain style 0. */
function workbook(cells: string, codes: readonly string[] = []): Buffer {
  const formats = codes.map(
    (code, at) => `<numFmt numFmtId="${170 + at}" formatCode="${escaped(code)}"/>`,
  )
  const styles = codes.map((_code, at) => `<xf numFmtId="${170 + at}"/>`)
  return officeFile('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook ${S}><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
      ['rId4', 'styles', 'styles.xml'],
    ]),
    'xl/styles.xml': `<styleSheet ${S}><numFmts>${formats.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${S}><sheetData><row r="1">${cells}</row></sheetData></worksheet>`,
  })
}

describe('the numbers of a workbook', () => {
  for (const [code, value, shown] of [
    ['00000', '2134', '02134'],
    ['#,##0.00', '1234567.891', '1,234,567.89'],
    ['#,##0', '-1234.4', '-1,234'],
    ['#,##0.00 "€"', '1234.5', '1,234.50 €'],
    ['[$$-409]#,##0.00;[Red]([$$-409]#,##0.00)', '-5', '($5.00)'],
    ['0.0##', '1.5', '1.5'],
    ['0.00', '-0.001', '0.00'],
    ['#,##0,"k"', '12345', '12k'],
    ['\\N\\o. 000', '7', 'No. 007'],
    ['General', '0.30000000000000004', '0.3'],
    ['0.00E+00', '12000', '12000'],
    ['# ?/?', '0.5', '0.5'],
    ['0.0%', '0.125', '12.5%'],
  ] as const)
    it(`have the form of their format: ${code}`, async () => {
      const cells = `<c r="A1" t="inlineStr"><is><t>Value</t></is></c><c r="B1" s="1"><v>${value}</v></c>`
      const { markdown } = await read(workbook(cells, [code]))
      assert.ok(markdown.includes(`| Value | ${shown} |`), markdown)
    })

  it('have no readings of their words', async () => {
    const cells =
      '<c r="A1" t="inlineStr"><is><r><t>港</t></r><rPh sb="0" eb="1"><t>ミナト</t></rPh><r><t>町</t></r></is></c><c r="B1"><v>1</v></c>'
    assert.match((await read(workbook(cells))).markdown, /\| 港町 \| 1 \|/)
  })

  it('report columns beyond the limit as cut, and empty ones not', async () => {
    const cell = (text: string) =>
      `<c r="A1"><v>1</v></c><c r="IZ1" t="inlineStr"><is><t>${text}</t></is></c>`
    assert.equal((await read(workbook(cell('last')))).isTruncated, true)
    assert.equal((await read(workbook(cell('')))).isTruncated, false)
  })
})

describe('the lists and notes of a Word document', () => {
  const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
  const levels =
    '<w:lvl w:ilvl="0"><w:start w:val="5"/><w:numFmt w:val="decimal"/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="3"/><w:numFmt w:val="decimal"/></w:lvl>'
  const numbering = `<w:numbering ${W}><w:abstractNum w:abstractNumId="8">${levels}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="8"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="9"/></w:lvlOverride></w:num></w:numbering>`

  it('begin at the number of their level or of their own list', async () => {
    const body = [
      paragraph('Fifth', item(1, 0)),
      paragraph('Third', item(1, 1)),
      paragraph('Sixth', item(1, 0)),
      paragraph('Between.'),
      paragraph('Ninth', item(2, 0)),
    ].join('')
    const { markdown } = await read(docxFile(body, { 'word/numbering.xml': numbering }))
    assert.match(markdown, /5\. Fifth\n +3\. Third\n6\. Sixth\n\nBetween\.\n\n9\. Ninth/)
  })

  it('link where the relations of their own part lead', async () => {
    const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    const body = '<w:p><w:r><w:t>Text</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    const { markdown } = await read(
      docxFile(body, {
        'word/footnotes.xml': `<w:footnotes ${W} ${R}><w:footnote w:id="2"><w:p><w:hyperlink r:id="rId9"><w:r><w:t>the source</w:t></w:r></w:hyperlink></w:p></w:footnote></w:footnotes>`,
        'word/_rels/footnotes.xml.rels': relations([
          ['rId9', 'hyperlink', 'https://note.example/', true],
        ]),
      }),
    )
    assert.match(markdown, /\[the source\]\(https:\/\/note\.example\/\)/)
  })
})
