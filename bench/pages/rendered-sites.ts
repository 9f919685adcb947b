/** Two hundred local pages in the shapes of ten kinds of web applications, for `rendering.ts`. */
import type { IncomingMessage, ServerResponse } from 'node:http'

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
export type Shape = (typeof SHAPES)[number]

export const PAGES_PER_SHAPE = 20
const PARAGRAPHS = 12
const SLOW_MS = 4_000

export function marker(shape: Shape, page: number): string {
  return `The last sentence of ${shape} ${page}.`
}

function articleOf(shape: Shape, page: number): string {
  const text = `Paragraph of ${shape} page ${page}: the harbour handled more freight than in any year before, and the new crane changed the work on the quay. `
  return `<article><h1>Page ${page}</h1>${Array.from({ length: PARAGRAPHS }, (_one, index) => `<p>${index}. ${text.repeat(3)}</p>`).join('')}<p>${marker(shape, page)}</p></article>`
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
  const [, kind = '', shape = '', page = '0'] = (request.url ?? '').split(/[/?]/)
  const send = (type: string, body: string): void => {
    response.writeHead(200, { 'content-type': type })
    response.end(body)
  }
  if (kind === 'page')
    return send(
      'text/html',
      documentOf(shape as Shape, Number(page), `http://127.0.0.2:${request.socket.localPort}`),
    )
  if (kind === 'data')
    return send(
      'application/json',
      JSON.stringify({ html: articleOf(shape as Shape, Number(page)) }),
    )
  if (kind === 'framework.js') return send('text/javascript', FRAMEWORK)
  if (kind === 'chunk.js') return send('text/javascript', 'export default 1')
  if (kind === 'style.css') return send('text/css', 'body { font: 16px sans-serif }')
  if (kind.startsWith('slow')) {
    setTimeout(() => send('text/plain', ''), SLOW_MS)
    return
  }
  send('application/json', '{}')
}
