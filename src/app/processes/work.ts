import { work } from './processes.ts'
import { runUntilSignal } from './run-until-signal.ts'

await runUntilSignal(() => work(process.env))
