import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cents } from '../../lib/money.ts'
import { prepared, refusal, withSimulators } from '../../catalog/testing/run-call.ts'

const { run, failureOf, dataOf } = withSimulators()

describe('an inbox', () => {
  test('is its address, is created once, lists received messages and replies to them', async () => {
    const made = await run('inbox/create_inbox', { username: 'ana', domain: 'mail.example.com' })
    assert.ok('outcome' in made && made.outcome.kind === 'done')
    assert.deepEqual(
      [made.outcome.data['inbox_id'], made.charged],
      ['ana@mail.example.com', cents('200')],
    )
    const inbox_id = 'ana@mail.example.com'
    const { messages } = (await dataOf('inbox/list-messages', { inbox_id })) as {
      messages: { message_id: string }[]
    }
    const message_id = messages[0]?.message_id
    const read = (await dataOf('inbox/list-messages', { inbox_id, message_id })) as {
      count: number
      messages: { text: string }[]
    }
    assert.deepEqual([read.count, read.messages[0]?.text], [1, 'Welcome.\nYour code is 123456.'])
    assert.ok(
      (await dataOf('inbox/reply', { inbox_id, message_id, text: 'Thank you.' }))['message_id'],
    )
  })

  test('is not created twice under one name, but twice without a name', async () => {
    const { inbox_id } = await dataOf('inbox/create_inbox', { username: 'fay' })
    assert.equal(inbox_id, 'fay@agentmail.to')
    assert.equal(await failureOf('inbox/create_inbox', { username: 'fay' }), 'upstream_rejected')
    const [one, other] = [
      await dataOf('inbox/create_inbox', {}),
      await dataOf('inbox/create_inbox', {}),
    ]
    assert.notEqual(one['inbox_id'], other['inbox_id'])
  })

  test('replies only to its own messages', async () => {
    await run('inbox/create_inbox', { username: 'eve' })
    const before = await dataOf('inbox/list-messages', { inbox_id: 'eve@agentmail.to' })
    assert.equal(
      await failureOf('inbox/reply', {
        inbox_id: 'eve@agentmail.to',
        message_id: '<1@mail.example.com>',
        text: 'Thank you.',
      }),
      'upstream_not_found',
    )
    assert.deepEqual(await dataOf('inbox/list-messages', { inbox_id: 'eve@agentmail.to' }), before)
  })

  test('receives messages from other inboxes and stores sent ones', async () => {
    for (const username of ['cy', 'di']) await run('inbox/create_inbox', { username })
    const [from, to] = ['cy@agentmail.to', 'di@agentmail.to']
    const { message_id } = await dataOf('inbox/send', {
      inbox_id: from,
      to: [to, 'stranger@example.com'],
      subject: 'Launch',
      text: 'We ship on Monday.',
    })
    const headOf = async (inbox_id: string) => {
      const { messages } = (await dataOf('inbox/list-messages', { inbox_id, limit: 1 })) as {
        messages: { message_id: string; subject: string; labels: string[]; from: string }[]
      }
      return messages.map((row) => [row.message_id, row.subject, row.labels[0], row.from])
    }
    assert.deepEqual(
      [await headOf(to), await headOf(from)],
      [[[message_id, 'Launch', 'received', from]], [[message_id, 'Launch', 'sent', from]]],
    )
    const { messages } = (await dataOf('inbox/list-messages', { inbox_id: to, message_id })) as {
      messages: { text: string }[]
    }
    assert.equal(messages[0]?.text, 'We ship on Monday.')
    const { message_id: answer } = await dataOf('inbox/reply', {
      inbox_id: to,
      message_id,
      text: 'Good.',
    })
    assert.deepEqual(await headOf(from), [[answer, 'Re: Launch', 'received', to]])
  })

  test('sends to one recipient or several, and rejects line breaks in headers', () => {
    const message = { inbox_id: 'ana@agentmail.to', subject: 'Hello', text: 'Hello.' }
    for (const to of ['bo@example.com', ['bo@example.com', 'cy@example.com']]) {
      const { action, input } = prepared('inbox/send', { ...message, to })
      assert.deepEqual(action.request(input).json, { to, subject: 'Hello', text: 'Hello.' })
    }
    refusal('inbox/send', { ...message, to: [] })
    refusal('inbox/send', { ...message, to: 'nobody' })
    assert.equal(
      refusal('inbox/send', {
        ...message,
        to: 'bo@example.com',
        subject: 'a\r\nBcc: cy@example.com',
      }).param,
      'subject',
    )
  })

  test('on a custom domain cannot use an address that proves domain ownership', async () => {
    for (const username of [
      'admin',
      'Postmaster',
      'hostmaster',
      'webmaster',
      'administrator',
      'security',
    ]) {
      assert.equal(
        refusal('inbox/create_inbox', { username, domain: 'mail.example.com' }).param,
        'username',
      )
    }
    for (const sent of [
      { username: 'administration', domain: 'mail.example.com' },
      { username: 'admin' },
    ])
      prepared('inbox/create_inbox', sent)
  })

  test('with a taken or deleted name is not reported as a missing key', async () => {
    assert.equal(await failureOf('inbox/create_inbox', { username: 'taken' }), 'upstream_rejected')
    assert.equal(
      await failureOf('inbox/list-messages', { inbox_id: 'nobody@agentmail.to' }),
      'upstream_not_found',
    )
    assert.equal(
      await failureOf('inbox/create_inbox', { display_name: 'sim:403' }),
      'upstream_not_configured',
    )
  })
})
