import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseDocument } from '../parse-document.ts'
import { docxFile } from '../testing/office-files.ts'

const read = async (content: string) =>
  (
    await parseDocument({
      bytes: docxFile(`<w:p>${content}</w:p>`),
      contentType: '',
      filename: '',
      maxPages: 100,
      maxChars: 100_000,
    })
  ).markdown
const text = (words: string, format = '') =>
  `<w:r>${format}<w:t xml:space="preserve">${words}</w:t></w:r>`
const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
const code = (words: string) =>
  `<w:r><w:instrText xml:space="preserve">${words}</w:instrText></w:r>`
const field = (instruction: string, result: string) =>
  mark('begin') + code(instruction) + mark('separate') + result + mark('end')
const URL = 'HYPERLINK "https://field.example/x"'

describe('the fields of a Word document', () => {
  for (const [name, content, shown] of [
    ['a link', field(` ${URL} `, text('link')), '[link](https://field.example/x)'],
    [
      'a link with a place',
      field(String.raw`HYPERLINK "https://field.example/x" \l "part" \o "Tip"`, text('link')),
      '[link](https://field.example/x#part)',
    ],
    [
      'a link without quotation marks',
      field(String.raw` HYPERLINK https://field.example/x \h `, text('link')),
      '[link](https://field.example/x)',
    ],
    [
      'a link in pieces',
      mark('begin') +
        code('HYPER') +
        code('LINK "https://field.example/x"') +
        mark('separate') +
        text('li', '<w:rPr><w:b/></w:rPr>') +
        text('nk', '<w:rPr><w:b/></w:rPr>') +
        mark('end'),
      '[**link**](https://field.example/x)',
    ],
    [
      'a link in one run',
      `<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>${URL}</w:instrText><w:fldChar w:fldCharType="separate"/><w:t>link</w:t><w:fldChar w:fldCharType="end"/></w:r>`,
      '[link](https://field.example/x)',
    ],
    [
      'a simple field',
      `<w:fldSimple w:instr="${URL.replaceAll('"', '&quot;')}">${text('link')}</w:fldSimple>`,
      '[link](https://field.example/x)',
    ],
    [
      'a field in a link',
      field(URL, text('page ') + field('PAGEREF a', text('12'))),
      '[page 12](https://field.example/x)',
    ],
    ['a place of the document', field(String.raw`HYPERLINK \l "part"`, text('part')), 'part'],
    ['a number', field('PAGE', text('12')), '12'],
    ['a script', field('HYPERLINK "javascript:alert(1)"', text('run')), 'run'],
    [
      'a field that does not end',
      mark('begin') + code(URL) + mark('separate') + text('open'),
      'open',
    ],
    ['a field without a result', mark('begin') + code(URL) + mark('end'), ''],
  ] as const)
    it(`show what Word shows: ${name}`, async () => {
      assert.equal(
        await read(`${text('See ')}${content}${text(' now.')}`),
        `See ${shown} now.`.replace('  ', ' '),
      )
    })
})
