/** Loaded into a gateway under test: on SIGUSR2 it collects all garbage and writes the size of the heap to HEAP_FILE. */
import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

process.on('SIGUSR2', () => {
  collect()
  collect()
  const { HEAP_FILE: file } = process.env
  if (file !== undefined) writeFileSync(file, `${process.memoryUsage().heapUsed}\n`)
})
