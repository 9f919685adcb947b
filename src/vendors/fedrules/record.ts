import { Type } from '../../lib/schema.ts'
import { call, defineService, params } from '../../catalog/vocabulary/define.ts'
import { text } from '../../catalog/vocabulary/fields.ts'
import { done } from '../../catalog/vocabulary/outcome.ts'
import { get } from '../../catalog/vocabulary/wire.ts'
import { federalRegister, search, shared } from './source.ts'
import { returns } from './returns.ts'

export const service = defineService({
  id: 'fedrules',
  title: 'The Federal Register',
  category: 'public records',
  vendor: federalRegister,
  returns,
  actions: {
    search,
    document: call({
      ...shared,
      title: 'Federal Register document',
      summary:
        'Read one document of the Federal Register: dates, citations, dockets and links to its text.',
      keywords: ['effective date', 'docket', 'cfr references'],
      input: params({
        document_number: text('Document number, such as "2024-12345".', 30, {
          pattern: '^[A-Za-z0-9-]+$',
        }),
      }),
      example: { document_number: '2024-12345' },
      request: ({ document_number: number }) => get(`/documents/${number}.json`),
      reply: Type.Object({ document_number: Type.String({ minLength: 1 }) }),
      outcome: ({ body }) => done(body),
    }),
  },
})
