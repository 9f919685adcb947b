import { Type, type Static } from '../../lib/schema.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Outgoing } from '../../upstream/exchange.ts'

const MOST_CENTS = 10_000

/** The body of POST /api/fetch. */
export const PaidFetchInput = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 8_192, description: 'URL on the public web.' }),
    method: Type.Union(
      [
        Type.Literal('GET'),
        Type.Literal('POST'),
        Type.Literal('PUT'),
        Type.Literal('PATCH'),
        Type.Literal('DELETE'),
      ],
      { default: 'GET', description: 'Method of the request.' },
    ),
    headers: Type.Record(
      Type.String({ pattern: '^[A-Za-z0-9-]{1,100}$' }),
      Type.String({ maxLength: 4_096 }),
      { default: {}, maxProperties: 40, description: 'Headers of the request.' },
    ),
    body: Type.Optional(
      Type.Union([Type.String(), Type.Object({}), Type.Array(Type.Unknown())], {
        description: 'Body of the request: text is sent unchanged, other values as JSON.',
      }),
    ),
    max_cost_cents: Type.Integer({
      minimum: 0,
      maximum: MOST_CENTS,
      default: 0,
      description:
        'The most that may be paid for the response, in whole cents. With 0 nothing is paid, and a URL that asks for a payment returns its price.',
    }),
  },
  { additionalProperties: false, required: ['url'] },
)
export type PaidFetchInput = Static<typeof PaidFetchInput>

/** Headers that belong to the connection, to the gateway or to the payment. */
const OWN_HEADERS =
  /^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-length|accept-encoding|x-payment.*|payment-.*|proxy-.*)$/
/** Headers that cloud metadata servers require before they return a machine's secrets. The guard blocks their addresses; this is a second barrier. */
const METADATA_HEADERS =
  /^(metadata.*|x-metadata-.*|x-ms-.*|x-google-.*|x-aws-ec2-metadata-.*|x-aliyun-ecs-metadata-.*|x-identity-header)$/
const HEADER_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/

/** The request to send. Throws AppError invalid_params for headers that cannot be forwarded. */
export function outgoingOf(
  url: URL,
  { method, headers: given, body }: PaidFetchInput,
  userAgent: string,
): Outgoing {
  const headers: Record<string, string> = { accept: '*/*', 'user-agent': userAgent }
  if (body !== undefined && typeof body !== 'string') headers['content-type'] = 'application/json'
  for (const [name, value] of Object.entries(given)) {
    const isPayment = name.toLowerCase() === 'authorization' && /^payment\s/i.test(value)
    if (METADATA_HEADERS.test(name.toLowerCase())) {
      throw new AppError(
        'invalid_params',
        `The header "${name}" is not sent, because cloud metadata servers require it.`,
        { param: `headers.${name}`, fix: 'Leave this header out.' },
      )
    }
    if (OWN_HEADERS.test(name.toLowerCase()) || isPayment || !HEADER_VALUE.test(value)) {
      throw new AppError('invalid_params', `The header "${name}" cannot be sent.`, {
        param: `headers.${name}`,
        fix: 'Leave this header out. The gateway sets the headers of the connection and of the payment.',
      })
    }
    headers[name.toLowerCase()] = value
  }
  headers['accept-encoding'] = 'identity'
  if (body !== undefined && method === 'GET')
    throw new AppError('invalid_params', 'A GET request has no body.', {
      param: 'body',
      fix: 'Leave the body out, or send another method.',
    })
  return {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers,
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  }
}
