/**
 * GET /api/catalog: the media models, with the parameters and prices that `media/generate` applies.
 */
import { AppError, invariant } from '../../errors/app-error.ts'
import { actionUrl, type Published } from './catalog-index.ts'
import { isSync, cheapestResult, priceRangeOf } from '../prices/media-price.ts'
import { MEDIA_KINDS, type MediaModel } from '../vocabulary/media-model.ts'
import { amountText, centsNumber } from './price-block.ts'

/** One kind or one model. Everything by default. */
export type MediaFilter = {
  readonly kind?: string | undefined
  readonly model?: string | undefined
}

/** Throws AppError invalid_params for an unknown kind or model. */
export function mediaCatalog(
  { services, laneOf, publicUrl }: Published,
  { kind, model: key }: MediaFilter = {},
) {
  if (kind !== undefined && !MEDIA_KINDS.some((known) => known === kind))
    throw new AppError('invalid_params', 'Unknown kind of media model.', {
      param: 'kind',
      fix: `Use one of ${MEDIA_KINDS.join(', ')}.`,
    })
  const service = services.find(({ models }) => models !== undefined)
  invariant(service?.models !== undefined, 'one service of the catalog offers media models')
  const { id, models } = service
  const candidates = key === undefined ? models.all : [models.find(key)]
  const chosen = candidates.filter((model) => kind === undefined || model.kind === kind)
  return {
    ok: true,
    call: `POST ${actionUrl(publicUrl, id, 'generate')}`,
    describe: `GET ${actionUrl(publicUrl, id, 'generate')}`,
    kinds: MEDIA_KINDS,
    /** Each model's line states which of these it accepts, and which values. */
    params: models.params,
    model_count: chosen.length,
    models: chosen.map((model) => ({
      ...modelLine(model),
      live: laneOf(id, 'generate', model.key).live,
    })),
  }
}

function modelLine(model: MediaModel) {
  const { key, title, kind, params, unit, rates } = model
  const { least: cheapest, most: mostExpensive } = priceRangeOf([model])
  return {
    model: key,
    title,
    kind,
    async: !isSync(model),
    params: Object.entries(params).map(
      ([
        name,
        { required = false, values, least, most, default: preset, defaultWithout, with: needs },
      ]) => ({
        name,
        required,
        ...(values === undefined ? {} : { values }),
        ...(least === undefined ? {} : { least }),
        ...(most === undefined ? {} : { most }),
        ...(preset === undefined ? {} : { default: preset }),
        ...(defaultWithout === undefined ? {} : { default_without: defaultWithout }),
        ...(needs === undefined ? {} : { needs: needs }),
      }),
    ),
    unit,
    price_cents: centsNumber(cheapestResult([model])),
    max_price_cents: centsNumber(mostExpensive),
    /** The prices of the cheapest and of the most expensive call. */
    call_cents: { least: centsNumber(cheapest), most: centsNumber(mostExpensive) },
    /**
     * The first rate whose `when` matches the input is the price of a unit; the last always
     * matches.
     */
    prices: rates.map(({ when, rate, perInputImage }) => ({
      ...(when === undefined ? {} : { when }),
      unit_price_cents: centsNumber(rate),
      ...(perInputImage === undefined ? {} : { given_picture_cents: centsNumber(perInputImage) }),
      text: `${amountText(rate)} per ${unit}${perInputImage === undefined ? '' : ` and ${amountText(perInputImage)} per input image`}`,
    })),
  }
}
