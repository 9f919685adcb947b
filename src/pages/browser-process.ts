import type { Browser } from 'playwright-core'
import { AppError } from '../errors/app-error.ts'
import type { BrowserFiles } from './browser-files.ts'

/** One running browser with everything that it started. */
export type BrowserProcess = {
  readonly browser: Browser
  readonly processId: number
  /** Whether Chromium keeps pages in its own sandbox; the operator's container is all that does when not. */
  readonly isSandboxed: boolean
  /** Ends it, by force when it does not go on its own. Never rejects. */
  close(): Promise<void>
}

const LAUNCH_TIMEOUT_MS = 20_000
const CLOSE_TIMEOUT_MS = 3_000
const SCRIPT_HEAP_MB = 512

/**
 * Starts the browser behind `proxyUrl`. As root, Chromium has no sandbox of its own; for other users it is tried first,
 * since many systems do not allow it. Rejects with the launcher's error.
 */
export function startBrowserProcess(files: BrowserFiles, proxyUrl: string): Promise<BrowserProcess> {
  // A browser may crash as it starts, by chance; one that cannot run here fails the second time too.
  return startAsAllowed(files, proxyUrl).catch(() => startAsAllowed(files, proxyUrl))
}

async function startAsAllowed(files: BrowserFiles, proxyUrl: string): Promise<BrowserProcess> {
  const isRoot = process.getuid?.() === 0
  if (isRoot) return launch(files, proxyUrl, false)
  return launch(files, proxyUrl, true).catch(() => launch(files, proxyUrl, false))
}

async function launch(files: BrowserFiles, proxyUrl: string, sandbox: boolean): Promise<BrowserProcess> {
  // Loaded with the first page: it is large, and many gateways never need it.
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({
    executablePath: files.executablePath,
    env: files.env,
    args: flags(proxyUrl),
    chromiumSandbox: sandbox,
    timeout: LAUNCH_TIMEOUT_MS,
    // The gateway decides what signals mean. When it dies without a word, the browser ends with its control pipe.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
  const processId = await processIdOf(browser).catch(async (error: unknown) => {
    await browser.close()
    throw error
  })
  return {
    browser,
    processId,
    isSandboxed: sandbox,
    async close() {
      const force = setTimeout(() => kill(browser, processId), CLOSE_TIMEOUT_MS)
      await browser.close().catch(() => kill(browser, processId))
      clearTimeout(force)
    },
  }
}

function flags(proxyUrl: string): string[] {
  return [
    `--proxy-server=${proxyUrl}`,
    // Without it Chromium goes to loopback past the proxy.
    '--proxy-bypass-list=<-loopback>',
    // Names are for the proxy to resolve; a page can make the browser itself ask nothing.
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    '--disable-gpu',
    '--no-pings',
    '--disable-domain-reliability',
    `--js-flags=--max-old-space-size=${SCRIPT_HEAP_MB}`,
    '--disk-cache-size=1',
    '--font-render-hinting=none',
  ]
}

async function processIdOf(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const main = processInfo.find(({ type }) => type === 'browser')
  if (main === undefined) throw new AppError('internal', 'The browser does not say which process it is.')
  return main.id
}

/** The browser leads a process group, so that nothing which it started stays. Only while it is ours for certain. */
function kill(browser: Browser, processId: number): void {
  if (!browser.isConnected()) return
  try {
    process.kill(-processId, 'SIGKILL')
  } catch {
    // It ended meanwhile.
  }
}
