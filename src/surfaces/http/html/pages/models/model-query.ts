/** Filters and order of the model list, from the query of its address. */
import { cheapestResult } from '../../../../../catalog/prices/media-price.ts'
import { MEDIA_KINDS, type MediaModel } from '../../../../../catalog/vocabulary/media-model.ts'
import type { Candidate } from '../../../../../llm/lists/model.ts'
import { makerOf } from './model-offer.ts'

export const MODEL_KINDS = ['language', 'media', ...MEDIA_KINDS] as const
export type ModelKind = (typeof MODEL_KINDS)[number]

export const SORTS = [
  ['', 'Newest first'],
  ['name', 'Name'],
  ['input', 'Input price'],
  ['output', 'Output price'],
  ['context', 'Longest context'],
] as const

export const MEDIA_SORTS = [
  ['', 'Kind'],
  ['name', 'Name'],
  ['price', 'Price'],
] as const

/** Inputs and abilities to choose language models by. */
export const NEEDS = [
  ['', 'Any'],
  ['image', 'Images'],
  ['file', 'Files'],
  ['audio', 'Audio'],
  ['tools', 'Tools'],
] as const

/** Empty texts filter nothing. */
export type ModelQuery = {
  /** Undefined without a choice. */
  readonly kind: ModelKind | undefined
  readonly q: string
  readonly maker: string
  readonly needs: string
  readonly sort: string
  /** From 1. */
  readonly page: number
}

export type RawModelQuery = Readonly<Record<string, string | string[] | undefined>>

const MOST_CHARS = 100

/** Unknown values and repeated parameters are ignored. */
export function readModelQuery(raw: RawModelQuery): ModelQuery {
  const text = (name: string): string => {
    const value = raw[name]
    return typeof value === 'string' ? value.trim().slice(0, MOST_CHARS) : ''
  }
  const sort = text('sort')
  const needs = text('needs')
  const page = text('page')
  return {
    kind: MODEL_KINDS.find((kind) => kind === text('kind')),
    q: text('q'),
    maker: text('maker'),
    needs: NEEDS.some(([value]) => value === needs) ? needs : '',
    sort: [...SORTS, ...MEDIA_SORTS].some(([value]) => value === sort) ? sort : '',
    page: /^[1-9]\d{0,2}$/.test(page) ? Number(page) : 1,
  }
}

/** Whether the page is the one without a query. */
export function isPlain({ kind, q, maker, needs, sort, page }: ModelQuery): boolean {
  return kind === undefined && q + maker + needs + sort === '' && page === 1
}

export function modelsAddress(query: Partial<ModelQuery>): string {
  const { kind, page = 1, ...texts } = query
  const params = new URLSearchParams({
    ...(kind === undefined ? {} : { kind }),
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== '')),
    ...(page === 1 ? {} : { page: String(page) }),
  }).toString()
  return params === '' ? '/models' : `/models?${params}`
}

export function findLanguageModels(
  models: readonly Candidate[],
  { q, maker, needs, sort }: ModelQuery,
): Candidate[] {
  const found = models.filter(
    ({ id, model }) =>
      hasWords(`${id} ${model.name}`, q) &&
      (maker === '' || makerOf(id) === maker) &&
      (needs === '' || accepts(model, needs)),
  )
  return found.toSorted(ORDERS[sort] ?? byAge)
}

export function findMediaModels(
  models: readonly MediaModel[],
  { kind, q, sort }: ModelQuery,
): MediaModel[] {
  const found = models.filter(
    (model) =>
      (kind === undefined || kind === 'media' || kind === model.kind) &&
      hasWords(`${model.key} ${model.title}`, q),
  )
  if (sort === 'name') return found.toSorted((one, other) => one.title.localeCompare(other.title))
  if (sort !== 'price') return found
  return found.toSorted((one, other) => Number(cheapestResult([one]) - cheapestResult([other])))
}

type Order = (one: Candidate, other: Candidate) => number

const byAge: Order = (one, other) => other.model.createdSeconds - one.model.createdSeconds

const ORDERS: Readonly<Record<string, Order>> = {
  name: (one, other) => one.model.name.localeCompare(other.model.name),
  input: (one, other) => Number(one.rates.prompt - other.rates.prompt),
  output: (one, other) => Number(one.rates.completion - other.rates.completion),
  context: (one, other) => (other.model.contextLength ?? 0) - (one.model.contextLength ?? 0),
}

/** Lists without parameters do not name tools. */
export function accepts(
  { inputModalities, parameters }: Candidate['model'],
  need: string,
): boolean {
  return need === 'tools' ? parameters?.includes('tools') === true : inputModalities.includes(need)
}

function hasWords(text: string, words: string): boolean {
  const searched = text.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word))
}
