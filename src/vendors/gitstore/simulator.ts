/**
 * The API of Code Storage's merchant: POST /repos creates a repository, GET /repos/:id returns its
 * clone URL. Each name is unique.
 */
import { SIMULATED_ACCOUNT } from '../../catalog/vocabulary/wire.ts'
import { uniqueId, createState } from '../../simulators/bounded-state.ts'
import { isMiss, json, routed } from '../../simulators/routed.ts'
import {
  bearerCredential,
  bodyField,
  stringsOf,
  type SimulatedReply,
  type SimulatedRequest,
} from '../../simulators/vendor.ts'

/** The names that accounts have used. */
const given = createState<{ readonly name: string }>()
/** All accounts share the repository of the examples. */
const OF_EXAMPLES = 'notes'

function repo(id: string): object {
  return { id, clone_url: `https://t:simulated-token@simulated.code.storage/${id}.git` }
}

function create(request: SimulatedRequest): SimulatedReply {
  const [name] = stringsOf(bodyField(request, 'name'))
  if (name === undefined) return json(repo(`repo-${uniqueId(request.now().toString(36))}`))
  const key = `${String(request.headers[SIMULATED_ACCOUNT] ?? '')} ${name}`
  if (given.has(key) && name !== OF_EXAMPLES)
    return json({ error: 'There is a repository of that name (simulated).' }, 409)
  given.set(key, { name })
  return json(repo(`repo-${name.replaceAll('/', '-')}`))
}

const gitstore = routed({
  credential: bearerCredential,
  quotaStatus: 402,
  failure: (status) => json({ error: `Simulated failure with status ${status}.` }, status),
  routes: {
    'POST /repos': create,
    'GET /repos/:id': (request, { id = '' }) =>
      isMiss(request, 'gitstore') ? json({ error: 'Not found (simulated).' }, 404) : json(repo(id)),
  },
})

export const simulators = { gitstore }
