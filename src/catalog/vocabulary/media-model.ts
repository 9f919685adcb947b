/** Media models: `GET /api/catalog` publishes these rows and `media/generate` executes them. */
import type { TProperties } from '../../lib/schema.ts'
import type { Micros } from '../../lib/money.ts'
import type { Data } from './outcome.ts'
import type { Reply } from './wire.ts'

/** In the order of `GET /api/catalog`. */
export const MEDIA_KINDS = [
  'image',
  'video',
  'lipsync',
  'background-removal',
  'assembly',
  'conversion',
  'speech',
  'music',
] as const

export type MediaKind = (typeof MEDIA_KINDS)[number]

/** A model's rule for one parameter of `params.ts`: its values and its default. */
export type Rule = {
  readonly required?: true
  /** Requires this other parameter, or its default. */
  readonly with?: string
  readonly values?: readonly (string | number)[]
  readonly least?: number
  readonly most?: number
  readonly default?: string | number | boolean
  /** The default does not apply if the input has one of these parameters. */
  readonly defaultWithout?: readonly string[]
}

/**
 * Applies if the input has all of `when`. The first matching rate counts; the last always matches.
 */
export type Rate = {
  readonly when?: Data
  readonly rate: Micros
  /** For each input image, if the vendor bills those too. */
  readonly perInputImage?: Micros
}

export type Unit = 'image' | 'megapixel' | 'second' | '1,000 characters' | 'call'

/** Parameters that name a file with a duration. */
export type FileParam = 'video_url' | 'audio_url'

export type MediaModel = {
  readonly key: string
  readonly title: string
  readonly kind: MediaKind
  readonly params: Readonly<Record<string, Rule>>
  readonly unit: Unit
  readonly rates: readonly Rate[]
  /**
   * The most units that this input can use. `asked` is the input with its defaults, here and below.
   */
  readonly units: (input: Data) => number
  /** The least and the most units of any call. */
  readonly span: readonly [least: number, most: number]
  /**
   * The delivered units. Undefined if the vendor does not report them: then all units were
   * delivered.
   */
  readonly delivered?: (reply: Reply, input: Data) => number | undefined
  /**
   * The duration depends on the caller's files, which are measured before the work starts.
   * `duration` limits the part that may be charged.
   */
  readonly length?: {
    readonly of: readonly FileParam[]
    readonly seconds: (lengths: readonly number[], input: Data) => number
  }
  /** The handler of this machine that alone runs the model. The vendor has no such model. */
  readonly inHouse?: string
  /** The path at the vendor, and its body. For a model of this machine: at the simulators. */
  readonly endpoint: (input: Data) => string
  readonly body: (input: Data) => Data
}

/** A service's models, as published by `GET /api/catalog`. */
export type MediaModels = {
  readonly all: readonly MediaModel[]
  /** Throws AppError invalid_params for an unknown key, with the nearest keys. */
  readonly find: (key: string) => MediaModel
  /** Every parameter of any model, with its description. */
  readonly params: TProperties
}
