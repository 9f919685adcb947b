import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { openOwnerSession, ownerOf } from '../../../../test/harness/owner-session.ts'
import { openBank } from '../../../../test/harness/beds/ledger.ts'
import { TEST_PASSWORD_COST } from '../../../../test/harness/password-cost.ts'
import { findAccount } from '../../../accounts/find-account.ts'
import { readPageSession } from '../../../auth/records/browser-session.ts'
import { createAccount } from '../../../accounts/create-account.ts'
import { AppError } from '../../../errors/app-error.ts'
import { StartError } from '../../../errors/start-error.ts'
import { findCaller } from '../../../keys/find-caller.ts'
import { hashSecret } from '../../../keys/format.ts'
import { newId, parsePublicId } from '../../../lib/ids.ts'
import { cents } from '../../../lib/money.ts'
import { signInByLink, createLink } from '../../../auth/sign-in-link.ts'
import { loadConfig } from '../../../app/settings/config.ts'
import { UsageError, type Command, type Input, type Tools } from '../command.ts'
import { accountsList } from './accounts.ts'
import { accountsClose, accountsErase } from './accounts-close.ts'
import { accountsDailyCap } from './accounts-daily-cap.ts'
import { accountsEmail } from './accounts-email.ts'
import { booksExport } from './books-export.ts'
import { creditGrant } from './credit-grant.ts'
import { creditTake } from './credit-take.ts'
import { paymentsResolve } from './payments.ts'
import { peopleLink } from './people-link.ts'
import { report } from './report.ts'

const bank = await openBank()
const { database, clock: now } = bank
const config = loadConfig({})
const tools: Tools = { now, config: () => config, database: async () => database }
const folder = mkdtempSync(join(tmpdir(), 'tollgate-books-'))
cleanUp(() => rmSync(folder, { recursive: true, force: true }))

const input = (flags: Input['flags']): Input => ({ flags, operand: '' })
const refusal = (code: string, words: RegExp) => (error: unknown) =>
  error instanceof AppError && error.code === code && words.test(error.message)

async function open(email: string) {
  const created = await createAccount({ database, now }, { email, tier: 'personal' })
  const found = await findCaller(database, hashSecret(created.live.key), now())
  assert.ok(found !== null)
  const accountId = parsePublicId('account', created.account.id) ?? ''
  const { walletId, keyId } = found.caller
  const hold = () =>
    bank.hold(walletId, cents('5'), { budgetId: keyId, service: 'semantic', action: 'search' })
  const ask = (amount: bigint) =>
    bank.hold(walletId, amount, { budgetId: keyId, kind: 'llm', service: 'llm', action: 'chat' })
  return { ...created, accountId, hold, ask }
}

