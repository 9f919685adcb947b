/** Notes on standard error about a call: its price, its charge, and what the gateway adds. */
import type { Result } from '../../../sdk/src/index.ts'
import type { Deps } from '../command.ts'
import { dollars } from './money.ts'
import { safeLine } from './safe-text.ts'

export function note({ terminal, isQuiet }: Deps, text: string): void {
  if (!isQuiet) terminal.err(`${safeLine(text)}\n`)
}

/** "Charged $0.02 · $1.98 left · req_…" */
export function noteCharge(deps: Deps, result: Omit<Result<unknown>, 'data'>): void {
  const { charged, replayed, simulated, remainingCents, requestId, lowered, advice } = result
  if (lowered !== null)
    note(
      deps,
      `Lowered to fit the limit: ${Object.entries(lowered)
        .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
        .join(', ')}.`,
    )
  const parts = [
    replayed ? 'Replayed, not charged again' : `Charged ${dollars(charged.micros)}`,
    ...(simulated ? ['test key: simulated, play money'] : []),
    ...(remainingCents === null ? [] : [`${dollars(remainingCents * 10_000)} left`]),
    requestId,
  ]
  note(deps, parts.join(' · '))
  if (advice !== null) note(deps, `Advice: ${advice.text}`)
}
