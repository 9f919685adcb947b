import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { WireRequest } from '../../catalog/vocabulary/wire.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Target } from '../../upstream/target.ts'
import { pathOf } from '../../upstream/vendor-request.ts'

/** Node.js accepts request heads of 16 KiB and nginx fewer. Some servers close the connection instead of rejecting a longer one, which would count as a failure of the vendor. */
const MAX_PATH_CHARACTERS = 16_000

/** Throws AppError invalid_params for a URL that is too long for servers. The error names the longest field of the input. */
export function requireReadableAddress(target: Target, wire: WireRequest, input: Data): void {
  if (wire.query === undefined && wire.path.length <= MAX_PATH_CHARACTERS) return
  const { length } = pathOf(target, wire)
  if (length <= MAX_PATH_CHARACTERS) return
  const param = findLongest(input)
  throw new AppError(
    'invalid_params',
    `This input makes a URL of ${length} characters. Servers accept at most ${MAX_PATH_CHARACTERS}. Nothing was charged.`,
    { param, fix: `Shorten \`${param}\`.` },
  )
}

function findLongest(input: Data): string {
  const lengths = Object.entries(input).map(([name, value]) => ({
    name,
    length: JSON.stringify(value)?.length ?? 0,
  }))
  return lengths.toSorted((one, other) => other.length - one.length)[0]?.name ?? ''
}
