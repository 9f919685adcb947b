/** The milliseconds that the processor spent on `work`: unlike those on the clock, no more of them on a busy machine. */
export function cpuMsOf(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
