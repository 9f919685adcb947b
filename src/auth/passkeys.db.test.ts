import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers'
import {
  createPasskey,
  type Circumstances,
  type Passkey,
} from '../../test/harness/clients/authenticator.ts'
import { TEST_PASSWORD_COST } from '../../test/harness/password-cost.ts'
import { createWorld } from '../../test/harness/beds/world.ts'
import { ownerOf } from '../../test/harness/owner-session.ts'
import { closeAccount } from '../accounts/close-account.ts'
import { createChallenge } from './challenge.ts'
import { PASSKEY_SECONDS } from './passkey-challenge.ts'
import { readPasskeySite } from './passkey-site.ts'
import { addPasskey, createPasskeyOptions, MOST_PASSKEYS, type Person } from './passkeys.ts'
import { createSignInOptions, signInByPasskey } from './sign-in-by-passkey.ts'
import { readSignInMethods, removeIdentity, removePasskey } from './sign-in-methods.ts'

const world = await createWorld()
const context = {
  database: world.database,
  now: world.now,
  passwordCost: TEST_PASSWORD_COST,
}
const site = { rpId: 'gate.example', origin: 'https://gate.example' }

async function newHolder(): Promise<Person> {
  const { account, caller } = await world.account()
  return { personId: await ownerOf(world.database, caller.accountId), email: account.email }
}

const challengeFor = async (holder: Person): Promise<string> =>
  (await createPasskeyOptions(context, site, holder)).challenge
const questionOf = async (): Promise<string> => (await createSignInOptions(context, site)).challenge

async function add(
  holder: Person,
  passkey: Passkey,
  at: Partial<Circumstances> = {},
  label = 'My phone',
): Promise<void> {
  const challenge = at.challenge ?? (await challengeFor(holder))
  await addPasskey(context, site, holder.personId, {
    label,
    credential: passkey.made({ ...site, ...at, challenge }),
  })
}

async function signIn(passkey: Passkey, at: Partial<Circumstances> = {}): Promise<string> {
  const challenge = at.challenge ?? (await questionOf())
  return (await signInByPasskey(context, site, passkey.answer({ ...site, ...at, challenge })))
    .personId
}

/** A holder with a passkey. */
async function equipped(counter = 0): Promise<{ holder: Person; passkey: Passkey }> {
  const holder = await newHolder()
  const passkey = createPasskey(holder.personId)
  await add(holder, passkey, { counter })
  return { holder, passkey }
}

describe('signing in with a passkey', () => {
  test('opens the account of its holder and stores the time of use', async () => {
    const { holder, passkey } = await equipped()
    world.now.advance(1000)
    assert.equal(await signIn(passkey), holder.personId)
    const [kept] = (await readSignInMethods(world.database, holder.personId)).passkeys
    assert.deepEqual(
      [kept?.label, kept?.createdAt.getTime(), kept?.lastUsedAt?.getTime()],
      ['My phone', world.now() - 1000, world.now()],
    )
  })

  test('accepts a response once, even if it is sent twice concurrently', async () => {
    const { passkey } = await equipped()
    const challenge = await questionOf()
    const tries = await Promise.allSettled([1, 2, 3].map(() => signIn(passkey, { challenge })))
    assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1)
    await assert.rejects(signIn(passkey, { challenge }), { code: 'sign_in_refused' })
  })

  test('refuses responses for another origin, another domain and an unknown challenge', async () => {
    const { passkey } = await equipped()
    for (const at of [
      { origin: 'https://gate.example.evil.example' },
      { origin: 'http://gate.example' },
      { origin: 'https://gate.example:8443' },
      { rpId: 'evil.example' },
      { challenge: 'A'.repeat(43) },
      { challenge: '' },
    ]) {
      await assert.rejects(signIn(passkey, at), { code: 'sign_in_refused' }, JSON.stringify(at))
    }
  })

  test('refuses a response after five minutes, and deletes expired challenges', async () => {
    const { passkey } = await equipped()
    const challenge = await questionOf()
    world.now.advance(PASSKEY_SECONDS * 1000)
    await assert.rejects(signIn(passkey, { challenge }), { code: 'sign_in_refused' })
    await questionOf()
    const { rows } = await world.database.query<{ count: bigint }>(
      'select count(*) from sign_in_challenges where expires_at <= $1',
      [new Date(world.now())],
    )
    assert.equal(rows[0]?.count, 0n)
  })

  test('refuses a passkey with the id of another, or with another holder', async () => {
    const [mine, stranger] = [await equipped(), await equipped()]
    const challenge = await questionOf()
    const forged = {
      ...stranger.passkey.answer({ ...site, challenge, userHandle: mine.holder.personId }),
      id: mine.passkey.id,
      rawId: mine.passkey.id,
    }
    await assert.rejects(signInByPasskey(context, site, forged), { code: 'sign_in_refused' })
    await assert.rejects(signIn(stranger.passkey, { userHandle: mine.holder.personId }), {
      code: 'sign_in_refused',
    })
    await assert.rejects(signIn(stranger.passkey, { userHandle: '' }), { code: 'sign_in_refused' })
  })

  test('refuses a counter that does not increase, except one that stays at 0', async () => {
    const counting = await equipped(5)
    for (const counter of [5, 4, 0])
      await assert.rejects(
        signIn(counting.passkey, { counter }),
        { code: 'sign_in_refused' },
        String(counter),
      )
    assert.equal(await signIn(counting.passkey, { counter: 6 }), counting.holder.personId)
    const tries = await Promise.allSettled(
      [7, 7, 7].map((counter) => signIn(counting.passkey, { counter })),
    )
    assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1)
    const { passkey, holder } = await equipped()
    assert.deepEqual(
      [await signIn(passkey), await signIn(passkey)],
      [holder.personId, holder.personId],
    )
  })

  test('fails with a removed passkey and for a closed account', async () => {
    const { holder, passkey } = await equipped()
    await add(holder, createPasskey(holder.personId))
    await removePasskey(world.database, holder.personId, passkey.id)
    await assert.rejects(signIn(passkey), { code: 'sign_in_refused' })
    const closed = await equipped()
    await closeAccount(world.database, closed.holder.email)
    await assert.rejects(signIn(closed.passkey), { code: 'sign_in_refused' })
  })

  test('refuses invalid responses', async () => {
    const { passkey } = await equipped()
    for (const invalidAnswer of [
      undefined,
      null,
      1,
      'x',
      [],
      {},
      { id: 1 },
      { id: 'a\0b' },
      { id: passkey.id },
      { id: passkey.id, rawId: passkey.id, type: 'public-key', response: {} },
      { ...passkey.answer({ ...site, challenge: await questionOf() }), response: null },
    ]) {
      await assert.rejects(
        signInByPasskey(context, site, invalidAnswer),
        { code: 'sign_in_refused' },
        JSON.stringify(invalidAnswer),
      )
    }
  })
})

