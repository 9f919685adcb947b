/** Reads the descriptor of the action of `run`, from the gateway that its flags mean. */
import { TollgateError } from '../../../sdk/src/index.ts'
import type { Deps } from '../command.ts'
import type { Connect } from '../connect/connect.ts'
import { inputsOf, readDescriptor, type Descriptor } from '../input/descriptor.ts'
import { findInput } from '../input/input-flags.ts'
import { UsageError } from '../usage-error.ts'

export type Wanted = {
  readonly action: string
  readonly endpoint: string | undefined
  /** --url after the action: an input of the action if it has one of this name, else the gateway. */
  readonly laterUrl: string | undefined
}

/** No key is sent, so a page that --url names as an input never receives one. */
export async function locateAction(deps: Deps, wanted: Wanted): Promise<Descriptor> {
  const { laterUrl } = wanted
  const read = (connect: Connect): Promise<Descriptor> =>
    readDescriptor(connect.openPublic({ retries: 1 }), wanted.action, wanted.endpoint, deps.signal)
  const later = laterUrl === undefined ? null : deps.connect.with({ url: [laterUrl] })
  try {
    const descriptor = await read(deps.connect)
    return later === null || hasUrl(descriptor) ? descriptor : await read(later)
  } catch (error) {
    const { url, isGiven } = deps.connect.address()
    const isUnreachable = error instanceof TollgateError && error.code === 'connection_failed'
    if (!isUnreachable || isGiven) throw error
    const descriptor = later === null ? null : await read(later).catch(() => null)
    if (descriptor !== null && !hasUrl(descriptor)) return descriptor
    throw new TollgateError({
      code: 'connection_failed',
      message: `No gateway answers at ${url}, the default address.`,
      fix: `Run "${deps.terminal.program} login", set TOLLGATE_URL, or write --url before the action: ${deps.terminal.program} run --url https://gateway.example.com ${wanted.action} …`,
    })
  }
}

const hasUrl = (descriptor: Descriptor): boolean =>
  findInput('url', Object.keys(inputsOf(descriptor))) !== undefined

/** The value of a flag among words that are not read yet. */
export function findValue(words: readonly string[], flag: string): string | undefined {
  const at = words.findIndex((word) => word === `--${flag}` || word.startsWith(`--${flag}=`))
  const word = words[at]
  if (word === undefined) return undefined
  return word.includes('=') ? word.slice(word.indexOf('=') + 1) : words[at + 1]
}

/** Throws UsageError that lists the endpoints. */
export function requireEndpoint(action: string, { endpoints = [] }: Descriptor): never {
  const [first] = endpoints
  throw new UsageError(
    `${action} needs --endpoint, one of ${endpoints.length}: ${endpoints
      .slice(0, 12)
      .map(({ endpoint }) => endpoint)
      .join(', ')}${endpoints.length > 12 ? ', …' : '.'}`,
    `"describe ${action} --endpoint ${first?.endpoint ?? ''}" shows its inputs.`,
  )
}
