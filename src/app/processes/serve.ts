import { runUntilSignal } from './run-until-signal.ts'
import { serve } from './processes.ts'

await runUntilSignal(() => serve(process.env, { work: false }))
