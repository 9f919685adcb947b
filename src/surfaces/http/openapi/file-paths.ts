/** File links in the OpenAPI document. */
import { answers, errorResponses, schemaRef } from '../../../catalog/published/openapi-parts.ts'

const parameters = [
  {
    name: 'id',
    in: 'path',
    required: true,
    schema: { type: 'string' },
    description: 'File id (file_…).',
  },
  ...['expires', 'size', 'mode', 'signature'].map((name) => ({
    name,
    in: 'query',
    required: true,
    schema: { type: 'string' },
    description: 'From the link.',
  })),
]

const requestId = { 'X-Request-Id': { schema: { type: 'string' } } }
const text = { schema: { type: 'string' } }
const bytes = { schema: { type: 'string', contentMediaType: 'application/octet-stream' } }
// Types that a browser could run are served as octets.
const content = { 'application/octet-stream': bytes, '*/*': bytes }
const downloadHeaders = {
  ...requestId,
  ETag: { ...text, description: 'The SHA-256 of the file.' },
  'Content-Disposition': { ...text, description: 'Always an attachment with the filename.' },
  'Accept-Ranges': { schema: { const: 'bytes' } },
}

export const filePaths = {
  '/files/{id}': {
    parameters,
    get: {
      operationId: 'download_file',
      tags: ['file links'],
      summary:
        'Download a file with the get_url from files/get. Supports HEAD, Range, If-Range and If-None-Match.',
      security: [],
      responses: {
        ...errorResponses([403, 404, 416, 500, 503]),
        200: { description: 'The file.', headers: downloadHeaders, content },
        206: {
          description: 'The requested range.',
          headers: { ...downloadHeaders, 'Content-Range': text },
          content,
        },
        304: { description: 'The file matches If-None-Match.' },
      },
    },
    put: {
      operationId: 'upload_file',
      tags: ['file links'],
      summary:
        'Upload a file to the put_url from files/upload. The body is the file. The gateway verifies Content-Digest if present.',
      security: [],
      requestBody: { required: true, content: { 'application/octet-stream': bytes } },
      responses: answers(
        {
          description: 'The file is stored.',
          schema: {
            type: 'object',
            required: ['ok', 'data'],
            properties: { ok: { const: true }, data: schemaRef('File') },
          },
          headers: requestId,
        },
        [400, 403, 404, 408, 422, 500, 503],
      ),
    },
  },
}
