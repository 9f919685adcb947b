/**
 * TikHub's API: a bearer key, any path below /api/v1, the platform's JSON under `data`. Missing
 * objects are 404.
 */
import { shortHash } from '../../simulators/content.ts'
import { peopleFor, personFor } from '../../simulators/people.ts'
import { isMiss, json, routed } from '../../simulators/routed.ts'
import {
  bearerCredential,
  type SimulatedReply,
  type SimulatedRequest,
} from '../../simulators/vendor.ts'

function failure(status: number, reason: string): SimulatedReply {
  return json(
    {
      detail: {
        code: status,
        message: `Simulated failure (${reason}).`,
        message_zh: '模拟',
        request_id: 'simulated',
      },
    },
    status,
  )
}

const base = routed({ credential: bearerCredential, quotaStatus: 402, failure, routes: {} })

const socialread = {
  ...base,
  answer: (request: SimulatedRequest): SimulatedReply | undefined => {
    const platform = /^\/api\/v1\/(\w+)\//.exec(request.path)?.[1]
    if (platform === undefined) return undefined
    if (isMiss(request, 'socialread')) return failure(404, 'not found')
    const params = {
      ...Object.fromEntries(request.query),
      ...(typeof request.body === 'object' && !Array.isArray(request.body) ? request.body : {}),
    }
    return json({
      code: 200,
      request_id: 'simulated',
      message: 'Request successful (simulated).',
      router: request.path,
      params,
      data: dataFor(platform, request),
    })
  },
}

/** One form for all platforms; the real forms differ per path. */
function dataFor(platform: string, { path, query, body }: SimulatedRequest): unknown {
  const about = `${path} ${query.toString()} ${JSON.stringify(body ?? null)}`
  const author = personFor(about)
  const items = peopleFor(about, 3).map(({ fullName }, index) => ({
    id: `${shortHash(`${about} ${index}`)}`,
    text: `Simulated post ${index + 1} on ${platform}.`,
    author: { name: fullName },
    likes: 10 * (index + 1),
  }))
  return {
    simulated: true,
    user: { nickname: author.fullName, follower_count: 1_234 },
    items,
    cursor: '3',
    has_more: false,
  }
}

export const simulators = { socialread }
