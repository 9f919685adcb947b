import { AppError } from '../../errors/app-error.ts'
import { parsePublicDomain } from '../shared/mail-address.ts'

/** The domain in a parameter. Throws AppError invalid_params for any other text. */
export function requirePublicDomain(value: unknown, param: string): string {
  const domain = parsePublicDomain(typeof value === 'string' ? value.trim() : '')
  if (domain !== null) return domain
  throw new AppError(
    'invalid_params',
    `This gateway reads the website itself, so "${param}" must be the public domain of the company. Nothing was charged.`,
    { param, fix: `Send a domain such as "example.com" as "${param}".` },
  )
}
