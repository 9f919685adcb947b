import { join } from 'node:path'
import type { Logger } from 'pino'
import { StartError } from '../../errors/start-error.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { ownCertificate, readCertificate } from '../../surfaces/smtp/read-certificate.ts'
import type { Certificate } from '../../surfaces/smtp/self-signed-certificate.ts'
import { openSmtpListener } from '../../surfaces/smtp/smtp-listener.ts'
import type { Config } from '../settings/config.ts'
import type { Engine } from '../wiring/engine.ts'

export type MailServer = { readonly port: number; close(): Promise<void> }

/** Receives email for the inboxes of this gateway; null without them. Throws StartError. */
export async function openMailServer(
  { mail, dataDir }: Pick<Config, 'mail' | 'dataDir'>,
  { inboxes }: Pick<Engine, 'inboxes'>,
  logger: Logger,
): Promise<MailServer | null> {
  if (mail === null || inboxes === null) return null
  const { host, port, certificateFolder: folder } = mail
  const now = inboxes.now
  const certificate: Certificate =
    folder === null
      ? await ownCertificate(join(dataDir, 'mail'), mail.domain, now())
      : await readCertificate(folder)
  const listener = await openSmtpListener({
    inboxes,
    certificate,
    host,
    port,
    now,
    onError: (error, what) => logger.warn({ err: error }, what),
  }).catch((error: unknown) => {
    throw toStartError(error, { host, port })
  })
  // ACME clients replace certificates every few weeks.
  const renewing =
    folder === null
      ? undefined
      : setInterval(() => {
          readCertificate(folder).then(listener.renew, (error: unknown) =>
            logger.error({ err: error }, 'the certificate for email could not be renewed'),
          )
        }, DAY_MS)
  renewing?.unref()
  logger.info({ domain: mail.domain, port: listener.port }, 'receiving email')
  return {
    port: listener.port,
    async close() {
      clearInterval(renewing)
      await listener.close()
    },
  }
}

function toStartError(
  error: unknown,
  { host, port }: { readonly host: string | null; readonly port: number },
): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} for email is used by another program. Stop it, or set MAIL_PORT to another number.`,
      )
    case 'EACCES':
      return new StartError(
        `This user may not open port ${port} for email. Set MAIL_PORT to a number above 1023, and forward port 25 to it.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`MAIL_HOST="${host}" is not an address of this machine.`)
    default:
      return error
  }
}
