/** The wire of Code Storage's merchant: POST /repos makes a repository, GET /repos/:id brings its clone URL. A name is given once. */
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

/** Names that an account gave. */
const given = createState<{ readonly name: string }>()
/** The repository of the examples is everybody's. */
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
