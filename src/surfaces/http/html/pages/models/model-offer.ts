/** The models of this gateway, as pages show them. */
import type { Published } from '../../../../../catalog/published/catalog-index.ts'
import { amountText } from '../../../../../catalog/published/price-block.ts'
import { formatDollars, maxMicros, minMicros, type Micros } from '../../../../../lib/money.ts'
import { MEDIA_KINDS, type MediaModel } from '../../../../../catalog/vocabulary/media-model.ts'
import type { Directory, Offer } from '../../../../../llm/lists/directory.ts'

/** `isLive`: false if only test keys reach the language models, which are then simulated. */
export type ModelOffer = Omit<Offer, 'fetchedMs'> & { readonly isLive: boolean }

const NO_ROUTER: ModelOffer = { tiers: new Map(), models: [], version: '', isLive: false }

export async function readModelOffer(directory: Directory | undefined): Promise<ModelOffer> {
  if (directory === undefined) return NO_ROUTER
  const isLive = directory.isConfigured
  return { ...(await directory.offer(isLive ? 'live' : 'test')), isLive }
}

/** The service with media models; undefined if the catalog has none. */
export function mediaOf({ services, laneOf }: Published) {
  const service = services.find(({ models }) => models !== undefined)
  const action = service?.actions['generate']
  if (service?.models === undefined || action === undefined) return undefined
  const { all, params } = service.models
  const isLive = ({ key }: MediaModel): boolean => laneOf(service.id, 'generate', key).live !== null
  return { service: service.id, action, models: all, params, isLive }
}

export const KIND_NAMES: Readonly<Record<(typeof MEDIA_KINDS)[number], string>> = {
  image: 'Images',
  video: 'Videos',
  lipsync: 'Lipsync',
  'background-removal': 'Background removal',
  assembly: 'Assembly',
  conversion: 'Conversion',
  speech: 'Speech',
  music: 'Music',
}

export function modelPath(id: string): string {
  return `/models/${id.split('/').map(encodeURIComponent).join('/')}`
}

/** The maker in a model's id: "openai" in "openai/gpt-6-luna". */
export function makerOf(id: string): string {
  return id.includes('/') ? id.slice(0, id.indexOf('/')).replace(/^~/, '') : 'other'
}

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** 200000 as "200K"; null, if the list has none, as a dash. */
export function tokensText(count: number | null): string {
  return count === null ? '–' : compact.format(count)
}

/** A rate of a language model, per million tokens. */
export function tokenRateText(rate: Micros): string {
  return rate === 0n ? 'free' : formatDollars(rate)
}

/** The span of the listed rates, such as "4¢ to 8¢ per second". */
export function ratesText({ rates, unit }: MediaModel): string {
  const amounts = rates.map(({ rate }) => rate)
  const [first = 0n, ...rest] = amounts
  const [least, most] = [minMicros(first, ...rest), maxMicros(first, ...rest)]
  const span = least === most ? amountText(least) : `${amountText(least)} to ${amountText(most)}`
  return `${span} per ${unit}`
}
