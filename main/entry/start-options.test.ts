import { describe, expect, test } from 'vitest'
import { StartError } from '#main/hosts/node/profile.ts'
import { readStartOptions } from './start-options.ts'

const SERVER = ['--connect', 'https://chat.example', '--api-key', 'k']

describe('flags of npm start', () => {
  test('none means: decide for me', () => {
    expect(readStartOptions([], {})).toEqual({
      host: undefined,
      open: true,
      dataFolder: undefined,
      json: false,
      help: false,
      inspect: undefined,
      launch: {},
    })
  })

  test('all of a scripted start', () => {
    const argv = ['--host', 'browser', '--no-open', '--json', '--data', '/tmp/x', '--as=alice']
    expect(readStartOptions(argv, {})).toEqual({
      host: 'browser',
      open: false,
      dataFolder: '/tmp/x',
      json: true,
      help: false,
      inspect: undefined,
      launch: { asUserId: 'alice' },
    })
  })

  test('the demo at once', () => {
    expect(readStartOptions(['--demo'], {}).launch).toEqual({ demo: true })
    const both = ['--demo', '--as', 'alice']
    expect(() => readStartOptions(both, {})).toThrow('--demo cannot be used with --connect or --as.')
  })

  test('a server of the contract, the token from the environment', () => {
    const argv = ['--connect', 'https://chat.example', '--api-key', 'k']
    expect(readStartOptions(argv, { PARLOR_TOKEN: 't' }).launch).toEqual({
      connect: { url: 'https://chat.example', apiKey: 'k', credential: { kind: 'token', token: 't' } },
    })
  })

  test.each([
    [['--token-url', 'https://t.example'], { kind: 'endpoint', url: 'https://t.example' }],
    [['--token-command', 'print  token'], { kind: 'command', argv: ['print', 'token'] }],
  ])('%j says where tokens come from', (flags, credential) => {
    expect(readStartOptions([...SERVER, ...flags], {}).launch.connect?.credential).toEqual(credential)
  })

  test.each([
    [['--hots', 'browser'], 'Unknown flag "--hots". Did you mean --host? See npm start -- --help.'],
    [['browser'], 'Unexpected argument "browser". See npm start -- --help.'],
    [['--host', 'firefox'], '--host must be electron or browser, not "firefox". See npm start -- --help.'],
    [['--data'], '--data needs a value. See npm start -- --help.'],
    [['--data', '--json'], '--data needs a value. See npm start -- --help.'],
    [['--json=1'], '--json takes no value. See npm start -- --help.'],
    [['--connect', 'chat.example'], '--connect needs an address that starts with https:// or http://.'],
    [['--connect', 'https://chat.example'], '--connect needs --api-key KEY.'],
    [
      ['--connect', 'https://chat.example', '--api-key', 'k'],
      '--connect needs --token TOKEN (or PARLOR_TOKEN), --token-url URL or --token-command COMMAND.',
    ],
    [['--token', 't'], '--token goes together with --connect URL.'],
    [[...SERVER, '--token', 't', '--token-url', 'https://t'], '--token and --token-url exclude each other.'],
  ])('%j is refused in one line', (argv, line) => {
    const refused = () => readStartOptions(argv, {})
    expect(refused).toThrow(StartError)
    expect(refused).toThrow(line)
  })
})
