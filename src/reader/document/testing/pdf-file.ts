export type Line = readonly [x: number, y: number, size: number, text: string]
export type PdfPageContent = {
  readonly lines?: readonly Line[]
  readonly hasImage?: boolean
  /** How the page is turned: a PDF matrix such as "0 1 -1 0 595 0", which turns it by a quarter. */
  readonly matrix?: string
  /** The inner text of annotation dictionaries. */
  readonly annotations?: readonly string[]
}

/**
 * Writes a PDF 1.4 file by hand: text in Helvetica at given places (y from the bottom), and
 * optionally an image. With `isEncrypted`, it needs a password; with `isTagged`, its only page is one
 * tagged paragraph; with `isTable`, a tagged table with two lines a row.
 */
export function pdfFile(
  pages: readonly PdfPageContent[],
  {
    isEncrypted = false,
    isTable = false,
    isTagged = isTable,
    info = '',
  }: { isEncrypted?: boolean; isTable?: boolean; isTagged?: boolean; info?: string } = {},
): Buffer {
  const cells = (pages[0]?.lines ?? []).map((_line, at) => 10 + pages.length * 2 + at)
  const rows = cells.filter((_cell, at) => at % 2 === 0).map((cell) => cell + cells.length)
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${isTagged ? '/MarkInfo << /Marked true >> /StructTreeRoot 7 0 R' : ''} >>`,
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_page, index) => `${10 + index * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    stream(
      '<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8',
      '\u007f',
    ),
    `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >>`,
    `<< ${info} >>`,
    `<< /Type /StructTreeRoot /K [8 0 R] /ParentTree << /Nums [0 [${isTable ? cells.map((cell) => `${cell} 0 R`).join(' ') : '8 0 R'}]] >> >>`,
    isTable
      ? `<< /Type /StructElem /S /Table /P 7 0 R /Pg 10 0 R /K [${rows.map((row) => `${row} 0 R`).join(' ')}] >>`
      : '<< /Type /StructElem /S /P /P 7 0 R /Pg 10 0 R /K [0] >>',
    'null',
  ]
  for (const [
    index,
    { lines = [], hasImage = false, annotations = [], matrix = '' },
  ] of pages.entries()) {
    const turn = matrix === '' ? '' : `${matrix} cm `
    const text = lines
      .map(([x, y, size, words], at) => {
        const shown = `${at === 0 ? turn : ''}BT /F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm (${escape(words)}) Tj ET`
        return isTable ? `/TD << /MCID ${at} >> BDC ${shown} EMC` : shown
      })
      .join('\n')
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> /XObject << /I1 4 0 R >> >> /Contents ${11 + index * 2} 0 R ${isTagged ? '/StructParents 0' : ''} /Annots [${annotations.map((one) => `<< /Type /Annot ${one} >>`).join(' ')}] >>`,
      stream(
        '<<',
        `${isTagged && !isTable ? `/P << /MCID 0 >> BDC ${text} EMC` : text}\n${hasImage ? 'q 500 0 0 700 40 60 cm /I1 Do Q' : ''}`,
      ),
    )
  }
  if (isTable) objects.push(...tableElements(cells, rows))
  return assemble(objects, isEncrypted ? '/Encrypt 5 0 R /ID [<00> <00>]' : '')
}

/** The cells and rows of a tagged table. Rows have the numbers of their first cells, after all cells. */
function tableElements(cells: readonly number[], rows: readonly number[]): string[] {
  return [
    ...cells.map(
      (_cell, at) =>
        `<< /Type /StructElem /S /TD /P ${rows[Math.floor(at / 2)]} 0 R /Pg 10 0 R /K [${at}] >>`,
    ),
    ...cells.map((_cell, at) =>
      at % 2 === 0
        ? `<< /Type /StructElem /S /TR /P 8 0 R /K [${cells
            .slice(at, at + 2)
            .map((cell) => `${cell} 0 R`)
            .join(' ')}] >>`
        : 'null',
    ),
  ]
}

function stream(dictionary: string, content: string): string {
  return `${dictionary} /Length ${content.length} >>\nstream\n${content}\nendstream`
}

function escape(text: string): string {
  return text.replace(/[\\()]/g, '\\$&')
}

function assemble(objects: readonly string[], trailer: string): Buffer {
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const at = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return at
  })
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 6 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}
