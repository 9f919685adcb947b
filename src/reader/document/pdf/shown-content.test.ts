import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseDocument } from '../parse-document.ts'
import { pdfFile, type Line, type PdfPageContent } from '../testing/pdf-file.ts'

const read = async (pages: readonly PdfPageContent[], isTagged = false) =>
  (
    await parseDocument({
      bytes: pdfFile(pages, { isTagged }),
      contentType: '',
      filename: '',
      maxPages: 100,
      maxChars: 100_000,
    })
  ).markdown

const BODY = 'The keeper wrote down the height of the water every morning for thirty years.'
const LINES: Line[] = [
  [50, 700, 12, 'Surname:'],
  [50, 660, 12, 'Harbour:'],
  [50, 620, 12, 'Pilot'],
  [50, 580, 12, 'Tug'],
  [50, 540, 12, BODY],
]
const rect = (y: number, x = 150) => `/Rect [${x} ${y - 3} ${x + 200} ${y + 12}]`
const FIELDS = [
  `/Subtype /Widget /FT /Tx /T (a) /V (Vane Rurik) ${rect(700)}`,
  `/Subtype /Widget /FT /Ch /T (b) /Ff 131072 /Opt [(North) (South)] /V (South) ${rect(660)}`,
  `/Subtype /Widget /FT /Btn /T (c) /V /Yes /AS /Yes /AP << /N << /Yes 4 0 R >> >> ${rect(620)}`,
  `/Subtype /Widget /FT /Btn /T (d) /V /Off /AS /Off /AP << /N << /Yes 4 0 R >> >> ${rect(580)}`,
  `/Subtype /Widget /FT /Tx /T (e) /Ff 8192 /V (password) ${rect(500)}`,
  `/Subtype /Widget /FT /Tx /T (f) /F 2 /V (unseen) ${rect(460)}`,
]

describe('the fields of a PDF form', () => {
  for (const isTagged of [false, true])
    it(`stand next to their labels: ${isTagged ? 'tagged' : 'untagged'}`, async () => {
      const markdown = await read([{ lines: LINES, annotations: FIELDS }], isTagged)
      const words = markdown.replaceAll(/[|\s-]+/g, ' ')
      assert.match(words, /Surname: Vane Rurik.*Harbour: South.*Pilot ☒.*Tug ☐/)
      assert.doesNotMatch(words, /password|unseen/)
    })
})

describe('a tagged table of a PDF', () => {
  const lines: Line[] = [
    [50, 700, 12, 'Vessel'],
    [300, 700, 12, 'Draught'],
    [50, 660, 12, 'Tug Anna'],
    [300, 660, 12, '3 m'],
    [50, 620, 12, 'Pilot:'],
    [300, 620, 12, 'approved'],
  ]
  const readTable = async (annotations: readonly string[]) =>
    (
      await parseDocument({
        bytes: pdfFile([{ lines, annotations }], { isTable: true }),
        contentType: '',
        filename: '',
        maxPages: 100,
        maxChars: 100_000,
      })
    ).markdown
  const rows = '| Vessel | Draught |\n| --- | --- |\n| Tug Anna | 3 m |\n'

  it('is a table', async () => {
    assert.equal(await readTable([]), `${rows}| Pilot: | approved |`)
  })

  it('stays a table next to a field, which stands behind its label', async () => {
    const field = `/Subtype /Widget /FT /Tx /T (a) /V (Vane Rurik) ${rect(620, 90)}`
    assert.equal(await readTable([field]), `${rows}| Pilot: Vane Rurik | approved |`)
  })

  it('has the mark of a box before the words behind it', async () => {
    const box = `/Subtype /Widget /FT /Btn /T (c) /V /Yes /AS /Yes /AP << /N << /Yes 4 0 R >> >> /Rect [30 618 42 630]`
    assert.equal(await readTable([box]), `${rows}| ☒ Pilot: | approved |`)
  })
})

describe('a PDF page whose text all stands sideways', () => {
  for (const matrix of ['0 1 -1 0 595 0', '0 -1 1 0 0 842', '-1 0 0 -1 595 842'])
    it(`is read: ${matrix}`, async () => {
      const lines: Line[] = [
        [50, 560, 20, 'Heights'],
        [50, 500, 12, BODY],
      ]
      assert.equal(await read([{ lines, matrix }]), `# Heights\n\n${BODY}`)
    })
})

describe('a link of a PDF', () => {
  const lines: Line[] = [
    [50, 700, 12, 'Read the full report at our site.'],
    [50, 660, 12, 'See https://open.example/data for more.'],
    [50, 540, 12, BODY],
  ]
  const link = (url: string, y: number, x: number) =>
    `/Subtype /Link ${rect(y, x)} /A << /S /URI /URI (${url}) >>`
  const annotations = [
    link('https://report.example/full', 700, 170),
    link('https://open.example/data/', 660, 70),
    link('javascript:alert\\(1\\)', 540, 50),
  ]
  for (const isTagged of [false, true])
    it(`keeps its address behind its text: ${isTagged ? 'tagged' : 'untagged'}`, async () => {
      const markdown = await read([{ lines, annotations }], isTagged)
      assert.match(markdown, /our site \(<?https:\/\/report\.example\/full>?\)\./)
      assert.equal(markdown.match(/open\.example/g)?.length, 1)
      assert.doesNotMatch(markdown, /javascript/)
    })
})

describe('lines at the top and bottom of PDF pages', () => {
  const pagesWith = (top: (page: number) => string) =>
    Array.from({ length: 6 }, (_, page) => ({
      lines: [
        [50, 820, 10, top(page)],
        [50, 500, 10, `${BODY} Vessel ${page}.`],
      ] as Line[],
    }))

  for (const [name, top] of [
    ['the number of an invoice', (page: number) => `Invoice ${20_417 + page * 3}`],
    ['numbers that follow each other', (page: number) => `Invoice ${20_417 + page}`],
    ['a date', (page: number) => `Report of 2026-03-${10 + page * 2}`],
  ] as const)
    it(`keep ${name}`, async () => {
      const markdown = await read(pagesWith(top))
      for (const page of [0, 3, 5]) assert.ok(markdown.includes(top(page)), markdown)
    })

  for (const [name, top] of [
    ['a repeated line', () => 'Harbour office, 3rd edition'],
    ['a page number', (page: number) => `Harbour office, page ${page + 1}`],
    ['a page number of all pages', (page: number) => `Harbour office ${page + 1} of 6`],
    ['a page number after a chapter', (page: number) => `Chapter 2 of 2026 | ${page + 5}`],
  ] as const)
    it(`lose ${name}`, async () => {
      assert.doesNotMatch(await read(pagesWith(top)), /Harbour office|Chapter/)
    })
})
