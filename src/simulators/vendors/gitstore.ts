/** The wire of Code Storage's merchant: POST /repos makes a repository, GET /repos/:id brings its clone URL. */
import { isMiss, json, routed } from '../routed.ts'
import { bearerCredential, bodyField, stringsOf } from '../vendor.ts'

function repo(id: string): object {
  return { id, clone_url: `https://t:simulated-token@simulated.code.storage/${id}.git` }
}

export const gitstore = routed({
  credential: bearerCredential,
  quotaStatus: 402,
  failure: (status) => json({ error: `Simulated failure with status ${status}.` }, status),
  routes: {
    'POST /repos': (request) => json(repo(`repo-${(stringsOf(bodyField(request, 'name'))[0] ?? request.now().toString(36)).replaceAll('/', '-')}`)),
    'GET /repos/:id': (request, { id = '' }) => (isMiss(request, 'gitstore') ? json({ error: 'Not found (simulated).' }, 404) : json(repo(id))),
  },
})
