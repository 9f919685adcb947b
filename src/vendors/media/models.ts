import { endedProblem } from '../../catalog/validate/describe-problem.ts'
import { suggest } from '../../catalog/validate/suggest.ts'
import type { Ended } from '../../catalog/vocabulary/fields.ts'
import { AppError, invariant } from '../../errors/app-error.ts'
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import { parseWebAddress } from '../../catalog/validate/web-address.ts'
import { images } from './images.ts'
import { withDefaults } from '../../catalog/prices/media-price.ts'
import type { MediaModel, Rule } from '../../catalog/vocabulary/media-model.ts'
import { music, speech } from './audio.ts'
import { edits } from './edits.ts'
import { ownModels } from './own-models.ts'
import { videos } from './videos.ts'

export const mediaModels: readonly MediaModel[] = [
  ...images,
  ...videos,
  ...edits,
  ...speech,
  ...music,
  ...ownModels,
]

const byKey = new Map(mediaModels.map((model) => [model.key, model]))

/** The model of a validated input. */
export function modelOf({ model: key }: Data): MediaModel {
  const model = byKey.get(String(key))
  invariant(model !== undefined, `${String(key)} is a media model`)
  return model
}

/** The handler of this machine that runs the model; undefined for a vendor's model or an unknown key. */
export function ownHandlerOf({ model: key }: Data): string | undefined {
  return byKey.get(String(key))?.inHouse
}

/** The model of that key. Throws AppError invalid_params with the nearest keys. */
export function knownModel(key: string): MediaModel {
  const model = byKey.get(key)
  if (model === undefined) throw unknownModel(key)
  return model
}

/**
 * Rejects parameters that the model does not support. Throws AppError invalid_params, or bad_url
 * for a file without a web URL.
 */
export function checkModelInput(input: Data): void {
  const key = String(input['model'])
  const model = knownModel(key)
  for (const name of Object.keys(input)) {
    if (name !== 'model' && !Object.hasOwn(model.params, name))
      throw invalid(
        name,
        `${key} does not support "${name}".`,
        `${key} takes ${Object.keys(model.params).join(', ')}.`,
      )
  }
  const withPresets = withDefaults(model, input)
  for (const [name, rule] of Object.entries(model.params)) {
    checkParam(key, name, rule, input[name])
    if (
      rule.with !== undefined &&
      input[name] !== undefined &&
      withPresets[rule.with] === undefined
    )
      throw invalid(rule.with, `"${name}" requires "${rule.with}".`, `Add "${rule.with}".`)
  }
  for (const [name, addresses] of addressesIn(input)) {
    for (const address of addresses)
      if (parseWebAddress(address) === null)
        throw new AppError('bad_url', `"${name}" is not the URL of a file on the web.`, {
          param: name,
          fix: 'Send an http or https URL. media/upload creates one for your own file.',
        })
  }
}

/** All URLs that the vendor must fetch. */
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

/**
 * The nearest keys by spelling, otherwise those of the same family, such as "veo-3.1" for "veo-9".
 */
function nearestModels(key: string): string[] {
  const near = suggest(key, byKey.keys())
  const [family = ''] = key.toLowerCase().split(/[^a-z]/)
  return near.length > 0 || family === ''
    ? near
    : [...byKey.keys()].filter((known) => known.startsWith(family)).slice(0, 3)
}

/** The maker shut these down by 1 December 2026 (developers.openai.com/api/docs/deprecations). */
const ENDED_MODELS: Ended = {
  'gpt-image-1.5': ['gpt-image-2'],
  'gpt-image-1': ['gpt-image-2'],
  'gpt-image-1-mini': ['gpt-image-2'],
}

function unknownModel(key: string): AppError {
  const problem = endedProblem('model', key, ENDED_MODELS)
  if (problem !== undefined)
    return new AppError('invalid_params', problem.message, {
      param: 'model',
      fix: problem.fix,
      details: { suggestions: ENDED_MODELS[key] },
    })
  const suggestions = nearestModels(key)
  const named =
    suggestions.length > 0
      ? `Did you mean ${suggestions.map((name) => `"${name}"`).join(', ')}? `
      : ''
  return new AppError('invalid_params', `Unknown media model "${key.slice(0, 60)}".`, {
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
      `"${name}" of ${key} must be one of ${values.join(', ')}.`,
      `Send one of ${values.join(', ')}.`,
    )
  const size = typeof value === 'string' ? Array.from(value).length : Number(value)
  const unit = typeof value === 'string' ? ' characters' : ''
  if (least !== undefined && size < least)
    throw invalid(
      name,
      `"${name}" of ${key} must be at least ${least}${unit}.`,
      `Send at least ${least}${unit}.`,
    )
  if (most !== undefined && size > most)
    throw invalid(
      name,
      `"${name}" of ${key} must be at most ${most}${unit}.`,
      `Send at most ${most}${unit}.`,
    )
}

function invalid(param: string, message: string, fix: string): AppError {
  return new AppError('invalid_params', message, { param, fix })
}
