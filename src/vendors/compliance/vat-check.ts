/** VAT numbers, checked with VIES. */
import { AppError } from '../../errors/app-error.ts'
import { failed, type Data, type Outcome } from '../../catalog/vocabulary/outcome.ts'
import { asText, field } from '../../catalog/answers/vendor-failure.ts'
import { get, type Reply, type WireRequest } from '../../catalog/vocabulary/wire.ts'
import { verdict } from './registers.ts'

/** An unavailable authority is reported in `userError`; the number may still be valid. */
export function viesVerdict({ body }: Reply, { vat_number: vat }: Data): Outcome {
  const error = asText(field(body, 'userError'))
  if (/UNAVAILABLE|MAX_CONCURRENT|TIMEOUT|BUSY/.test(error))
    return failed(
      'upstream_busy',
      'The tax authority of that country is not available at the moment. Nothing was charged.',
    )
  const valid = field(body, 'isValid')
  if (typeof valid !== 'boolean')
    return failed(
      'upstream_error',
      'The tax authority returned an unknown format. Nothing was charged.',
    )
  return verdict({
    valid,
    vat_number: vat,
    name: field(body, 'name') ?? null,
    address: field(body, 'address') ?? null,
    request_date: field(body, 'requestDate') ?? null,
    source: 'VIES',
  })
}

export const vatParts = (vat: unknown) =>
  /^([A-Z]{2})([A-Z0-9+*]{2,14})$/.exec(
    asText(vat)
      .toUpperCase()
      .replaceAll(/[\s.-]/g, '')
      .replace(/^GR/, 'EL'),
  )
export function checkVatNumber({ vat_number: vat }: Data): void {
  if (vatParts(vat) === null)
    throw new AppError(
      'invalid_params',
      '"vat_number" is not a VAT number. It must begin with the two letters of its country.',
      { param: 'vat_number' },
    )
}
export function viesRequest({ vat_number: vat }: Data): WireRequest {
  const [, country = '', number = ''] = vatParts(vat) ?? []
  return get(`/ms/${country}/vat/${encodeURIComponent(number)}`)
}
