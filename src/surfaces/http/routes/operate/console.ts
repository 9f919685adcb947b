/** Access to the operator console, and the forms of its pages. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readSessionAge, type Visitor } from '../../../../auth/records/browser-session.ts'
import { RECENT_SIGN_IN_MS, staleSignIn } from '../../../../auth/records/recent-sign-in.ts'
import { runAs } from '../../../../db/author.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { publicId, type Id } from '../../../../lib/ids.ts'
import { roleMay } from '../../../../lib/permissions.ts'
import { requires } from '../../guards/requires.ts'
import { notFoundPage } from '../../html/pages/not-found-page.ts'
import { fieldOf, FORM_LIMIT_BYTES } from '../visitor/forms.ts'
import { requireOwnForm } from '../visitor/own-form.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { sendErrorPage, sendPage } from '../visitor/send-page.ts'

/** A signed-in operator. `isRecent`: signed in within the last hour, as sensitive actions require. */
export type Operator = {
  readonly visitor: Visitor
  readonly personId: Id
  readonly isRecent: boolean
}

type Params = Readonly<Record<string, string>>

export type PageRequest = {
  readonly operator: Operator
  readonly params: Params
  readonly query: (name: string) => string
  /** Message of a finished form. */
  readonly done: string
}

/** A form that was rejected. The page marks the field and keeps the typed values. */
export type Rejection = {
  readonly form: string
  readonly error: AppError
  readonly typed: (name: string) => string
}

/** Renders a page; null when its subject does not exist. */
export type ShowPage = (request: PageRequest, rejection?: Rejection) => Promise<string | null>

export type FormWork = {
  readonly operator: Operator
  readonly params: Params
  readonly field: (name: string) => string
  readonly reply: FastifyReply
}

export type FormResult =
  | { readonly done: string; readonly to?: string; readonly anchor?: string }
  | { readonly markup: string }

export type ConsoleForm = {
  /** Appended to the path of the page. */
  readonly name: string
  /** Needs a recent sign-in: actions that give money, access or secrets. */
  readonly isSensitive?: boolean
  /** Forms without a reason change nothing that belongs to an account. */
  readonly needsReason?: boolean
  /** Returns the message for `done` and optionally another page, or the markup to show instead of a redirect. */
  readonly work: (form: FormWork) => Promise<FormResult>
}

// `findOperator` decides. A rejection by role would show that the address exists.
const MEMBER = requires('member')
const LONGEST_REASON = 200

export type Console = {
  /** Registers a page with its forms. Everyone who is no operator gets the page for unknown addresses. */
  page(path: string, show: ShowPage, forms?: readonly ConsoleForm[]): void
  /** Registers a download. */
  download(
    path: string,
    send: (request: PageRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ): void
}

export function createConsole(app: FastifyInstance, pages: PageDeps): Console {
  const { database, now, site, cookie, findVisitor } = pages
  const unknown = notFoundPage(site)

  async function findOperator(request: FastifyRequest): Promise<Operator | null> {
    const visitor = await findVisitor(request)
    if (visitor === null || visitor.isOperator !== true) return null
    const { member } = visitor.caller
    if (member === undefined || !roleMay(member.role, 'operate')) return null
    const ageMs = await readSessionAge({ database, now }, cookie.read(request) ?? '')
    return { visitor, personId: member.personId, isRecent: ageMs < RECENT_SIGN_IN_MS }
  }

  // The same answers as for an address without a route.
  function sendUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (request.headers.accept?.includes('text/html') === true) return sendPage(reply, 404, unknown)
    throw new AppError('not_found', 'Nothing exists at this address.')
  }

  const requestOf = (operator: Operator, request: FastifyRequest): PageRequest => ({
    operator,
    params: request.params as Params,
    query: (name) => fieldOf(request.query, name),
    done: fieldOf(request.query, 'done'),
  })

  function form(path: string, show: ShowPage, one: ConsoleForm): void {
    const address = `${path}/${one.name}`
    app.get(address, MEMBER, async (request, reply) =>
      (await findOperator(request)) === null
        ? sendUnknown(request, reply)
        : reply.redirect(fill(path, request.params as Params), 303),
    )
    app.post(address, { bodyLimit: FORM_LIMIT_BYTES, ...MEMBER }, async (request, reply) => {
      requireOwnForm(request, site.publicUrl)
      const operator = await findOperator(request)
      if (operator === null) return sendUnknown(request, reply)
      const field = (name: string): string => fieldOf(request.body, name).trim()
      try {
        if (one.isSensitive === true) requireRecent(operator)
        const reason = one.needsReason === false ? undefined : readReason(field('reason'))
        const author = {
          by: `operator ${publicId('member', operator.personId)}`,
          from: 'operator console',
          requestId: publicId('request', request.id),
          ...(reason === undefined ? {} : { reason }),
        }
        const params = request.params as Params
        const result = await runAs(author, () => one.work({ operator, params, field, reply }))
        if ('markup' in result) return sendPage(reply, 200, result.markup)
        const { done, to = fill(path, params), anchor } = result
        return reply.redirect(
          `${to}?${new URLSearchParams({ done }).toString()}${anchor === undefined ? '' : `#${anchor}`}`,
          303,
        )
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const markup = await show(requestOf(operator, request), {
          form: one.name,
          error,
          typed: field,
        })
        return markup === null ? sendUnknown(request, reply) : sendErrorPage(reply, error, markup)
      }
    })
  }

  return {
    page(path, show, forms = []) {
      app.get(path, MEMBER, async (request, reply) => {
        const operator = await findOperator(request)
        const markup = operator === null ? null : await show(requestOf(operator, request))
        return markup === null ? sendUnknown(request, reply) : sendPage(reply, 200, markup)
      })
      for (const one of forms) form(path, show, one)
    },
    download(path, send) {
      app.get(path, MEMBER, async (request, reply) => {
        const operator = await findOperator(request)
        return operator === null
          ? sendUnknown(request, reply)
          : send(requestOf(operator, request), reply)
      })
    },
  }
}

/** The address of a page whose path has parameters. */
function fill(path: string, params: Params): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

function requireRecent({ isRecent }: Operator): void {
  if (!isRecent) throw staleSignIn()
}

/** Throws AppError invalid_params. */
function readReason(text: string): string {
  if (text === '' || text.length > LONGEST_REASON || /\p{Cc}/u.test(text))
    throw new AppError(
      'invalid_params',
      text === '' ? 'A reason is required.' : 'The reason is too long or has line breaks.',
      { param: 'reason', fix: `Write one line of at most ${LONGEST_REASON} characters.` },
    )
  return text
}
