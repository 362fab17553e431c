import { expect, test } from 'vitest'
import { readArguments, readExpiry, secretRefusal, USAGE } from './arguments.ts'

const read = (line: string) => readArguments(line.split(' '))

test('without a command the server runs', () => {
  expect(read('--data d --port 7080 --seed demo --link-previews on')).toMatchObject({
    command: 'serve',
    port: 7080,
    seed: 'demo',
    enrichSent: true,
    force: false,
    subject: '',
    rates: 'loose',
    maxConnections: 256,
  })
  expect(read('--data d --limits strict --connections 1200')).toMatchObject({ rates: 'strict', maxConnections: 1_200 })
})

test.each([
  ['token ann --data d --expires 30d', { command: 'token', subject: 'ann', expires: '30d' }],
  ['backup out.parlor --data d --force', { command: 'backup', subject: 'out.parlor', force: true }],
  ['--data=d restore out.parlor', { command: 'restore', subject: 'out.parlor', dataFolder: 'd' }],
  ['export - --data d', { command: 'export', subject: '-' }],
  ['verify out.parlor', { command: 'verify', subject: 'out.parlor' }],
  ['--data d --log-file l', { logFile: { path: 'l', mostBytes: 10_000_000, older: 5 } }],
  ['--data d --log-file l --log-size 2 --log-keep 1', { logFile: { path: 'l', mostBytes: 2_000_000, older: 1 } }],
  ['--data d --log-level info', { logFile: undefined, metrics: false, backups: undefined }],
  ['--data d --upload-size 5 --uploads-total 2', { uploadBytes: 5_000_000, mostUploadBytes: 2_000_000_000 }],
  ['--data d --metrics on', { metrics: true }],
  ['--data d --backups b', { backups: { folder: 'b', everyMs: 86_400_000, keep: 14 } }],
  ['--data d --backups b --backup-every 15m --backup-keep 2', { backups: { folder: 'b', everyMs: 900_000, keep: 2 } }],
  ['salvage --data d', { command: 'salvage', subject: '' }],
])('%s', (line, expected) => {
  expect(read(line)).toMatchObject(expected)
})

