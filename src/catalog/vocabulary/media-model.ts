/** Media models: the rows that `GET /api/catalog` publishes and `media/generate` executes. */
import type { TProperties } from 'typebox'
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
  'speech',
  'music',
] as const

export type MediaKind = (typeof MEDIA_KINDS)[number]

/** What a model makes of one of the parameters that `params.ts` names: which values it takes, and what it gets when there is none. */
export type Rule = {
  readonly required?: true
  /** Is of use beside this other one alone, or its standard. */
  readonly with?: string
  readonly values?: readonly (string | number)[]
  readonly least?: number
  readonly most?: number
  readonly default?: string | number | boolean
  /** Beside one of these there is no standard. */
  readonly defaultWithout?: readonly string[]
}

/** Applies when the input has all of `when`; the first that applies counts, and the last one always does. */
export type Rate = {
  readonly when?: Data
  readonly rate: Micros
  /** Of each picture that is given to work with, where the vendor bills those too. */
  readonly perInputImage?: Micros
}

export type Unit = 'image' | 'megapixel' | 'second' | '1,000 characters' | 'call'

/** Parameters that name a file with a length. */
export type FileParam = 'video_url' | 'audio_url'

export type MediaModel = {
  readonly key: string
  readonly title: string
  readonly kind: MediaKind
  readonly params: Readonly<Record<string, Rule>>
  readonly unit: Unit
  readonly rates: readonly Rate[]
  /** The units that this input pays for at most. `asked` has the standards filled in, here and below. */
  readonly units: (asked: Data) => number
  /** The least and the most units of any call. */
  readonly span: readonly [least: number, most: number]
  /** What the vendor delivered, in units; undefined when it does not say, which is all that was asked for. */
  readonly delivered?: (reply: Reply, asked: Data) => number | undefined
  /** The length follows from files of the caller's, which are measured before the work begins; `duration` says how much of it may be charged. */
  readonly length?: {
    readonly of: readonly FileParam[]
    readonly seconds: (lengths: readonly number[], asked: Data) => number
  }
  readonly endpoint: (asked: Data) => string
  readonly body: (asked: Data) => Data
}

/** The models of a service, as `GET /api/catalog` publishes them. */
export type MediaModels = {
  readonly all: readonly MediaModel[]
  /** The model of that key. Throws AppError invalid_params, which names the nearest ones. */
  readonly find: (key: string) => MediaModel
  /** Every parameter of any model, with its description. */
  readonly params: TProperties
}
