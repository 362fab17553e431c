import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { POLICY_NAMES, readPolicies } from '#main/settings/policies/policies.ts'
import { policyTemplates } from '../../.ci/policy-templates.ts'
import { root } from './modules.ts'

test('the templates for administrators match the reader: node main/entry/run.mjs .ci/policy-templates.ts writes them again', () => {
  const templates = policyTemplates()
  expect(templates.size).toBe(6)
  const stored = [...templates.keys()].map((path) => readFileSync(join(root, 'resources/policies', path), 'utf8'))
  expect(stored).toEqual([...templates.values()])
})

test('the example has every policy, and all of it is valid', () => {
  const values: unknown = JSON.parse(policyTemplates().get('policy.json') ?? '')
  const read = readPolicies([{ from: 'example', values }])
  expect(Object.keys(read?.values ?? {})).toEqual(POLICY_NAMES)
  expect(read?.refused).toEqual([])
  expect(read?.unknown).toEqual([])
})

test('every policy is in every template and in the page for administrators', () => {
  const document = readFileSync(join(root, 'docs/managed.md'), 'utf8')
  const texts = [...policyTemplates(), ['docs/managed.md', document] as const]
  const missing = texts.flatMap(([path, text]) =>
    POLICY_NAMES.filter((name) => !text.includes(name)).map((name) => `${path}: ${name}`),
  )
  expect(missing).toEqual([])
})
