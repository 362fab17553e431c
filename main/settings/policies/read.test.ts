import { describe, expect, test } from 'vitest'
import type { PolicyName } from '#shared/domain/desktop/policies.ts'
import { POLICIES, POLICY_NAMES, readPolicies, readRegistryOutput } from './policies.ts'

const from = '/etc/parlor/policy.json'
const readOne = (values: unknown) => readPolicies([{ from, values }])

/** Valid type, but out of range. */
const OUT_OF_RANGE: Readonly<Record<PolicyName, unknown>> = {
  Organization: 'x'.repeat(201),
  ServerList: [{ name: 'Files', url: 'file:///etc/passwd', apiKey: 'key' }],
  LockServerList: 2,
  AllowLocalServer: -1,
  AllowLanExposure: 'no',
  UpdateMode: 'sometimes',
  UpdateChannel: '../other',
  UpdateFeed: 'http://updates.example',
  DisableDevTools: 'true',
  AllowedAttachmentTypes: ['everything'],
  MaxUploadSize: 0,
  AllowLinkPreviews: 'no',
  AllowGeolocation: 3,
  AllowMicrophone: [true],
  NotificationContent: 'half',
  CacheRetentionDays: 3_651,
  RequireEncryptedSecrets: {},
  AllowExternalLinks: 'https',
  ExtraCaFile: 'own.pem',
}
/** A value of the wrong type for every policy. */
const WRONG_KIND = { nested: { deep: [1, 2] } }

describe.each(POLICY_NAMES)('%s', (name) => {
  test('has no effect if absent', () => {
    expect(readOne({})).toEqual({ sources: [{ from }], values: {}, origins: {}, unknown: [], refused: [] })
  })

  test('applies if valid', () => {
    expect(readOne({ [name]: POLICIES[name].example })).toEqual({
      sources: [{ from }],
      values: { [name]: POLICIES[name].example },
      origins: { [name]: from },
      unknown: [],
      refused: [],
    })
  })

  test.each([
    ['of the wrong kind', WRONG_KIND],
    ['out of its range', OUT_OF_RANGE[name]],
  ])('%s is reported, ignored, and does not affect other policies', (_what, value) => {
    const other = name === 'LockServerList' ? 'DisableDevTools' : 'LockServerList'
    expect(readOne({ [other]: true, [name]: value })).toMatchObject({
      values: { [other]: true },
      refused: [{ name, from }],
    })
  })

  test('has the same value in the registry', () => {
    expect(readOne(readRegistryOutput(registryLines(name)))?.values).toEqual({ [name]: POLICIES[name].example })
  })
})

/** As `reg query` prints it. */
function registryLines(name: PolicyName): string {
  const { kind, example } = POLICIES[name]
  const head = '\r\nHKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Parlor\r\n'
  const line = (type: string, value: string) => `${head}    ${name}    ${type}    ${value}\r\n\r\n`
  switch (kind) {
    case 'switch':
      return line('REG_DWORD', example === true ? '0x1' : '0x0')
    case 'number':
      return line('REG_DWORD', `0x${Number(example).toString(16)}`)
    case 'list':
      return line('REG_MULTI_SZ', (example as string[]).join(String.raw`\0`))
    case 'servers':
      return line('REG_MULTI_SZ', 'Cairn Maps | https://chat.example | key')
    case 'choice':
    case 'text':
      return line('REG_SZ', String(example))
  }
}

test('most devices have no policies', () => {
  expect(readPolicies([])).toBeUndefined()
})

test.each([undefined, null, [], 'text', 7])('a source without policies (%j) is reported and ignored', (values) => {
  expect(readOne(values)).toEqual({
    sources: [{ from, problem: 'not-policies' }],
    values: {},
    origins: {},
    unknown: [],
    refused: [],
  })
})

test('machine policies override user policies one by one', () => {
  const own = { from: 'own', values: { MaxUploadSize: 10, CacheRetentionDays: 5 } }
  const all = { from: 'all', values: { MaxUploadSize: 20 } }
  expect(readPolicies([own, all])).toMatchObject({
    values: { MaxUploadSize: 20, CacheRetentionDays: 5 },
    origins: { MaxUploadSize: 'all', CacheRetentionDays: 'own' },
  })
})

test('an unknown name is reported, and truncated if too long', () => {
  expect(readOne({ AllowTelepathy: true, ['x'.repeat(500)]: 1 })).toMatchObject({
    values: {},
    unknown: [
      { name: 'AllowTelepathy', from },
      { name: 'x'.repeat(60), from },
    ],
  })
})

test('the name of an inherited property is not a policy', () => {
  expect(readOne(JSON.parse('{"__proto__":{"LockServerList":true},"constructor":1}'))).toMatchObject({ values: {} })
})
