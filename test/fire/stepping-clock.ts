/**
 * Loaded into a gateway process before anything else (`node --import`): on SIGUSR2 the wall clock of the process is set to
 * the time that the file STEP_FILE has ahead of the machine's, in milliseconds, as `date -s` does.
 */
import { readFileSync } from 'node:fs'

const MachineDate = Date
let aheadMs = 0
const wallMs = (): number => MachineDate.now() + aheadMs

class SteppedDate extends MachineDate {
  static override now(): number {
    return wallMs()
  }

  constructor(...values: [] | [string | number | Date]) {
    super(...((values.length === 0 ? [wallMs()] : values) as [number]))
  }
}

process.on('SIGUSR2', () => {
  aheadMs = Number(readFileSync(process.env['STEP_FILE'] ?? '', 'utf8'))
})
Object.assign(globalThis, { Date: SteppedDate })
