import type { FastifyInstance } from 'fastify'
import type { Validator } from '../../../../catalog/validate/validate.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { requirePrimary } from '../../../../keys/change-key.ts'
import type { KeyContext } from '../../../../keys/context.ts'
import { address } from '../account/shown-mode.ts'
import { signInPage, type SignInMethods } from '../sign-in/sign-in-page.ts'
import { fieldOf, FORM_LIMIT_BYTES } from '../visitor/forms.ts'
import { requireOwnForm } from '../visitor/own-form.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { sendPage } from '../visitor/send-page.ts'
import { keyForms, type KeyForm } from './key-forms.ts'
import { createKeyViews, FIRST_PAGE } from './key-views.ts'

export type KeyPageOptions = {
  readonly pages: PageDeps
  readonly methods: SignInMethods
  readonly keys: KeyContext
  readonly validator: Validator
}

/** The addresses of forms that are pages too. */
const PAGES: readonly string[] = ['/keys', '/keys/:id']

type OneKey = { Params: { id: string } }

/** /keys for people. What may be done with keys, and by whom, is decided by the verbs. Relies on `acceptForms`. */
export async function keyPageRoutes(
  app: FastifyInstance,
  { pages, methods, keys, validator }: KeyPageOptions,
): Promise<void> {
  const { site, visitors } = pages
  const views = createKeyViews(pages, keys)

  app.get('/keys', async (request, reply) => {
    const visitor = await visitors(request)
    if (visitor === null)
      return sendPage(reply, 200, signInPage(site, methods, { next: request.url }))
    const [cursor, search] = [
      fieldOf(request.query, 'cursor'),
      fieldOf(request.query, 'q').trim().replaceAll('\0', ''),
    ]
    try {
      return await views.showKeys(reply, visitor, { cursor: cursor === '' ? null : cursor, search })
    } catch (error) {
      if (error instanceof AppError && error.spec.status === 400)
        return views.showKeys(reply, visitor, FIRST_PAGE, { error })
      throw error
    }
  })

  app.get<OneKey>('/keys/:id', async (request, reply) => {
    const visitor = await visitors(request)
    if (visitor === null)
      return sendPage(reply, 200, signInPage(site, methods, { next: request.url }))
    return views.showKey(reply, visitor, request.params.id, {
      isSaved: fieldOf(request.query, 'saved') !== '',
    })
  })

  for (const form of keyForms({ pages, keys, validator, views })) {
    takeForm(app, pages, form)
    if (!PAGES.includes(form.path)) leadsToKey(app, pages, form)
  }
}

/** A form of these pages: from here alone, by a visitor who may write. */
function takeForm(
  app: FastifyInstance,
  { site, visitors }: PageDeps,
  { path, work, again }: KeyForm,
): void {
  app.post<{ Params: { id?: string } }>(
    path,
    { bodyLimit: FORM_LIMIT_BYTES },
    async (request, reply) => {
      requireOwnForm(request, site.publicUrl)
      const visitor = await visitors(request)
      if (visitor === null) return reply.redirect('/keys', 303)
      const sent = { request, reply, visitor, id: request.params.id ?? '' }
      try {
        // Before the form is looked at: whoever may not write is told so, whatever was sent.
        requirePrimary(visitor.caller)
        return await work(sent)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return again(sent, error)
      }
    },
  )
}

/** Where the browser stands after such a form was refused. */
function leadsToKey(app: FastifyInstance, { visitors }: PageDeps, { path }: KeyForm): void {
  app.get<OneKey>(path, async (request, reply) => {
    const visitor = await visitors(request)
    const page = `/keys/${encodeURIComponent(request.params.id)}`
    return reply.redirect(visitor === null ? page : address(page, visitor), 303)
  })
}
