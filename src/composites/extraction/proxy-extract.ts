import type { InHouseHandler } from '../../catalog/vocabulary/handlers.ts'
import { AppError } from '../../errors/app-error.ts'
import { cents } from '../../lib/money.ts'
import type { ProxiedPages } from '../../reader/proxied/proxied-pages.ts'
import type { ExtractData } from './extraction.ts'
import { withoutModel } from './extract-handlers.ts'

/** The most that the model may cost: a fifth of the price of the call, which also pays the proxy. */
const MODEL_COST = cents('4')

/**
 * `proxy/extract`: the properties of a page that a language model finds. Throws AppError no_results
 * if the page was not read or no model answered, upstream_not_configured without a model.
 */
export function createProxyExtract({
  pages,
  extractData,
}: {
  readonly pages: Pick<ProxiedPages, 'proxyMarkdown'>
  readonly extractData: ExtractData | null
}): InHouseHandler {
  return async ({ extract_properties: properties, ...input }, tools) => {
    if (extractData === null) throw withoutModel('extract_properties')
    const { accountId, signal, mode } = tools
    const { url, markdown } = await pages.proxyMarkdown(input, tools)
    const found = await extractData({
      wanted: {
        prompt: `These properties, as a JSON object with one camelCase field each: ${String(properties)}`,
      },
      pages: [{ url, title: '', text: markdown }],
      mostMicros: MODEL_COST,
      mode,
      visitor: { accountId, signal },
    })
    if (found.kind === 'failed')
      throw new AppError('no_results', `${found.reason} Nothing was charged.`)
    return found.data
  }
}
