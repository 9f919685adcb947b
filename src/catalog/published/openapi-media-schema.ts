/** The schema of `GET /api/catalog`. */
import { anyObject, liveSchema, text } from './openapi-parts.ts'

export const mediaModelsSchema = {
  type: 'object',
  required: ['ok', 'call', 'describe', 'kinds', 'params', 'model_count', 'models'],
  properties: {
    ok: { const: true },
    call: text,
    describe: text,
    kinds: { type: 'array', items: text, description: 'What ?kind= takes.' },
    params: { ...anyObject, description: 'JSON Schema of each parameter that some model takes.' },
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
          model: { type: 'string', description: 'What media/generate takes as model.' },
          title: text,
          kind: text,
          async: {
            type: 'boolean',
            description:
              'True: media/generate answers with a job_id, and media/result has the file. False: the file comes with the answer.',
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
                  description: 'There is no default beside one of these.',
                },
                needs: {
                  type: 'string',
                  description:
                    'The parameter that must stand beside this one, or have its default.',
                },
              },
              additionalProperties: true,
            },
          },
          unit: text,
          price_cents: { type: 'number', description: 'The least that a whole result costs.' },
          max_price_cents: { type: 'number', description: 'The most that a call can cost.' },
          call_cents: {
            type: 'object',
            description: 'What the cheapest call costs, and the dearest.',
            required: ['least', 'most'],
            properties: { least: { type: 'number' }, most: { type: 'number' } },
          },
          prices: {
            type: 'array',
            description:
              'Cents for each unit. The first whose when the input has counts; the last one always does.',
            items: {
              type: 'object',
              required: ['unit_price_cents', 'text'],
              properties: {
                when: anyObject,
                unit_price_cents: { type: 'number' },
                given_picture_cents: {
                  type: 'number',
                  description: 'Besides, for each picture that is given to work with.',
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
