import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { PageWorld } from './page-world.ts'

/** The path with the ids of the filled account. Fails for an id that `page-world.ts` does not create. */
export function fillPath({ ids }: PageWorld, path: string): string {
  return path.replaceAll(/:([a-z]+)/g, (_all, name: string) => {
    const id = ids[name]
    assert.ok(id !== undefined && id !== '', `page-world.ts creates no ${name}`)
    return id
  })
}

/** Signs in as the holder of the account, and waits for the page after it. */
export async function signIn(
  page: Page,
  world: PageWorld,
  account: 'filled' | 'empty' | keyof PageWorld['members'],
): Promise<void> {
  const { email, password } =
    account === 'filled' || account === 'empty' ? world[account] : world.members[account]
  await page.goto(`${world.url}/sign-in`)
  await page.fill('#email', email)
  await page.fill('#password', password)
  await Promise.all([
    page.waitForURL((url) => url.pathname !== '/sign-in'),
    page.keyboard.press('Enter'),
  ])
}