describe('closing and erasing an account', () => {
  test('closing an account ends its keys and keeps its credit in the books', async () => {
    const { account, live, test: testKey } = await open('closed@example.com')
    assert.match(
      (await accountsClose.run(input({ account: 'closed@example.com' }), tools)).text,
      /^Closed account \S+ and ended 2 keys/,
    )
    for (const { key } of [live, testKey])
      assert.equal(await findCaller(database, hashSecret(key), now()), null)
    assert.match(
      (await accountsClose.run(input({ account: account.id }), tools)).text,
      /ended 0 keys/,
    )
    await bank.assertSound()
  })

  test('lists a closed account as closed and rejects grants to it', async () => {
    const { account } = await open('ended@example.com')
    const isListedAs = async (tier: string) =>
      (await accountsList.run(input({}), tools)).text
        .split('\n')
        .some((line) => line.startsWith(account.id) && line.includes(`  ${tier}  `))
    assert.ok(await isListedAs('personal'))
    await accountsClose.run(input({ account: account.id }), tools)
    assert.ok(await isListedAs('personal, closed'))
    await assert.rejects(
      creditGrant.run(input({ account: account.id, cents: '500' }), tools),
      refusal('bad_request', /is closed/),
    )
    assert.match(
      (await creditTake.run(input({ account: account.id, cents: '200' }), tools)).text,
      /The balance is \$0\.00/,
    )
  })

  test('closing an account ends its sessions and its sign-in links', async () => {
    const { account, accountId } = await open('holder@example.com')
    const session = await openOwnerSession({ database, now }, accountId)
    const token = await createLink(
      { database, now },
      { email: account.email, makesAccount: true, seconds: 60 },
    )
    await accountsClose.run(input({ account: account.id }), tools)
    assert.deepEqual(
      (await database.query('select from page_sessions where account_id = $1', [accountId])).count,
      0,
    )
    assert.equal(await readPageSession({ database, now }, session), null)
    await assert.rejects(
      signInByLink(
        { database, now, passwordCost: TEST_PASSWORD_COST },
        token,
        'four words in a row',
      ),
      refusal('sign_in_link_invalid', /expired or was already used/),
    )
    await assert.rejects(
      peopleLink.run(input({ account: account.id }), tools),
      refusal('bad_request', /is closed/),
    )
  })

  test('rejects closing the account of the operator', async () => {
    await createAccount(
      { database, now },
      { email: 'owner@localhost', tier: 'personal', owner: true },
    )
    await assert.rejects(
      accountsErase.run(input({ account: 'owner@localhost' }), tools),
      refusal('bad_request', /cannot be closed/),
    )
  })

  test('erases everything except amounts, and rejects an account with calls in progress', async () => {
    const { account, accountId, hold } = await open('gone@example.com')
    const held = await hold()
    await database.query(
      "insert into answers (account_id, route, idempotency_key, call_id, fingerprint, status, body, expires_ms) values ($1, 'r', 'k', $2, 'f', 200, 'secret words', 0)",
      [accountId, newId(now())],
    )
    await database.query(
      "insert into files (id, account_id, mode, filename, mime, tags, source, size_bytes, sha256, object_key, created_at) values ($1, $2, 'live', 'cv.pdf', 'application/pdf', '{}', 'upload', 7, $3, 'object-1', $4)",
      [newId(now()), accountId, Buffer.alloc(32), new Date(now())],
    )
    await database.query(
      "insert into vendor_references (service, is_test, reference, account_id, made_ms, lasts) values ('inbox', false, 'jo@mail.example.com', $1, 0, true), ('agentic', false, 'run-7', $1, 0, false)",
      [accountId],
    )
    const personId = await ownerOf(database, accountId)
    await database.query(
      "insert into person_passwords (person_id, password_hash, changed_at) values ($1, 'scrypt', $2)",
      [personId, new Date(now())],
    )
    await database.query(
      "insert into passkeys (credential_id, person_id, public_key, counter, transports, label, created_at) values ('c', $1, '', 0, '{}', 'Telephone', $2)",
      [personId, new Date(now())],
    )
    await database.query(
      "insert into person_identities (issuer, subject, person_id, created_at) values ('https://id.example', 'jo', $1, $2)",
      [personId, new Date(now())],
    )
    await database.query(
      "insert into sign_in_challenges (token_hash, purpose, owner_id, facts, expires_at) values ('', 'passkey', $1, '{}', $2)",
      [personId, new Date(now())],
    )
    await createLink(
      { database, now },
      { email: 'GONE@example.com', makesAccount: false, seconds: 60 },
    )
    await assert.rejects(
      accountsErase.run(input({ account: account.id }), tools),
      refusal('bad_request', /1 calls and 0 jobs/),
    )
    await bank.release(held)
    assert.match(
      (await accountsErase.run(input({ account: account.id }), tools)).text,
      /deleted 1 files/,
    )
    assert.equal(
      (await database.query("select from sign_in_links where lower(email) = 'gone@example.com'"))
        .count,
      0,
    )
    for (const table of [
      'answers',
      'files',
      'jobs',
      'consult_conversations',
      'page_sessions',
      'members',
      'invitations',
    ])
      assert.deepEqual(
        (await database.query(`select from ${table} where account_id = $1`, [accountId])).count,
        0,
        table,
      )
    for (const [table, column] of [
      ['person_passwords', 'person_id'],
      ['passkeys', 'person_id'],
      ['person_identities', 'person_id'],
      ['sign_in_challenges', 'owner_id'],
      ['people', 'id'],
    ] as const)
      assert.equal(
        (await database.query(`select from ${table} where ${column} = $1`, [personId])).count,
        0,
        table,
      )
    // The inbox stays reserved, because its next owner would read its mail.
    assert.deepEqual(
      (
        await database.query('select reference from vendor_references where account_id = $1', [
          accountId,
        ])
      ).rows,
      [{ reference: 'jo@mail.example.com' }],
    )
    assert.deepEqual(
      (await database.query("select key from loose_objects where key = 'object-1'")).count,
      1,
    )
    assert.deepEqual(
      (await database.query('select email from accounts where id = $1', [accountId])).rows,
      [{ email: `${account.id}@erased.invalid` }],
    )
    assert.deepEqual(
      (
        await database.query(
          'select from keys where account_id = $1 and (label is not null or external_id is not null)',
          [accountId],
        )
      ).count,
      0,
    )
    await bank.assertSound()
  })
})

