import { expect, test } from 'vitest'
import type { Policies } from '#shared/domain/desktop/policies.ts'
import { checkAccount, policyGate } from './gate.ts'

const LIST: Policies = {
  LockServerList: true,
  ServerList: [{ name: 'Ours', url: 'https://chat.example/', apiKey: 'key' }],
}
const refused = (policies: Policies, call: string, input?: unknown): string | undefined => {
  try {
    policyGate(policies)(call, input)
    return undefined
  } catch (error) {
    return (error as { code: string }).code
  }
}
const file = (name: string, mimeType: string, sizeBytes = 10) => ({ name, mimeType, sizeBytes })

test('without policies everything is allowed', () => {
  for (const call of ['session.connectHosted', 'uploads.begin', 'locations.share', 'messages.send', '__proto__'])
    expect(refused({}, call, { url: 'https://a.example', apiKey: 'k', ...file('a.exe', '') })).toBeUndefined()
})

test.each([
  ['https://chat.example', 'key', undefined],
  [' https://chat.example/ ', ' key ', undefined],
  ['https://chat.example', 'other', 'policy/server'],
  ['https://chat.example.evil.example', 'key', 'policy/server'],
  ['https://chat.example:8443', 'key', 'policy/server'],
  ['http://chat.example', 'key', 'policy/server'],
  ['nonsense', 'key', 'policy/server'],
])('a locked list of servers, asked for %s with %s: %s', (url, apiKey, code) => {
  expect(refused(LIST, 'session.connectHosted', { url, apiKey })).toBe(code)
  expect(refused(LIST, 'session.timeServer', { url, apiKey })).toBe(code)
})

test('an account created earlier is not opened either', () => {
  const hosted = { kind: 'hosted', userId: 'ola', url: 'https://elsewhere.example', apiKey: 'key' } as const
  expect(() => checkAccount(hosted, LIST)).toThrow(expect.objectContaining({ code: 'policy/server' }))
  expect(() => checkAccount({ ...hosted, url: 'https://chat.example' }, LIST)).not.toThrow()
  const demo = { kind: 'demo', userId: 'ola' } as const
  expect(() => checkAccount(demo, { AllowLocalServer: false })).toThrow(
    expect.objectContaining({ code: 'policy/local' }),
  )
})

test('no local workspace if none is allowed', () => {
  const policies = { AllowLocalServer: false }
  expect(refused(policies, 'session.openDemo')).toBe('policy/local')
  expect(refused(policies, 'session.createWorkspace')).toBe('policy/local')
})

test.each([
  [file('plan.PDF', ''), undefined],
  [file('photo.png', 'image/png; charset=x'), undefined],
  [file('run.exe', 'application/x-msdownload'), 'policy/file-type'],
  [file('pdf', 'application/pdf'), 'policy/file-type'],
  [file('big.pdf', '', 1_001), 'policy/file-size'],
])('of files %j: %s', (announced, code) => {
  const policies: Policies = { AllowedAttachmentTypes: ['.pdf', 'image/*'], MaxUploadSize: 1_000 }
  expect(refused(policies, 'uploads.begin', announced)).toBe(code)
})

test('no recording and no location if they are not allowed', () => {
  expect(refused({ AllowMicrophone: false }, 'uploads.begin', { ...file('a.webm', ''), voice: {} })).toBe(
    'policy/microphone',
  )
  expect(refused({ AllowGeolocation: false }, 'locations.share', {})).toBe('policy/location')
})
