import { runUntilSignal } from './run-until-signal.ts'
import { limitYoungGeneration } from './young-generation.ts'

// Before the modules of the process are loaded.
limitYoungGeneration()
await runUntilSignal(async () => (await import('./processes.ts')).work(process.env))
