import type { Offer } from '../../catalog/testing/promises.ts'

export const offers: readonly Offer[] = [
  [
    'generate',
    '0.63¢ to $108.00 per call, depending on the input',
    'model! prompt image_url image_urls video_url audio_url aspect_ratio resolution duration text',
  ],
  ['upload', '1¢ per call', 'file_name! content_type!'],
  ['result', 'free', 'job_id transaction_id'],
]
