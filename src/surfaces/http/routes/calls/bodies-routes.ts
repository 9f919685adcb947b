import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import {
  deleteBodies,
  setStoresBodies,
  storesBodies,
} from '../../../../history/bodies/stored-bodies.ts'
import { may, requires } from '../../guards/requires.ts'
import { actionForm } from '../../html/components/button.ts'
import { note } from '../../html/components/note.ts'
import { pageHeader } from '../../html/components/page-header.ts'
import { html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { accountUrl, CALLS_PATH } from '../account/account-url.ts'
import { signInPage, type SignInMethods } from '../sign-in/sign-in-page.ts'
import { fieldOf, FORM_LIMIT_BYTES, redirectFormGet } from '../visitor/forms.ts'
import { requireOwnForm } from '../visitor/own-form.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { sendPage } from '../visitor/send-page.ts'

const PATH = `${CALLS_PATH}/bodies`

/** Confirmations, by the query of the page. */
const DONE = {
  on: 'Requests and answers are stored from now on.',
  off: 'Requests and answers are no longer stored.',
  deleted: 'Stored requests and answers deleted.',
} as const

type BodiesDeps = {
  readonly pages: PageDeps
  readonly methods: SignInMethods
  readonly days: number
}

/** /calls/bodies: whether the account stores requests and answers. Requires `acceptForms`. */
export function bodiesRoutes(app: FastifyInstance, { pages, methods, days }: BodiesDeps): void {
  const { database, site, findVisitor } = pages

  app.get(PATH, requires('calls.view'), async (request, reply) => {
    const visitor = await findVisitor(request)
    if (visitor === null)
      return sendPage(reply, 200, signInPage(site, methods, { next: request.url }))
    const stores = await storesBodies(database, visitor.caller.accountId)
    const done = fieldOf(request.query, 'done')
    return sendPage(reply, 200, bodiesPage(site, { visitor, stores, days, done }))
  })

  form('on', (visitor) => setStoresBodies(database, visitor.caller.accountId, true))
  form('off', (visitor) => setStoresBodies(database, visitor.caller.accountId, false))
  form('deleted', (visitor) => deleteBodies(database, visitor.caller.accountId))

  function form(done: keyof typeof DONE, change: (visitor: Visitor) => Promise<void>): void {
    const path = `${PATH}/${done}`
    redirectFormGet(app, path, PATH)
    app.post(
      path,
      { bodyLimit: FORM_LIMIT_BYTES, ...requires('bodies.change') },
      async (request: FastifyRequest, reply: FastifyReply) => {
        requireOwnForm(request, site.publicUrl)
        const visitor = await findVisitor(request)
        if (visitor === null || !mayChange(visitor)) return reply.redirect(PATH, 303)
        await change(visitor)
        return reply.redirect(accountUrl(PATH, visitor, { done }), 303)
      },
    )
  }
}

/** A session of an ordinary key cannot change the account, and one of a test key no live calls. */
function mayChange(visitor: Visitor): boolean {
  const isOfTestKey = visitor.role === null && visitor.caller.mode === 'test'
  return may(visitor, 'bodies.change') && !isOfTestKey
}

type BodiesView = {
  readonly visitor: Visitor
  readonly stores: boolean
  readonly days: number
  readonly done: string
}

function bodiesPage(site: Site, { visitor, stores, days, done }: BodiesView): string {
  return layout(site, {
    path: CALLS_PATH,
    title: 'Stored requests and answers',
    description: 'Whether the account stores requests and answers of its calls.',
    unlisted: true,
    accountQuery: accountUrl('', visitor),
    viewer: visitor,
    crumbs: [
      { label: 'Calls', href: accountUrl(CALLS_PATH, visitor) },
      { label: 'Stored requests and answers' },
    ],
    ...(Object.hasOwn(DONE, done) ? { confirmation: DONE[done as keyof typeof DONE] } : {}),
    main: html`${pageHeader({
      title: 'Stored requests and answers',
      lead: stores ? 'On. The page of a call shows both.' : 'Off. This is the default.',
    })}
<ul>
<li>When on, the gateway stores the request and the answer of each call, live and test, for ${days} days.</li>
<li>It stores at most 65,536 characters of each. Each process of the gateway stores up to 268 million characters of live calls a day, and as many of test calls. It stores no more texts on that day.</li>
<li>Everyone who can see a call of the account can read them: all members, keys that see the whole account, and the key of the call. The operator of the gateway can read them in the database.</li>
<li>Values of fields such as <code>password</code>, <code>api_key</code> and <code>token</code>, bearer tokens and API keys are not stored. Secrets in other texts can be: leave this off if your requests contain personal data.</li>
<li>Headers, files and streamed answers are not stored.</li>
<li>Turning it on takes up to half a minute. Turning it off takes effect immediately; stored texts stay until their time ends or you delete them.</li>
</ul>
${
  mayChange(visitor)
    ? html`<div class="calls-to-action">${stores ? actionForm(`${PATH}/off`, 'Stop storing') : actionForm(`${PATH}/on`, 'Store requests and answers')}${actionForm(`${PATH}/deleted`, 'Delete all stored now', { kind: 'danger' })}</div>`
    : note('info', 'Only owners of the account and its primary live key can change this.')
}`,
  })
}
