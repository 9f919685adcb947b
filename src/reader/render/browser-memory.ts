import { readFile } from 'node:fs/promises'
import type { Browser, CDPSession } from 'playwright-core'

const LOOK_EVERY_MS = 250
const MEMORY_IN_USE = /^VmRSS:\s+(\d+) kB$/m

/**
 * Ends each process of a page that takes more than `maxBytes`; its page crashes and no other. The limit of the script
 * heap does not know what scripts keep outside of it, and a script of 3 MB on the wire unpacks to gigabytes before any of it is run.
 */
export async function limitPageMemory(browser: Browser, maxBytes: number): Promise<void> {
  const session = await browser.newBrowserCDPSession()
  let isLooking = false
  const timer = setInterval(() => {
    if (isLooking || browser.contexts().length === 0) return
    isLooking = true
    // A browser that is going has no processes to look at.
    endLarge(session, maxBytes)
      .catch(() => undefined)
      .finally(() => (isLooking = false))
  }, LOOK_EVERY_MS).unref()
  browser.once('disconnected', () => clearInterval(timer))
}

async function endLarge(session: CDPSession, maxBytes: number): Promise<void> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  for (const { type, id } of processInfo)
    if (type === 'renderer' && (await memoryOf(id)) > maxBytes) process.kill(id, 'SIGKILL')
}

/** 0 where the system does not tell, or the process ended. */
async function memoryOf(processId: number): Promise<number> {
  const status = await readFile(`/proc/${processId}/status`, 'utf8').catch(() => '')
  return Number(MEMORY_IN_USE.exec(status)?.[1] ?? 0) * 1024
}
