import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['entities', '1¢ per call', 'q!'],
  ['filings', '1¢ per call', 'cik!'],
  ['fulltext', '1¢ per call', 'q! forms startdt enddt from'],
  ['document', '1¢ per call', 'cik! accession! filename!'],
  ['concept', '1¢ per call', 'cik! concept!'],
  ['index', '1¢ per call', 'date!'],
]
