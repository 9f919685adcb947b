import { AppError } from '../../../errors/app-error.ts'

const LONGEST_NAME = 80

/**
 * A call has its parameters in its body. What stands in the address would be left out in silence: the size of what is
 * bought, or the ceiling of its price. Throws AppError.
 */
export function rejectQueryParameters({ url }: { readonly url: string }): void {
  const from = url.indexOf('?') + 1
  if (from === 0) return
  // The descriptor of an endpoint is read at "?endpoint=…", and a body has to name it all the same.
  const name = [...new URLSearchParams(url.slice(from)).keys()]
    .find((one) => one !== 'endpoint')
    ?.slice(0, LONGEST_NAME)
  if (name === undefined) return
  throw new AppError(
    'invalid_params',
    `"${name}" stands in the address, where a call has no parameters.`,
    {
      param: name,
      fix: `Send it in the JSON body, {"${name}": …}, and the address without what follows "?".`,
    },
  )
}
