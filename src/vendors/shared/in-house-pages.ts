import { AppError } from '../../errors/app-error.ts'

/** Throws AppError for a parameter that only the vendor supports, if the input has it. */
export function rejectInHouse(param: string, value: unknown): void {
  if (value === undefined) return
  throw new AppError(
    'upstream_not_configured',
    `This gateway reads the page itself and does not support "${param}". Nothing was charged.`,
    {
      param,
      fix: `Remove "${param}". The operator of this gateway can support it with a key of the vendor.`,
    },
  )
}
