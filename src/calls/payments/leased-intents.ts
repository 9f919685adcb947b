import { AppError } from '../../errors/app-error.ts'
import type { Id } from '../../lib/ids.ts'
import type { Intents } from '../../upstream/pay/intents.ts'

/**
 * Signs no payment for a call that another process may have released. A process that was frozen for longer
 * than its lease stops here. If it freezes later, the release ends the intent, which it then cannot sign.
 */
export function leasedIntents(intents: Intents, covers: (callId: Id) => boolean): Intents {
  return {
    ...intents,
    async open(intent) {
      const verdict = await intents.open(intent)
      if (verdict !== 'opened' || covers(intent.callId)) return verdict
      await intents.unsigned(intent.id, 'The process lost its lease before it signed.')
      throw new AppError(
        'overloaded',
        'This process was interrupted before it paid. Nothing was charged.',
        { retryAfterSeconds: 1 },
      )
    },
  }
}
