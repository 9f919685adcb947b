import { readFileSync } from 'node:fs'

// Where the system tells nothing: what most give a process that asks for nothing.
const USUAL = 1_024
// Each takes some kilobytes also when nothing is sent on it.
const MOST_CONNECTIONS = 10_000

/** How many connections of clients a process may have: the other half of its open files is for vendors, whom calls are passed on to, and the database. */
export function mostConnections(limits: string = limitsOfThisProcess()): number {
  const told = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1]
  const files = told === 'unlimited' ? Number.POSITIVE_INFINITY : Number(told ?? USUAL)
  return Math.min(MOST_CONNECTIONS, Math.floor(files / 2))
}

function limitsOfThisProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
