import type { FastifyInstance } from 'fastify'
import type { AppError } from '../../../../errors/app-error.ts'
import { publicId } from '../../../../lib/ids.ts'
import { note } from '../../html/components/note.ts'
import { html } from '../../html/html.ts'
import { layout, type Site } from '../../html/layout/layout.ts'
import { logFault, renderError, toAppError } from '../../render-error.ts'
import { sendErrorPage } from './send-page.ts'

/** Shows errors that no page handles, such as a database outage, as a page to browsers and as an envelope to programs. */
export function showErrors(pages: FastifyInstance, site: Site): void {
  pages.setErrorHandler((error, request, reply) => {
    if (request.headers.accept?.includes('text/html') !== true)
      return renderError(error, request, reply)
    const known = toAppError(error)
    logFault(known, error, request)
    return sendErrorPage(reply, known, errorPage(site, known, publicId('request', request.id)))
  })
}

function errorPage(site: Site, { code, message, fix }: AppError, requestId: string): string {
  const title =
    code === 'role_not_allowed' ? 'Your role does not allow this' : 'Something went wrong'
  return layout(site, {
    path: '/balance',
    title,
    description: 'An error, and how to fix it.',
    unlisted: true,
    main: html`<h1>${title}</h1>
${note('bad', `${message} ${fix}`)}
<p class="muted">Request ID: <code>${requestId}</code></p>`,
  })
}