describe('adding a passkey', () => {
  test('accepts a response once, in time, and only for its account', async () => {
    const [holder, stranger] = [await newHolder(), await newHolder()]
    const challenge = await challengeFor(holder)
    await assert.rejects(add(stranger, createPasskey(stranger.personId), { challenge }), {
      code: 'invalid_params',
    })
    await add(holder, createPasskey(holder.personId), { challenge })
    await assert.rejects(add(holder, createPasskey(holder.personId), { challenge }), {
      code: 'invalid_params',
    })
    const late = await challengeFor(holder)
    world.now.advance(PASSKEY_SECONDS * 1000)
    await assert.rejects(add(holder, createPasskey(holder.personId), { challenge: late }), {
      code: 'invalid_params',
    })
  })

  test('refuses a response to a sign-in challenge, the reverse, and an unknown challenge', async () => {
    const { holder, passkey } = await equipped()
    await assert.rejects(
      add(holder, createPasskey(holder.personId), { challenge: await questionOf() }),
      { code: 'invalid_params' },
    )
    await assert.rejects(signIn(passkey, { challenge: await challengeFor(holder) }), {
      code: 'sign_in_refused',
    })
    await assert.rejects(
      signIn(passkey, {
        challenge: await createChallenge(context, {
          purpose: 'another',
          ownerId: null,
          seconds: 60,
          facts: {},
        }),
      }),
      { code: 'sign_in_refused' },
    )
  })

  test('refuses passkeys of another site, invalid names and known passkeys', async () => {
    const [{ passkey }, holder] = [await equipped(), await newHolder()]
    const fresh = createPasskey(holder.personId)
    for (const at of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }])
      await assert.rejects(add(holder, fresh, at), { code: 'invalid_params' })
    for (const credential of [
      undefined,
      null,
      1,
      {},
      { response: null },
      { response: { attestationObject: 'x' } },
    ])
      await assert.rejects(addPasskey(context, site, holder.personId, { label: 'x', credential }), {
        code: 'invalid_params',
      })
    for (const label of ['', ' ', 'x'.repeat(61), 'a\nb'])
      await assert.rejects(add(holder, fresh, {}, label), { code: 'invalid_params' })
    await assert.rejects(add(holder, passkey), { code: 'invalid_params' })
    assert.deepEqual((await readSignInMethods(world.database, holder.personId)).passkeys, [])
  })

  test('ignores the attestation of a device, even a forged one', async () => {
    const holder = await newHolder()
    const passkey = createPasskey(holder.personId)
    const credential = passkey.made({ ...site, challenge: await challengeFor(holder) })
    const told = decodeAttestationObject(
      isoBase64URL.toBuffer(credential.response.attestationObject),
    )
    const statement = new Map<string, string | Uint8Array[]>([
      ['ver', '1'],
      ['x5c', [new Uint8Array(10)]],
    ])
    const attestationObject = isoBase64URL.fromBuffer(
      isoCBOR.encode(
        new Map<string, string | Uint8Array | typeof statement>([
          ['fmt', 'apple'],
          ['attStmt', statement],
          ['authData', told.get('authData')],
        ]),
      ),
    )
    await addPasskey(context, site, holder.personId, {
      label: 'Key',
      credential: { ...credential, response: { ...credential.response, attestationObject } },
    })
    assert.equal(await signIn(passkey), holder.personId)
  })

  test('stores only transports that browsers use', async () => {
    const holder = await newHolder()
    for (const transports of [5, 'usb', { length: 1 }, ['internal', 5, 'pigeon']]) {
      const credential = createPasskey(holder.personId).made({
        ...site,
        challenge: await challengeFor(holder),
      })
      await addPasskey(context, site, holder.personId, {
        label: 'Key',
        credential: { ...credential, response: { ...credential.response, transports } },
      })
    }
    const { excludeCredentials } = await createPasskeyOptions(context, site, holder)
    assert.deepEqual(
      excludeCredentials?.map(({ transports }) => transports?.join(' ')).toSorted(),
      ['', '', '', 'internal'],
    )
  })

  test('requests a discoverable passkey, and excludes devices that already have one', async () => {
    const { holder, passkey } = await equipped()
    const { authenticatorSelection, excludeCredentials, user, rp } = await createPasskeyOptions(
      context,
      site,
      holder,
    )
    assert.deepEqual(
      [authenticatorSelection?.residentKey, authenticatorSelection?.userVerification, rp.id],
      ['required', 'preferred', 'gate.example'],
    )
    assert.deepEqual(excludeCredentials, [
      { id: passkey.id, type: 'public-key', transports: ['internal'] },
    ])
    assert.equal(Buffer.from(user.id, 'base64url').toString('hex'), holder.personId)
  })

  test('allows up to twenty passkeys, even if several are added concurrently', async () => {
    const holder = await newHolder()
    for (let count = 0; count < MOST_PASSKEYS - 1; count += 1)
      await add(holder, createPasskey(holder.personId))
    const challenges = [
      await challengeFor(holder),
      await challengeFor(holder),
      await challengeFor(holder),
    ]
    const tries = await Promise.allSettled(
      challenges.map((challenge) => add(holder, createPasskey(holder.personId), { challenge })),
    )
    assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1)
    await assert.rejects(challengeFor(holder), { code: 'bad_request' })
  })
})

