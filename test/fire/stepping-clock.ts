/**
 * Loaded into a gateway process first (`node --import`). On SIGUSR2 it steps the wall clock of the process, as `date -s`
 * does: STEP_FILE contains the offset from the machine's clock in milliseconds.
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
