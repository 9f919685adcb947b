/** GET /api/catalog: the media models with the parameters and prices that `media/generate` validates and charges by. */
import { actionUrl, type Published } from './catalog-index.ts'
import { isSync, type MediaModel } from '../services/media/model.ts'
import { mediaModels } from '../services/media/models.ts'
import { amountText, centsNumber } from './price-block.ts'

export function mediaCatalog({ laneOf, publicUrl }: Published) {
  const { live } = laneOf('media', 'generate')
  return {
    ok: true,
    call: `POST ${actionUrl(publicUrl, 'media', 'generate')}`,
    describe: `GET ${actionUrl(publicUrl, 'media', 'generate')}`,
    model_count: mediaModels.length,
    models: mediaModels.map((model) => ({ ...modelLine(model), live })),
  }
}

function modelLine(model: MediaModel) {
  const { key, title, kind, params, unit, rates } = model
  return {
    model: key,
    title,
    kind,
    async: !isSync(model),
    params: Object.entries(params).map(([name, { required = false, values, least, most, standard, standardWithout, with: beside }]) => ({
      name,
      required,
      ...(values === undefined ? {} : { values }),
      ...(least === undefined ? {} : { least }),
      ...(most === undefined ? {} : { most }),
      ...(standard === undefined ? {} : { default: standard }),
      ...(standardWithout === undefined ? {} : { default_without: standardWithout }),
      ...(beside === undefined ? {} : { needs: beside }),
    })),
    unit,
    /** The first whose `when` the input has is the price of a unit; the last one always is. */
    prices: rates.map(({ when, rate, perPicture }) => ({
      ...(when === undefined ? {} : { when }),
      price_cents: centsNumber(rate),
      ...(perPicture === undefined ? {} : { given_picture_cents: centsNumber(perPicture) }),
      text: `${amountText(rate)} per ${unit}${perPicture === undefined ? '' : ` and ${amountText(perPicture)} per picture that is given`}`,
    })),
  }
}
