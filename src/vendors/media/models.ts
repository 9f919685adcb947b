import { suggest } from '../../catalog/validate/suggest.ts'
import { AppError, invariant } from '../../errors/app-error.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { parseWebAddress } from '../../catalog/validate/web-address.ts'
import { images } from './images.ts'
import { withDefaults } from '../../catalog/prices/media-price.ts'
import type { MediaModel, Rule } from '../../catalog/vocabulary/media-model.ts'
import { music, speech } from './sounds.ts'
import { edits } from './edits.ts'
import { videos } from './videos.ts'

export const mediaModels: readonly MediaModel[] = [
  ...images,
  ...videos,
  ...edits,
  ...speech,
  ...music,
]

const byKey = new Map(mediaModels.map((model) => [model.key, model]))

/** The model of a checked input. */
export function modelOf({ model: key }: Data): MediaModel {
  const model = byKey.get(String(key))
  invariant(model !== undefined, `${String(key)} is a media model`)
  return model
}

/** The model of that key. Throws AppError invalid_params, which names the nearest ones. */
export function knownModel(key: string): MediaModel {
  const model = byKey.get(key)
  if (model === undefined) throw unknownModel(key)
  return model
}

/** Refuses what the named model does not take. Throws AppError invalid_params, or bad_url for a file that is not on the web. */
export function checkModelInput(input: Data): void {
  const key = String(input['model'])
  const model = knownModel(key)
  for (const name of Object.keys(input)) {
    if (name !== 'model' && !Object.hasOwn(model.params, name))
      throw invalid(
        name,
        `${key} does not take "${name}".`,
        `${key} takes ${Object.keys(model.params).join(', ')}.`,
      )
  }
  const asked = withDefaults(model, input)
  for (const [name, rule] of Object.entries(model.params)) {
    checkParam(key, name, rule, input[name])
    if (rule.with !== undefined && input[name] !== undefined && asked[rule.with] === undefined)
      throw invalid(rule.with, `"${name}" needs "${rule.with}" beside it.`, `Add "${rule.with}".`)
  }
  for (const [name, addresses] of addressesIn(input)) {
    for (const address of addresses)
      if (parseWebAddress(address) === null)
        throw new AppError('bad_url', `"${name}" is not the address of a file on the web.`, {
          param: name,
          fix: 'Send an http or https address; media/upload makes one for a file of yours.',
        })
  }
}

/** Whatever the vendor is to fetch. */
function addressesIn(input: Data): [name: string, addresses: string[]][] {
  const named = Object.entries(input).filter(([name]) => /_urls?$/.test(name))
  const tracks = (input['tracks'] ?? []) as readonly {
    readonly keyframes: readonly { readonly url: string }[]
  }[]
  return [
    ...named.map(([name, value]): [string, string[]] => [name, [value].flat().map(String)]),
    ['tracks', tracks.flatMap(({ keyframes }) => keyframes.map(({ url }) => url))],
  ]
}

/** The nearest by spelling, else those of the same family: "veo-9" was meant for one of that name. */
function nearestModels(key: string): string[] {
  const near = suggest(key, byKey.keys())
  const [family = ''] = key.toLowerCase().split(/[^a-z]/)
  return near.length > 0 || family === ''
    ? near
    : [...byKey.keys()].filter((known) => known.startsWith(family)).slice(0, 3)
}

function unknownModel(key: string): AppError {
  const suggestions = nearestModels(key)
  const named =
    suggestions.length > 0
      ? `Did you mean ${suggestions.map((name) => `"${name}"`).join(', ')}? `
      : ''
  return new AppError('invalid_params', `There is no media model named "${key.slice(0, 60)}".`, {
    param: 'model',
    fix: `${named}GET /api/catalog lists all models.`,
    details: { suggestions },
  })
}

function checkParam(
  key: string,
  name: string,
  { required, values, least, most }: Rule,
  value: unknown,
): void {
  if (value === undefined) {
    if (required === true) throw invalid(name, `${key} needs "${name}".`, `Add "${name}".`)
    return
  }
  if (values !== undefined && !values.includes(value as string | number))
    throw invalid(
      name,
      `"${name}" of ${key} is one of ${values.join(', ')}.`,
      `Send one of ${values.join(', ')}.`,
    )
  const size = typeof value === 'string' ? Array.from(value).length : Number(value)
  const unit = typeof value === 'string' ? ' characters' : ''
  if (least !== undefined && size < least)
    throw invalid(
      name,
      `"${name}" of ${key} is at least ${least}${unit}.`,
      `Send at least ${least}${unit}.`,
    )
  if (most !== undefined && size > most)
    throw invalid(
      name,
      `"${name}" of ${key} is at most ${most}${unit}.`,
      `Send at most ${most}${unit}.`,
    )
}

function invalid(param: string, message: string, fix: string): AppError {
  return new AppError('invalid_params', message, { param, fix })
}
