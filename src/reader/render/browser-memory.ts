import { readFile } from 'node:fs/promises'
import type { Browser, CDPSession } from 'playwright-core'

const CHECK_INTERVAL_MS = 250
const MEMORY_IN_USE = /^VmRSS:\s+(\d+) kB$/m

/**
 * Kills each page process that uses more than `maxBytes`; only its page crashes. The script heap
 * limit does not cover memory outside the heap, and a script of 3 MB can decompress to gigabytes
 * before it runs.
 */
export async function limitPageMemory(browser: Browser, maxBytes: number): Promise<void> {
  const session = await browser.newBrowserCDPSession()
  let isChecking = false
  const timer = setInterval(() => {
    if (isChecking || browser.contexts().length === 0) return
    isChecking = true
    // A browser that is closing has no processes to check.
    killLarge(session, maxBytes)
      .catch(() => undefined)
      .finally(() => (isChecking = false))
  }, CHECK_INTERVAL_MS).unref()
  browser.once('disconnected', () => clearInterval(timer))
}

async function killLarge(session: CDPSession, maxBytes: number): Promise<void> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  for (const { type, id } of processInfo)
    if (type === 'renderer' && (await memoryOf(id)) > maxBytes) process.kill(id, 'SIGKILL')
}

/** 0 if the system does not report it or the process has ended. */
async function memoryOf(processId: number): Promise<number> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8').catch(() => '')
  return Number(MEMORY_IN_USE.exec(status)?.[1] ?? 0) * 1024
}
