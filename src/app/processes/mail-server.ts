import { join } from 'node:path'
import type { Logger } from 'pino'
import { StartError } from '../../errors/start-error.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { ownCertificate, readCertificate } from '../../surfaces/smtp/read-certificate.ts'
import {
  openSmtpListener,
  type SmtpListener,
  type SmtpSettings,
} from '../../surfaces/smtp/smtp-listener.ts'
import type { Config } from '../settings/config.ts'
import type { Engine } from '../wiring/engine.ts'
import { listenWhenFree } from './listen.ts'

export type MailServer = { readonly port: number; close(): Promise<void> }

/** Receives email for the inboxes of this gateway; null without them, and if a server for this machine only cannot start. Throws StartError. */
export async function openMailServer(
  {
    mail,
    dataDir,
    allowPrivateNetworks,
    trustedProxies,
  }: Pick<Config, 'mail' | 'dataDir' | 'allowPrivateNetworks' | 'trustedProxies'>,
  { inboxes }: Pick<Engine, 'inboxes'>,
  logger: Logger,
): Promise<MailServer | null> {
  if (inboxes === null) return null
  const { host, port, domain, certificateFolder: folder } = mail
  const now = inboxes.now
  const settings = {
    inboxes,
    host,
    port,
    ownNetworks: [...allowPrivateNetworks, ...trustedProxies],
    now,
    onError: (error: unknown, what: string) => logger.warn({ err: error }, what),
  }
  if (mail.isLocal) return openLocally(settings, logger)
  const certificate =
    folder === null
      ? await ownCertificate(join(dataDir, 'mail'), domain, now())
      : await readCertificate(folder)
  const open = (): Promise<SmtpListener> => openSmtpListener({ ...settings, certificate })
  const listener = await listenWhenFree(open).catch((error: unknown) => {
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
  logger.info({ domain, port: listener.port }, 'receiving email')
  return {
    port: listener.port,
    async close() {
      clearInterval(renewing)
      await listener.close()
    },
  }
}

/** The operator did not configure this server, so a problem with it never prevents the start. */
async function openLocally(
  settings: Omit<SmtpSettings, 'certificate'>,
  logger: Logger,
): Promise<MailServer | null> {
  const { host, port, inboxes } = settings
  const listen = (at: number): Promise<SmtpListener> =>
    openSmtpListener({ ...settings, port: at, certificate: null })
  try {
    const listener = await listen(port).catch((error: unknown) => {
      if (!isTaken(error)) throw error
      logger.info(`port ${port} for email is not free, so another one is used; see MAIL_PORT`)
      return listen(0)
    })
    logger.info(
      `inboxes at ${inboxes.domain} receive email from this machine only, at ${host}:${listener.port}; set MAIL_DOMAIN for email from the internet`,
    )
    return listener
  } catch (error) {
    logger.warn(
      { err: error },
      'the server for email could not start; inboxes receive only what other inboxes send',
    )
    return null
  }
}

function isTaken(error: unknown): boolean {
  return ['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')
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
