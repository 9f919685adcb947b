import type { Page } from 'playwright-core'
import { AppError } from '../../errors/app-error.ts'

/** A page as it stands: what scripts made of it, with the content of open shadow roots in its place. */
export type Snapshot = {
  html: string
  text: string
  title: string
  description: string
  language: string
  links: string[]
}

const MAX_LINKS = 5_000
const MAX_TEXT = 500
const ATTEMPTS = 3
const THIN_CHARACTERS = 200

/**
 * Runs in a world of its own, where the page cannot have replaced the functions that are used here. The copy is made in
 * a document that is never shown, so that copies of elements neither load nor run anything.
 */
const TAKE_SNAPSHOT = `(maxChars) => {
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
      return root.outerHTML // nested too deeply to be walked
    }
  }
  const content = (selector) => (document.querySelector(selector)?.getAttribute('content') ?? '').trim().slice(0, ${MAX_TEXT})
  // The browser shows XML in a page of its own making, which keeps what came.
  const xml = /xml$/.test(document.contentType) ? document.getElementById('webkit-xml-viewer-source-xml') : null
  const html = xml === null ? '<!doctype html>' + serialize() : xml.innerHTML
  if (html.length > maxChars) return null
  const links = [...document.querySelectorAll('a[href], area[href]')].map((anchor) => anchor.href).filter((href) => /^https?:/.test(href))
  return {
    html,
    text: (document.body?.innerText ?? '').slice(0, ${MAX_TEXT}),
    title: document.title.trim().slice(0, ${MAX_TEXT}),
    description: content('meta[name="description" i]') || content('meta[property="og:description"]'),
    language: (root?.getAttribute('lang') ?? '').trim().slice(0, ${MAX_TEXT}),
    links: [...new Set(links.map((href) => href.replace(/#.*$/, '')))].slice(0, ${MAX_LINKS}),
  }
}`

/** The page's content; undefined when it is longer than `maxChars`. Rejects when the page does not answer. */
export async function takeSnapshot(page: Page, maxChars: number): Promise<Snapshot | undefined> {
  return (
    ((await evaluateApart(page, `(${TAKE_SNAPSHOT})(${maxChars})`)) as Snapshot | null) ?? undefined
  )
}

/** Whether scripts may still have to fill the page: they are there, and hardly any text is. */
export async function seemsUnfinished(page: Page): Promise<boolean> {
  const expression = `document.scripts.length > 0 && (document.body?.innerText ?? '').slice(0, ${MAX_TEXT}).trim().length < ${THIN_CHARACTERS}`
  return (await evaluateApart(page, expression)) as boolean
}

/** The value of an expression in a world of its own, where the page has replaced nothing. Rejects when the page does not answer. */
export async function evaluateApart(page: Page, expression: string): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const session = await page.context().newCDPSession(page)
    try {
      const { frameTree } = await session.send('Page.getFrameTree')
      const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
        frameId: frameTree.frame.id,
        worldName: 'reader',
      })
      const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
        expression,
        contextId,
        returnByValue: true,
      })
      if (exceptionDetails !== undefined)
        throw new AppError('internal', 'The page could not be read.', {
          cause: exceptionDetails.text,
        })
      return result.value as unknown
    } catch (error) {
      // A page that moves on just now takes its worlds with it.
      if (attempt >= ATTEMPTS || error instanceof AppError) throw error
    } finally {
      await session.detach().catch(() => undefined)
    }
  }
}
