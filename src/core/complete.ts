import type { Micros } from '../lib/money.ts'

export type Completion = { readonly text: string; readonly cost: Micros }

/** Asks a language model. Null when none answered in time: callers do without it, and never fail for want of it. */
export type Complete = (request: { readonly system: string; readonly prompt: string; readonly maxTokens: number; readonly signal: AbortSignal }) => Promise<Completion | null>
