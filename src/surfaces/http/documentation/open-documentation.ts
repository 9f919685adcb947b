/** The repository's Markdown and the reference as pages of the gateway. */
import { glob, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import {
  DOCUMENTATION_SECTIONS,
  type Audience,
  type DocumentationEntry,
} from './documentation-sections.ts'
import type { Steps } from '../../../lib/background/sliced.ts'
import { renderMarkdown, type RenderedPage } from './markdown/render-markdown.ts'
import { rewriteLinks } from './markdown/rewrite-links.ts'
import { REFERENCE_PAGES, type ReferencePage } from './reference-pages.ts'

export type DocumentationPage = {
  readonly slug: string
  readonly label: string
  readonly section: string
  readonly audience: Audience
  /** The slug of the page above, for the files of a folder. */
  readonly parent: string | null
  /** The Markdown, or a function that writes it. */
  readonly source: string | ReferencePage['write']
  /** The path in the repository; of the reference, the path that links name. */
  readonly file: string
}

export type Documentation = {
  /** In the order of reading. */
  readonly pages: readonly DocumentationPage[]
  readonly find: (slug: string) => DocumentationPage | undefined
  readonly render: (page: DocumentationPage) => Steps<RenderedPage>
  /** For agents: links lead to the Markdown of other pages. */
  readonly markdownOf: (page: DocumentationPage) => Steps<string>
}

const ROOT = join(import.meta.dirname, '../../../..')
/** The gateway's address in the examples of the repository. */
const EXAMPLE_URL = 'http://127.0.0.1:4020'

let reading: Promise<readonly DocumentationPage[]> | undefined

/** Reads all files once per process: about 1 MB of text. */
function readPages(): Promise<readonly DocumentationPage[]> {
  reading ??= Promise.all(
    DOCUMENTATION_SECTIONS.flatMap(({ title, audience, entries }) =>
      entries.map(async (entry) => {
        const about = { section: title, audience }
        const { file, slug, label } = entry
        return [
          { ...about, file, slug, label, parent: null, source: await sourceOf(file) },
          ...(await readChildren(entry)).map((child) => ({ ...about, ...child })),
        ]
      }),
    ),
  ).then((groups) => groups.flat())
  return reading
}

async function readChildren({ folder, slug: parent, file: own }: DocumentationEntry) {
  if (folder === undefined) return []
  const names = await Array.fromAsync(glob('*.md', { cwd: join(ROOT, folder) }))
  const written = [...REFERENCE_PAGES.keys()].filter((file) => posix.dirname(file) === folder)
  return Promise.all(
    [...new Set([...names.map((name) => posix.join(folder, name)), ...written])]
      .sort()
      .filter((file) => file !== own)
      .map(async (file) => {
        const source = await sourceOf(file)
        const label = REFERENCE_PAGES.get(file)?.title ?? titleOf(String(source)) ?? file
        const slug = file.replace(/^docs\//, '').replace(/\.md$/, '')
        return { file, slug, label, parent, source }
      }),
  )
}

async function sourceOf(file: string): Promise<DocumentationPage['source']> {
  return REFERENCE_PAGES.get(file)?.write ?? readFile(join(ROOT, file), 'utf8')
}

function titleOf(source: string): string | undefined {
  return /^# (.*)$/m.exec(source)?.[1]?.replaceAll('`', '')
}

export async function openDocumentation(publicUrl: string): Promise<Documentation> {
  const pages = await readPages()
  const bySlug = new Map(pages.map((page) => [page.slug, page]))
  const slugOfFile = new Map(pages.map(({ file, slug }) => [file, slug]))
  const address = (ending: string) => (file: string) => {
    if (OVERVIEWS.has(file)) return ending === '' ? '/docs' : `/docs${ending}`
    if (file.startsWith(IMAGES)) return `/docs/images/${file.slice(IMAGES.length)}`
    const slug = slugOfFile.get(file)
    return slug === undefined ? null : `/docs/${slug}${ending}`
  }
  function* markdown({ file, source, audience }: DocumentationPage, ending: string): Steps<string> {
    const text = typeof source === 'string' ? source : yield* source()
    return rewriteLinks(audience === 'members' ? text.replaceAll(EXAMPLE_URL, publicUrl) : text, {
      from: file,
      addressOf: address(ending),
    })
  }
  return {
    pages,
    find: (slug) => bySlug.get(slug),
    *render(page) {
      return yield* renderMarkdown(yield* markdown(page, ''))
    },
    markdownOf: (page) => markdown(page, '.md'),
  }
}

/** The start page of the documentation stands for these. */
const OVERVIEWS: ReadonlySet<string> = new Set(['README.md', 'docs/README.md'])
const IMAGES = 'docs/images/'
