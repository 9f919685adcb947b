import { serve } from './processes.ts'
import { runUntilSignal } from './run-until-signal.ts'

await runUntilSignal(() => serve(process.env, { work: true }))
