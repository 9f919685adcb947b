import { readFile } from 'node:fs/promises'

const CHECK_INTERVAL_MS = 1_000
const MEGABYTE = 1_000_000
const MEMORY_IN_USE = /^RssAnon:\s+(\d+) kB$/m
const SHARED_MEMORY = /^RssShmem:\s+(\d+) kB$/m

/** Calls `kill` when the process and its descendants use more memory. Returns the function that stops it. */
export function watchMemory(processId: number, megabytes: number, kill: () => void): () => void {
  let isChecking = false
  const timer = setInterval(() => {
    if (isChecking) return
    isChecking = true
    memoryOfTree(processId)
      .then((bytes) => (bytes > megabytes * MEGABYTE ? kill() : undefined))
      // The process has ended.
      .catch(() => undefined)
      .finally(() => (isChecking = false))
  }, CHECK_INTERVAL_MS).unref()
  return () => clearInterval(timer)
}

async function memoryOfTree(processId: number): Promise<number> {
  const [status, children] = await Promise.all([
    readFile(`/proc/${processId}/status`, 'utf8').catch(() => ''),
    readFile(`/proc/${processId}/task/${processId}/children`, 'utf8').catch(() => ''),
  ])
  const own = [MEMORY_IN_USE, SHARED_MEMORY].map((line) => Number(line.exec(status)?.[1] ?? 0))
  const below = await Promise.all(
    children
      .split(' ')
      .filter((child) => child !== '')
      .map((child) => memoryOfTree(Number(child))),
  )
  return [...own.map((kibibytes) => kibibytes * 1024), ...below].reduce((sum, one) => sum + one, 0)
}
