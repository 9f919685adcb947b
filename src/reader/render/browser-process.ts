import type { Browser } from 'playwright-core'
import { AppError } from '../../errors/app-error.ts'
import { StartError } from '../../errors/start-error.ts'
import type { BrowserFiles } from './browser-files.ts'
import { SANDBOX_ADVICE } from './browser-sandbox.ts'
import { BROWSER_USER_ID, isRoot } from './browser-user-id.ts'
import { prepareOtherUser } from './browser-user.ts'

/** A running browser with all its processes. */
export type BrowserProcess = {
  readonly browser: Browser
  readonly processId: number
  /** Whether Chromium's own sandbox confines pages. If not, only the operator's container does. */
  readonly isSandboxed: boolean
  /** The user it runs as; undefined on systems without user ids. */
  readonly userId: number | undefined
  /** Ends the browser, by force after a timeout. Never rejects. */
  close(): Promise<void>
}

const LAUNCH_TIMEOUT_MS = 20_000
const CLOSE_TIMEOUT_MS = 3_000
const SCRIPT_HEAP_MB = 512

export type ProcessSettings = {
  /** The proxy for all connections of the browser. */
  readonly proxyUrl: string
  /** Whether to start without the sandbox where the system provides none. */
  readonly allowUnsandboxed: boolean
}

/**
 * Starts the browser; under another user if this process is root. Starts it without the sandbox
 * only if allowed, because one known bug in Chromium would give a page the rights of its process.
 * Rejects with StartError, or the launcher's error.
 */
export function startBrowserProcess(
  files: BrowserFiles,
  settings: ProcessSettings,
): Promise<BrowserProcess> {
  // A browser may crash at the start by chance. One that cannot run fails the second time too.
  return startAsAllowed(files, settings).catch(() => startAsAllowed(files, settings))
}

async function startAsAllowed(
  files: BrowserFiles,
  { proxyUrl, allowUnsandboxed }: ProcessSettings,
): Promise<BrowserProcess> {
  const start = (sandbox: boolean) =>
    isRoot() ? startAsOtherUser(files, proxyUrl, sandbox) : launch(files, proxyUrl, sandbox)
  if (!allowUnsandboxed) {
    return start(true).catch((error: unknown) => {
      throw new StartError(
        `Chromium does not start with its sandbox. ${SANDBOX_ADVICE} ${firstErrorLines(error)}`,
        { cause: error },
      )
    })
  }
  return start(true)
    .catch(() => start(false))
    .catch((error: unknown) =>
      isRoot() ? launch(files, proxyUrl, false) : Promise.reject(error as Error),
    )
}

async function startAsOtherUser(
  files: BrowserFiles,
  proxyUrl: string,
  sandbox: boolean,
): Promise<BrowserProcess> {
  const user = await prepareOtherUser(files)
  const started = await launch(user.files, proxyUrl, sandbox).catch(async (error: unknown) => {
    await user.remove()
    throw error
  })
  started.browser.once('disconnected', () => void user.remove())
  return {
    ...started,
    userId: BROWSER_USER_ID,
    close: () => started.close().then(() => user.remove()),
  }
}

async function launch(
  files: BrowserFiles,
  proxyUrl: string,
  sandbox: boolean,
): Promise<BrowserProcess> {
  // Loaded with the first page: the module is large, and many gateways never need it.
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({
    executablePath: files.executablePath,
    env: files.env,
    args: flags(proxyUrl),
    chromiumSandbox: sandbox,
    timeout: LAUNCH_TIMEOUT_MS,
    // The gateway handles signals. If it is killed, the browser ends with its control pipe.
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
    userId: process.getuid?.(),
    async close() {
      const force = setTimeout(() => kill(browser, processId), CLOSE_TIMEOUT_MS)
      await browser.close().catch(() => kill(browser, processId))
      clearTimeout(force)
    },
  }
}

export function describeConfinement({
  isSandboxed,
  userId,
}: Pick<BrowserProcess, 'isSandboxed' | 'userId'>): string {
  const sandbox = isSandboxed
    ? 'with its sandbox'
    : 'WITHOUT its sandbox, as ALLOW_UNSANDBOXED_BROWSER allows'
  return userId === undefined ? sandbox : `${sandbox}, as user ${userId}`
}

function flags(proxyUrl: string): string[] {
  return [
    `--proxy-server=${proxyUrl}`,
    // Otherwise Chromium bypasses the proxy for loopback addresses.
    '--proxy-bypass-list=<-loopback>',
    // Only the proxy resolves names, so that a page cannot make the browser send DNS queries.
    '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    // The name of the same switch in complete browsers.
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
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
  if (main === undefined)
    throw new AppError('internal', 'The browser does not report its process id.')
  return main.id
}

/**
 * Kills the browser's process group, so that no child process remains. Only while it is certainly
 * this browser's group.
 */
function kill(browser: Browser, processId: number): void {
  if (!browser.isConnected()) return
  try {
    process.kill(-processId, 'SIGKILL')
  } catch {
    // The process has ended.
  }
}

/** Chromium's own error output, which the launcher includes in its log. */
function firstErrorLines(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const words = lines.flatMap((line) => /\[pid=\d+\]\[err\] (.+)/.exec(line)?.[1] ?? [])
  return (words.length === 0 ? lines.slice(0, 3) : words.slice(0, 3)).join(' ').slice(0, 500)
}
