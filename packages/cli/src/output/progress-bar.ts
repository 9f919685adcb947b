/** A progress bar on standard error. Nothing without a terminal. */
import type { Terminal } from '../terminal.ts'
import { cut } from './table.ts'

export type ProgressBar = {
  /** `total` is null while it is unknown. */
  show(done: number, total: number | null, note: string): void
  /** Removes the bar. */
  end(): void
}

const CELLS = 24
const CLEAR_LINE = '\r\u001b[K'

export function createProgressBar({ errColumns, err }: Terminal, label: string): ProgressBar {
  if (errColumns === null) return { show: () => {}, end: () => {} }
  let isShown = false
  return {
    show(done, total, note) {
      isShown = true
      const share = total === null || total <= 0 ? null : Math.min(1, done / total)
      err(CLEAR_LINE + cut(`${label} ${bar(share)} ${note}`, errColumns - 1))
    },
    end() {
      if (isShown) err(CLEAR_LINE)
      isShown = false
    },
  }
}

function bar(share: number | null): string {
  const full = Math.round((share ?? 0) * CELLS)
  const percent = share === null ? '' : ` ${String(Math.floor(share * 100)).padStart(3)} %`
  return `[${'█'.repeat(full)}${'░'.repeat(CELLS - full)}]${percent}`
}
