import { listedFields } from '../../../../lib/json-fields.ts'
import type { AppError } from '../../../../errors/app-error.ts'
import { describeError } from './send-page.ts'

/** Sentences for fields at fault, by the name of the field. */
export type FieldErrors = Readonly<Record<string, string>>

/**
 * The fields of a form at which an error points. `names` maps parameters to fields: the parameter
 * "allow[2]" is the field of "allow". Empty if the error is about no field of the form.
 */
export function fieldErrors(error: AppError, names: Readonly<Record<string, string>>): FieldErrors {
  const fieldOf = (param: unknown): string | undefined =>
    typeof param === 'string' ? names[param.split(/[.[]/, 1)[0] ?? ''] : undefined
  const found = [
    ...listedFields(error.details?.['problems']).map(
      ({ param, message, fix }) => [fieldOf(param), `${String(message)} ${String(fix)}`] as const,
    ),
    [fieldOf(error.param), describeError(error)] as const,
  ]
  return Object.fromEntries(
    found.flatMap(([field, text]) => (field === undefined ? [] : [[field, text] as const])),
  )
}
