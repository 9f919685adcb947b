import { readFileSync } from 'node:fs'

// The usual default, for systems that report no limit.
const USUAL = 1_024
// Each takes some kilobytes even when idle.
const MOST_CONNECTIONS = 10_000

/** Maximum number of client connections. The other half of the open files is for vendors and the database. */
export function mostConnections(limits: string = limitsOfThisProcess()): number {
  const limit = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1]
  const files = limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit ?? USUAL)
  return Math.min(MOST_CONNECTIONS, Math.floor(files / 2))
}

function limitsOfThisProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
