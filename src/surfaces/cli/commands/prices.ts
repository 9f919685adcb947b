import { resolve } from 'node:path'
import { readOwn } from '../../../app/wiring/own/read-own.ts'
import { ROUTER_PREFIX } from '../../../catalog/own/read-prices.ts'
import { faultText } from '../../../catalog/own/read-folder.ts'
import { priceText } from '../../../catalog/published/price-block.ts'
import type { PriceTerms } from '../../../catalog/vocabulary/tariff.ts'
import { toRfc3339 } from '../../../lib/clock.ts'
import { allActions } from '../all-actions.ts'
import { UsageError, type Command, type Tools } from '../command.ts'
import { columns } from '../show.ts'

const FILE = {
  value: '<file>',
  about: 'the file; PRICES_FILE by default',
  isOptional: true,
} as const

export const pricesCheck: Command = {
  name: 'prices check',
  summary: 'check the file with your prices; prints each fault with line and pointer',
  flags: {},
  operand: FILE,
  example: './tollgate prices check prices.json',
  async run({ operand }, tools) {
    const { faults, prices, hash } = await readOwn(settingsWith(tools, operand))
    if (faults.length > 0)
      return { data: { faults }, text: faults.map(faultText).join('\n'), exitCode: 1 }
    return {
      data: { faults: [], rules: prices.rules.length, hash },
      text: `No faults: ${prices.rules.length} rules.`,
    }
  },
}

export const pricesList: Command = {
  name: 'prices list',
  summary: 'list the actions whose price is yours, with the list price and announced changes',
  flags: {},
  operand: FILE,
  example: './tollgate prices list',
  async run({ operand }, tools) {
    const settings = settingsWith(tools, operand)
    const { faults, prices } = await readOwn(settings)
    if (faults.length > 0)
      return { data: { faults }, text: faults.map(faultText).join('\n'), exitCode: 1 }
    const actions = await allActions({ config: () => settings, now: tools.now })
    const rows = actions.flatMap(({ service, name, action }) =>
      action.terms === undefined && action.upcoming === undefined
        ? []
        : [
            {
              action: `${service.id}/${name}`,
              list_price: priceText(action.unpriced ?? action),
              price: priceText(action),
              rule: action.terms ?? null,
              announced: (action.upcoming ?? []).map((next) => ({
                from: toRfc3339(next.fromMs),
                price: priceText(next.action),
              })),
            },
          ],
    )
    const models = prices.rules
      .filter(({ match }) => match.startsWith(ROUTER_PREFIX))
      .map(({ match, terms, fromMs }) => ({
        match,
        rule: terms,
        from: fromMs === undefined ? null : toRfc3339(fromMs),
      }))
    return {
      data: { actions: rows, models },
      text: columns(
        ['action', 'list price', 'price', 'rule', 'announced'],
        [
          ...rows.map(({ action, list_price: list, price, rule, announced }) => [
            action,
            list,
            price,
            rule === null ? '' : termsText(rule),
            announced.map((next) => `${next.from}: ${next.price}`).join('; '),
          ]),
          ...models.map(({ match, rule, from }) => [
            match,
            'the rates of the upstream',
            '',
            termsText(rule),
            from === null ? '' : `from ${from}`,
          ]),
        ],
      ),
    }
  },
}

function termsText(terms: PriceTerms): string {
  return 'cents' in terms ? `${terms.cents}¢` : `${terms.margin_percent} %`
}

/** Throws UsageError without any file. */
function settingsWith(tools: Tools, operand: string): ReturnType<Tools['config']> {
  const settings = tools.config()
  if (operand !== '') return { ...settings, pricesFile: resolve(operand) }
  if (settings.pricesFile === null)
    throw new UsageError('Name a file, or set PRICES_FILE to your file of prices.')
  return settings
}
