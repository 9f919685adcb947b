import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Visitor } from '../../../../auth/records/browser-session.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { ownerOf } from '../../../../keys/caller.ts'
import type { BrowserDeps } from '../../../../resources/browsers/browser-deps.ts'
import { listBrowsers, readBrowser } from '../../../../resources/browsers/read-browsers.ts'
import type { FileDeps } from '../../../../resources/files/file-deps.ts'
import { fileRecord } from '../../../../resources/files/file-row.ts'
import { findFile } from '../../../../resources/files/find-file.ts'
import { releaseBrowser } from '../../../../resources/browsers/release-browser.ts'
import type { Owner } from '../../../../lib/owner.ts'
import { bearerSecret } from '../../guards/require-caller.ts'
import { requires } from '../../guards/requires.ts'
import { accountUrl } from '../account/account-url.ts'
import { signInPage, type SignInMethods } from '../sign-in/sign-in-page.ts'
import { fieldErrors } from '../visitor/field-errors.ts'
import { fieldOf, FORM_LIMIT_BYTES } from '../visitor/forms.ts'
import { requireOwnForm } from '../visitor/own-form.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { describeError, sendErrorPage, sendPage } from '../visitor/send-page.ts'
import { browserPage } from './browser-page.ts'
import { browserPath, BROWSERS_PATH } from './browser-parts.ts'
import { browsersPage } from './browsers-page.ts'

export type BrowserPageDeps = {
  readonly pages: PageDeps
  readonly methods: SignInMethods
  readonly browsers: BrowserDeps
  readonly files: FileDeps
}

type One = { Params: { session: string } }
type Shown = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly visitor: Visitor
  readonly error?: AppError
}

const ONE = `${BROWSERS_PATH}/:session`
const DONE: Readonly<Record<string, string>> = { released: 'Session released.' }

/** /browsers: open sessions, their live images and the form that ends one. Requires `acceptForms`. */
export function browserPageRoutes(app: FastifyInstance, deps: BrowserPageDeps): void {
  const { pages, methods, browsers } = deps
  const { site, findVisitor } = pages

  app.get(BROWSERS_PATH, requires('calls.view'), async (request, reply) => {
    const visitor = await findVisitor(request)
    return visitor === null
      ? sendPage(reply, 200, signInPage(site, methods, { next: request.url }))
      : showBrowsers(deps, { request, reply, visitor })
  })

  app.get<One>(ONE, requires('calls.view'), async (request, reply) => {
    const { session } = request.params
    // Redirects a program with a key to the image.
    if (bearerSecret(request) !== null)
      return reply.redirect(`/api/v1/browsers/${encodeURIComponent(session)}/live`, 303)
    const visitor = await findVisitor(request)
    return visitor === null
      ? sendPage(reply, 200, signInPage(site, methods, { next: request.url }))
      : showBrowser(deps, session, { request, reply, visitor })
  })

  app.post<One>(
    `${ONE}/release`,
    { bodyLimit: FORM_LIMIT_BYTES, ...requires('calls.run') },
    async (request, reply) => {
      requireOwnForm(request, site.publicUrl)
      const { session } = request.params
      const visitor = await findVisitor(request)
      if (visitor === null) return reply.redirect(browserPath(session), 303)
      try {
        await release(browsers, visitor, request)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        return showBrowser(deps, session, { request, reply, visitor, error })
      }
      return reply.redirect(accountUrl(browserPath(session), visitor, { done: 'released' }), 303)
    },
  )

  app.get<One>(`${ONE}/release`, requires('public'), async (request, reply) =>
    reply.redirect(browserPath(request.params.session), 303),
  )
}

async function release(
  browsers: BrowserDeps,
  { caller }: Visitor,
  request: FastifyRequest,
): Promise<void> {
  const owner = ownerOf(caller)
  const { session } = request.params as One['Params']
  await readBrowser(browsers, { owner, session })
  if (fieldOf(request.body, 'sure') !== 'yes')
    throw new AppError('invalid_params', 'Tick the box to end the session.', { param: 'sure' })
  await releaseBrowser(browsers, { owner, session })
}

async function showBrowsers(
  { pages: { site }, browsers }: BrowserPageDeps,
  { reply, visitor, error }: Shown,
): Promise<FastifyReply> {
  const markup = browsersPage(site, {
    visitor,
    sessions: await listBrowsers(browsers, ownerOf(visitor.caller)),
    nowMs: browsers.now(),
    ...(error === undefined ? {} : { problem: describeError(error) }),
  })
  return error === undefined ? sendPage(reply, 200, markup) : sendErrorPage(reply, error, markup)
}

/** An unknown session shows the list, with status 404. */
async function showBrowser(
  deps: BrowserPageDeps,
  session: string,
  shown: Shown,
): Promise<FastifyReply> {
  const { pages, browsers, files } = deps
  const { request, reply, visitor, error } = shown
  try {
    const owner = ownerOf(visitor.caller)
    const browser = await readBrowser(browsers, { owner, session })
    const videoUrl = await linkOf(files, owner, browser.recording?.file_id ?? null)
    const done = DONE[fieldOf(request.query, 'done')]
    const errors = error === undefined ? {} : fieldErrors(error, { sure: 'sure' })
    const hasField = Object.keys(errors).length > 0
    const markup = browserPage(pages.site, {
      visitor,
      browser,
      videoUrl,
      nowMs: browsers.now(),
      errors,
      ...(done === undefined || error !== undefined ? {} : { done }),
      ...(error === undefined || hasField ? {} : { problem: describeError(error) }),
    })
    return error === undefined ? sendPage(reply, 200, markup) : sendErrorPage(reply, error, markup)
  } catch (unknown) {
    if (!(unknown instanceof AppError) || unknown.code !== 'unknown_session') throw unknown
    return showBrowsers(deps, { ...shown, error: unknown })
  }
}

/** Null without a video, also after its owner deleted it. */
async function linkOf(
  files: FileDeps,
  owner: Owner,
  fileId: string | null,
): Promise<string | null> {
  if (fileId === null) return null
  try {
    return fileRecord(files, await findFile(files.database, owner, fileId)).get_url
  } catch (error) {
    if (error instanceof AppError && error.code === 'unknown_file') return null
    throw error
  }
}
