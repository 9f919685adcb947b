/** Local pages in the shapes of ten kinds of web applications, and of ten frameworks, for `rendering.ts`. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  FRAMEWORKS,
  frameworkAsset,
  frameworkData,
  frameworkPage,
  type Framework,
  type SiteAnswer,
  type Story,
} from './framework-sites.ts'

export const SHAPES = [
  'static',
  'client-side',
  'hydrated',
  'chunked',
  'delayed',
  'polling',
  'tracked',
  'lazy',
  'consent',
  'components',
] as const
type Shape = (typeof SHAPES)[number]
export type Kind = Shape | Framework
const PARAGRAPHS = 12
const SLOW_MS = 4_000

export function marker(kind: Kind, page: number): string {
  return `The last sentence of ${kind} ${page}.`
}

function storyOf(kind: Kind, page: number): Story {
  const text = `Paragraph of ${kind} page ${page}: the harbour handled more freight than in any year before, and the new crane changed the work on the quay. `
  const title = `Page ${page}`
  const paragraphs = [
    ...Array.from({ length: PARAGRAPHS }, (_one, index) => `${index}. ${text.repeat(3)}`),
    marker(kind, page),
  ]
  const html = `<article><h1>${title}</h1>${paragraphs.map((one) => `<p>${one}</p>`).join('')}</article>`
  return { title, paragraphs, html }
}

function articleOf(shape: Shape, page: number): string {
  return storyOf(shape, page).html
}

/** `other` is the origin of a third party. */
function documentOf(shape: Shape, page: number, other: string): string {
  const article = articleOf(shape, page)
  const shell = (body: string): string =>
    `<!doctype html><html lang="en"><head><title>${shape} ${page}</title><link rel="stylesheet" href="/style.css"><script src="/framework.js"></script></head><body><nav><a href="/">Home</a> <a href="/all">All pages</a></nav>${body}</body></html>`
  const fetched = `fetch('/data/${shape}/${page}').then((reply) => reply.json()).then(({ html }) => { document.querySelector('#root').innerHTML = html })`
  switch (shape) {
    case 'static':
      return shell(article)
    case 'client-side':
      return shell(`<div id="root"></div><script>${fetched}</script>`)
    case 'hydrated':
      return shell(
        `<div id="root">${article}</div><script>window.state = ${JSON.stringify(article)}; document.querySelector('#root').innerHTML = window.state</script>`,
      )
    case 'chunked':
      return shell(
        `<div id="root"></div><script type="module">const one = await import('/chunk.js?a'); const two = await import('/chunk.js?b'); ${fetched}</script>`,
      )
    case 'delayed':
      return shell(
        `<div id="root">Loading …</div><script>setTimeout(() => { ${fetched} }, 250)</script>`,
      )
    case 'polling':
      return shell(
        `<div id="root">${article}</div><script>setInterval(() => fetch('/poll'), 200)</script>`,
      )
    case 'tracked':
      return shell(
        `${article}<img src="${other}/slow.png"><iframe src="${other}/slow.html"></iframe><script async src="${other}/slow.js"></script>`,
      )
    case 'lazy':
      return shell(
        `<h1>Lazy</h1>${'<p style="height:500px">A part that is there from the beginning, with several words in it.</p>'.repeat(6)}<div id="root" style="min-height:50px"></div><script>new IntersectionObserver((seen, watch) => { if (seen.some((one) => one.isIntersecting)) { watch.disconnect(); ${fetched} } }).observe(document.querySelector('#root'))</script>`,
      )
    case 'consent':
      return shell(
        `<div id="root"></div><div id="onetrust-consent-sdk" style="position:fixed;inset:0;background:#fff"><div id="onetrust-banner-sdk">We and our partners store cookies on your device.<button id="onetrust-accept-btn-handler" onclick="this.closest('#onetrust-consent-sdk').remove(); ${fetched.replaceAll('"', '&quot;')}">Accept all</button></div></div>`,
      )
    case 'components':
      return shell(
        `<page-article></page-article><script>customElements.define('page-article', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = ${JSON.stringify(article)} } })</script>`,
      )
  }
}

/** A framework has some work to do before it shows anything. */
const FRAMEWORK = `let sum = 0; for (let i = 0; i < 2e6; i += 1) sum += i % 7; window.framework = sum`

export function answerSite(request: IncomingMessage, response: ServerResponse): void {
  const { type, body, delayMs = 0 } = answerOf(request.url ?? '', request.socket.localPort ?? 0)
  setTimeout(() => {
    response.writeHead(200, { 'content-type': type })
    response.end(body)
  }, delayMs)
}

function answerOf(url: string, port: number): SiteAnswer {
  const [, part = '', name = '', page = '0'] = url.split(/[/?]/)
  const kind = name as Kind
  if (part === 'page') return { type: 'text/html', body: pageOf(kind, Number(page), port) }
  if (part === 'data') {
    const story = storyOf(kind, Number(page))
    return isFramework(kind)
      ? frameworkData(story, 'json')
      : { type: 'application/json', body: JSON.stringify({ html: story.html }) }
  }
  if (part === 'part') return frameworkData(storyOf(kind, Number(page)), 'html')
  if (part.startsWith('slow')) return { type: 'text/plain', body: '', delayMs: SLOW_MS }
  return ASSETS[part] ?? frameworkAsset(name) ?? { type: 'application/json', body: '{}' }
}

const ASSETS: Readonly<Record<string, SiteAnswer>> = {
  'framework.js': { type: 'text/javascript', body: FRAMEWORK },
  'chunk.js': { type: 'text/javascript', body: 'export default 1' },
  'style.css': { type: 'text/css', body: 'body { font: 16px sans-serif }' },
}

function pageOf(kind: Kind, page: number, port: number): string {
  return isFramework(kind)
    ? frameworkPage(kind, storyOf(kind, page), {
        dataUrl: `/data/${kind}/${page}`,
        htmlUrl: `/part/${kind}/${page}`,
      })
    : documentOf(kind, page, `http://127.0.0.2:${port}`)
}

function isFramework(kind: Kind): kind is Framework {
  return (FRAMEWORKS as readonly string[]).includes(kind)
}
