import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { POSITION } from '../fetch/view-fragment.ts'
import { MARK_HIDDEN } from './hidden-marks.ts'
import { evaluateIsolated } from './isolated-world.ts'

/** The page after its scripts have run, with the content of open shadow roots in place. */
export type Snapshot = {
  html: string
  /** The attribute on elements that a person cannot see; random, so that no page can write it. */
  hiddenMark: string
  text: string
  title: string
  description: string
  language: string
  links: string[]
}

const MAX_LINKS = 5_000
const MAX_TEXT = 500

/**
 * Runs in an isolated world, where the page cannot replace the functions used here. Copies into a
 * document that is never shown, so that copied elements neither load nor run anything.
 */
const TAKE_SNAPSHOT = `(maxChars, hiddenMark) => {
  const root = document.documentElement
  const flatten = (node, inert) => {
    const copy = inert.importNode(node, node.localName === 'template')
    if (node.localName === 'template') return copy
    const slotted = node.localName === 'slot' ? node.assignedNodes() : []
    const children = node.shadowRoot ? node.shadowRoot.childNodes : slotted.length > 0 ? slotted : node.childNodes
    for (const child of children) copy.appendChild(flatten(child, inert))
    return copy
  }
  const serialize = () => {
    if (root === null) return ''
    const hasShadow = [...root.querySelectorAll('*')].some((element) => element.shadowRoot !== null)
    if (!hasShadow) return root.outerHTML
    try {
      return flatten(root, document.implementation.createHTMLDocument('')).outerHTML
    } catch {
      return root.outerHTML // nested too deeply to copy
    }
  }
  const content = (selector) => (document.querySelector(selector)?.getAttribute('content') ?? '').trim().slice(0, ${MAX_TEXT})
  // The browser shows XML in its own page, which contains the source.
  const xml = /xml$/.test(document.contentType) ? document.getElementById('webkit-xml-viewer-source-xml') : null
  const hidden = xml === null && root !== null ? (${MARK_HIDDEN})(root, hiddenMark) : []
  const html = xml === null ? '<!doctype html>' + serialize() : xml.innerHTML
  const menus = 'nav, header, footer, [role="navigation"], [role="menu"], [role="menubar"]'
  const isShown = (anchor) => (!anchor.hasAttribute(hiddenMark) && anchor.closest('[' + hiddenMark + '="box"]') === null) || anchor.closest(menus) !== null
  const anchors = [...document.querySelectorAll('a[href], area[href]')].filter(isShown)
  for (const element of hidden) element.removeAttribute(hiddenMark)
  if (html.length > maxChars) return null
  const links = anchors.map((anchor) => anchor.href).filter((href) => /^https?:/.test(href))
  return {
    html,
    hiddenMark,
    text: (document.body?.innerText ?? '').slice(0, ${MAX_TEXT}),
    title: document.title.trim().slice(0, ${MAX_TEXT}),
    description: content('meta[name="description" i]') || content('meta[property="og:description"]'),
    language: (root?.getAttribute('lang') ?? '').trim().slice(0, ${MAX_TEXT}),
    links: [...new Set(links.map((href) => href.replace(${POSITION}, '')))].slice(0, ${MAX_LINKS}),
  }
}`

/**
 * The page's content; undefined if it is longer than `maxChars`. Rejects if the page does not
 * respond.
 */
export async function takeSnapshot(page: Page, maxChars: number): Promise<Snapshot | undefined> {
  return (
    ((await evaluateIsolated(
      page,
      `(${TAKE_SNAPSHOT})(${maxChars}, "${newMark()}")`,
    )) as Snapshot | null) ?? undefined
  )
}

function newMark(): string {
  return `data-hidden-${randomBytes(8).toString('hex')}`
}

/** The markup without the marks, as the page has it. */
export function withoutMarks({ html, hiddenMark }: Pick<Snapshot, 'html' | 'hiddenMark'>): string {
  return html.replaceAll(new RegExp(` ${hiddenMark}="(?:box|text)"`, 'g'), '')
}
