import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { WireRequest } from '../../catalog/vocabulary/wire.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Target } from '../../upstream/target.ts'
import { pathOf } from '../../upstream/vendor-request.ts'

/** Node reads heads of up to 16 KiB and nginx less; some servers hang up on a longer one, which would count as their failure. */
const MAX_PATH_CHARACTERS = 16_000

/** Throws AppError invalid_params, which names the longest text of the input, for a request whose address no server reads. */
export function requireReadableAddress(target: Target, wire: WireRequest, input: Data): void {
  if (wire.query === undefined && wire.path.length <= MAX_PATH_CHARACTERS) return
  const { length } = pathOf(target, wire)
  if (length <= MAX_PATH_CHARACTERS) return
  const param = longestOf(input)
  throw new AppError(
    'invalid_params',
    `With this input the service would have to be asked by an address of ${length} characters, and none reads more than ${MAX_PATH_CHARACTERS}. Nothing was charged.`,
    { param, fix: `Shorten \`${param}\`.` },
  )
}

function longestOf(input: Data): string {
  const lengths = Object.entries(input).map(([name, value]) => ({
    name,
    length: JSON.stringify(value)?.length ?? 0,
  }))
  return lengths.toSorted((one, other) => other.length - one.length)[0]?.name ?? ''
}