describe('the daily cap of language models', () => {
  test('applies a new daily cap from the next call on, with and without earlier calls', async () => {
    const [fresh, used] = [await open('fresh@example.com'), await open('used@example.com')]
    await bank.settle(await used.ask(cents('50')), cents('50'))
    for (const { account } of [fresh, used])
      assert.match(
        (await accountsDailyCap.run(input({ account: account.id, cents: '60' }), tools)).text,
        /can now spend \$0\.60 of live credit per day/,
      )
    await assert.rejects(used.ask(cents('11')))
    await bank.release(await used.ask(cents('10')))
    await assert.rejects(fresh.ask(cents('61')))
    await bank.release(await fresh.ask(cents('60')))
    await accountsDailyCap.run(input({ account: used.account.id, cents: '70' }), tools)
    await bank.release(await used.ask(cents('20')))
    await bank.assertSound()
  })
})

describe('the books', () => {
  test('removes available credit only, and the ledger stays consistent', async () => {
    await open('back@example.com')
    assert.match(
      (
        await creditTake.run(
          input({ account: 'back@example.com', cents: '150', reference: 'paid back' }),
          tools,
        )
      ).text,
      /Removed \$1\.50 of live credit from back@example\.com\. The balance is \$0\.50\./,
    )
    await assert.rejects(
      creditTake.run(input({ account: 'back@example.com', cents: '51' }), tools),
      refusal('credits_required', /free credit/),
    )
    await bank.assertSound()
  })

  test('changes nothing when a grant or removal runs again with the same reference', async () => {
    await open('again@example.com')
    const flags = { account: 'again@example.com', cents: '150', reference: 'refund 7' }
    for (const [command, balance] of [
      [creditGrant, '3.50'],
      [creditTake, '2.00'],
    ] as const) {
      await command.run(input(flags), tools)
      const again = await command.run(input(flags), tools)
      assert.match(
        again.text,
        new RegExp(
          `^No change: transaction tx_[0-9a-f]{32} already has this reference\\. The balance is \\$${balance}\\.$`,
        ),
      )
    }
    await bank.assertSound()
  })

  test('exports the history of all accounts to a new file that only the operator can read', async () => {
    const path = join(folder, 'books.csv')
    await booksExport.run(
      input({
        file: path,
        from: new Date(now()).toISOString(),
        until: new Date(now() + 1_000).toISOString(),
      }),
      tools,
    )
    const lines = readFileSync(path, 'utf8').trimEnd().split('\r\n')
    assert.deepEqual(
      [lines[0]?.startsWith('account_id,email,id,created_at,kind,'), statSync(path).mode & 0o777],
      [true, 0o600],
    )
    assert.ok(
      lines.some(
        (line) =>
          line.includes(',back@example.com,') &&
          line.includes(',adjustment,') &&
          line.includes('paid back'),
      ),
    )
    const { rows } = await database.query<{ posted: bigint }>(
      "select count(*) as posted from transactions join wallets on wallets.id = wallet_id where mode = 'live'",
    )
    assert.equal(lines.length - 1, Number(rows[0]?.posted))
    await assert.rejects(
      booksExport.run(input({ file: path }), tools),
      (error) =>
        error instanceof StartError && /already exists\. Choose another file/.test(error.message),
    )
    await booksExport.run(
      input({ file: join(folder, 'none.csv'), until: new Date(now() - 1_000).toISOString() }),
      tools,
    )
    assert.equal(readFileSync(join(folder, 'none.csv'), 'utf8').split('\r\n').length, 2)
  })

  test('reports money by kind, failures by service and code, and open items', async () => {
    now.advance(3 * 3_600_000)
    const { hold } = await open('report@example.com')
    await bank.settle(await hold(), cents('3'))
    await bank.release(await hold())
    await hold()
    now.advance(1)
    const { data, text } = await report.run(input({ hours: '1' }), tools)
    const {
      money,
      services,
      open_holds: holds,
      held_micros: held,
    } = data as { money: unknown; services: unknown; open_holds: number; held_micros: number }
    assert.deepEqual(money, [
      { kind: 'call', count: 2, amount_micros: -30_000 },
      { kind: 'grant', count: 1, amount_micros: 2_000_000 },
    ])
    assert.deepEqual(services, [
      {
        service: 'semantic',
        calls: 2,
        failed: 1,
        charged_micros: 30_000,
        errors: { upstream_error: 1 },
      },
    ])
    assert.deepEqual([holds, held], [1, 50_000])
    assert.match(text, /semantic +2 +1 \(50%\) +\$0\.03 +upstream_error 1/)
    assert.match(
      (await report.run(input({ hours: '999999999999999' }), tools)).text,
      /^1970-01-01T/,
    )
  })

  const mistakes: readonly (readonly [string, Command, Input['flags'], RegExp])[] = [
    ['a report of zero hours', report, { hours: '0' }, /--hours must be at least 1/],
    [
      'a report that ends before it begins',
      report,
      { from: '2027-02-01', until: '2027-01-01' },
      /--until must be later than --from/,
    ],
    [
      'an export that ends when it begins',
      booksExport,
      { file: 'never-written.csv', from: '2027-01-01', until: '2027-01-01' },
      /--until must be later than --from/,
    ],
    [
      'a grant with a reference of 256 characters',
      creditGrant,
      { account: 'a', cents: '1', reference: 'r'.repeat(256) },
      /--reference must be one line of at most 255 characters/,
    ],
    [
      'a removal with a reference of two lines',
      creditTake,
      { account: 'a', cents: '1', reference: 'a\nb' },
      /--reference must be one line/,
    ],
    [
      'a resolution with a note of 501 characters',
      paymentsResolve,
      { as: 'paid', note: 'n'.repeat(501) },
      /--note must be one line of at most 500 characters/,
    ],
  ]
  for (const [mistake, command, flags, words] of mistakes) {
    test(`rejects ${mistake} without opening the database`, async () => {
      const noDatabase: Tools = { ...tools, database: () => assert.fail('opened the database') }
      await assert.rejects(
        command.run({ flags, operand: '0'.repeat(32) }, noDatabase),
        (error) => error instanceof UsageError && words.test(error.message),
      )
    })
  }
})

