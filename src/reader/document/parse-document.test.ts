import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { DocumentFault, type FaultCode, type ParseRequest, type ReadDocument } from './document.ts'
import { parseDocument } from './parse-document.ts'
import {
  docxFile,
  epubFile,
  item,
  officeFile,
  paragraph,
  pptxFile,
  style,
  xlsxFile,
} from './testing/office-files.ts'
import { pdfFile, type Line } from './testing/pdf-file.ts'
import { zipFile } from './testing/zip-file.ts'

const read = (bytes: Buffer, more: Partial<ParseRequest> = {}): Promise<ReadDocument> =>
  parseDocument({
    bytes,
    contentType: '',
    filename: '',
    maxPages: 100,
    maxChars: 100_000,
    ...more,
  })
const markdownOf = async (bytes: Buffer): Promise<string> => (await read(bytes)).markdown

async function faultOf(bytes: Buffer | string): Promise<FaultCode> {
  try {
    await read(Buffer.from(bytes))
  } catch (error) {
    assert.ok(error instanceof DocumentFault, String(error))
    return error.code
  }
  return assert.fail('the document was read')
}

describe('a Word document', () => {
  it('becomes headings by style, outline level and inheritance', async () => {
    const body = [
      paragraph('The plan', style('Titel')),
      paragraph('Part one', style('Mine')),
      paragraph('Detail', style('Deep')),
      paragraph('Text.'),
    ].join('')
    const { markdown, metadata, kind } = await read(docxFile(body))
    assert.equal(markdown, '# The plan\n\n# Part one\n\n### Detail\n\nText.')
    assert.equal(kind, 'docx')
    assert.deepEqual(metadata, {
      title: 'Crane plan',
      author: 'Ada Kern',
      created_at: '2026-03-01T09:00:00Z',
      modified_at: null,
      language: null,
    })
  })

  it('keeps nested lists, numbers, emphasis, links and notes, and drops deleted text', async () => {
    const runs =
      '<w:p><w:r><w:t xml:space="preserve">The crane </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>lif</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>ts</w:t></w:r><w:del><w:r><w:delText>old words</w:delText></w:r></w:del><w:r><w:t xml:space="preserve"> forty tonnes</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:t xml:space="preserve">: </w:t></w:r><w:hyperlink r:id="rId9"><w:r><w:t>the plan</w:t></w:r></w:hyperlink></w:p>'
    const body = [
      runs,
      paragraph('Tower', item(1, 0)),
      paragraph('Foot', item(1, 1)),
      paragraph('Arm', item(1, 0)),
      paragraph('First', item(2, 0)),
      paragraph('Between.'),
      paragraph('Second', item(2, 0)),
    ].join('')
    assert.equal(
      await markdownOf(docxFile(body)),
      [
        'The crane **lifts** forty tonnes[1]: [the plan](https://example.com/crane)',
        '- Tower\n  - Foot\n- Arm',
        '1. First',
        'Between.',
        '2. Second',
        '[1] Measured in May.',
      ].join('\n\n'),
    )
  })

  it('writes tables with merged cells', async () => {
    const cell = (text: string, format = ''): string =>
      `<w:tc><w:tcPr>${format}</w:tcPr>${paragraph(text)}</w:tc>`
    const body = `<w:tbl><w:tr>${cell('Part')}${cell('Cost', '<w:gridSpan w:val="2"/>')}</w:tr><w:tr>${cell('Tower', '<w:vMerge w:val="restart"/>')}${cell('4.1')}${cell('EUR')}</w:tr><w:tr>${cell('', '<w:vMerge/>')}${cell('0.8')}${cell('USD')}</w:tr></w:tbl>`
    const rows = (await markdownOf(docxFile(body))).split('\n')
    assert.equal(rows.length, 4)
    assert.match(rows[0] ?? '', /^\| Part \| Cost \|/)
    assert.match(rows[2] ?? '', /^\| Tower \| 4\.1 \| EUR \|$/)
    assert.match(rows[3] ?? '', /\| 0\.8 \| USD \|$/)
  })

  it('counts pages by the stored page breaks', async () => {
    const break_ = '<w:r><w:lastRenderedPageBreak/></w:r>'
    const body = `${paragraph('One')}<w:p>${break_}<w:r><w:t>Two</w:t></w:r></w:p><w:p>${break_}<w:r><w:t>Three</w:t></w:r></w:p>`
    const { markdown, isTruncated, pagesRead } = await read(docxFile(body), { maxPages: 2 })
    assert.deepEqual([markdown, isTruncated, pagesRead], ['One\n\nTwo', true, 2])
  })
})

