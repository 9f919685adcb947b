/** Builds the rows of video models. */
import type { Data } from '../../catalog/vocabulary/outcome.ts'
import type { MediaModel, Rate, Rule } from '../../catalog/vocabulary/media-model.ts'
import { field } from '../../catalog/answers/vendor-failure.ts'
import type { Reply } from '../../catalog/vocabulary/wire.ts'
import { dropUndefined } from '../shared/fields.ts'
import { billedUnits } from './vendor.ts'

type VideoModel = Pick<MediaModel, 'key' | 'title'> & {
  readonly endpoint: string
  /**
   * The variant that starts from an image, with the vendor's names for the first and the last
   * frame.
   */
  readonly fromImage?: {
    readonly endpoint: string
    readonly first?: string
    readonly last?: string
  }
  /**
   * Duration in seconds: certain values or a range. If omitted, the model decides and each video
   * has the same price.
   */
  readonly duration?: Rule & { readonly default: number }
  /** Converts the seconds to the vendor's format. */
  readonly formatSeconds?: (seconds: number) => string | number
  readonly resolutions?: readonly string[]
  readonly forms?: readonly string[]
  readonly hasAudio?: true
  /** Additional fields for the vendor, such as the duration of a video with a fixed price. */
  readonly extraFields?: (input: Data) => Data
  readonly rates: readonly Rate[]
  readonly further?: Readonly<Record<string, Rule>>
}

/** The duration that the vendor reports or billed. */
function secondsOf(reply: Reply): number | undefined {
  const duration = field(field(reply.body, 'video'), 'duration')
  return typeof duration === 'number' && duration > 0 ? duration : billedUnits(reply)
}

/**
 * A video has about the requested duration. If the vendor's figure is far below, it counts
 * something else, such as tokens.
 */
function secondsNear(reply: Reply, requested: number): number | undefined {
  const seconds = secondsOf(reply)
  return seconds === undefined || seconds < requested / 2 ? undefined : seconds
}

function spanOf({ values, least = 1, most = 1 }: Rule): readonly [number, number] {
  const numbers = values?.map(Number) ?? [least, most]
  return [Math.min(...numbers), Math.max(...numbers)]
}

export function videoModel({
  key,
  title,
  endpoint,
  fromImage,
  duration,
  formatSeconds = Number,
  resolutions,
  forms,
  hasAudio,
  extraFields,
  rates,
  further = {},
}: VideoModel): MediaModel {
  const [defaultSize] = resolutions ?? []
  return {
    key,
    title,
    kind: 'video',
    params: {
      prompt: { required: true },
      ...(duration === undefined ? {} : { duration }),
      ...(defaultSize === undefined
        ? {}
        : { resolution: { values: resolutions ?? [], default: defaultSize } }),
      ...(forms === undefined ? {} : { aspect_ratio: { values: forms } }),
      ...(hasAudio === undefined ? {} : { generate_audio: { default: true } }),
      ...(fromImage === undefined ? {} : { image_url: {} }),
      ...(fromImage?.last === undefined ? {} : { end_image_url: { with: 'image_url' } }),
      ...further,
    },
    unit: duration === undefined ? 'call' : 'second',
    rates,
    units: ({ duration: seconds }) => (duration === undefined ? 1 : Number(seconds)),
    span: duration === undefined ? [1, 1] : spanOf(duration),
    ...(duration === undefined
      ? {}
      : {
          delivered: (reply: Reply, { duration: seconds }: Data) =>
            secondsNear(reply, Number(seconds)),
        }),
    endpoint: ({ image_url }) =>
      fromImage !== undefined && image_url !== undefined ? fromImage.endpoint : endpoint,
    body: (input) => {
      const { model: _, duration: seconds, image_url: first, end_image_url: last, ...rest } = input
      return dropUndefined({
        ...rest,
        ...extraFields?.(input),
        ...(seconds === undefined ? {} : { duration: formatSeconds(Number(seconds)) }),
        [fromImage?.first ?? 'image_url']: first,
        [fromImage?.last ?? 'end_image_url']: last,
      })
    },
  }
}