describe('removing a sign-in method', () => {
  test('is not possible for another account', async () => {
    const [mine, stranger] = [await equipped(), await equipped()]
    await assert.rejects(removePasskey(world.database, stranger.holder.personId, mine.passkey.id), {
      code: 'not_found',
    })
    await assert.rejects(
      removeIdentity(world.database, stranger.holder.personId, 'https://provider.example'),
      { code: 'not_found' },
    )
    assert.equal(await signIn(mine.passkey), mine.holder.personId)
  })

  test('keeps the last method, even if both of two are removed concurrently', async () => {
    const { holder, passkey } = await equipped()
    await assert.rejects(removePasskey(world.database, holder.personId, passkey.id), {
      code: 'bad_request',
    })
    const issuer = 'https://provider.example'
    await world.database.query(
      'insert into person_identities (issuer, subject, person_id, created_at) values ($1, $2, $3, now())',
      [issuer, holder.personId, holder.personId],
    )
    const tries = await Promise.allSettled([
      removePasskey(world.database, holder.personId, passkey.id),
      removeIdentity(world.database, holder.personId, issuer),
    ])
    assert.deepEqual(tries.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    const left = await readSignInMethods(world.database, holder.personId)
    assert.equal(left.passkeys.length + left.identities.length, 1)
  })
})

test('passkeys need a domain with https, or this machine', () => {
  assert.deepEqual(readPasskeySite('https://gate.example/tolls'), {
    rpId: 'gate.example',
    origin: 'https://gate.example',
  })
  assert.deepEqual(readPasskeySite('https://gate.example:8443'), {
    rpId: 'gate.example',
    origin: 'https://gate.example:8443',
  })
  for (const local of ['http://127.0.0.1:4020', 'http://[::1]:4020', 'http://localhost:4020'])
    assert.deepEqual(readPasskeySite(local), { rpId: 'localhost', origin: 'http://localhost:4020' })
  assert.deepEqual(readPasskeySite('http://gate.localhost:4020'), {
    rpId: 'gate.localhost',
    origin: 'http://gate.localhost:4020',
  })
  for (const none of [
    'http://gate.example',
    'https://192.0.2.1',
    'http://10.0.0.1:4020',
    'https://[2001:db8::1]',
    'http://127.0.0.2:4020',
  ])
    assert.equal(readPasskeySite(none), null, none)
})
