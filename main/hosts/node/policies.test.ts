import { expect, test } from 'vitest'
import { devicePolicies, LINUX_POLICIES, type PolicyOutside, REGISTRY_KEYS } from './policies.ts'

const outside = (over: Partial<PolicyOutside>): PolicyOutside => ({
  userName: 'ola',
  read: () => undefined,
  exists: () => false,
  run: () => {
    throw new Error('it ended with 1')
  },
  ...over,
})

test.each(['linux', 'macos', 'windows'] as const)('on %s without policies there are none', (os) => {
  expect(devicePolicies(os, outside({}))).toBeUndefined()
})

test('Linux reads one file, as editors of other systems save it too', () => {
  const read = (path: string) => (path === LINUX_POLICIES ? '\uFEFF{"MaxUploadSize":5}' : undefined)
  expect(devicePolicies('linux', outside({ read }))?.values).toEqual({ MaxUploadSize: 5 })
})

test('a file that is closed to the person, or cut off, is named and the app starts', () => {
  const closed = outside({
    read: () => {
      throw Object.assign(new Error('closed'), { code: 'EACCES' })
    },
  })
  expect(devicePolicies('linux', closed)?.sources).toEqual([{ from: LINUX_POLICIES, problem: 'unreadable' }])
  expect(devicePolicies('linux', outside({ read: () => '{"Max' }))?.sources).toEqual([
    { from: LINUX_POLICIES, problem: 'not-policies' },
  ])
})

test('macOS asks its own program about the managed preferences of the person and of the device', () => {
  const requested: string[] = []
  const managed = devicePolicies(
    'macos',
    outside({
      exists: () => true,
      run: (_program, args) => {
        requested.push(args.at(-1) ?? '')
        return requested.length === 1 ? '{"LockServerList":false,"DisableDevTools":true}' : '{"LockServerList":true}'
      },
    }),
  )
  expect(requested).toEqual([
    '/Library/Managed Preferences/ola/chat.parlor.desktop.plist',
    '/Library/Managed Preferences/chat.parlor.desktop.plist',
  ])
  expect(managed?.values).toEqual({ LockServerList: true, DisableDevTools: true })
})

test("Windows reads both keys of the registry; a missing one has no policies, and the device's override the user's", () => {
  const output = { [REGISTRY_KEYS[0]]: '    UpdateMode    REG_SZ    auto', [REGISTRY_KEYS[1]]: undefined }
  const run = (_program: string, [, key = '']: readonly string[]) => {
    const text = output[key as keyof typeof output]
    if (text === undefined) throw new Error('it ended with 1')
    return text
  }
  expect(devicePolicies('windows', outside({ run }))).toMatchObject({
    sources: [{ from: REGISTRY_KEYS[0] }],
    values: { UpdateMode: 'auto' },
  })
})
