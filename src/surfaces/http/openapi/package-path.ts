import { errorResponses, text } from '../../../catalog/published/openapi-parts.ts'
import { PACKAGE_NAMES } from '../html/code/install-lines.ts'

const bytes = { schema: { type: 'string', contentMediaType: 'application/octet-stream' } }

export const packagePath = {
  '/sdk/{name}': {
    get: {
      operationId: 'read_package',
      tags: ['catalog'],
      security: [],
      summary: 'A client of this gateway, for npm install or pip install.',
      parameters: [
        {
          name: 'name',
          in: 'path',
          required: true,
          schema: { enum: Object.values(PACKAGE_NAMES) },
          description: 'The TypeScript SDK, the command line, or the Python client.',
        },
      ],
      responses: {
        200: {
          description: 'The package.',
          headers: { ETag: { schema: text, description: 'Send it as If-None-Match.' } },
          content: { 'application/octet-stream': bytes },
        },
        304: { description: 'Unchanged since the ETag of the request.' },
        ...errorResponses([404, 500]),
      },
    },
  },
}
