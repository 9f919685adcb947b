/**
 * Writes screenshots of the pages to docs/images: starts a gateway with data, and opens each page in
 * light and dark. `--only <name>` takes one page, `--to <folder>` writes elsewhere, `--port` is 4020.
 */
import { access, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Browser, type BrowserContext } from 'playwright-core'
import { ensureBrowserFiles } from '../src/reader/render/browser-files.ts'
import { fillGateway, type FilledGateway } from './screenshots/fill-gateway.ts'
import { SHOTS, type Shot } from './screenshots/pages.ts'
import { startShownGateway, type ShownGateway } from './screenshots/start-gateway.ts'

const root = join(import.meta.dirname, '..')
const SIZES = [
  { width: 1280, height: 800, suffix: '', isPhone: false },
  { width: 390, height: 844, suffix: '-phone', isPhone: true },
] as const
const SCHEMES = ['light', 'dark'] as const
const MOST_BYTES = 3_000_000
const SYSTEM_BROWSERS = ['/usr/bin/chromium', '/usr/bin/google-chrome']

const { values } = parseArgs({
  options: { only: { type: 'string' }, to: { type: 'string' }, port: { type: 'string' } },
})
const folder = values.to ?? join(root, 'docs/images')
const shots = SHOTS.filter(({ name }) => values.only === undefined || name === values.only)

const gateway = await startShownGateway(Number(values.port ?? 4020))
try {
  const filled = await fillGateway(gateway)
  const browser = await openBrowser()
  try {
    await takeAll(browser, gateway, filled)
  } finally {
    await browser.close()
  }
} finally {
  await gateway.stop()
}

/** The browser of the system, or the packaged one. */
async function openBrowser(): Promise<Browser> {
  for (const executablePath of SYSTEM_BROWSERS)
    if (
      await access(executablePath).then(
        () => true,
        () => false,
      )
    )
      return chromium.launch({ executablePath, chromiumSandbox: false })
  const cache = join(root, 'node_modules/.cache/tollgate')
  const { executablePath, env } = await ensureBrowserFiles(cache, process.env['PATH'] ?? '')
  return chromium.launch({ executablePath, env, chromiumSandbox: false, args: ['--disable-gpu'] })
}

async function takeAll(
  browser: Browser,
  shown: ShownGateway,
  filled: FilledGateway,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const owner = await signIn(browser, shown)
  let bytes = 0
  for (const shot of shots)
    for (const size of SIZES.filter(({ isPhone }) => !isPhone || shot.onPhone === true))
      for (const scheme of SCHEMES) {
        const file = join(folder, `${shot.name}${size.suffix}-${scheme}.png`)
        const context = await browser.newContext({
          viewport: { width: size.width, height: size.height },
          colorScheme: scheme,
          reducedMotion: 'reduce',
          timezoneId: 'UTC',
          ...(shot.isSignedIn ? { storageState: owner } : {}),
        })
        await take(context, `${shown.url}${shot.path(filled)}`, { shot, file })
        await context.close()
        const { size: written } = await stat(file)
        bytes += written
        process.stdout.write(`${file}: ${Math.round(written / 1000)} kB\n`)
      }
  process.stdout.write(`${(bytes / 1e6).toFixed(1)} MB together\n`)
  if (bytes > MOST_BYTES) throw new RangeError(`more than ${MOST_BYTES} bytes`)
}

async function take(
  context: BrowserContext,
  address: string,
  { shot, file }: { readonly shot: Shot; readonly file: string },
): Promise<void> {
  const page = await context.newPage()
  const response = await page.goto(address, { waitUntil: 'load' })
  if (response?.status() !== 200)
    throw new RangeError(`${address} answered ${String(response?.status())}`)
  await page.evaluate('document.fonts.ready')
  if (shot.scrollTo !== undefined) await page.locator(shot.scrollTo).scrollIntoViewIfNeeded()
  await page.screenshot({ path: file, animations: 'disabled' })
}

/** Sets a password with the owner's link, and returns the cookies. */
async function signIn(browser: Browser, { signInLink }: ShownGateway) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(signInLink)
  await page.fill('input[name=password]', 'four words in a row')
  await Promise.all([
    page.waitForURL(/\/(?:welcome|balance)/),
    page.click('main button[type=submit]'),
  ])
  await page.goto(new URL('/balance', signInLink).href)
  const state = await context.storageState()
  await context.close()
  return state
}
