import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseDocument } from '../parse-document.ts'
import { docxFile } from '../testing/office-files.ts'

const r = (text: string, format = '') =>
  `<m:r>${format === '' ? '' : `<m:rPr>${format}</m:rPr>`}<m:t>${text}</m:t></m:r>`
const el = (name: string, ...parts: readonly string[]) => `<m:${name}>${parts.join('')}</m:${name}>`
const e = (...parts: readonly string[]) => el('e', ...parts)
const pr = (name: string, settings: Readonly<Record<string, string>>) =>
  el(
    `${name}Pr`,
    ...Object.entries(settings).map(([setting, value]) => `<m:${setting} m:val="${value}"/>`),
  )

const read = async (math: string) =>
  (
    await parseDocument({
      bytes: docxFile(
        `<w:p><w:r><w:t xml:space="preserve">So </w:t></w:r>${math}<w:r><w:t xml:space="preserve"> holds.</w:t></w:r></w:p>`,
      ),
      contentType: '',
      filename: '',
      maxPages: 100,
      maxChars: 100_000,
    })
  ).markdown
const square = el('sSup', e(r('x')), el('sup', r('2')))
const fraction = el('f', el('num', r('a')), el('den', r('b')))

describe('the formulas of a Word document', () => {
  for (const [name, math, tex] of [
    ['a power and a fraction', square + r('=') + fraction, String.raw`x^2 = \frac{a}{b}`],
    ['an index', el('sSub', e(r('a')), el('sub', r('i+1'))), 'a_{i + 1}'],
    ['both scripts', el('sSubSup', e(r('a')), el('sub', r('i')), el('sup', r('2'))), 'a_i^2'],
    ['a root', el('rad', pr('rad', { degHide: '1' }), el('deg'), e(r('2'))), String.raw`\sqrt{2}`],
    ['a cube root', el('rad', el('deg', r('3')), e(r('x'))), String.raw`\sqrt[3]{x}`],
    [
      'a sum',
      el('nary', pr('nary', { chr: '∑' }), el('sub', r('i=1')), el('sup', r('n')), e(r('i'))),
      '∑_{i = 1}^ni',
    ],
    ['an integral without limits', el('nary', el('sub'), el('sup'), e(square)), '∫x^2'],
    ['brackets', el('d', e(fraction)), String.raw`(\frac{a}{b})`],
    [
      'a case',
      el('d', pr('d', { begChr: '{', endChr: '' }), e(el('eqArr', e(r('0 &amp;x')), e(r('1'))))),
      String.raw`\{\begin{matrix}0x \\ 1\end{matrix}`,
    ],
    [
      'a matrix',
      el('m', el('mr', e(r('1')), e(r('0'))), el('mr', e(r('0')), e(r('1')))),
      String.raw`\begin{matrix}1 & 0 \\ 0 & 1\end{matrix}`,
    ],
    [
      'a function',
      el('func', el('fName', r('sin', '<m:sty m:val="p"/>')), e(square)),
      String.raw`\mathrm{sin}x^2`,
    ],
    [
      'a limit',
      el('limLow', e(r('lim', '<m:sty m:val="p"/>')), el('lim', r('n'))),
      String.raw`\mathrm{lim}_n`,
    ],
    ['a vector', el('acc', pr('acc', { chr: '\u20d7' }), e(r('v'))), String.raw`\vec{v}`],
    ['a hat', el('acc', e(r('v'))), String.raw`\hat{v}`],
    ['a mean', el('bar', pr('bar', { pos: 'top' }), e(r('x'))), String.raw`\overline{x}`],
    ['words', square + r(' per year', '<m:nor/>'), String.raw`x^2\text{ per year}`],
    [
      'scripts before their base',
      el('sPre', el('sub', r('6')), el('sup', r('14')), e(r('C'))),
      String.raw`{}_6^{14}C`,
    ],
  ] as const)
    it(`are TeX: ${name}`, async () => {
      assert.equal(await read(el('oMath', math)), `So $${tex}$ holds.`)
    })

  it('stay words where they have no structure', async () => {
    assert.equal(await read(el('oMath', r('a=b'))), 'So a=b holds.')
  })

  it('are displayed where Word displays them', async () => {
    const markdown = await read(el('oMathPara', el('oMath', square)))
    assert.match(markdown, /\$\$x\^2\$\$/)
  })

  it('lose deleted parts', async () => {
    const markdown = await read(el('oMath', square, `<w:del>${r('y')}</w:del>`))
    assert.equal(markdown, 'So $x^2$ holds.')
  })
})
