import { zipFile, type ZipEntry } from './zip-file.ts'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const CORE =
  '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/"><dc:title>Crane plan</dc:title><dc:creator>Ada Kern</dc:creator><dcterms:created>2026-03-01T09:00:00Z</dcterms:created></cp:coreProperties>'

export type Relation = readonly [id: string, type: string, target: string, isExternal?: boolean]

export function relations(list: readonly Relation[]): string {
  const rows = list.map(
    ([id, type, target, isExternal]) =>
      `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${isExternal === true ? ' TargetMode="External"' : ''}/>`,
  )
  return `<Relationships xmlns="${RELATIONS}">${rows.join('')}</Relationships>`
}

/** An Office file of the given parts, with content types, metadata and the main relation. */
export function officeFile(main: string, parts: Readonly<Record<string, string>>): Buffer {
  const all: Record<string, string> = {
    '[Content_Types].xml': TYPES,
    '_rels/.rels': relations([['rId1', 'officeDocument', main]]),
    'docProps/core.xml': CORE,
    ...parts,
  }
  return zipFile(
    Object.entries(all).map(([name, content]): ZipEntry => ({ name, content: `${XML}${content}` })),
  )
}

const W =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'

export function docxFile(body: string, more: Readonly<Record<string, string>> = {}): Buffer {
  return officeFile('word/document.xml', {
    'word/document.xml': `<w:document ${W}><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': `<w:styles ${W}><w:style w:styleId="Titel"><w:name w:val="Title"/></w:style><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="berschrift1"/></w:style><w:style w:styleId="Deep"><w:name w:val="Deep"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style></w:styles>`,
    'word/numbering.xml': `<w:numbering ${W}><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl><w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:abstractNum w:abstractNumId="8"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num></w:numbering>`,
    'word/_rels/document.xml.rels': relations([
      ['rId9', 'hyperlink', 'https://example.com/crane', true],
      ['rId10', 'footnotes', 'footnotes.xml'],
    ]),
    'word/footnotes.xml': `<w:footnotes ${W}><w:footnote w:type="separator" w:id="0"><w:p/></w:footnote><w:footnote w:id="2"><w:p><w:r><w:t>Measured in May.</w:t></w:r></w:p></w:footnote></w:footnotes>`,
    ...more,
  })
}

/** A Word paragraph with a style, or with list and level. */
export function paragraph(text: string, format = ''): string {
  return `<w:p>${format === '' ? '' : `<w:pPr>${format}</w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
}

export const style = (id: string): string => `<w:pStyle w:val="${id}"/>`
export const item = (list: number, level: number): string =>
  `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`

const S =
  'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'

export function xlsxFile(): Buffer {
  return officeFile('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook ${S}><sheets><sheet name="Figures" sheetId="1" r:id="rId1"/><sheet name="Secret" sheetId="2" state="hidden" r:id="rId2"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ['rId1', 'worksheet', 'worksheets/sheet1.xml'],
      ['rId2', 'worksheet', 'worksheets/sheet2.xml'],
      ['rId3', 'sharedStrings', 'sharedStrings.xml'],
      ['rId4', 'styles', 'styles.xml'],
    ]),
    'xl/sharedStrings.xml': `<sst ${S}><si><t>Quarter</t></si><si><r><t>Fre</t></r><r><t>ight</t></r><rPh sb="0" eb="1"><t>never</t></rPh></si><si><t>Spring &amp; summer</t></si></sst>`,
    'xl/styles.xml': `<styleSheet ${S}><numFmts count="1"><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="10"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet ${S}><sheetData><row r="2"><c r="B2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c><c r="D2" t="inlineStr"><is><t>Day</t></is></c><c r="E2" t="str"><f>"Sh"&amp;"are"</f><v>Share</v></c></row><row r="3"><c r="B3" t="s"><v>2</v></c><c r="C3"><v>0.30000000000000004</v></c><c r="D3" s="1"><v>46146</v></c><c r="E3" s="2"><v>0.125</v></c></row><row r="4"><c r="D4" t="b"><v>1</v></c></row></sheetData></worksheet>`,
    'xl/worksheets/sheet2.xml': `<worksheet ${S}><sheetData><row r="1"><c r="A1"><v>4711</v></c></row></sheetData></worksheet>`,
  })
}

const P =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'

function shape(type: string | null, paragraphs: string): string {
  const placeholder = type === null ? '' : `<p:ph${type === '' ? ' idx="1"' : ` type="${type}"`}/>`
  return `<p:sp><p:nvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`
}
const line = (text: string, format = ''): string =>
  `<a:p>${format}<a:r><a:t>${text}</a:t></a:r></a:p>`
const slide = (shapes: string): string =>
  `<p:sld ${P}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`

export function pptxFile(): Buffer {
  const cell = (text: string): string => `<a:tc><a:txBody>${line(text)}</a:txBody></a:tc>`
  return officeFile('ppt/presentation.xml', {
    'ppt/presentation.xml': `<p:presentation ${P}><p:sldIdLst><p:sldId id="256" r:id="rId2"/><p:sldId id="257" r:id="rId1"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations([
      ['rId1', 'slide', 'slides/slide1.xml'],
      ['rId2', 'slide', 'slides/slide2.xml'],
    ]),
    'ppt/slides/slide1.xml': slide(
      `${shape('title', line('Second'))}<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr>${cell('Part')}${cell('Cost')}</a:tr><a:tr>${cell('Tower')}${cell('4.1')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>${shape('sldNum', line('17'))}`,
    ),
    'ppt/slides/slide2.xml': slide(
      `${shape('', `${line('Lifts forty tonnes')}${line('Twice the old one', '<a:pPr lvl="1"/>')}`)}${shape('ctrTitle', line('First'))}${shape(null, line('A free text box'))}`,
    ),
    'ppt/slides/_rels/slide2.xml.rels': relations([
      ['rId1', 'notesSlide', '../notesSlides/notesSlide1.xml'],
    ]),
    'ppt/notesSlides/notesSlide1.xml': `<p:notes ${P}><p:cSld><p:spTree>${shape('body', line('Mention the wind.'))}</p:spTree></p:cSld></p:notes>`,
  })
}

export function epubFile(more: Readonly<Record<string, string>> = {}): Buffer {
  const parts = {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'OPS/book.opf':
      '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Two chapters</dc:title><dc:creator>Ada Kern</dc:creator><dc:language>en</dc:language><meta property="dcterms:modified">2026-02-03T04:05:06Z</meta></metadata><manifest><item id="a" href="text/one%20a.xhtml" media-type="application/xhtml+xml"/><item id="b" href="text/two.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="b"/><itemref idref="a"/></spine></package>',
    'OPS/text/one a.xhtml':
      '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><h1>The end</h1><p>Back to <a href="two.xhtml">the start</a>, or to <a href="https://example.com/">the web</a>.</p></body></html>',
    'OPS/text/two.xhtml':
      '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><h1>The start</h1><p>Once upon a time.</p><img src="a.png" alt="A"/></body></html>',
    ...more,
  }
  return zipFile(Object.entries(parts).map(([name, content]): ZipEntry => ({ name, content })))
}
