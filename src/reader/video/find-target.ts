import { setTimeout as pause } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import type { StepAction } from './step.ts'

const APPEAR_MS = 5_000
const POLL_MS = 150
const CLICKED = [
  'link',
  'button',
  'tab',
  'menuitem',
  'checkbox',
  'radio',
  'switch',
  'option',
] as const
const TYPED_INTO = ['textbox', 'searchbox', 'combobox', 'spinbutton'] as const

/**
 * Waits until the element for a step's words or selector is visible; null if it does not appear.
 * Rejects for an invalid selector.
 */
export async function findTarget(
  page: Page,
  action: StepAction,
  target: string,
  signal: AbortSignal,
): Promise<Locator | null> {
  const candidates = candidatesFor(page, action, target)
  for (let waitedMs = 0; waitedMs <= APPEAR_MS; waitedMs += POLL_MS) {
    for (const candidate of candidates) {
      const visible = candidate.filter({ visible: true })
      if ((await visible.count()) > 0) return visible.first()
    }
    await pause(POLL_MS, undefined, { signal })
  }
  return null
}

/**
 * Best matches first: exact words before partial ones, elements made for the action before any
 * text.
 */
function candidatesFor(page: Page, action: StepAction, target: string): Locator[] {
  const selector = /^css=(.+)$/s.exec(target)?.[1]
  if (selector !== undefined) return [page.locator(`css=${selector}`)]
  return [true, false].flatMap((exact) => {
    const fields = [
      ...TYPED_INTO.map((role) => page.getByRole(role, { name: target, exact })),
      page.getByPlaceholder(target, { exact }),
      page.getByLabel(target, { exact }),
    ]
    if (action === 'type') return fields
    const controls = CLICKED.map((role) => page.getByRole(role, { name: target, exact }))
    const headings = [page.getByRole('heading', { name: target, exact })]
    const text = page.getByText(target, { exact })
    return action === 'scroll' ? [...headings, text, ...controls] : [...controls, ...fields, text]
  })
}
