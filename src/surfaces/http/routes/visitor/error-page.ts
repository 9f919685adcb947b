import type { FastifyInstance } from 'fastify'
import type { AppError } from '../../../../errors/app-error.ts'
import { publicId } from '../../../../lib/ids.ts'
import { html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout.ts'
import { logFault, renderError, toAppError } from '../../render-error.ts'
import { sendRefusal } from './send-page.ts'

/** What these pages do not tell on a page of their own, such as a database that is away, browsers are told in words too; programs get the envelope. */
export function showErrors(pages: FastifyInstance, site: Site): void {
  pages.setErrorHandler((error, request, reply) => {
    if (request.headers.accept?.includes('text/html') !== true)
      return renderError(error, request, reply)
    const known = toAppError(error)
    logFault(known, error, request)
    return sendRefusal(reply, known, errorPage(site, known, publicId('request', request.id)))
  })
}

function errorPage(site: Site, { message, fix }: AppError, requestId: string): string {
  return layout(site, {
    path: '/balance',
    title: 'This did not work',
    description: 'What went wrong, and what to do.',
    unlisted: true,
    main: html`<h1>This did not work</h1>
<p class="notice" role="alert">${message} ${fix}</p>
<p class="muted">If the operator of this gateway asks: <code>${requestId}</code></p>`,
  })
}
