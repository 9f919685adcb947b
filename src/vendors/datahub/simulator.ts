/** The public sources behind the paths of datahub. The gateway calls them directly. */
import { coingecko, defillama, frankfurter, usgs, worldbank } from './simulated-money.ts'
import {
  arxiv,
  cisa,
  crossref,
  nhtsa,
  nvd,
  osv,
  pubmed,
  semanticscholar,
} from './simulated-papers.ts'

export const simulators = {
  arxiv,
  cisa,
  crossref,
  nhtsa,
  nvd,
  osv,
  pubmed,
  semanticscholar,
  coingecko,
  defillama,
  frankfurter,
  usgs,
  worldbank,
}
