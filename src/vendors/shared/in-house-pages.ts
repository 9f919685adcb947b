import { AppError } from '../../errors/app-error.ts'

/** Throws AppError for a parameter that only the vendor supports, if the input has it. */
export function rejectInHouse(param: string, value: unknown): void {
  if (value === undefined) return
  throw new AppError(
    'upstream_not_configured',
    `This gateway reads the page itself and does not support "${param}". Nothing was charged.`,
    {
      param,
      fix: `Remove "${param}". The operator of this gateway can support it with a key of the vendor.`,
    },
  )
}

/** Throws AppError for a URL that stands for a part of a site: the gateway extracts from single pages. */
export function rejectPartsOfSites(urls: readonly string[]): void {
  const at = urls.findIndex((url) => url.endsWith('/*'))
  if (at === -1) return
  throw new AppError(
    'upstream_not_configured',
    `This gateway reads the pages itself and does not support "/*" in "urls[${at}]". Nothing was charged.`,
    {
      param: `urls[${at}]`,
      fix: 'List the pages with render/map and send their URLs. The operator of this gateway can support "/*" with a key of the vendor.',
    },
  )
}
