/** Texts that must stay as they are. */
import type { Place } from './passage.ts'

interface Exemption {
  readonly files: RegExp
  /** All places without it. */
  readonly places?: readonly Place[]
  /** All findings without it. */
  readonly words?: RegExp
  readonly reason: string
}

const STRINGS: readonly Place[] = ['string']

export const EXEMPT: readonly Exemption[] = [
  {
    files: /^docs\/reference\/(?:catalog|errors|actions\/[\w-]+)\.md/,
    reason: 'generated from checked records',
  },
  {
    files: /^packages\/cli\/src\/completion\/scripts\.ts$/,
    places: STRINGS,
    reason: 'programs of shells',
  },
  { files: /^packages\/sdk\/src\/[\w-]+\.d\.ts$/, reason: 'generated from checked records' },
  { files: /\.test\.ts$|\/testing\/|^test\//, places: STRINGS, reason: 'data of tests' },
  { files: /^src\/reader\/judge\/judge-phrases/, places: STRINGS, reason: 'phrases of websites' },
  {
    files: /^src\/simulators\/|\/simulator\.ts$/,
    places: STRINGS,
    reason: 'sample replies of vendors',
  },
  {
    files: /^src\/vendors\/(?:propdata|proprecords|real-estate)/,
    words: /parcel/i,
    reason: 'a parcel of land',
  },
  {
    files: /^src\/composites\/compliance\//,
    places: STRINGS,
    words: /^(?:AD:|10minutemail)/,
    reason: 'tables of codes and domains',
  },
  {
    files: /^src\/composites\/discover\/(?:search-index|tokenize|places|synonyms|topic)\.ts$/,
    places: STRINGS,
    reason: 'words of queries',
  },
  {
    files: /^src\/composites\/(?:discover|consult)\/.*\.test\.ts$/,
    places: ['row'],
    reason: 'queries of callers',
  },
  {
    files: /^src\/vendors\/rag\/record/,
    places: STRINGS,
    words: /what is/i,
    reason: 'an example query',
  },
  { files: /^tools\/prose(?:\/|\.test)/, places: STRINGS, reason: 'name the idioms' },
  { files: /^commit (?:0e5f3fee|61b0c637)/, reason: 'published before check read subjects' },
  { files: /^README\.md/, words: /^pictures?$/i, reason: 'the element of HTML' },
  {
    files: /^docs\/style\.md/,
    words: /^(?:room|rung|kept|patience|haste|give back)$/,
    reason: 'the words that the glossary replaces',
  },
]
