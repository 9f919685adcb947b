/** The schema of `GET /api/catalog`. */
import { anyObject, liveSchema, text } from './openapi-parts.ts'

export const mediaModelsSchema = {
  type: 'object',
  required: ['ok', 'call', 'describe', 'kinds', 'params', 'model_count', 'models'],
  properties: {
    ok: { const: true },
    call: text,
    describe: text,
    kinds: { type: 'array', items: text, description: 'Allowed values of ?kind=.' },
    params: { ...anyObject, description: 'JSON Schema of each parameter that any model accepts.' },
    model_count: { type: 'integer' },
    models: {
      type: 'array',
      items: {
        type: 'object',
        required: [
          'model',
          'title',
          'kind',
          'async',
          'params',
          'unit',
          'price_cents',
          'max_price_cents',
          'call_cents',
          'prices',
          'live',
        ],
        properties: {
          model: { type: 'string', description: 'The value of model for media/generate.' },
          title: text,
          kind: text,
          async: {
            type: 'boolean',
            description:
              'If true, media/generate answers with a job_id and media/result returns the file. If false, the answer contains the file.',
          },
          params: {
            type: 'array',
            items: {
              type: 'object',
              required: ['name', 'required'],
              properties: {
                name: text,
                required: { type: 'boolean' },
                default_without: {
                  type: 'array',
                  items: text,
                  description:
                    'The default does not apply if the input has one of these parameters.',
                },
                needs: {
                  type: 'string',
                  description: 'A parameter that this one requires, set or by its default.',
                },
              },
              additionalProperties: true,
            },
          },
          unit: text,
          price_cents: { type: 'number', description: 'The least price of a complete result.' },
          max_price_cents: { type: 'number', description: 'The most that a call can cost.' },
          call_cents: {
            type: 'object',
            description: 'The prices of the cheapest and of the most expensive call.',
            required: ['least', 'most'],
            properties: { least: { type: 'number' }, most: { type: 'number' } },
          },
          prices: {
            type: 'array',
            description:
              'Cents per unit. The first entry whose when matches the input applies; the last always matches.',
            items: {
              type: 'object',
              required: ['unit_price_cents', 'text'],
              properties: {
                when: anyObject,
                unit_price_cents: { type: 'number' },
                given_picture_cents: {
                  type: 'number',
                  description: 'Added for each input image.',
                },
                text,
              },
            },
          },
          live: liveSchema,
        },
      },
    },
  },
}
