import type { FastifyReply, FastifyRequest } from 'fastify'
import { rebindSession, type Visitor } from '../../../../auth/records/browser-session.ts'
import type { Catalog } from '../../../../catalog/index.ts'
import type { Validator } from '../../../../catalog/validate/validate.ts'
import type { Transaction } from '../../../../db/database.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { KeyAlertBody, setKeyAlert } from '../../../../events/alerts.ts'
import { NewChildBody } from '../../../../keys/children/child-input.ts'
import { mintBelow } from '../../../../keys/children/mint-below.ts'
import type { KeyDeps } from '../../../../keys/key-deps.ts'
import { createKey } from '../../../../keys/create-key.ts'
import { readKey } from '../../../../keys/read-key.ts'
import { KeyPatchBody, NewKeyBody, RotateBody, type KeyPatch } from '../../../../keys/key-input.ts'
import { requireKnownPatterns } from '../../../../keys/policy/require-known-patterns.ts'
import type { KeyWithSecret } from '../../../../keys/key-record.ts'
import { revokeKey } from '../../../../keys/revoke-key.ts'
import { rotateKey } from '../../../../keys/rotate-key.ts'
import { updateKey } from '../../../../keys/update-key.ts'
import { publicId } from '../../../../lib/ids.ts'
import { readBody } from '../../read-input.ts'
import { accountUrl } from '../account/account-url.ts'
import { answerFormOnce } from '../visitor/answer-form-once.ts'
import { fieldOf } from '../visitor/forms.ts'
import type { PageDeps } from '../visitor/page-deps.ts'
import { sendPage } from '../visitor/send-page.ts'
import { keyInputOf, readKeyForm } from './key-form.ts'
import { changedLists } from './key-policy-form.ts'
import type { KeyDone } from './key-view.ts'
import { resendToken } from './rejected-key-form.ts'
import type { KeyViews } from './key-views.ts'
import { secretPage } from './secret-page.ts'

/** A submitted form of a visitor. `id` is the key of the form; empty for a new key. */
export type SubmittedForm = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly visitor: Visitor
  readonly id: string
}

export type KeyForm = {
  readonly path: string
  work(sent: SubmittedForm): Promise<FastifyReply>
  /** Shows the page of the form with the error. */
  showAgain(sent: SubmittedForm, error: AppError): Promise<FastifyReply>
}

export type KeyFormDeps = {
  readonly pages: PageDeps
  readonly keys: KeyDeps
  readonly validator: Validator
  readonly catalog: Pick<Catalog, 'allActions'>
  readonly views: KeyViews
}

export function keyForms(deps: KeyFormDeps): readonly KeyForm[] {
  return [
    creation(deps),
    childCreation(deps),
    change(deps),
    alerts(deps),
    pause(deps),
    rotation(deps),
    endOfFormer(deps),
    revocation(deps),
  ]
}

function creation({ pages, keys, validator, catalog, views }: KeyFormDeps): KeyForm {
  return {
    path: '/keys',
    async work({ request, reply, visitor }) {
      const input = readBody(validator, NewKeyBody, keyInputOf(readKeyForm(request.body)))
      requireKnownPatterns(input, catalog.allActions())
      const key = await answerFormOnce<KeyWithSecret>(pages, request, visitor.caller, (keep) =>
        createKey(keys, visitor.caller, input, keep),
      )
      return sendPage(reply, 201, secretPage(pages.site, { visitor, key }))
    },
    showAgain: ({ request, reply, visitor }, error) =>
      views.showNewKey(reply, visitor, null, {
        error,
        typed: readKeyForm(request.body),
        ...resendToken(request, error),
      }),
  }
}

function childCreation({ pages, keys, validator, catalog, views }: KeyFormDeps): KeyForm {
  return {
    path: '/keys/:id/children',
    async work({ request, reply, visitor, id }) {
      const input = readBody(validator, NewChildBody, keyInputOf(readKeyForm(request.body)))
      requireKnownPatterns(input, catalog.allActions())
      const key = await answerFormOnce<KeyWithSecret>(pages, request, visitor.caller, (keep) =>
        mintBelow(keys, visitor.caller, { parentId: id, input }, keep),
      )
      return sendPage(reply, 201, secretPage(pages.site, { visitor, key }))
    },
    showAgain: ({ request, reply, visitor, id }, error) =>
      views.showNewKey(reply, visitor, id, {
        error,
        typed: readKeyForm(request.body),
        ...resendToken(request, error),
      }),
  }
}

function alerts({ keys, validator, views }: KeyFormDeps): KeyForm {
  return {
    path: '/keys/:id/alerts',
    async work({ request, reply, visitor, id }) {
      const percents = percentsOf(fieldOf(request.body, 'percents'))
      const alert = readBody(validator, KeyAlertBody, { threshold_percents: percents })
      await setKeyAlert(keys.database, visitor.caller, id, alert)
      return reply.redirect(accountUrl(`/keys/${id}`, visitor, { done: 'alerts' }), 303)
    },
    showAgain: ({ reply, visitor, id }, error) =>
      views.showKey(reply, visitor, id, { refused: { error } }),
  }
}

