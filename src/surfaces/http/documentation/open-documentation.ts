/** The repository's Markdown as pages of the gateway. */
import { glob, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import {
  DOCUMENTATION_SECTIONS,
  type Audience,
  type DocumentationEntry,
} from './documentation-sections.ts'
import { renderMarkdown, type RenderedPage } from './markdown/render-markdown.ts'
import { rewriteLinks } from './markdown/rewrite-links.ts'

export type DocumentationPage = {
  readonly slug: string
  readonly label: string
  readonly section: string
  readonly audience: Audience
  /** The slug of the page above, for the files of a folder. */
  readonly parent: string | null
  /** The file as it is in the repository. */
  readonly source: string
  readonly file: string
}

export type Documentation = {
  /** In the order of reading. */
  readonly pages: readonly DocumentationPage[]
  readonly find: (slug: string) => DocumentationPage | undefined
  readonly render: (page: DocumentationPage) => RenderedPage
  /** For agents: links lead to the Markdown of other pages. */
  readonly markdownOf: (page: DocumentationPage) => string
}

const ROOT = join(import.meta.dirname, '../../../..')
/** The gateway's address in the examples of the repository. */
const EXAMPLE_URL = 'http://127.0.0.1:4020'

let reading: Promise<readonly DocumentationPage[]> | undefined

/** Reads all files once per process: about 2 MB of text. */
function readPages(): Promise<readonly DocumentationPage[]> {
  reading ??= Promise.all(
    DOCUMENTATION_SECTIONS.flatMap(({ title, audience, entries }) =>
      entries.map(async (entry) => {
        const about = { section: title, audience }
        const { file, slug, label } = entry
        return [
          { ...about, file, slug, label, parent: null, source: await read(file) },
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
  return Promise.all(
    names
      .sort()
      .map((name) => posix.join(folder, name))
      .filter((file) => file !== own)
      .map(async (file) => {
        const source = await read(file)
        const label = /^# (.*)$/m.exec(source)?.[1]?.replaceAll('`', '') ?? file
        const slug = file.replace(/^docs\//, '').replace(/\.md$/, '')
        return { file, slug, label, parent, source }
      }),
  )
}

function read(file: string): Promise<string> {
  return readFile(join(ROOT, file), 'utf8')
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
  const textOf = ({ file, source, audience }: DocumentationPage, ending: string): string =>
    rewriteLinks(audience === 'members' ? source.replaceAll(EXAMPLE_URL, publicUrl) : source, {
      from: file,
      addressOf: address(ending),
    })
  return {
    pages,
    find: (slug) => bySlug.get(slug),
    render: (page) => renderMarkdown(textOf(page, '')),
    markdownOf: (page) => textOf(page, '.md'),
  }
}

/** The start page of the documentation stands for these. */
const OVERVIEWS: ReadonlySet<string> = new Set(['README.md', 'docs/README.md'])
const IMAGES = 'docs/images/'