describe('a workbook', () => {
  it('becomes tables of shown values: dates, percentages, shared and formula texts', async () => {
    const { markdown, pageCount, unit } = await read(xlsxFile())
    assert.equal(
      markdown,
      [
        '## Figures',
        [
          '| Quarter | Freight | Day | Share |',
          '| --- | --- | --- | --- |',
          '| Spring & summer | 0.3 | 2026-05-04 | 12.5% |',
          '|  |  | TRUE |  |',
        ].join('\n'),
      ].join('\n\n'),
    )
    assert.deepEqual([pageCount, unit], [1, 'sheet'])
  })

  it('stops reading rows at max_chars', async () => {
    const rows = Array.from(
      { length: 50_000 },
      (_row, index) =>
        `<row r="${index + 1}"><c t="inlineStr"><is><t>row ${index}</t></is></c><c><v>1</v></c></row>`,
    ).join('')
    const book = officeFile('xl/workbook.xml', {
      'xl/workbook.xml':
        '<workbook xmlns:r="http://x/r"><sheets><sheet name="Long" r:id="rId1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    })
    const { markdown, isTruncated } = await read(book, { maxChars: 5_000 })
    assert.ok(markdown.length <= 5_000 && markdown.includes('row 40'))
    assert.equal(isTruncated, true)
  })
})

describe('a presentation', () => {
  it('becomes slides in their order, with titles, items, tables and notes', async () => {
    const { markdown, pageCount } = await read(pptxFile())
    assert.equal(
      markdown,
      [
        '## First',
        '- Lifts forty tonnes\n  - Twice the old one',
        'A free text box',
        'Notes:',
        '> Mention the wind.',
        '## Second',
        '| Part | Cost |\n| --- | --- |\n| Tower | 4.1 |',
      ].join('\n\n'),
    )
    assert.equal(pageCount, 2)
  })
})

describe('a book', () => {
  it('becomes chapters in reading order, without links that lead nowhere', async () => {
    const { markdown, metadata, unit } = await read(epubFile())
    assert.equal(
      markdown,
      '# The start\n\nOnce upon a time.\n\n# The end\n\nBack to the start, or to [the web](https://example.com/).',
    )
    assert.deepEqual(
      [metadata.title, metadata.author, metadata.language, metadata.modified_at, unit],
      ['Two chapters', 'Ada Kern', 'en', '2026-02-03T04:05:06Z', 'chapter'],
    )
  })

  it('is read with obfuscated fonts, but not with encrypted chapters', async () => {
    const encryption = (algorithm: string, target: string): Buffer =>
      epubFile({
        'META-INF/encryption.xml': `<encryption xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptedData><e:EncryptionMethod Algorithm="${algorithm}"/><e:CipherData><e:CipherReference URI="${target}"/></e:CipherData></e:EncryptedData></encryption>`,
      })
    assert.match(
      await markdownOf(encryption('http://www.idpf.org/2008/embedding', 'OPS/font.otf')),
      /Once upon a time/,
    )
    const protected_ = encryption(
      'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
      'OPS/text/two.xhtml',
    )
    assert.equal(await faultOf(protected_), 'encrypted')
  })
})

describe('an email', () => {
  const lines = [
    'From: =?utf-8?Q?J=C3=BCrgen_Kern?= <jk@example.com>',
    'To: Ada <ada@example.com>, port@example.com',
    'Subject: =?utf-8?B?S3JhbiDDvGJlcmdlYmVu?=',
    'Date: Tue, 3 Mar 2026 10:00:00 +0100',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=B',
    '',
    '--B',
    'Content-Type: text/html; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<p>Der Kran hebt <b>vierzig</b> T=F6nnchen.</p><script>alert(1)</script>',
    '--B',
    'Content-Type: application/pdf; name="plan.pdf"',
    'Content-Disposition: attachment; filename="plan.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
    'JVBERi0xLjQK',
    '--B--',
  ]

  it('becomes its subject and its text, with sender, recipients and attachments', async () => {
    const { markdown, email, metadata } = await read(Buffer.from(lines.join('\r\n')))
    assert.equal(markdown, '# Kran übergeben\n\nDer Kran hebt **vierzig** Tönnchen.')
    assert.deepEqual(email, {
      from: 'Jürgen Kern <jk@example.com>',
      to: ['Ada <ada@example.com>', 'port@example.com'],
      cc: [],
      date: '2026-03-03T09:00:00Z',
      message_id: null,
      attachments: [{ filename: 'plan.pdf', mime: 'application/pdf', size: 9 }],
    })
    assert.equal(metadata.title, 'Kran übergeben')
  })

  it('has the whole subject and names if their encoded words split a character', async () => {
    const [head, tail] = [Buffer.from('Kran ü').subarray(0, 6), Buffer.from('Kran ü').subarray(6)]
    const split = `=?utf-8?B?${head.toString('base64')}?=\r\n =?utf-8?B?${tail.toString('base64')}?=`
    const { email, metadata } = await read(
      Buffer.from(
        `From: ${split} <jk@example.com>\r\nTo: a@b.example\r\nDate: Tue, 3 Mar 2026 10:00:00 +0000\r\nSubject: ${split}\r\n\r\nText\r\n`,
      ),
    )
    assert.deepEqual([metadata.title, email?.from], ['Kran ü', 'Kran ü <jk@example.com>'])
  })

  it('in plain text keeps its lines and quotes', async () => {
    const text =
      'From: a@b.example\nSubject: Hi\nDate: Tue, 3 Mar 2026 10:00:00 +0000\n\nHello\nthere\n\n> once\n> more\n'
    assert.equal(await markdownOf(Buffer.from(text)), '# Hi\n\nHello  \nthere\n\n> once  \n> more')
  })
})

describe('a PDF', () => {
  it('with a structure becomes its headings, tables and lists', async () => {
    // Printed by Chromium from testing/harbour.html.
    const { markdown, metadata, pageCount } = await read(
      readFileSync(join(import.meta.dirname, 'testing/harbour.pdf')),
    )
    assert.match(markdown, /^# Harbour report 2026\n\nThe harbour of Lindau handled/)
    assert.ok(
      markdown.includes(
        '| Quarter | Ships | Freight in tonnes | Remarks |\n| --- | --- | --- | --- |\n| First | 112 | 20,418 | Ice closed the harbour for nine days in January and again in February. |',
      ),
    )
    assert.ok(markdown.includes('## The new crane\n\nThe crane lifts forty tonnes, twice as much'))
    assert.ok(
      markdown.includes('### Costs\n\n- Tower and arm: 4.1 million\n- Foundation: 0.8 million'),
    )
    assert.deepEqual(
      [metadata.title, metadata.language, pageCount],
      ['Harbour report 2026', 'en', 1],
    )
  })

  const body = (x: number, top: number, texts: readonly string[], size = 10): Line[] =>
    texts.map((text, index) => [x, top - index * 12, size, text])

  it('without a structure gets headings by size, paragraphs by distance and joined words', async () => {
    const lines: Line[] = [
      [50, 780, 20, 'A report about cranes'],
      [50, 740, 14, 'The first part'],
      ...body(50, 720, [
        'This text is set in the size of most of the text and is divi-',
        'ded at the end of a line.',
      ]),
      ...body(50, 680, ['Another paragraph stands below a wider gap.']),
      ...body(50, 640, ['- One item of a list', '- Another item']),
    ]
    assert.equal(
      await markdownOf(pdfFile([{ lines }])),
      [
        '# A report about cranes',
        '## The first part',
        'This text is set in the size of most of the text and is divided at the end of a line.',
        'Another paragraph stands below a wider gap.',
        '- One item of a list\n- Another item',
      ].join('\n\n'),
    )
  })

  it('in two columns is read column by column', async () => {
    const column = (name: string): string[] =>
      Array.from(
        { length: 8 },
        (_line, index) => `${name} column line ${index + 1} of the running text`,
      )
    const lines = [
      ...body(50, 780, [
        'This line goes over the whole width of the page and is followed by two columns of text',
      ]),
      ...body(50, 750, column('left')),
      ...body(310, 747, column('right')),
    ]
    const markdown = await markdownOf(pdfFile([{ lines }]))
    assert.match(
      markdown,
      /columns of text\n\nleft column line 1 .*left column line 8 [^]*right column line 1 /,
    )
  })

  it('with aligned texts gets a table', async () => {
    const rows = [
      ['Quarter', 'Ships', 'Freight'],
      ['First', '112', '20418'],
      ['Second', '160', '31007'],
      ['Third', '188', '35950'],
    ]
    const lines = [
      ...body(50, 780, [
        'The figures of the year follow in a table with three columns and some rows.',
      ]),
      ...rows.flatMap((cells, row) =>
        cells.map((text, column): Line => [50 + column * 120, 740 - row * 14, 10, text]),
      ),
      ...body(50, 660, ['The text goes on after the table.']),
    ]
    assert.ok(
      (await markdownOf(pdfFile([{ lines }]))).includes(
        '| Quarter | Ships | Freight |\n| --- | --- | --- |\n| First | 112 | 20418 |\n| Second | 160 | 31007 |\n| Third | 188 | 35950 |\n\nThe text goes on',
      ),
    )
  })

  it('loses its page numbers and the lines that every page repeats', async () => {
    const pages = Array.from({ length: 4 }, (_page, index) => ({
      lines: [
        [50, 820, 8, 'Annual report of the harbour'],
        [50, 500, 10, `Page text number ${index + 1} is here.`],
        [290, 20, 8, `${index + 1}`],
      ] as Line[],
    }))
    const { markdown, pageCount, pagesRead, isTruncated } = await read(pdfFile(pages), {
      maxPages: 3,
    })
    assert.equal(
      markdown,
      [1, 2, 3].map((page) => `Page text number ${page} is here.`).join('\n\n'),
    )
    assert.deepEqual([pageCount, pagesRead, isTruncated], [4, 3, true])
  })

  it('returns the dates, title and author of its information dictionary', async () => {
    const info = "/Title (Crane) /Author (Ada Kern) /CreationDate (D:20260301090000+01'00')"
    const { metadata } = await read(
      pdfFile([{ lines: [[50, 700, 10, 'Some text in it.']] }], { info }),
    )
    assert.deepEqual(metadata, {
      title: 'Crane',
      author: 'Ada Kern',
      created_at: '2026-03-01T08:00:00Z',
      modified_at: null,
      language: null,
    })
  })
})

describe('a document that cannot be read', () => {
  const text: Line = [50, 700, 10, 'Some text in it.']

  it('has the reason as its code', async () => {
    const ole = Buffer.concat([
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
      Buffer.alloc(512),
    ])
    const cases: readonly (readonly [FaultCode, Buffer | string])[] = [
      ['encrypted', pdfFile([{ lines: [text] }], { isEncrypted: true })],
      ['encrypted', Buffer.concat([ole, Buffer.from('EncryptedPackage', 'utf16le')])],
      [
        'encrypted',
        zipFile([
          { name: '[Content_Types].xml', content: '<a/>', claims: { flags: 1 } },
          { name: 'word/document.xml', content: '<a/>', claims: { flags: 1 } },
        ]),
      ],
      ['without_text', pdfFile([{ hasImage: true }])],
      ['without_text', pdfFile([{ hasImage: true, lines: [[50, 30, 8, '17']] }])],
      ['without_text', pdfFile([{}])],
      ['without_text', docxFile('')],
      ['unsupported', ole],
      ['unsupported', '<!doctype html><title>A page</title>'],
      ['unsupported', 'Just some text.'],
      ['unsupported', zipFile([{ name: 'photo.jpg', content: 'x' }])],
      ['broken', ''],
      ['broken', '%PDF-1.7 and nothing else'],
      ['broken', docxFile(paragraph('x')).subarray(0, 900)],
      [
        'broken',
        zipFile([
          { name: '[Content_Types].xml', content: '<a/>' },
          { name: 'word/other.xml', content: '<a/>' },
        ]),
      ],
    ]
    for (const [code, bytes] of cases)
      assert.equal(await faultOf(bytes), code, Buffer.from(bytes).toString('latin1', 0, 60))
  })

  it('unpacks no more than it declares, and declares no more than the limit', async () => {
    const bomb = (claimed: number): Buffer =>
      zipFile([
        { name: '[Content_Types].xml', content: '<a/>' },
        {
          name: 'word/document.xml',
          content: Buffer.alloc(8 * 1024 * 1024, 'a'),
          claims: { bytes: claimed },
        },
      ])
    assert.equal(await faultOf(bomb(1_000)), 'broken')
    assert.equal(await faultOf(bomb(900 * 1024 * 1024)), 'too_complex')
  })

  it('nests too deeply', async () => {
    const depth = 5_000
    const body = `${'<w:sdt><w:sdtContent>'.repeat(depth)}${paragraph('x')}${'</w:sdtContent></w:sdt>'.repeat(depth)}`
    assert.equal(await faultOf(docxFile(body)), 'too_complex')
  })

  it('expands no entities that it declares', async () => {
    const source = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>'
    const body = `${paragraph('one &b; two')}`
    const file = docxFile(body, {
      'word/document.xml': `${source}<w:document><w:body>${body}</w:body></w:document>`,
    })
    assert.match(await markdownOf(file), /^one \\&b; two$/)
  })
})

describe('limits', () => {
  it('cut the content at the end of a line, and report it', async () => {
    const body = Array.from({ length: 200 }, (_one, index) =>
      paragraph(`Paragraph ${index}.`),
    ).join('')
    const { markdown, isTruncated } = await read(docxFile(body), { maxChars: 1_000 })
    assert.ok(markdown.length <= 1_000 && markdown.length > 900)
    assert.match(markdown, /Paragraph \d+\.$/)
    assert.equal(isTruncated, true)
    assert.equal((await read(docxFile(body))).isTruncated, false)
  })
})
