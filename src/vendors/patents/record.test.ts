import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refusal, wireOf, withSimulators } from '../../catalog/testing/run-call.ts'

const { dataOf } = withSimulators()

describe('patents', () => {
  test('returns up to a hundred patents', () => {
    assert.equal(refusal('patents/patents', { q: 'x', limit: 101 }).param, 'limit')
    assert.equal(refusal('patents/assignees', { organization: 'x', limit: 101 }).param, 'limit')
  })

  test('closes an open end of the grant date range', () => {
    assert.equal(
      wireOf('patents/patents', { q: 'x', date_gte: '2020-01-01' }).query?.['rangeFilters'],
      'applicationMetaData.grantDate 2020-01-01:2100-12-31',
    )
    assert.equal(
      wireOf('patents/patents', { q: 'x', date_lte: '2020-01-01' }).query?.['rangeFilters'],
      'applicationMetaData.grantDate 1976-01-01:2020-01-01',
    )
  })

  test('counts owners by name, and keeps a quotation mark inside the phrase', async () => {
    const { assignees } = (await dataOf('patents/assignees', {
      organization: 'Example Robotics',
    })) as { assignees: unknown[] }
    assert.deepEqual(assignees, [
      { organization: 'EXAMPLE ROBOTICS HOLDINGS LLC', patents: 1 },
      { organization: 'Example Robotics Inc.', patents: 1 },
    ])
    assert.equal(
      wireOf('patents/assignees', { organization: 'a" OR b:"c' }).query?.['q'],
      'assignmentBag.assigneeBag.assigneeNameText:"a  OR b: c" OR applicationMetaData.applicantBag.applicantNameText:"a  OR b: c"',
    )
  })
})
