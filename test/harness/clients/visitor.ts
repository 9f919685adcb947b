/** A person with a browser: visits pages and reports their defects. */
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { ensureBrowserFiles } from '../../../src/reader/render/browser-files.ts'
import { cleanUp } from '../clean-up.ts'
import { lowContrasts } from './contrast.ts'

export type Look = {
  readonly width: number
  readonly scheme: 'light' | 'dark'
  /** False: scripts of pages do not run. */
  readonly scripts?: boolean
}

export type Visitor = {
  readonly page: Page
  /** The defects of the current page: faint text, sideways scrolling, and browser errors since the last call. */
  faults(): Promise<string[]>
  /** The elements that Tab reaches and that show no focus. */
  hiddenFocus(): Promise<string[]>
}

const HEIGHT = 844
const MOST_TABS = 40
// Long enough for a busy machine.
const LONGEST_WAIT_MS = 120_000
// Chromium reports an error status of the page itself as a failed resource. Tests check the status themselves.
const OWN_STATUS = /^Failed to load resource: the server responded with a status of 4\d\d/

const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/tollgate')

/** One browser for many visitors. It resolves every host under .example to this machine. */
export async function openBrowser(): Promise<(look: Look) => Promise<Visitor>> {
  const files = await ensureBrowserFiles(CACHE, process.env['PATH'] ?? '')
  const browser = await chromium.launch({
    executablePath: files.executablePath,
    env: files.env,
    chromiumSandbox: false,
    args: ['--disable-gpu', '--host-resolver-rules=MAP *.example 127.0.0.1'],
  })
  cleanUp(() => browser.close())
  return async ({ width, scheme, scripts = true }) => {
    const context = await browser.newContext({
      viewport: { width, height: HEIGHT },
      colorScheme: scheme,
      javaScriptEnabled: scripts,
    })
    context.setDefaultTimeout(LONGEST_WAIT_MS)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !OWN_STATUS.test(message.text()))
        complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.addInitScript(
      "document.addEventListener('securitypolicyviolation', (event) => console.error('CSP', event.violatedDirective, event.blockedURI))",
    )
    return {
      page,
      faults: () => faultsOf(page, complaints),
      hiddenFocus: () => hiddenFocusOn(page),
    }
  }
}

async function faultsOf(page: Page, complaints: string[]): Promise<string[]> {
  const tooWide = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  return [
    ...complaints.splice(0),
    ...(tooWide > 0 ? [`scrolls sideways by ${tooWide} px`] : []),
    ...(await page.evaluate<string[]>(`(${lowContrasts.toString()})()`)),
  ]
}

async function hiddenFocusOn(page: Page): Promise<string[]> {
  const hidden: string[] = []
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    await page.keyboard.press('Tab')
    const { isBody, isShown, name } = await page.evaluate<{
      isBody: boolean
      isShown: boolean
      name: string
    }>(
      `(() => { const it = document.activeElement, box = it.getBoundingClientRect()
        // The frame of a search form shows the focus of its field.
        const styles = [it, it.closest('[role=search]') ?? it].map((element) => getComputedStyle(element))
        return { isBody: it === document.body, isShown: styles.some((style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2) && box.width > 0 && box.top >= 0, name: it.outerHTML.slice(0, 80) } })()`,
    )
    if (isBody) break
    if (!isShown) hidden.push(name)
  }
  return hidden
}
