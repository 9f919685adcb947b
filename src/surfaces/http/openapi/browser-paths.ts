/** The live view of browser sessions in the OpenAPI document. */
import { errorResponses } from '../../../catalog/published/openapi-parts.ts'
import { READ, requestId, security } from './path-parts.ts'

export const browserPaths = {
  '/api/v1/browsers/{session}/live': {
    get: {
      operationId: 'watch_browser',
      tags: ['browsers'],
      security,
      summary:
        'Follow the image of a browser session that this gateway runs, at most five frames a second. View only, free. A slow client misses frames. The response ends with the session. A key of scope "own" sees the sessions that it opened.',
      parameters: [
        {
          name: 'session',
          in: 'path',
          required: true,
          schema: { type: 'string' },
          description: 'The sessionId that browser/create_session returned.',
        },
      ],
      responses: {
        ...errorResponses([...READ, 404, 429, 503]),
        200: {
          description: 'JPEG images, each a part of the response.',
          headers: requestId,
          content: { 'multipart/x-mixed-replace': { schema: { type: 'string' } } },
        },
      },
    },
  },
}
