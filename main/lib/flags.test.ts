import { expect, test } from 'vitest'
import { readFlags } from './flags.ts'

const FLAGS = {
  host: { type: 'choice', of: ['electron', 'browser'] },
  data: { type: 'text' },
  port: { type: 'number', from: 0, to: 65_535 },
  themes: { type: 'list', of: ['light', 'dark', 'hc-dark'] },
  'no-open': { type: 'boolean' },
  json: { type: 'boolean' },
} as const

const read = (...args: string[]) => readFlags(args, FLAGS)

test('flags that are not given are false or absent', () => {
  expect(read()).toEqual({ values: { 'no-open': false, json: false }, positionals: [] })
})

test('values follow their flag or an equals sign, and are read by their type', () => {
  expect(read('--host', 'browser', '--port=8080', '--data=a=b', '--no-open', '--themes', 'light,hc-dark')).toEqual({
    values: {
      host: 'browser',
      port: 8_080,
      data: 'a=b',
      'no-open': true,
      json: false,
      themes: ['light', 'hc-dark'],
    },
    positionals: [],
  })
})

test.each([
  ['--prot', ' Did you mean --port?'],
  ['--no-opn', ' Did you mean --no-open?'],
  ['--Themes', ' Did you mean --themes?'],
  ['--window', ''],
])('the unknown flag %s is refused with the nearest name, if there is one', (flag, hint) => {
  expect(read(flag, '1')).toBe(`Unknown flag "${flag}".${hint}`)
})

test('a list may be given in parts; of other flags the last one counts', () => {
  expect(read('--themes', 'dark', '--port', '1', '--themes', 'light', '--port', '2')).toMatchObject({
    values: { themes: ['dark', 'light'], port: 2 },
  })
})

test('only as many other arguments are allowed as the command takes', () => {
  expect(readFlags(['out', '-', '--json'], FLAGS, { positionals: 2 })).toMatchObject({
    values: { json: true },
    positionals: ['out', '-'],
  })
  expect(readFlags(['a', 'b', 'c'], FLAGS, { positionals: 2 })).toBe('Unexpected argument "c".')
  expect(read('out')).toBe('Unexpected argument "out".')
})

test.each([
  [['--hots', 'browser'], 'Unknown flag "--hots". Did you mean --host?'],
  [['--hots=browser'], 'Unknown flag "--hots". Did you mean --host?'],
  [['-d'], 'Unknown flag "-d".'],
  [['--toString'], 'Unknown flag "--toString".'],
  [['--data'], '--data needs a value.'],
  [['--data', ''], '--data needs a value.'],
  [['--data='], '--data needs a value.'],
  [['--data', '--json'], '--data needs a value.'],
  [['--json=1'], '--json takes no value.'],
  [['--host', 'firefox'], '--host must be electron or browser, not "firefox".'],
  [['--themes', 'light,pink'], '--themes must be a list of light, dark or hc-dark, not "light,pink".'],
  [['--port', '-1'], '--port must be a whole number from 0 to 65535, not "-1".'],
  [['--port', '0x1F'], '--port must be a whole number from 0 to 65535, not "0x1F".'],
  [['--port', '1e3'], '--port must be a whole number from 0 to 65535, not "1e3".'],
  [['--port', '65536'], '--port must be a whole number from 0 to 65535, not "65536".'],
])('%j is refused in one line that names the flag and what is allowed', (args, line) => {
  expect(read(...args)).toBe(line)
})
