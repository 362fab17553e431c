import { expect, test } from 'vitest'
import { commandBar, commandIn, commandLack, commandsOf, matchCommands, ownCommandIn, readCommand } from './commands.ts'

const commands = ['unmute', 'mute', 'ban', 'giphy'].map((name) => ({ name, args: '', description: '' }))
const { compare } = new Intl.Collator('en', { numeric: true })
const names = (query: string) => matchCommands(commands, query, compare).map(({ name }) => name)
const lack = (text: string) => {
  const written = commandIn(text, commands)
  return written && commandLack(written, ['Bob Łoś', 'Bob', 'bob'])
}

test.each([
  ['/mute @bob', { name: 'mute', args: '@bob' }],
  ['  /BAN  @bob too  loud ', { name: 'ban', args: '@bob too  loud' }],
  ['/giphy', { name: 'giphy', args: '' }],
  ['a /mute', undefined],
  ['/', undefined],
  ['//mute', undefined],
  ['/usr/bin is a folder', undefined],
])('%s is parsed as a command, or not', (text, expected) => expect(readCommand(text)).toEqual(expected))

test('commands are matched by prefix first, then by substring; what takes something away is last', () => {
  expect(names('')).toEqual(['giphy', 'unmute', 'mute', 'ban'])
  expect(names('mu')).toEqual(['mute', 'unmute'])
  expect(names('zz')).toEqual([])
})

const aChannel = (directUserIds: readonly string[] = []) =>
  ({ config: { commands: [...commands, { name: 'topic', args: '', description: 'Ours' }] }, directUserIds }) as never

test('the app’s commands stand beside those of the server, the most used first, and never replace one', () => {
  const found = (uses: Record<string, number>, query = '') =>
    matchCommands(commandsOf(aChannel()), query, compare, uses).map(({ name }) => name)
  expect(found({}).slice(0, 4)).toEqual(['remind', 'poll', 'status', 'dnd'])
  expect(found({}).slice(-4)).toEqual(['leave', 'unmute', 'mute', 'ban'])
  expect(found({ ban: 9, giphy: 3, poll: 2 }).slice(0, 3)).toEqual(['giphy', 'poll', 'remind'])
  expect(found({ ban: 9 }).at(-1)).toBe('ban')
  expect(ownCommandIn('/me waves', aChannel())).toEqual({ name: 'me', args: 'waves' })
  expect(ownCommandIn('/topic tents', aChannel())).toBeUndefined()
  expect(ownCommandIn('/mute @bob', aChannel())).toBeUndefined()
})

test('a conversation with chosen people has no command to invite or leave', () => {
  const direct = commandsOf(aChannel(['bob'])).map(({ name }) => name)
  expect(direct).not.toContain('invite')
  expect(direct).not.toContain('leave')
  expect(direct).toContain('remind')
})

test('a command that the channel does not have is plain text', () => {
  expect(commandIn('/flip a coin', commands)).toBeUndefined()
  expect(commandIn('/GIPHY cats', commands)?.args).toBe('cats')
})

test('a command about a person needs a mention, and a ban a reason', () => {
  expect(['/mute', '/mute Bob', '/mute @Bob', '/mute @stranger', '/giphy'].map(lack)).toEqual([
    'person',
    'person',
    undefined,
    undefined,
    undefined,
  ])
  expect(['/ban @Bob Łoś', '/ban @bob', '/ban @stranger', '/ban @Bob Łoś spam', '/ban @bob spam'].map(lack)).toEqual([
    'reason',
    'reason',
    'reason',
    undefined,
    undefined,
  ])
})

test('commands are refused while editing, about people in a quote reply, and without the right', () => {
  const here = { capabilities: ['send-message'], editing: false, quoting: false }
  expect(commandBar('giphy', { ...here, editing: true })).toBe('editing')
  expect(commandBar('mute', { ...here, quoting: true })).toBe('replying')
  expect(commandBar('giphy', { ...here, quoting: true })).toBeUndefined()
  expect(commandBar('ban', here)).toBe('noRight')
  expect(commandBar('ban', { ...here, capabilities: ['ban-channel-members'] })).toBeUndefined()
  expect(commandBar('ban', { ...here, capabilities: [] })).toBeUndefined()
})

test('an action needs a text, and so does a topic, which would be emptied for everyone', () => {
  const own = commandsOf({ config: { commands: [] }, directUserIds: [] } as never)
  const lackOf = (text: string) => {
    const written = commandIn(text, own)
    return written && commandLack(written, [])
  }
  expect(lackOf('/me ')).toBe('text')
  expect(lackOf('/topic ')).toBe('text')
  expect(lackOf('/topic Release on Friday')).toBeUndefined()
  expect(lackOf('/shrug ')).toBeUndefined()
})

test('a server may name its command as it likes', () => {
  const odd = [{ name: 'constructor', args: '', description: '' }, ...commands]
  const here = { capabilities: ['send-message'], editing: false, quoting: false }
  expect(commandBar('constructor', here)).toBeUndefined()
  expect(matchCommands(odd, 'con', compare, {}).map(({ name }) => name)).toEqual(['constructor'])
})
