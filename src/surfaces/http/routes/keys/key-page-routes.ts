import type { FastifyInstance } from 'fastify'
import type { Catalog } from '../../../../catalog/index.ts'
import type { Validator } from '../../../../catalog/validate/validate.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { requirePrimary } from '../../../../keys/change-key.ts'
import { KEY_STATUSES, type KeyStatus } from '../../../../keys/key-record.ts'
import type { KeyDeps } from '../../../../keys/key-deps.ts'
import { accountUrl } from '../account/account-url.ts'
import { signInPage, type SignInMethods } from '../sign-in/sign-in-page.ts'
import { fieldOf } from '../visitor/forms.ts'
import { requireOwnForm } from '../visitor/own-form.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { sendPage } from '../visitor/send-page.ts'
import { keyForms, type KeyForm } from './key-forms.ts'
import { createKeyViews, FIRST_PAGE } from './key-views.ts'
import { requires } from '../../guards/requires.ts'

export type KeyPageDeps = {
  readonly pages: PageDeps
  readonly methods: SignInMethods
  readonly keys: KeyDeps
  readonly validator: Validator
  readonly catalog: Pick<Catalog, 'allActions'>
}

// The lists of a policy have up to 100 items.
const KEY_FORM_LIMIT_BYTES = 64 * 1024

/** Form addresses that are also pages. */
const PAGES: readonly string[] = ['/keys', '/keys/:id']

type OneKey = { Params: { id: string } }

/** /keys: the key pages and their forms. The functions of src/keys check permissions. Requires `acceptForms`. */
export async function keyPageRoutes(
  app: FastifyInstance,
  { pages, methods, keys, validator, catalog }: KeyPageDeps,
): Promise<void> {
  const { site, findVisitor } = pages
  const views = createKeyViews(pages, keys, catalog)

  app.get('/keys', requires('keys.view'), async (request, reply) => {
    const visitor = await findVisitor(request)
    if (visitor === null)
      return sendPage(reply, 200, signInPage(site, methods, { next: request.url }))
    const [cursor, search] = [
      fieldOf(request.query, 'cursor'),
      fieldOf(request.query, 'q').trim().replaceAll('\0', ''),
    ]
    try {
      return await views.showKeys(reply, visitor, {
        cursor: cursor === '' ? null : cursor,
        search,
        status: readStatus(fieldOf(request.query, 'status')),
      })
    } catch (error) {
      if (error instanceof AppError && error.spec.status === 400)
        return views.showKeys(reply, visitor, FIRST_PAGE, { error })
      throw error
    }
  })

  app.get<OneKey>('/keys/:id', requires('keys.view'), async (request, reply) => {
    const visitor = await findVisitor(request)
    if (visitor === null)
      return sendPage(reply, 200, signInPage(site, methods, { next: request.url }))
    return views.showKey(reply, visitor, request.params.id, {
      done: fieldOf(request.query, 'done'),
      childrenCursor: fieldOf(request.query, 'children'),
    })
  })
  registerNewKey(app, '/keys/new')
  registerNewKey(app, '/keys/:id/children/new')

  function registerNewKey(to: FastifyInstance, path: string): void {
    to.get<{ Params: { id?: string } }>(path, requires('keys.own'), async (request, reply) => {
      const visitor = await findVisitor(request)
      if (visitor === null)
        return sendPage(reply, 200, signInPage(site, methods, { next: request.url }))
      if (!visitor.caller.primary) return reply.redirect(accountUrl('/keys', visitor), 303)
      return views.showNewKey(reply, visitor, request.params.id ?? null)
    })
  }

  for (const form of keyForms({ pages, keys, validator, catalog, views })) {
    registerForm(app, pages, form)
    if (!PAGES.includes(form.path)) redirectToKey(app, pages, form)
  }
}

/** Null for an empty field. Throws AppError invalid_params for an unknown status. */
function readStatus(text: string): KeyStatus | null {
  if (text === '') return null
  const status = KEY_STATUSES.find((known) => known === text)
  if (status !== undefined) return status
  throw new AppError('invalid_params', `Unknown status "${text.slice(0, 40)}".`, {
    param: 'status',
    fix: `Use one of: ${KEY_STATUSES.join(', ')}.`,
  })
}

/** Registers a form, which only a page of this gateway and a visitor with write permission can submit. */
function registerForm(
  app: FastifyInstance,
  { site, findVisitor }: PageDeps,
  { path, work, showAgain }: KeyForm,
): void {
  app.post<{ Params: { id?: string } }>(
    path,
    { bodyLimit: KEY_FORM_LIMIT_BYTES, ...requires('keys.own') },
    async (request, reply) => {
      requireOwnForm(request, site.publicUrl)
      const visitor = await findVisitor(request)
      if (visitor === null) return reply.redirect('/keys', 303)
      const sent = { request, reply, visitor, id: request.params.id ?? '' }
      try {
        // Checks the permission before the form, so that the error does not depend on the form.
        requirePrimary(visitor.caller)
        return await work(sent)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return showAgain(sent, error)
      }
    },
  )
}

/** Redirects a GET of a form address to its page, for reloads after an error. */
function redirectToKey(app: FastifyInstance, { findVisitor }: PageDeps, { path }: KeyForm): void {
  app.get<OneKey>(path, requires('public'), async (request, reply) => {
    const visitor = await findVisitor(request)
    const page = `/keys/${encodeURIComponent(request.params.id)}`
    return reply.redirect(visitor === null ? page : accountUrl(page, visitor), 303)
  })
}
