import type { FastifyReply } from 'fastify'
import type { Entered } from '../../../../people/entered.ts'
import type { PageParts } from '../account/page-parts.ts'
import { sendPage } from '../account/send-page.ts'
import { enter } from './enter.ts'
import { newAccountPage } from './welcome-pages.ts'

/** Leads whoever came in to the page that they wanted; whose account was made just now sees its keys first. */
export function sendEntered(reply: FastifyReply, parts: PageParts, entered: Entered, next: string): FastifyReply {
  enter(reply, parts, entered)
  return entered.created === null ? reply.redirect(next, 303) : sendPage(reply, 200, newAccountPage(parts.site, entered.created, next))
}
