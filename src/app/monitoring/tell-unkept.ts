import type { Logger } from 'pino'
import type { KeepOutput } from '../../catalog/kept-field.ts'
import { AppError } from '../../errors/app-error.ts'

/** Keeps outputs, and tells the operator of those that this gateway could not keep, as with a full disk: the call is answered all the same, and its caller alone would know. */
export function tellUnkept(keep: KeepOutput, logger: Pick<Logger, 'error'>): KeepOutput {
  return async (output, signal) => {
    try {
      return await keep(output, signal)
    } catch (error) {
      const isOurFault = !(error instanceof AppError) || error.spec.fault === 'gateway'
      if (isOurFault && !signal.aborted)
        logger.error(
          { err: error, action: output.source, mode: output.owner.mode },
          'an output of a paid call could not be kept',
        )
      throw error
    }
  }
}
