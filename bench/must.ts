/** A figure and its target; `wanted` is the target, such as ">= 0.62". */
export type Must = {
  readonly name: string
  readonly measured: string
  readonly isMet: boolean
  readonly wanted: string
}

/** Prints the figure and its target. A missed target makes the run exit with 1. */
export function checkMust({ name, measured, isMet, wanted }: Must): void {
  process.stdout.write(`  ${isMet ? 'met   ' : 'MISSED'} ${name}: ${measured} (must: ${wanted})\n`)
  if (!isMet) process.exitCode = 1
}

export function atLeast(name: string, value: number, least: number, unit = ''): Must {
  return {
    name,
    measured: `${value.toFixed(2)}${unit}`,
    isMet: value >= least,
    wanted: `>= ${least.toFixed(2)}${unit}`,
  }
}

export function atMost(name: string, value: number, most: number, unit = ''): Must {
  return {
    name,
    measured: `${value.toFixed(2)}${unit}`,
    isMet: value <= most,
    wanted: `<= ${most.toFixed(2)}${unit}`,
  }
}
