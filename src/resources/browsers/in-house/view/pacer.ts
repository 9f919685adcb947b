/** Runs functions one after another, each after the time that its frame may take. */
export type Pacer = {
  after(bytes: number, run: () => void): void
  clear(): void
}

/** Five frames a second, and at most one megabyte. */
const FRAME_MS = 200
const BYTES_PER_MS = 1_000

export function createPacer(): Pacer {
  const queue: (readonly [ms: number, run: () => void])[] = []
  let timer: NodeJS.Timeout | undefined

  function next(): void {
    const [first] = queue
    if (first === undefined || timer !== undefined) return
    const [ms, run] = first
    timer = setTimeout(() => {
      timer = undefined
      queue.shift()
      run()
      next()
    }, ms).unref()
  }

  return {
    after(bytes, run) {
      queue.push([Math.max(FRAME_MS, Math.ceil(bytes / BYTES_PER_MS)), run])
      next()
    },
    clear() {
      clearTimeout(timer)
      timer = undefined
      queue.length = 0
    },
  }
}