describe('the holder of an account', () => {
  test('prints a link for setting a password within 24 hours, which creates no account', async () => {
    const { account, accountId } = await open('first@example.com')
    const { data, text } = await peopleLink.run(input({ account: 'FIRST@example.com' }), tools)
    const { url, ...facts } = data as { url: string }
    assert.deepEqual(facts, {
      account_id: account.id,
      email: 'first@example.com',
      expires_at: new Date(now() + 86_400_000).toISOString(),
    })
    assert.ok(url.startsWith(`${config.publicUrl}/welcome?token=`) && text.startsWith(`${url}\n`))
    const token = new URL(url).searchParams.get('token') ?? ''
    now.advance(86_399_000)
    const {
      session: _session,
      personId: _personId,
      ...entered
    } = await signInByLink(
      { database, now, passwordCost: TEST_PASSWORD_COST },
      token,
      'four words in a row',
    )
    assert.deepEqual(entered, { accountId, created: null })
    await assert.rejects(
      peopleLink.run(input({ account: 'stranger@example.com' }), tools),
      refusal('not_found', /Unknown account/),
    )
  })

  test('changes the address of an account to an unused one and ends its former links', async () => {
    const { account } = await open('old@example.com')
    const token = await createLink(
      { database, now },
      { email: 'old@example.com', makesAccount: true, seconds: 60 },
    )
    await assert.rejects(
      accountsEmail.run(input({ account: account.id, email: 'First@example.com' }), tools),
      refusal('email_taken', /First@example\.com already/),
    )
    await assert.rejects(
      accountsEmail.run(input({ account: account.id, email: 'none' }), tools),
      refusal('invalid_params', /not an email address/),
    )
    assert.match(
      (
        await accountsEmail.run(
          input({ account: 'old@example.com', email: ' New@example.com ' }),
          tools,
        )
      ).text,
      /^The address of account \S+ is now New@example\.com\./,
    )
    assert.equal((await findAccount(database, 'new@example.com')).account.id, account.id)
    await assert.rejects(
      signInByLink(
        { database, now, passwordCost: TEST_PASSWORD_COST },
        token,
        'four words in a row',
      ),
      refusal('sign_in_link_invalid', /expired or was already used/),
    )
    // Case does not distinguish addresses.
    await accountsEmail.run(input({ account: account.id, email: 'new@example.com' }), tools)
  })
})
