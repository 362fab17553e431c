import { expect, test } from 'vitest'
import { POLICY_NAMES, readPolicies, policyReport } from './policies.ts'

test('every policy is named, also those that nothing sets', () => {
  const report = policyReport(undefined)
  expect(Object.keys(report.policies)).toEqual(POLICY_NAMES)
  expect(new Set(Object.values(report.policies).map((each) => JSON.stringify(each)))).toEqual(
    new Set(['{"value":null,"from":null}']),
  )
  expect(report.understood).toBe(true)
})

test('a value names the source that it came from', () => {
  const { policies, understood } = policyReport(
    readPolicies([
      { from: 'own', values: { MaxUploadSize: 10, UpdateMode: 'off' } },
      { from: 'all', values: { MaxUploadSize: 20 } },
    ]),
  )
  expect(policies.MaxUploadSize).toEqual({ value: 20, from: 'all' })
  expect(policies.UpdateMode).toEqual({ value: 'off', from: 'own' })
  expect(understood).toBe(true)
})

test.each([
  ['a source that is not JSON', { from: 'all', values: undefined }],
  ['a source that cannot be read', { from: 'all', values: undefined, unreadable: true }],
  ['an unknown name', { from: 'all', values: { AllowTelepathy: true } }],
  ['a wrong value', { from: 'all', values: { UpdateMode: 'sometimes' } }],
])('%s is not understood', (_what, found) => {
  expect(policyReport(readPolicies([found])).understood).toBe(false)
})
