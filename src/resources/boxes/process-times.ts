/** CPU time from /proc, for machines without a counter in control groups. */
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'

let ticks = 0

/**
 * The CPU time of a process, of its living descendants, and of those that they have reaped, in
 * microseconds. The first process of a box reaps all others, so no time is lost.
 */
export async function countCpu(pid: number): Promise<number> {
  ticks ||= Number(execFileSync('getconf', ['CLK_TCK'], { env: { PATH: '/usr/bin:/bin' } }))
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (stat === null) return 0
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const own = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const times = await Promise.all(
    children
      .split(' ')
      .filter((one) => /^\d+$/.test(one))
      .map((one) => countCpu(Number(one))),
  )
  return times.reduce((sum, time) => sum + time, (own * 1_000_000) / ticks)
}
