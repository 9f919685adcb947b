import type { Reply } from '../vocabulary/wire.ts'

const PATH = String.raw`(?:endpoint|route|operation|resource path|requested path|api version|api method)`
const NOT_THERE = String.raw`(?:was |is |could |does |has |been )*(?:not found|not be found|not exist|unknown|invalid|removed|retired|deprecated|discontinued|disabled|sunset|shut ?down|turned off|no longer (?:\w+ )*(?:available|supported|exists?|offered|in service|active))`

/**
 * Messages of web frameworks and gateways for a path that they do not serve: Express, NestJS, Fastify,
 * Go, Gin, Flask, Rails, Laravel, Spring, Kong, nginx, ASP.NET, OpenAI and Stripe.
 */
const ROUTE_MESSAGES = [
  /\bcannot (?:get|post|put|patch|delete|head) \//i,
  /\b404 page not found\b/i,
  /\bno route matche[sd]\b/i,
  /\bno (?:static resource|handler found for|http resource was found|such (?:route|endpoint|api))\b/i,
  /\b(?:invalid url|unrecognized request url|unknown request url) ?\(?:? ?\(?(?:get|post|put|patch|delete)\b/i,
  /<h1>not found<\/h1>\s*<p>the requested url\b/i,
  /<title>404 not found<\/title>[^]*<center>nginx/i,
  /\b(?:unknown|invalid|unsupported|no such|unrecognized) (?:api )?(?:endpoint|route|request url)\b/i,
  /\broute (?:get|post|put|patch|delete)?:?\S* ?(?:was |could )?not (?:be )?found\b/i,
  new RegExp(String.raw`\b${PATH}(?: \S+)? ${NOT_THERE}\b`, 'i'),
  new RegExp(String.raw`\bthis (?:api|endpoint|route|method) (?:\S+ )?${NOT_THERE}\b`, 'i'),
]

const MESSAGE_FIELDS = [
  'message',
  'detail',
  'error',
  'msg',
  'title',
  'description',
  'statusMessage',
]
const MOST_CHARACTERS = 4_000

/**
 * Whether the vendor no longer serves the path of the request: its 410, or a 404 with the generic
 * message of its web framework. A 404 of a missing item has other words.
 */
export function isRouteGone({ status, body }: Pick<Reply, 'status' | 'body'>): boolean {
  if (status === 410) return true
  if (status !== 404) return false
  return (
    isBareNotFound(body) ||
    ROUTE_MESSAGES.some((route) => messagesIn(body).some((words) => route.test(words)))
  )
}

/** FastAPI's answer on an unknown path. */
function isBareNotFound(body: unknown): boolean {
  return isObject(body) && Object.keys(body).length === 1 && body['detail'] === 'Not Found'
}

function messagesIn(body: unknown): readonly string[] {
  if (typeof body === 'string') return [body.slice(0, MOST_CHARACTERS)]
  if (!isObject(body)) return []
  return MESSAGE_FIELDS.flatMap((name) => {
    const value = body[name]
    if (typeof value === 'string') return [value.slice(0, MOST_CHARACTERS)]
    return isObject(value) && typeof value['message'] === 'string'
      ? [value['message'].slice(0, MOST_CHARACTERS)]
      : []
  })
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
