/** The two ends of a file link in the OpenAPI document. */
import { answers, errorResponses, schemaRef } from '../../../catalog/published/openapi-parts.ts'

const parameters = [
  {
    name: 'id',
    in: 'path',
    required: true,
    schema: { type: 'string' },
    description: 'Id of the file (file_…).',
  },
  ...['expires', 'size', 'mode', 'signature'].map((name) => ({
    name,
    in: 'query',
    required: true,
    schema: { type: 'string' },
    description: 'As the link has it.',
  })),
]

const requestId = { 'X-Request-Id': { schema: { type: 'string' } } }
const text = { schema: { type: 'string' } }
const bytes = { schema: { type: 'string', contentMediaType: 'application/octet-stream' } }
// What could run in a browser is served as octets, the rest as what it is.
const content = { 'application/octet-stream': bytes, '*/*': bytes }
const downloadHeaders = {
  ...requestId,
  ETag: { ...text, description: 'The SHA-256 of the file.' },
  'Content-Disposition': { ...text, description: 'Always a download, with the name of the file.' },
  'Accept-Ranges': { schema: { const: 'bytes' } },
}

export const filePaths = {
  '/files/{id}': {
    parameters,
    get: {
      operationId: 'download_file',
      tags: ['file links'],
      summary:
        'The bytes of a file: the get_url of files/get. Takes Range, If-Range and If-None-Match; HEAD works too.',
      security: [],
      responses: {
        ...errorResponses([403, 404, 416, 500, 503]),
        200: { description: 'The file.', headers: downloadHeaders, content },
        206: {
          description: 'The part that was asked for.',
          headers: { ...downloadHeaders, 'Content-Range': text },
          content,
        },
        304: { description: 'The file has the ETag in If-None-Match.' },
      },
    },
    put: {
      operationId: 'upload_file',
      tags: ['file links'],
      summary:
        'Upload the bytes of a slot: the put_url of files/upload. The body is the file and nothing else. Content-Digest is checked when sent.',
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
