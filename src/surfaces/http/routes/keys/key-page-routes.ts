import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { keepSignedIn, type Visitor } from '../../../../accounts/page-session.ts'
import type { Validator } from '../../../../catalog/validate.ts'
import type { Transaction } from '../../../../db/database.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { requirePrimary } from '../../../../keys/change-key.ts'
import type { KeyContext } from '../../../../keys/context.ts'
import { createKey } from '../../../../keys/create-key.ts'
import { KeyPatchBody, NewKeyBody, RotateBody } from '../../../../keys/key-input.ts'
import { listKeys } from '../../../../keys/list-keys.ts'
import { readKey } from '../../../../keys/read-key.ts'
import { revokeKey } from '../../../../keys/revoke-key.ts'
import { rotateKey } from '../../../../keys/rotate-key.ts'
import { updateKey } from '../../../../keys/update-key.ts'
import { publicId } from '../../../../lib/ids.ts'
import { readBody } from '../../read-input.ts'
import { address } from '../account/shown-mode.ts'
import { signInPage, type SignInWays } from '../people/sign-in-page.ts'
import { answerFormOnce } from '../visitor/answer-form-once.ts'
import { fieldOf, FORM_LIMIT_BYTES } from '../visitor/forms.ts'
import { requireOwnForm } from '../visitor/own-form.ts'
import type { PageParts } from '../visitor/page-parts.ts'
import { sendPage } from '../visitor/send-page.ts'
import { keyInputOf, NOTHING_TYPED, typedIn } from './key-form.ts'
import { keyPage } from './key-page.ts'
import { filledOf, sendShown, shown, toSendAgain, type Refused } from './key-refusal.ts'
import { keysPage } from './keys-page.ts'
import { secretPage } from './secret-page.ts'

export type KeyPageOptions = { readonly parts: PageParts; readonly ways: SignInWays; readonly keys: KeyContext; readonly validator: Validator }

const KEYS_SHOWN = 50

type OneKey = { Params: { id: string } }
/** A form that came from a visitor. */
type Sent = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly visitor: Visitor; readonly id: string }

