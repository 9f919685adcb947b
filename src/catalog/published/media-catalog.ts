/** GET /api/catalog: the media models with the parameters and prices that `media/generate` validates and charges by. */
import { AppError } from '../../errors/app-error.ts'
import { actionUrl, type Published } from './catalog-index.ts'
import {
  isSync,
  leastOfWholeResult,
  spanOfPrices,
  type MediaModel,
} from '../../vendors/media/model.ts'
import { knownModel, mediaKinds, mediaModels } from '../../vendors/media/models.ts'
import { generateInput } from '../../vendors/media/params.ts'
import { amountText, centsNumber } from './price-block.ts'

/** Of one kind, or one model by its key; all when left out. */
export type MediaFilter = {
  readonly kind?: string | undefined
  readonly model?: string | undefined
}

/** Throws AppError invalid_params for a kind or a model that there is none of. */
export function mediaCatalog(
  { laneOf, publicUrl }: Published,
  { kind, model: key }: MediaFilter = {},
) {
  const { live } = laneOf('media', 'generate')
  if (kind !== undefined && !mediaKinds.some((known) => known === kind))
    throw new AppError('invalid_params', 'There is no such kind of media model.', {
      param: 'kind',
      fix: `Send one of ${mediaKinds.join(', ')}.`,
    })
  const named = key === undefined ? mediaModels : [knownModel(key)]
  const chosen = named.filter((model) => kind === undefined || model.kind === kind)
  return {
    ok: true,
    call: `POST ${actionUrl(publicUrl, 'media', 'generate')}`,
    describe: `GET ${actionUrl(publicUrl, 'media', 'generate')}`,
    kinds: mediaKinds,
    /** What each parameter means; which of them a model takes, and with which values, is in its line. */
    params: generateInput.properties,
    model_count: chosen.length,
    models: chosen.map((model) => ({ ...modelLine(model), live })),
  }
}

function modelLine(model: MediaModel) {
  const { key, title, kind, params, unit, rates } = model
  const { least: cheapest, most: dearest } = spanOfPrices([model])
  return {
    model: key,
    title,
    kind,
    async: !isSync(model),
    params: Object.entries(params).map(
      ([
        name,
        { required = false, values, least, most, standard, standardWithout, with: beside },
      ]) => ({
        name,
        required,
        ...(values === undefined ? {} : { values }),
        ...(least === undefined ? {} : { least }),
        ...(most === undefined ? {} : { most }),
        ...(standard === undefined ? {} : { default: standard }),
        ...(standardWithout === undefined ? {} : { default_without: standardWithout }),
        ...(beside === undefined ? {} : { needs: beside }),
      }),
    ),
    unit,
    price_cents: centsNumber(leastOfWholeResult([model])),
    max_price_cents: centsNumber(dearest),
    /** What the cheapest call costs, and the dearest. */
    call_cents: { least: centsNumber(cheapest), most: centsNumber(dearest) },
    /** The first whose `when` the input has is the price of a unit; the last one always is. */
    prices: rates.map(({ when, rate, perPicture }) => ({
      ...(when === undefined ? {} : { when }),
      unit_price_cents: centsNumber(rate),
      ...(perPicture === undefined ? {} : { given_picture_cents: centsNumber(perPicture) }),
      text: `${amountText(rate)} per ${unit}${perPicture === undefined ? '' : ` and ${amountText(perPicture)} per picture that is given`}`,
    })),
  }
}
