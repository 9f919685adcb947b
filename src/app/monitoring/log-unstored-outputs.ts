import type { Logger } from 'pino'
import type { StoreOutput } from '../../catalog/vocabulary/file-field.ts'
import { AppError } from '../../errors/app-error.ts'

/** Stores outputs, and logs those that this gateway failed to store, for example on a full disk. The call still succeeds. */
export function logUnstoredOutputs(store: StoreOutput, logger: Pick<Logger, 'error'>): StoreOutput {
  return async (output, signal) => {
    try {
      return await store(output, signal)
    } catch (error) {
      const isOurFault = !(error instanceof AppError) || error.spec.fault === 'gateway'
      if (isOurFault && !signal.aborted)
        logger.error(
          { err: error, action: output.source, mode: output.owner.mode },
          'an output of a paid call could not be stored',
        )
      throw error
    }
  }
}
