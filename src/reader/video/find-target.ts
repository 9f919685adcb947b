import { setTimeout as pause } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import type { StepAction } from './step.ts'

const APPEAR_MS = 5_000
const LOOK_AGAIN_MS = 150
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

/** What the words or the selector of a step mean, as soon as it is to be seen; null when it does not come. Rejects for a selector that is none. */
export async function findTarget(
  page: Page,
  action: StepAction,
  target: string,
  signal: AbortSignal,
): Promise<Locator | null> {
  const candidates = candidatesFor(page, action, target)
  for (let waitedMs = 0; waitedMs <= APPEAR_MS; waitedMs += LOOK_AGAIN_MS) {
    for (const candidate of candidates) {
      const visible = candidate.filter({ visible: true })
      if ((await visible.count()) > 0) return visible.first()
    }
    await pause(LOOK_AGAIN_MS, undefined, { signal })
  }
  return null
}

/** The likeliest first: exact words before a part of them, what is made for the action before any text. */
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