test.each([
  ['--data d --port 3030', '--port 3030 cannot be used: clients of the contract rewrite it.'],
  ['--port 1', '--data is missing: the folder for the workspace.'],
  ['--data d --seed x', '--seed must be demo or none, not "x".'],
  ['--data d --limits none', '--limits must be loose or strict, not "none".'],
  ['--data d --connections 255', '--connections must be a whole number from 256 to 10000, not "255".'],
  ['--data d --connections many', '--connections must be a whole number from 256 to 10000, not "many".'],
  ['--data d --port', '--port needs a value.'],
  ['--data d --port 0x1F', '--port must be a whole number from 0 to 65535, not "0x1F".'],
  ['--data d --port 1e3', '--port must be a whole number from 0 to 65535, not "1e3".'],
  ['--data d --port -1', '--port must be a whole number from 0 to 65535, not "-1".'],
  ['--data d --connections 0x200', '--connections must be a whole number from 256 to 10000, not "0x200".'],
  ['token --data d', 'token needs the id of a user.'],
  ['token  --data d', 'token needs the id of a user.'],
  ['token ../../x --data d', '../../x cannot be the id of a user: letters, digits, @, _ and -, at most 255 of them.'],
  ['backup --data d', 'backup needs a file to write.'],
  ['restore --data d', 'restore needs the file of a backup.'],
  ['export --data d', 'export needs a file to write, or - for standard output.'],
  ['salvage now --data d', 'Unexpected now.'],
  ['backup a b --data d', 'Unexpected b.'],
  ['backup a --data d --expires 1d', '--expires belongs to token.'],
  ['verify', 'verify needs the file of a backup or of a workspace.'],
  ['pack --data d', 'pack needs a file to write.'],
  ['pack a', '--data is missing: the folder for the workspace.'],
  ['look', 'look needs a workspace file.'],
  ['move --data d', 'move needs --to: the address of the other server.'],
  ['move --data d --to ftp://a', '--to must be an address that starts with https:// or http://.'],
  ['move --data d --to http://chat.example', '--to must start with https:// unless it is on this device.'],
  ['move --data d --to https://a', 'move needs --api-key: the key of the other server.'],
  [
    'move --data d --to https://a --api-key k',
    'move needs --secret-file: the file with the secret of the other server.',
  ],
  ['backup a --data d --dry-run', '--dry-run belongs to import and move.'],
  ['unpack a --data d --owner ann', '--owner belongs to import and pack.'],
  ['backup a --data d --passphrase-file p', '--passphrase-file belongs to pack, unpack, look and verify.'],
  ['verify a --progress', '--progress belongs to pack, unpack and look.'],
  ['--data d --passphrase-file p', 'There is no command.'],
  ['--data d --log-size 2', '--log-size belongs to --log-file, which is missing.'],
  ['--data d --log-file l --log-keep 0', '--log-keep must be a whole number from 1 to 100, not "0".'],
  ['backup a --data d --log-file l', '--log-file is for the running server, not for backup.'],
  ['--data d --upload-size 0', '--upload-size must be a whole number from 1 to 2000, not "0".'],
  ['backup a --data d --uploads-total 1', '--uploads-total is for the running server, not for backup.'],
  ['--data d --backup-keep 2', '--backup-keep belongs to --backups, which is missing.'],
  ['--data d --backups b --backup-keep 0', '--backup-keep must be a whole number from 1 to 1000, not "0".'],
  ['--data d --backups b --backup-every 14m', '--backup-every must be a time of 15m or more, as 6h or 1d, not "14m".'],
  [
    '--data d --backups b --backup-every daily',
    '--backup-every must be a time of 15m or more, as 6h or 1d, not "daily".',
  ],
  ['backup a --data d --create', '--create belongs to token.'],
  ['token ann --data d --create', '--create needs --port: the port of the running server.'],
  ['--data d --force', 'There is no command.'],
  ['--data d --create', 'There is no command.'],
  ['backup a --data d --listen 0.0.0.0:1', '--listen is for the running server, not for backup.'],
  ['dance --data d', 'Unknown command dance.'],
])('%s is refused', (line, message) => {
  expect(read(line)).toBe(message)
})

test('a secret is at least 32 bytes long, however many characters that is', () => {
  const refused = ['', 'short', 'x'.repeat(31), 'ż'.repeat(15)].map((each) => secretRefusal(each) !== undefined)
  expect(refused).toEqual([true, true, true, true])
  expect([undefined, 'x'.repeat(32), 'ż'.repeat(16)].map(secretRefusal)).toEqual([undefined, undefined, undefined])
})

test('help names every command and option, a sentence each', () => {
  for (const name of ['token USER', 'backup FILE', 'verify FILE', 'restore FILE', 'export FILE|-', 'salvage']) {
    expect(USAGE).toMatch(new RegExp(`^ {2}${name.replace('|', '\\|')} {2,}[A-Z].*\\.$`, 'm'))
  }
  const options = [
    '--data',
    '--port',
    '--seed',
    '--api-key',
    '--log-level',
    '--link-previews',
    '--connections',
    '--limits',
    '--listen',
    '--url',
    '--tls-cert',
    '--tls-key',
    '--behind-proxy',
    '--metrics',
    '--upload-size',
    '--uploads-total',
    '--log-file',
    '--log-size',
    '--log-keep',
    '--backups',
    '--backup-every',
    '--backup-keep',
  ]
  for (const name of [...options, '--expires', '--create', '--force', '--help']) {
    expect(USAGE).toMatch(new RegExp(`^ {2}${name}\\b.* {2}\\S.*\\.$`, 'm'))
  }
})

test('the lifetime of a token is read as a duration or a date', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  expect(['90m', '12h', '30d', '2026-11-22'].map((text) => new Date(readExpiry(text, now) ?? 0).toISOString())).toEqual(
    ['2026-11-21T13:30:00.000Z', '2026-11-22T00:00:00.000Z', '2026-12-21T12:00:00.000Z', '2026-11-22T00:00:00.000Z'],
  )
  expect(['0d', 'soon', '2026-11-20', '-1d', ''].map((text) => readExpiry(text, now))).toEqual(Array(5).fill(undefined))
})
