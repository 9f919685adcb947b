/** The routes that publish the catalog. They need no key and send an ETag. */
import { MEDIA_KINDS } from '../vocabulary/media-model.ts'
import { answers, errorResponses, parameterRef, schemaRef, text } from './openapi-parts.ts'

const etag = {
  ETag: {
    schema: text,
    description: 'Send it as If-None-Match to get 304 while the document is unchanged.',
  },
}

const unchanged = { 304: { description: 'Unchanged since the ETag of the request.' } }
const published = (name: string, description: string, statuses: readonly number[] = []) => ({
  ...answers({ description, schema: schemaRef(name), headers: etag }, [...statuses, 500]),
  ...unchanged,
})
const textPage = (statuses: readonly number[] = []) => ({
  200: {
    description: 'Markdown.',
    headers: etag,
    content: { 'text/plain': { schema: text } },
  },
  ...unchanged,
  ...errorResponses([...statuses, 500]),
})
const common = { tags: ['catalog'], security: [] }

const mediaFilters = [
  {
    name: 'kind',
    in: 'query',
    required: false,
    schema: { enum: MEDIA_KINDS },
    description: 'Only models of this kind.',
  },
  { name: 'model', in: 'query', required: false, schema: text, description: 'Only this model.' },
]

export const catalogPaths = {
  '/api/run': {
    get: {
      operationId: 'list_actions',
      ...common,
      summary: 'Index of all services and actions with prices.',
      responses: published('CatalogIndex', 'The index.'),
    },
  },
  '/api/run/{service}/{action}': {
    get: {
      operationId: 'describe_action',
      ...common,
      summary: 'Descriptor of one action: price, billing rule, parameters, example.',
      parameters: [
        parameterRef('Service'),
        parameterRef('Action'),
        {
          name: 'endpoint',
          in: 'query',
          required: false,
          schema: text,
          description: 'For a passthrough action: describe only this endpoint.',
        },
      ],
      responses: published('Descriptor', 'The descriptor.', [404]),
    },
  },
  '/api/catalog': {
    get: {
      operationId: 'list_media_models',
      ...common,
      summary: 'Media models and their prices.',
      parameters: mediaFilters,
      responses: published('MediaModels', 'The models.', [400]),
    },
  },
  '/openapi.json': {
    get: {
      operationId: 'read_openapi',
      ...common,
      summary: 'This document.',
      responses: published('OpenApi', 'OpenAPI 3.1.'),
    },
  },
  '/llms.txt': {
    get: {
      operationId: 'read_llms_txt',
      ...common,
      summary: 'The gateway on one page, for language models.',
      responses: textPage(),
    },
  },
  '/llms/{page}': {
    get: {
      operationId: 'read_llms_txt_of_service',
      ...common,
      summary: 'The actions of one service, for language models.',
      parameters: [
        {
          name: 'page',
          in: 'path',
          required: true,
          schema: text,
          description: 'The service and ".txt", such as "core.txt".',
        },
      ],
      responses: textPage([404]),
    },
  },
  '/llms-full.txt': {
    get: {
      operationId: 'read_llms_full_txt',
      ...common,
      summary: 'All actions and endpoints in one document, for language models.',
      responses: textPage(),
    },
  },
}
