/** Faults on demand: the input of a call requests them. The README lists them for users. */

/** A fault of the whole call. */
export type CallFault =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'quota' }
  | { readonly kind: 'slow'; readonly delayMs: number }
  | { readonly kind: 'timeout' | 'reset' | 'badjson' | 'odd' | 'flaky' }

/** A fault of one page, or a search without results. */
export type PageFault =
  | { readonly kind: 'page'; readonly status: number }
  | { readonly kind: 'miss' | 'wall' | 'thin' }

export type Fault = CallFault | PageFault

const SUFFIX = '.sim.test'
const DEFAULT_SLOW_MS = 1_500
const MAX_SLOW_MS = 60_000

/**
 * The fault that a text requests from the vendor `label`: a URL on "<fault>.sim.test", or a phrase with
 * "sim:<fault>". "<fault>.semantic.render2.sim.test" affects only these two vendors.
 */
export function faultOf(text: string, label: string): Fault | undefined {
  const phrase = /\bsim:([a-z0-9-]+)/.exec(text)?.[1]
  if (phrase !== undefined) return parseFault(phrase)
  if (!text.includes(SUFFIX)) return undefined
  const hostname = (URL.parse(text) ?? URL.parse(`https://${text}`))?.hostname ?? ''
  if (!hostname.endsWith(SUFFIX)) return undefined
  const [name = '', ...labels] = hostname.slice(0, -SUFFIX.length).split('.')
  return labels.length === 0 || labels.includes(label) ? parseFault(name) : undefined
}

export function isCallFault(fault: Fault): fault is CallFault {
  return !isPageFault(fault)
}

export function isPageFault(fault: Fault): fault is PageFault {
  return (
    fault.kind === 'page' || fault.kind === 'miss' || fault.kind === 'wall' || fault.kind === 'thin'
  )
}

function parseFault(name: string): Fault | undefined {
  const [, word = '', digits] = /^([a-z]*)-?(\d{3,5})?$/.exec(name) ?? []
  const number = digits === undefined ? undefined : Number(digits)
  switch (word) {
    case '':
    case 'status':
      return isStatus(number) ? { kind: 'status', status: number } : undefined
    case 'page':
      return isStatus(number) ? { kind: 'page', status: number } : undefined
    case 'busy':
      return { kind: 'status', status: 429 }
    case 'slow':
      return { kind: 'slow', delayMs: Math.min(number ?? DEFAULT_SLOW_MS, MAX_SLOW_MS) }
    case 'quota':
    case 'timeout':
    case 'reset':
    case 'badjson':
    case 'odd':
    case 'flaky':
    case 'miss':
    case 'wall':
    case 'thin':
      return { kind: word }
    default:
      return undefined
  }
}

function isStatus(number: number | undefined): number is number {
  return number !== undefined && number >= 400 && number <= 599
}
