/** Webhooks and their receiver. The test moves the clock and drives the workers. */
import {
  createDeliveryWorker,
  type DeliveryWorker,
} from '../../../src/events/delivery/delivery-worker.ts'
import type { Mail } from '../../../src/events/delivery/send-delivery.ts'
import { createWebhook } from '../../../src/events/webhooks/create-webhook.ts'
import { createSecretBox, type SecretBox } from '../../../src/events/webhooks/secrets.ts'
import type { WebhookDeps } from '../../../src/events/webhooks/webhook-deps.ts'
import type { NewWebhook } from '../../../src/events/webhooks/webhook-input.ts'
import type { WebhookWithSecret } from '../../../src/events/webhooks/webhook-record.ts'
import type { Caller } from '../../../src/keys/caller.ts'
import { postCredit } from '../../../src/ledger/credit.ts'
import { newId } from '../../../src/lib/ids.ts'
import { wholeCents } from '../../../src/lib/money.ts'
import { createGuard } from '../../../src/upstream/guard.ts'
import { cleanUp } from '../clean-up.ts'
import { startVendor, type TestVendor } from '../vendors/vendor.ts'
import { createWorld, type World } from './world.ts'

export type EventBed = World & {
  readonly webhooks: WebhookDeps
  readonly secrets: SecretBox
  readonly receiver: TestVendor
  /** Emails that the workers sent. */
  readonly mails: Mail[]
  readonly troubles: unknown[]
  /** A worker with its own identity in the database. */
  hire(concurrency?: number, slowTryMs?: number): DeliveryWorker
  /** Registers the receiver. */
  subscribe(caller: Caller, input?: Partial<NewWebhook>): Promise<WebhookWithSecret>
  /** Causes one event: topup.succeeded. */
  cause(caller: Caller): Promise<void>
}

export async function openEventBed(): Promise<EventBed> {
  const world = await createWorld()
  const { database, now } = world
  const receiver = await startVendor()
  const guard = createGuard({ allowPrivateNetworks: ['127.0.0.0/8'] })
  const secrets = createSecretBox(Buffer.alloc(32, 7))
  const webhooks = { database, now, guard, secrets, sendsEmail: true }
  const mails: Mail[] = []
  const troubles: unknown[] = []
  cleanUp(() => guard.close())
  return {
    ...world,
    webhooks,
    secrets,
    receiver,
    mails,
    troubles,
    hire(concurrency = 32, slowTryMs?: number) {
      const worker = createDeliveryWorker({
        database,
        now,
        guard,
        secrets,
        publicUrl: 'https://tollgate.example',
        userAgent: 'Tollgate-Webhooks/1.0',
        sendMail: async (mail) => void mails.push(mail),
        concurrency,
        ...(slowTryMs === undefined ? {} : { slowTryMs }),
        random: () => 0.5,
        onError: (error) => troubles.push(error),
      })
      cleanUp(() => worker.stop())
      return worker
    },
    subscribe: (caller, input) =>
      createWebhook(webhooks, caller, {
        ...(input?.format === 'email' ? {} : { url: `${receiver.url}/hook` }),
        events: ['*'],
        ...input,
      }),
    async cause(caller) {
      await postCredit(database, {
        id: newId(now()),
        walletId: caller.walletId,
        kind: 'topup',
        amount: wholeCents(100),
        nowMs: now(),
      })
    },
  }
}
