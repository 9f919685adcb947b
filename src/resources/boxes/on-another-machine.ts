import { AppError } from '../../errors/app-error.ts'

/** The error for a box or a browser that only another machine of this gateway can reach. */
export function onAnotherMachine(what: string): AppError {
  return new AppError(
    'upstream_busy',
    `This ${what} runs on another machine of this gateway. Nothing was charged.`,
    {
      fix: 'Send the request again; it may reach that machine. Its operator can route an account to one machine.',
      retryAfterSeconds: 1,
    },
  )
}
