import type { Limit, Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  ['upload', '1¢ per call', 'filename! size_bytes! mime tags note'],
  ['upload_from_url', '1¢ per call', 'url! filename tags note'],
  ['get', 'free', 'file_id!'],
  ['list', 'free', 'tags query'],
  ['delete', 'free', 'file_id!'],
]

export const limits: readonly Limit[] = [['upload', 'note', 1, 500]]
