import { expect, test } from 'vitest'
import { isTest, readSource, sourceFiles } from './modules.ts'

const product = sourceFiles().filter((path) => /^(shared|main|preload|renderer)\//.test(path) && !isTest(path))

type Ban = { readonly rooms: RegExp; readonly pattern: RegExp; readonly why: string; readonly except?: RegExp }

/** House rules that are cheap to check by text. Sources: style guide 5, reliability paper D9 and E1, rulings 2 and 18. */
const BANS: readonly Ban[] = [
  {
    rooms: /^(shared|main\/(engine|cache|server|desktop|bridge))\//,
    pattern: /\b(Date\.now\(|new Date\(\)|Math\.random\(|setTimeout\(|setInterval\(|setImmediate\(|performance\.now\()/,
    why: 'time and chance come through ports',
    except: /^main\/cache\/reader-worker\.ts$|^main\/server\/realtime\/turn\.ts$/,
  },
  { rooms: /^(shared|main\/engine)\//, pattern: /\bfetch\(|new WebSocket\(/, why: 'the network comes through ports' },
  {
    rooms: /^renderer\//,
    pattern:
      /dangerouslySetInnerHTML|\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\(/,
    why: 'no HTML sinks',
  },
  {
    rooms: /^renderer\//,
    pattern: /\bfetch\(|XMLHttpRequest|EventSource\(|sendBeacon/,
    why: 'the renderer makes no network request',
  },
  {
    rooms: /^renderer\//,
    pattern: /new WebSocket\(/,
    why: 'one socket, in one file',
    except: /^renderer\/bridge\/ws\.ts$/,
  },
  {
    rooms: /./,
    pattern: /\b(TODO|FIXME|XXX|HACK)\b|@ts-ignore|@ts-nocheck|(eslint|oxlint)-disable/,
    why: 'no left-overs',
  },
  { rooms: /./, pattern: /stream-chat|@stream-io\//, why: "no package of the contract's vendor" },
]

test.each(BANS.map((ban) => [ban.why, ban] as const))('%s', (_why, { rooms, pattern, except }) => {
  const offenders = product
    .filter((path) => rooms.test(path) && except?.test(path) !== true)
    .flatMap((path) =>
      readSource(path)
        .split('\n')
        .flatMap((line, index) => (pattern.test(withoutComment(line)) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
    )
  expect(offenders).toEqual([])
})

test('only the parser and one way out exist for addresses: openExternal has one call site per host', () => {
  const sites = product.filter((path) => /shell\.openExternal\(/.test(readSource(path)))
  expect(sites.length).toBeLessThanOrEqual(1)
})

const withoutComment = (line: string): string => (/^\s*(\/\/|\*|\/\*)/.test(line) ? '' : line.replace(/\s\/\/ .*$/, ''))
