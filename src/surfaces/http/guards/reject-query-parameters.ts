import { AppError } from '../../../errors/app-error.ts'

const LONGEST_NAME = 80

/**
 * Throws AppError for query parameters of a call. A call's parameters are in its body.
 * Ignoring query parameters could change the result or drop `max_cost_cents`.
 */
export function rejectQueryParameters({ url }: { readonly url: string }): void {
  const from = url.indexOf('?') + 1
  if (from === 0) return
  // GET uses "?endpoint=…" for the descriptor of an endpoint. A call names the endpoint in its body.
  const name = [...new URLSearchParams(url.slice(from)).keys()]
    .find((one) => one !== 'endpoint')
    ?.slice(0, LONGEST_NAME)
  if (name === undefined) return
  throw new AppError(
    'invalid_params',
    `"${name}" is a query parameter, but a call has its parameters in the body.`,
    {
      param: name,
      fix: `Send {"${name}": …} in the JSON body and remove the query string from the address.`,
    },
  )
}
