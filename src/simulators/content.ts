import { seededRandom } from '../lib/seeded-random.ts'
/** Simulated pages, derived only from their URL. */

export type SimulatedPage = {
  readonly title: string
  readonly description: string
  readonly sections: readonly { readonly heading: string; readonly paragraphs: readonly string[] }[]
  readonly points: readonly string[]
  readonly links: readonly string[]
}

const NOTE =
  'This page is simulated: it was made up by the test mode of the gateway and says nothing about the real site.'

const SUBJECTS = [
  'The team behind the site',
  'A careful reader',
  'The second edition',
  'This guide',
  'The archive',
  'A short survey',
  'The reference section',
  'Every chapter',
]
const VERBS = [
  'explains',
  'collects',
  'compares',
  'describes',
  'lists',
  'reviews',
  'summarises',
  'illustrates',
]
const OBJECTS = [
  'the choices that were made along the way',
  'the figures that readers ask for most often',
  'several approaches side by side',
  'what changed since the last release',
  'the steps from a first sketch to daily use',
  'the questions that remain open',
  'the terms that newcomers stumble over',
  'examples taken from ordinary work',
]
const ENDINGS = [
  'and names the source of each statement',
  'so that nobody has to guess',
  'with a worked example at the end',
  'in the order in which they came up',
  'and keeps the older versions within reach',
  'without assuming any previous knowledge',
  'and links to the passages that go deeper',
  'before it turns to the exceptions',
]
const HEADINGS = [
  'Overview',
  'How it works',
  'What to keep in mind',
  'Background',
  'In practice',
  'Common questions',
]
const POINTS = [
  'Read the overview first; it is short.',
  'Figures are rounded to the nearest whole number.',
  'Older pages stay available under their own address.',
  'Corrections are listed at the end of each section.',
  'Examples may be copied freely.',
]
const LINK_PATHS = [
  '/',
  '/about',
  '/guide',
  '/guide/start',
  '/archive',
  '/contact',
  '/faq',
  '/news',
]

export function pageFor(address: string): SimulatedPage {
  const url = URL.parse(address) ?? URL.parse(`https://${address}`)
  const host = url?.hostname ?? 'example.com'
  const random = seededRandom(hash(address))
  const next = () => random() * 2 ** 32
  const pick = (words: readonly string[]) => words[next() % words.length] ?? ''
  const sentence = () => `${pick(SUBJECTS)} ${pick(VERBS)} ${pick(OBJECTS)}, ${pick(ENDINGS)}.`
  const paragraph = () => Array.from({ length: 4 + (next() % 3) }, sentence).join(' ')
  const start = next()
  return {
    title: `${subjectOf(url?.pathname ?? '/')} at ${host} (simulated)`,
    description: `Simulated page of ${host}. ${sentence()}`,
    sections: [0, 1, 2].map((index) => ({
      heading: HEADINGS[(start + index) % HEADINGS.length] ?? '',
      paragraphs: [paragraph(), paragraph()],
    })),
    points: POINTS.filter((_, index) => (start + index) % 3 !== 0),
    links: LINK_PATHS.map((path) => `${url?.origin ?? 'https://example.com'}${path}`),
  }
}

export function toMarkdown({ title, description, sections, points }: SimulatedPage): string {
  const body = sections.map(
    ({ heading, paragraphs }) => `## ${heading}\n\n${paragraphs.join('\n\n')}`,
  )
  return [
    `# ${title}`,
    description,
    NOTE,
    ...body,
    points.map((point) => `- ${point}`).join('\n'),
  ].join('\n\n')
}

export function toHtml(page: SimulatedPage, { mainOnly = false } = {}): string {
  const { title, description, sections, points, links } = page
  const body = sections.map(
    ({ heading, paragraphs }) =>
      `<h2>${escape(heading)}</h2>\n${paragraphs.map((text) => `<p>${escape(text)}</p>`).join('\n')}`,
  )
  const list = `<ul>\n${points.map((point) => `<li>${escape(point)}</li>`).join('\n')}\n</ul>`
  const article = `<article>\n<h1>${escape(title)}</h1>\n<p>${escape(description)}</p>\n<p>${escape(NOTE)}</p>\n${body.join('\n')}\n${list}\n</article>`
  if (mainOnly) return article
  const nav = `<nav>${links.map((link) => `<a href="${escape(link)}">${escape(new URL(link).pathname)}</a>`).join(' ')}</nav>`
  const head = `<head><meta charset="utf-8"><title>${escape(title)}</title><meta name="description" content="${escape(description)}"></head>`
  return `<!doctype html>\n<html lang="en">\n${head}\n<body>\n<header>${nav}</header>\n<main>\n${article}\n</main>\n<footer>Simulated footer</footer>\n</body>\n</html>`
}

/** The page of a bot protection. */
export const WALL = {
  title: 'Just a moment...',
  markdown:
    '# Just a moment...\n\nChecking your browser before you continue. Enable JavaScript and cookies to continue. (simulated wall)',
  html: '<!doctype html><html lang="en"><head><title>Just a moment...</title></head><body><h1>Checking your browser before you continue</h1><p>Enable JavaScript and cookies to continue.</p><div id="challenge-form"></div><!-- simulated wall --></body></html>',
} as const

/** An application page as a reader without scripts sees it. */
export const SHELL = {
  title: 'App',
  markdown: 'Loading… (simulated)',
  html: '<!doctype html><html lang="en"><head><title>App</title></head><body><div id="root">Loading…</div><script src="/app.js"></script><!-- simulated shell --></body></html>',
} as const

/** A PNG image of one transparent pixel. */
export const SCREENSHOT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

export function shortHash(text: string): string {
  return hash(text).toString(16).padStart(8, '0')
}

function subjectOf(pathname: string): string {
  const last = pathname.split('/').findLast((part) => part !== '') ?? ''
  const words = last
    .replace(/\.[a-z]+$/i, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .slice(0, 80)
  return words === '' ? 'Home page' : words.charAt(0).toUpperCase() + words.slice(1)
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let state = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  return state >>> 0
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