/** Throws AppError invalid_params for a text that is not a list of whole numbers. */
function percentsOf(text: string): readonly number[] {
  const parts = text.split(/[\s,%]+/).filter((part) => part !== '')
  if (parts.every((part) => /^\d{1,3}$/.test(part))) return parts.map(Number)
  throw new AppError('invalid_params', 'The notifications are not a list of percentages.', {
    param: 'threshold_percents',
    fix: 'Enter whole numbers from 1 to 100, such as 50, 80, 100.',
  })
}

function change({ keys, validator, catalog, views }: KeyFormDeps): KeyForm {
  return {
    path: '/keys/:id',
    async work({ request, reply, visitor, id }) {
      const typed = readKeyForm(request.body)
      const key = await readKey(keys, visitor.caller, id)
      const patch = readBody(validator, KeyPatchBody, changedLists(keyInputOf(typed), typed, key))
      requireKnownPatterns(patch, catalog.allActions())
      await updateKey(keys, visitor.caller, id, patch, fieldOf(request.body, 'filled_from'))
      return reply.redirect(accountUrl(`/keys/${id}`, visitor, { done: 'saved' }), 303)
    },
    showAgain: ({ request, reply, visitor, id }, error) =>
      views.showKey(reply, visitor, id, {
        refused: {
          error,
          typed: readKeyForm(request.body),
          filledFrom: fieldOf(request.body, 'filled_from'),
        },
      }),
  }
}

function pause(deps: KeyFormDeps): KeyForm {
  return patching('/keys/:id/pause', deps, ({ body }) => {
    const paused = fieldOf(body, 'paused') === 'yes'
    return { patch: { paused }, done: paused ? 'paused' : 'resumed' }
  })
}

function endOfFormer(deps: KeyFormDeps): KeyForm {
  return patching('/keys/:id/end-former', deps, () => ({
    patch: { former_key_valid_until: null },
    done: 'former-ended',
  }))
}

function patching(
  path: string,
  { keys, views }: KeyFormDeps,
  changeOf: (request: FastifyRequest) => { readonly patch: KeyPatch; readonly done: KeyDone },
): KeyForm {
  return {
    path,
    async work({ request, reply, visitor, id }) {
      const { patch, done } = changeOf(request)
      await updateKey(keys, visitor.caller, id, patch)
      return reply.redirect(accountUrl(`/keys/${id}`, visitor, { done }), 303)
    },
    showAgain: ({ reply, visitor, id }, error) =>
      views.showKey(reply, visitor, id, { refused: { error } }),
  }
}

function rotation({ pages, keys, validator, views }: KeyFormDeps): KeyForm {
  return {
    path: '/keys/:id/rotate',
    async work({ request, reply, visitor, id }) {
      const { grace_seconds: graceSeconds = 0 } = readBody(validator, RotateBody, {
        grace_seconds: Number(fieldOf(request.body, 'grace_seconds')),
      })
      const isOwn = id === publicId('key', visitor.caller.keyId)
      const key = await answerFormOnce<KeyWithSecret>(pages, request, visitor.caller, (keep) => {
        const alongside = async (tx: Transaction, rotated: KeyWithSecret): Promise<void> => {
          if (isOwn) await rebindSession(tx, pages.cookie.read(request) ?? '', rotated.key)
          await keep(tx, rotated)
        }
        return rotateKey(keys, visitor.caller, id, { graceSeconds, alongside })
      })
      return sendPage(
        reply,
        200,
        secretPage(pages.site, { visitor, key, formerUntil: key.former_key_valid_until }),
      )
    },
    showAgain: ({ request, reply, visitor, id }, error) =>
      views.showKey(reply, visitor, id, {
        refused: {
          error,
          grace: fieldOf(request.body, 'grace_seconds'),
          ...resendToken(request, error),
        },
      }),
  }
}

function revocation({ keys, views }: KeyFormDeps): KeyForm {
  return {
    path: '/keys/:id/revoke',
    async work({ request, reply, visitor, id }) {
      if (fieldOf(request.body, 'sure') !== 'yes')
        throw new AppError('invalid_params', 'The key was not revoked.', {
          param: 'sure',
          fix: 'Tick the box to confirm. This cannot be undone.',
        })
      await revokeKey(keys, visitor.caller, id)
      return reply.redirect(accountUrl(`/keys/${id}`, visitor, { done: 'revoked' }), 303)
    },
    showAgain: ({ reply, visitor, id }, error) =>
      views.showKey(reply, visitor, id, { refused: { error } }),
  }
}
