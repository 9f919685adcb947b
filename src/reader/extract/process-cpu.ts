import { readFileSync } from 'node:fs'

/** Linux reports process times in units of 1/100 s on every architecture. */
const TICK_MS = 10

/**
 * The CPU time that a process has used, in milliseconds, all threads together. Undefined where the
 * system does not report it or when the process has ended.
 */
export function cpuTimeOf(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may contain spaces. The 14th and 15th field are user and system time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return undefined
  }
}
