/** GET /api/catalog: the media models with the parameters and prices that `media/generate` validates and charges by. */
import { AppError, invariant } from '../../errors/app-error.ts'
import { actionUrl, type Published } from './catalog-index.ts'
import { isSync, cheapestResult, priceRangeOf } from '../prices/media-price.ts'
import { MEDIA_KINDS, type MediaModel } from '../vocabulary/media-model.ts'
import { amountText, centsNumber } from './price-block.ts'

/** Of one kind, or one model by its key; all when left out. */
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
    throw new AppError('invalid_params', 'There is no such kind of media model.', {
      param: 'kind',
      fix: `Send one of ${MEDIA_KINDS.join(', ')}.`,
    })
  const service = services.find(({ models }) => models !== undefined)
  invariant(service?.models !== undefined, 'a service of the catalog offers media models')
  const { id, models } = service
  const { live } = laneOf(id, 'generate')
  const named = key === undefined ? models.all : [models.find(key)]
  const chosen = named.filter((model) => kind === undefined || model.kind === kind)
  return {
    ok: true,
    call: `POST ${actionUrl(publicUrl, id, 'generate')}`,
    describe: `GET ${actionUrl(publicUrl, id, 'generate')}`,
    kinds: MEDIA_KINDS,
    /** Which of these a model takes, and with which values, is in its line. */
    params: models.params,
    model_count: chosen.length,
    models: chosen.map((model) => ({ ...modelLine(model), live })),
  }
}

function modelLine(model: MediaModel) {
  const { key, title, kind, params, unit, rates } = model
  const { least: cheapest, most: dearest } = priceRangeOf([model])
  return {
    model: key,
    title,
    kind,
    async: !isSync(model),
    params: Object.entries(params).map(
      ([
        name,
        { required = false, values, least, most, default: preset, defaultWithout, with: beside },
      ]) => ({
        name,
        required,
        ...(values === undefined ? {} : { values }),
        ...(least === undefined ? {} : { least }),
        ...(most === undefined ? {} : { most }),
        ...(preset === undefined ? {} : { default: preset }),
        ...(defaultWithout === undefined ? {} : { default_without: defaultWithout }),
        ...(beside === undefined ? {} : { needs: beside }),
      }),
    ),
    unit,
    price_cents: centsNumber(cheapestResult([model])),
    max_price_cents: centsNumber(dearest),
    /** What the cheapest call costs, and the dearest. */
    call_cents: { least: centsNumber(cheapest), most: centsNumber(dearest) },
    /** The first whose `when` the input has is the price of a unit; the last one always is. */
    prices: rates.map(({ when, rate, perInputImage }) => ({
      ...(when === undefined ? {} : { when }),
      unit_price_cents: centsNumber(rate),
      ...(perInputImage === undefined ? {} : { given_picture_cents: centsNumber(perInputImage) }),
      text: `${amountText(rate)} per ${unit}${perInputImage === undefined ? '' : ` and ${amountText(perInputImage)} per picture that is given`}`,
    })),
  }
}
