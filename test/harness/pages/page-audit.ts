/** Finds the defects of a page: of accessibility, width, keyboard use and print. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** Rules of WCAG 2.2 up to level AA, and good practice. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The only rule whose result depends on light and dark. */
const COLORS = 'color-contrast'
const HEIGHT = 844
const [PHONE, DESKTOP] = [360, 1280]
/** Further widths at which nothing scrolls sideways. 640 is a window of 1280 at 200 % zoom. */
const FURTHER_WIDTHS = [640, 768, 1920]

/**
 * Runs axe-core in light and dark, at 360 and 1280 px, and the checks of width, keyboard and print. The
 * page is loaded once. Returns one line per defect.
 */
export async function auditPage(page: Page): Promise<string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.evaluate(AXE)
  const defects: string[] = []
  for (const width of [PHONE, DESKTOP]) {
    await page.setViewportSize({ width, height: HEIGHT })
    await showTheme(page, 'light')
    defects.push(...(await runAxe(page, `${width} px`)))
    await showTheme(page, 'dark')
    defects.push(...(await runAxe(page, `${width} px, dark`, COLORS)))
    defects.push(...(await sidewaysScroll(page)), ...(await unreachable(page, width)))
  }
  for (const width of FURTHER_WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT })
    defects.push(...(await sidewaysScroll(page)))
  }
  await page.emulateMedia({ media: 'print' })
  defects.push(...(await page.evaluate<string[]>(`(${printDefects.toString()})()`)))
  await page.emulateMedia({ media: 'screen' })
  return defects
}

/** Resolves after the page is painted in the theme. */
async function showTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.evaluate(
    `document.documentElement.dataset.theme = '${theme}'
     new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))`,
  )
}

/** The defects of a page whose scripts do not run. */
export async function auditWithoutScripts(page: Page): Promise<string[]> {
  return [
    ...(await sidewaysScroll(page)),
    ...(await page.evaluate<string[]>(`(${scriptlessDefects.toString()})()`)),
  ]
}

type AxeResult = {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
  }[]
}

async function runAxe(page: Page, look: string, rule?: string): Promise<string[]> {
  const runOnly =
    rule === undefined ? { type: 'tag', values: TAGS } : { type: 'rule', values: [rule] }
  const { violations } = await page.evaluate<AxeResult>(
    `axe.run(document, ${JSON.stringify({ runOnly, resultTypes: ['violations'] })})`,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary = '' }) =>
        `${look}: ${id}: ${html.slice(0, 160)} ${failureSummary.replaceAll(/\s+/g, ' ').slice(0, 160)}`,
    ),
  )
}

async function sidewaysScroll(page: Page): Promise<string[]> {
  const [wide = 0, window = 0] = await page.evaluate<number[]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )
  return wide > window ? [`${window} px: scrolls sideways by ${wide - window} px`] : []
}

/** The visible controls that take no focus, or that show none. Tab makes the browser show the focus. */
async function unreachable(page: Page, width: number): Promise<string[]> {
  await page.keyboard.press('Tab')
  const found = await page.evaluate<string[]>(`(${unreachableControls.toString()})()`)
  return found.map((defect) => `${width} px: ${defect}`)
}

// The functions below run in the page. The tests send them as text, so they use nothing outside themselves.

type Box = {
  readonly outerHTML: string
  readonly tabIndex: number
  readonly disabled?: boolean
  focus(options: { preventScroll: boolean }): void
  closest(selector: string): Box | null
  checkVisibility(options?: object): boolean
}
type Styles = { readonly outlineStyle: string; readonly outlineWidth: string }
type View = {
  readonly document: {
    readonly activeElement: Box | null
    readonly body: Box
    querySelector(selector: string): Box | null
    querySelectorAll(selector: string): Iterable<Box>
  }
  getComputedStyle(box: Box): Styles & Readonly<Record<string, string>>
}

function unreachableControls(): string[] {
  const { document, getComputedStyle } = globalThis as unknown as View
  const nameOf = (box: Box): string => box.outerHTML.slice(0, 120)
  const found: string[] = []
  const controls = document.querySelectorAll(
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]',
  )
  for (const box of controls) {
    if (box.disabled === true || !box.checkVisibility({ visibilityProperty: true })) continue
    if (box.tabIndex > 0) found.push(`changes the order of Tab: ${nameOf(box)}`)
    box.focus({ preventScroll: true })
    if (document.activeElement !== box) {
      found.push(`takes no focus: ${nameOf(box)}`)
      continue
    }
    // The frame of a search form or of a list of choices shows the focus of its control.
    const shown = [box, box.closest('[role=search], label, .affix')].some((one) => {
      if (one === null) return false
      const { outlineStyle, outlineWidth } = getComputedStyle(one)
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
    })
    if (!shown) found.push(`shows no focus: ${nameOf(box)}`)
  }
  return found
}

function printDefects(): string[] {
  const { document, getComputedStyle } = globalThis as unknown as View
  const { backgroundColor = '', color = '' } = getComputedStyle(document.body)
  const chrome = [
    ...document.querySelectorAll('.side, .topbar, .bottom-bar, .site-header, .toast, form'),
  ]
  return [
    ...(backgroundColor === 'rgb(251, 250, 247)' || backgroundColor === 'rgb(255, 255, 255)'
      ? []
      : [`print: prints on ${backgroundColor}`]),
    ...(color === 'rgb(20, 32, 27)' ? [] : [`print: prints text in ${color}`]),
    ...chrome
      .filter((box) => box.checkVisibility())
      .map((box) => `print: shows ${box.outerHTML.slice(0, 80)}`),
  ]
}

function scriptlessDefects(): string[] {
  const { document } = globalThis as unknown as View
  const needing = [...document.querySelectorAll('.needs-script, button[type=button]')]
  return [
    ...(document.querySelector('h1')?.checkVisibility() === true
      ? []
      : ['without scripts: no heading']),
    ...needing
      .filter((box) => box.checkVisibility())
      .map((box) => `without scripts: dead control ${box.outerHTML.slice(0, 120)}`),
  ]
}
