import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['dockets', '1¢ per call', 'party_name docket_number court case_name q order_by'],
  ['cases', '1¢ per call', 'party_name docket_number court case_name q order_by'],
]
