import { expect, test } from 'vitest'
import { isTest, readSource, sourceFiles, trackedFiles } from './modules.ts'

const product = sourceFiles().filter((path) => /^(shared|main|preload|renderer)\//.test(path) && !isTest(path))

type Ban = {
  readonly rooms: RegExp
  readonly pattern: RegExp
  readonly why: string
  readonly except?: RegExp
  /** Comments are searched too. */
  readonly anywhere?: true
}

/** Rules of style that are cheap to check by text. */
const BANS: readonly Ban[] = [
  {
    rooms: /^renderer\//,
    pattern: /new CustomEvent\(|window\.dispatchEvent\(/,
    why: 'parts of a window reach each other by the commands of renderer/store/commands.ts',
  },
  {
    rooms: /^(shared|main\/(engine|cache|server|desktop|bridge))\//,
    pattern: /\b(Date\.now\(|new Date\(\)|Math\.random\(|setTimeout\(|setInterval\(|setImmediate\(|performance\.now\()/,
    why: 'time and chance come through ports',
  },
  {
    rooms: /^main\//,
    pattern: /(?<![.\w])(setTimeout|setInterval|setImmediate|queueMicrotask)\(|\bprocess\.nextTick\(/,
    why: 'timers are made in one place, and each can be given up',
    except: /^main\/lib\/(clock|turn)\.ts$/,
  },
  {
    rooms: /^main\//,
    pattern: /uncaughtException|unhandledRejection/,
    why: 'uncaught errors are handled in one place',
    except: /^main\/lib\/logger\.ts$/,
  },
  {
    rooms: /^main\/(engine|app|bridge|cache\/(tables|search))\//,
    pattern:
      /new Database\(|\bdb\.raw\.(prepare|exec|transaction)\(|(?<!guarded\(\(\) => reader\.)\bdb\.raw\.pragma\(|SqliteError/,
    why: 'what SQLite throws leaves the store as an AppError',
    except: /^main\/cache\/search\/worker\.ts$/,
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
    pattern: /<Suspense\b|\blazy\(/,
    why: 'code is loaded by `part`, which hides nothing but itself',
    except: /^renderer\/lib\/page\/part\.tsx$/,
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
    anywhere: true,
  },
  {
    rooms: /./,
    pattern: /\.localeCompare\(|Intl\.Collator\(|\.(name|label|title) < \w+\.(name|label|title)\b/,
    why: 'lists for a person are ordered by the collator of the chosen language',
    // A page of roles continues after the last name of the previous page: by the order of their characters, as in the
    // database.
    except: /^(renderer\/i18n\/format\.tsx|main\/server\/admin\/admin-routes\.ts)$/,
  },
  { rooms: /./, pattern: /stream-chat|@stream-io\//, why: "no package of the contract's vendor" },
]

test.each(BANS.map((ban) => [ban.why, ban] as const))('%s', (_why, { rooms, pattern, except, anywhere }) => {
  const offenders = product
    .filter((path) => rooms.test(path) && except?.test(path) !== true)
    .flatMap((path) =>
      readSource(path)
        .split('\n')
        .flatMap((line, index) =>
          pattern.test(anywhere ? line : withoutComment(line)) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
        ),
    )
  expect(offenders).toEqual([])
})

test('every process of main handles uncaught errors before it composes anything', () => {
  const entries = sourceFiles().filter((path) => /^main\/entry\/(browser|electron|server)\.ts$/.test(path))
  const composes = /await (compose|startBrowserHost|startElectronHost|runServer)\(/
  expect(entries).toHaveLength(3)
  for (const path of entries) {
    const source = readSource(path)
    const guard = source.indexOf('handleUncaughtErrors(process, log)')
    expect(guard, path).toBeGreaterThan(0)
    expect(guard, path).toBeLessThan(source.search(composes))
  }
})

test('addresses are parsed and opened in one place each: openExternal has one call site per host', () => {
  const sites = product.filter((path) => /shell\.openExternal\(/.test(readSource(path)))
  expect(sites.length).toBeLessThanOrEqual(1)
})

test('no private key is stored: tests make theirs when they run', () => {
  const block = /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*[A-Za-z\d+/=]/
  const holders = trackedFiles().filter((path) => /\.(p12|pfx|pem|key|jks)$/.test(path) || block.test(readSource(path)))
  expect(holders).toEqual([])
  expect(block.test(['-----BEGIN EC PRIVATE KEY-----', 'MHcCAQEE'].join('\n'))).toBe(true)
})

const withoutComment = (line: string): string => (/^\s*(\/\/|\*|\/\*)/.test(line) ? '' : line.replace(/\s\/\/ .*$/, ''))