/** /keys for people. What may be done with keys, and by whom, is decided by the verbs. Relies on `acceptForms`. */
export async function keyPageRoutes(app: FastifyInstance, { parts, ways, keys, validator }: KeyPageOptions): Promise<void> {
  const { site, visitors, cookie } = parts

  app.get('/keys', async (request, reply) => {
    const visitor = await visitors(request)
    if (visitor === null) return sendPage(reply, 200, signInPage(site, ways, { next: request.url }))
    const cursor = fieldOf(request.query, 'cursor')
    try {
      return await showKeys(reply, visitor, cursor === '' ? null : cursor)
    } catch (error) {
      if (error instanceof AppError && error.spec.status === 400) return showKeys(reply, visitor, null, { error })
      throw error
    }
  })

  app.get<OneKey>('/keys/:id', async (request, reply) => {
    const visitor = await visitors(request)
    if (visitor === null) return sendPage(reply, 200, signInPage(site, ways, { next: request.url }))
    return showKey(reply, visitor, request.params.id, { isSaved: fieldOf(request.query, 'saved') !== '' })
  })

  onForm('/keys', {
    async work({ request, reply, visitor }) {
      const input = readBody(validator, NewKeyBody, keyInputOf(typedIn(request.body)))
      const key = await answerFormOnce(parts, request, visitor.caller, () => createKey(keys, visitor.caller, input))
      return sendPage(reply, 201, secretPage(site, { visitor, key }))
    },
    again: ({ request, reply, visitor }, error) => showKeys(reply, visitor, null, { error, typed: typedIn(request.body), ...toSendAgain(request, error) }),
  })

  onForm('/keys/:id', {
    async work({ request, reply, visitor, id }) {
      await updateKey(keys, visitor.caller, id, readBody(validator, KeyPatchBody, keyInputOf(typedIn(request.body))), fieldOf(request.body, 'filled_from'))
      return reply.redirect(address(`/keys/${id}`, visitor, { saved: 'yes' }), 303)
    },
    again: ({ request, reply, visitor, id }, error) => showKey(reply, visitor, id, { refused: { error, typed: typedIn(request.body), filledFrom: fieldOf(request.body, 'filled_from') } }),
  })

  onForm('/keys/:id/pause', {
    async work({ request, reply, visitor, id }) {
      await updateKey(keys, visitor.caller, id, { paused: fieldOf(request.body, 'paused') === 'yes' })
      return reply.redirect(address(`/keys/${id}`, visitor), 303)
    },
    again: showRefusal,
  })

  onForm('/keys/:id/rotate', {
    async work({ request, reply, visitor, id }) {
      const { grace_seconds: graceSeconds = 0 } = readBody(validator, RotateBody, { grace_seconds: Number(fieldOf(request.body, 'grace_seconds')) })
      const isOwn = id === publicId('key', visitor.caller.keyId)
      const alongside = (tx: Transaction, newSecret: string): Promise<void> => keepSignedIn(tx, cookie.read(request) ?? '', newSecret)
      const key = await answerFormOnce(parts, request, visitor.caller, () => rotateKey(keys, visitor.caller, id, { graceSeconds, ...(isOwn ? { alongside } : {}) }))
      return sendPage(reply, 200, secretPage(site, { visitor, key, formerUntil: key.former_key_valid_until }))
    },
    again: ({ request, reply, visitor, id }, error) => showKey(reply, visitor, id, { refused: { error, grace: fieldOf(request.body, 'grace_seconds'), ...toSendAgain(request, error) } }),
  })

  onForm('/keys/:id/end-former', {
    async work({ reply, visitor, id }) {
      await updateKey(keys, visitor.caller, id, { former_key_valid_until: null })
      return reply.redirect(address(`/keys/${id}`, visitor), 303)
    },
    again: showRefusal,
  })

  onForm('/keys/:id/revoke', {
    async work({ request, reply, visitor, id }) {
      if (fieldOf(request.body, 'sure') !== 'yes') throw new AppError('invalid_params', 'The key was not revoked.', { fix: 'Tick the box first: it cannot be undone.' })
      await revokeKey(keys, visitor.caller, id)
      return reply.redirect(address(`/keys/${id}`, visitor), 303)
    },
    again: showRefusal,
  })

  /** A form of these pages: from here alone, by a visitor who may write; where it is refused, `again` shows its page with the reason. */
  function onForm(path: string, { work, again }: { work(sent: Sent): Promise<FastifyReply>; again(sent: Sent, error: AppError): Promise<FastifyReply> }): void {
    app.post<{ Params: { id?: string } }>(path, { bodyLimit: FORM_LIMIT_BYTES }, async (request, reply) => {
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
    })
  }

  // Where the browser stands after one of these was refused.
  for (const wish of ['pause', 'rotate', 'end-former', 'revoke']) {
    app.get<OneKey>(`/keys/:id/${wish}`, async (request, reply) => {
      const visitor = await visitors(request)
      const path = `/keys/${encodeURIComponent(request.params.id)}`
      return reply.redirect(visitor === null ? path : address(path, visitor), 303)
    })
  }

  function showRefusal({ reply, visitor, id }: Sent, error: AppError): Promise<FastifyReply> {
    return showKey(reply, visitor, id, { refused: { error } })
  }

  async function showKey(reply: FastifyReply, visitor: Visitor, id: string, { isSaved = false, refused }: { isSaved?: boolean; refused?: Refused }): Promise<FastifyReply> {
    try {
      const key = await readKey(keys, visitor.caller, id)
      return sendShown(reply, refused, keyPage(site, { visitor, key, isSaved, ...filledOf(key, refused), ...shown(refused) }))
    } catch (error) {
      if (error instanceof AppError && error.code === 'unknown_key') return showKeys(reply, visitor, null, { error: refused?.error ?? error })
      throw error
    }
  }

  /** Holders see the keys of the mode that they look at; a key sees all that it may see. */
  async function showKeys(reply: FastifyReply, visitor: Visitor, cursor: string | null, refused?: Refused): Promise<FastifyReply> {
    const { caller, email } = visitor
    const page = await listKeys(keys, caller, { limit: KEYS_SHOWN, cursor, ...(email === null ? {} : { mode: caller.mode }) })
    return sendShown(reply, refused, keysPage(site, { visitor, ...page, isFirstPage: cursor === null, typed: refused?.typed ?? NOTHING_TYPED, ...shown(refused) }))
  }
}
