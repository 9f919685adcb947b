import { Readability } from '@mozilla/readability'
import { Defuddle } from 'defuddle/node'
import { parseHTML } from 'linkedom'
import type { ReaderModel } from '../../src/reader/blocks/main-blocks.ts'
import { bodyOf, parseDocument } from '../../src/reader/extract/dom.ts'
import { extractContent } from '../../src/reader/extract/extract.ts'
import { toText } from '../../src/reader/extract/text.ts'
import type { GoldPage } from './gold.ts'

export type Read = {
  readonly text: string
  readonly title?: string | null
  /** Estimate of the word F1, 0 to 1. */
  readonly yield?: number
}
type Page = Pick<GoldPage, 'html' | 'url'>
export type Reader = {
  readonly read: (page: Page) => Promise<Read> | Read
  readonly markdown?: (page: Page) => Promise<string> | string
}

export const READER_NAMES = ['tollgate', 'readability', 'defuddle', 'whole body'] as const
export type ReaderName = (typeof READER_NAMES)[number]

// linkedom's own types ask for the browser's type library.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each library asks for a type of its own
const documentOf = <Document>(html: string): Document =>
  (parseHTML(html) as unknown as { document: Document }).document
const textOfHtml = (html: string): string => toText(bodyOf(parseDocument(html)))

async function defuddle({ html, url }: Page, markdown: boolean) {
  const document = documentOf<Parameters<typeof Defuddle>[0]>(html)
  return Defuddle(document, url, { useAsync: false, markdown })
}

const OTHERS: Readonly<Record<Exclude<ReaderName, 'tollgate'>, Reader>> = {
  readability: {
    read({ html }) {
      const document = documentOf<ConstructorParameters<typeof Readability>[0]>(html)
      const article = new Readability(document).parse()
      return { text: textOfHtml(article?.content ?? ''), title: article?.title ?? null }
    },
  },
  defuddle: {
    async read(page) {
      const { content, title } = await defuddle(page, false)
      return { text: textOfHtml(content), title }
    },
    markdown: async (page) => (await defuddle(page, true)).content,
  },
  'whole body': { read: ({ html }) => ({ text: textOfHtml(html) }) },
}

/** `modelFor` returns the model that reads a page; only the product uses one. */
export function createReader(
  name: ReaderName,
  modelFor: (page: Page) => ReaderModel | undefined,
): Reader {
  if (name !== 'tollgate') return OTHERS[name]
  const extract = (page: Page, format: 'text' | 'markdown') =>
    extractContent({ html: page.html, url: page.url, format, mainContent: true }, modelFor(page))
  return {
    read(page) {
      const { content: text, title, yield: estimate } = extract(page, 'text')
      return { text, title, yield: estimate }
    },
    markdown: (page) => extract(page, 'markdown').content,
  }
}
