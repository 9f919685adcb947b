/**
 * Local pages that load as applications of ten frameworks do, for `rendering.ts`. They are written by hand: each runtime
 * has the scheduling, the requests and the order of DOM changes of its framework, not its code.
 */

export const FRAMEWORKS = [
  'react',
  'preact',
  'vue',
  'svelte',
  'solid',
  'lit',
  'alpine',
  'angular',
  'htmx',
  'jquery',
] as const
export type Framework = (typeof FRAMEWORKS)[number]

/** The page's content as data: an application renders it, a server has rendered it. */
export type Story = {
  readonly title: string
  readonly paragraphs: readonly string[]
  readonly html: string
}

export type SiteAnswer = { readonly type: string; readonly body: string; readonly delayMs?: number }

/** Milliseconds until a request for data is answered. */
const DATA_MS = 80
/** Scripts of applications have some hundred kilobytes, most of which run once. */
const BUNDLE = `const table = [];\n${Array.from({ length: 4_000 }, (_, at) => `table.push(function module${at}(input) { return input + ${at} });`).join('\n')}\nwindow.modules = table.reduce((sum, one) => one(sum) % 1e9, 1);\n`

const shell = (title: string, head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title><link rel="stylesheet" href="/style.css">${head}</head><body>${body}</body></html>`
const MENU =
  '<nav><a href="/">Home</a> <a href="/all">All pages</a> <a href="/about">About</a></nav>'
const json = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

/** A virtual tree, rendered in slices of 5 ms through a message channel, with effects after the commit. */
const REACT = `
const h = (type, props, ...children) => ({ type, props, children: children.flat() })
const queue = []; const channel = new MessageChannel()
channel.port1.onmessage = () => { const end = performance.now() + 5; while (queue.length > 0 && performance.now() < end) queue.shift()(); if (queue.length > 0) channel.port2.postMessage(0) }
const schedule = (work) => { queue.push(work); channel.port2.postMessage(0) }
const create = (node) => { if (typeof node === 'string') return document.createTextNode(node); if (typeof node.type === 'function') return create(node.type(node.props)); const element = document.createElement(node.type); for (const [name, value] of Object.entries(node.props ?? {})) element.setAttribute(name, value); for (const child of node.children) element.append(create(child)); return element }
const root = document.getElementById('root'); let story = null
const App = () => h('div', { class: 'app' }, h('nav', null, h('a', { href: '/' }, 'Home')), story === null ? h('div', { class: 'skeleton' }, '') : h('article', null, h('h1', null, story.title), ...story.paragraphs.map((one) => h('p', null, one))))
const render = () => schedule(() => { const tree = create(h(App, null)); schedule(() => { root.replaceChildren(tree) }) })
render(); setTimeout(() => fetch(document.body.dataset.url).then((reply) => reply.json()).then((found) => { story = found; render() }))
`
/** Server HTML, islands that hydrate when the page is idle. */
const PREACT = `
const idle = window.requestIdleCallback ?? setTimeout
for (const island of document.querySelectorAll('[data-island]')) idle(() => { const { title, paragraphs } = JSON.parse(document.getElementById('island-data').textContent); const copy = document.createElement('article'); copy.innerHTML = '<h1></h1>'; copy.firstChild.textContent = title; for (const one of paragraphs) { const p = document.createElement('p'); p.textContent = one; copy.append(p) } island.replaceChildren(copy); island.dataset.hydrated = '' })
`
/** A router that imports the component of a route, and patches in microtasks after its data changes. */
const VUE = `
const { default: page } = await import('/framework/vue-route.js')
const root = document.querySelector('#app'); let pending = false
const state = new Proxy({ story: null }, { set(target, name, value) { target[name] = value; if (!pending) { pending = true; queueMicrotask(() => { pending = false; root.innerHTML = page(target) }) } return true } })
root.innerHTML = page(state); root.removeAttribute('v-cloak')
state.story = await fetch(document.body.dataset.url).then((reply) => reply.json())
`
const VUE_ROUTE = `export default ({ story }) => '<nav><a href="/">Home</a></nav>' + (story === null ? '<p>Loading…</p>' : '<article><h1>' + story.title + '</h1>' + story.paragraphs.map((one) => '<p>' + one + '</p>').join('') + '</article>')`
/** Server HTML whose nodes are claimed by the client, then a request for what the server left open. */
const SVELTE = `
const [{ start }] = await Promise.all([import('/framework/svelte-start.js'), import('/framework/svelte-app.js')])
await start(document.querySelector('[data-sveltekit]'), window.__sveltekit_data)
`
const SVELTE_START = `export async function start(target, data) { const claimed = [...target.querySelectorAll('p')]; claimed.forEach((node, at) => { if (node.textContent !== data.paragraphs[at]) node.textContent = data.paragraphs[at] }); const late = await fetch(document.body.dataset.url).then((reply) => reply.json()); const node = document.createElement('p'); node.textContent = late.paragraphs.at(-1); target.querySelector('article').append(node) }`
/** Parts that the server streams after the shell, out of order. */
const SOLID_PART = `document.getElementById('pl-0').replaceWith(document.getElementById('0').content)`
/** Nested elements with shadow roots, defined by modules and rendered in microtasks. */
const LIT = `
class Element extends HTMLElement { #queued = false; connectedCallback() { this.attachShadow({ mode: 'open' }); this.update() } update() { if (this.#queued) return; this.#queued = true; Promise.resolve().then(() => { this.#queued = false; this.shadowRoot.innerHTML = this.render() }) } }
customElements.define('story-text', class extends Element { render() { return '<style>p { margin: 1em }</style><p>' + this.getAttribute('text') + '</p>' } })
customElements.define('story-page', class extends Element { story = null; connectedCallback() { super.connectedCallback(); fetch(document.body.dataset.url).then((reply) => reply.json()).then((found) => { this.story = found; this.update() }) } render() { return this.story === null ? '<slot></slot>' : '<article><h1>' + this.story.title + '</h1>' + this.story.paragraphs.map((one) => '<story-text text="' + one + '"></story-text>').join('') + '</article>' } })
`
/** Attributes of the page's own HTML, evaluated after the document is parsed. */
const ALPINE = `
const root = document.querySelector('[x-data]'); const data = new Function('return ' + root.getAttribute('x-data'))()
const update = () => { for (const element of root.querySelectorAll('[x-text]')) element.textContent = new Function('data', 'with (data) { return ' + element.getAttribute('x-text') + ' }')(data); for (const loop of root.querySelectorAll('template[x-for]')) { while (loop.nextElementSibling) loop.nextElementSibling.remove(); for (const one of data.paragraphs) { const copy = loop.content.cloneNode(true); copy.firstElementChild.textContent = one; loop.parentElement.append(copy) } } }
update(); fetch(root.getAttribute('x-init')).then((reply) => reply.json()).then((found) => { Object.assign(data, found); update() })
`
/** Chunks one after the other, a zone around each callback, a lazy route, change detection over all nodes. */
const ANGULAR = `
const zone = []; const runInZone = (work) => (...inputs) => { const result = work(...inputs); for (const check of zone) check(); return result }
const originalFetch = window.fetch; window.fetch = (...inputs) => ({ then: (work) => originalFetch(...inputs).then(runInZone(work)) })
const chunk = (name) => new Promise((resume) => { const script = document.createElement('script'); script.src = '/framework/' + name; script.onload = resume; document.head.append(script) })
await chunk('bundle.js?polyfills'); await chunk('bundle.js?vendor')
const root = document.querySelector('app-root'); root.innerHTML = '<nav _ngcontent-c0><a href="/">Home</a></nav><router-outlet></router-outlet><app-page _nghost-c1></app-page>'
await chunk('bundle.js?lazy-route')
zone.push(() => { for (const node of root.querySelectorAll('*')) node.setAttribute('_ngcontent-c1', '') })
fetch(document.body.dataset.url).then((reply) => reply.json().then(runInZone((story) => { root.querySelector('app-page').innerHTML = '<article><h1>' + story.title + '</h1>' + story.paragraphs.map((one) => '<div><div><p>' + one + '</p></div></div>').join('') + '</article>' })))
`
/** Fragments of HTML for elements that load, and for elements that come into view. */
const HTMX = `
const load = (element) => fetch(element.getAttribute('hx-get')).then((reply) => reply.text()).then((html) => { element.outerHTML = html; watch() })
const seen = new IntersectionObserver((entries) => { for (const { isIntersecting, target } of entries) if (isIntersecting) { seen.unobserve(target); load(target) } })
const watch = () => { for (const element of document.querySelectorAll('[hx-get]:not([data-watched])')) { element.dataset.watched = ''; if (element.getAttribute('hx-trigger') === 'load') load(element); else seen.observe(element) } }
watch()
`
/** The document is ready, then one XMLHttpRequest after the other, and a timer that never ends. */
const JQUERY = `
const get = (url, done) => { const request = new XMLHttpRequest(); request.open('GET', url); request.onload = () => done(request.responseText); request.send() }
document.addEventListener('DOMContentLoaded', () => { get('/framework/menu.html', (menu) => { document.querySelector('#menu').innerHTML = menu; get(document.body.dataset.url, (found) => { const story = JSON.parse(found); document.querySelector('#content').innerHTML = '<h1>' + story.title + '</h1>' + story.paragraphs.map((one) => '<p>' + one + '</p>').join('') }) }); setInterval(() => { document.querySelector('#clock').textContent = new Date().toISOString().slice(11, 19) }, 1000) })
`

/** `dataUrl` returns the story as JSON, `htmlUrl` its second half as HTML. */
export function frameworkPage(
  framework: Framework,
  story: Story,
  { dataUrl, htmlUrl }: { readonly dataUrl: string; readonly htmlUrl: string },
): string {
  const { title, paragraphs, html } = story
  const bundle = '<script src="/framework/bundle.js"></script>'
  const module = (source: string) => `<script type="module">${source}</script>`
  const body = (inside: string) =>
    shell(title, '', inside).replace('<body>', `<body data-url="${dataUrl}">`)
  switch (framework) {
    case 'react':
      return body(`<div id="root"></div>${bundle}<script>${REACT}</script>`)
    case 'preact':
      return body(
        `${MENU}<main data-island>${html}</main><script type="application/json" id="island-data">${json(story)}</script>${module(PREACT)}`,
      )
    case 'vue':
      return body(`<div id="app" v-cloak></div>${bundle}${module(VUE)}`)
    case 'svelte':
      return body(
        `<div data-sveltekit>${MENU}<article><h1>${title}</h1>${paragraphs
          .slice(0, -1)
          .map((one) => `<p>${one}</p>`)
          .join(
            '',
          )}</article></div><script>window.__sveltekit_data = ${json(story)}</script>${module(SVELTE)}`,
      )
    case 'solid':
      return body(
        `<div id="app">${MENU}<main><template id="pl-0"></template><p>Loading…</p></main></div>${bundle}<template id="0">${html}</template><script>${SOLID_PART}</script>`,
      )
    case 'lit':
      return body(`<story-page></story-page>${bundle}${module(LIT)}`)
    case 'alpine':
      return body(
        `${MENU}<main x-data="{ title: '', paragraphs: [] }" x-init="${dataUrl}"><h1 x-text="title"></h1><div><template x-for="one in paragraphs"><p></p></template></div></main><script defer src="/framework/alpine.js"></script>`,
      )
    case 'angular':
      return body(`<app-root></app-root>${module(ANGULAR)}`)
    case 'htmx':
      return body(
        `${MENU}<main><h1>${title}</h1>${paragraphs
          .slice(0, 4)
          .map((one) => `<p style="min-height: 300px">${one}</p>`)
          .join(
            '',
          )}<div hx-get="${htmlUrl}" hx-trigger="revealed" style="min-height: 40px"></div></main><script>${HTMX}</script>`,
      )
    case 'jquery':
      return body(
        `<div id="menu"></div><span id="clock"></span><div id="content"></div>${bundle}<script>${JQUERY}</script>`,
      )
  }
}

const ASSETS: Readonly<Record<string, SiteAnswer>> = {
  'bundle.js': { type: 'text/javascript', body: BUNDLE },
  'vue-route.js': { type: 'text/javascript', body: VUE_ROUTE },
  'svelte-start.js': { type: 'text/javascript', body: SVELTE_START },
  'svelte-app.js': { type: 'text/javascript', body: `${BUNDLE}export {}` },
  'alpine.js': { type: 'text/javascript', body: ALPINE },
  'menu.html': { type: 'text/html', body: MENU, delayMs: DATA_MS },
}

export function frameworkAsset(name: string): SiteAnswer | undefined {
  return ASSETS[name]
}

export function frameworkData(story: Story, kind: 'json' | 'html'): SiteAnswer {
  return kind === 'json'
    ? { type: 'application/json', body: JSON.stringify(story), delayMs: DATA_MS }
    : {
        type: 'text/html',
        body: story.paragraphs
          .slice(4)
          .map((one) => `<p>${one}</p>`)
          .join(''),
        delayMs: DATA_MS,
      }
}
