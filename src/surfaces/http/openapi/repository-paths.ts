/** Repositories of this gateway in the OpenAPI document. */
import { answers, schemaRef } from '../../../catalog/published/openapi-parts.ts'
import type { RenewedUrl } from '../routes/git/repository-routes.ts'
import { KEYED, requestId, security } from './path-parts.ts'
import { record, text, type FieldsOf } from './schema-parts.ts'

const fields: FieldsOf<RenewedUrl> = {
  repo_id: text,
  clone_url: { ...text, description: 'Contains a token that grants read and write access.' },
}

export const repositorySchemas = { RenewedUrl: record(fields) }

export const repositoryPaths = {
  '/api/v1/repositories/{repo}/clone-url': {
    parameters: [
      {
        name: 'repo',
        in: 'path',
        required: true,
        schema: text,
        description: 'The repo_id that gitstore/repo-create returned.',
      },
    ],
    post: {
      operationId: 'renew_clone_url',
      tags: ['repositories'],
      security,
      summary:
        'Replace the clone URL of a repository. The former one stops working. The new one works as long as the calling key.',
      responses: answers(
        {
          status: 200,
          description: 'The new clone URL.',
          schema: {
            type: 'object',
            required: ['ok', 'data'],
            properties: { ok: { const: true }, data: schemaRef('RenewedUrl') },
          },
          headers: requestId,
        },
        [...KEYED, 404],
      ),
    },
  },
}
