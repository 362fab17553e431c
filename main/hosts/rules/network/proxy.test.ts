import { describe, expect, test } from 'vitest'
import { firstOfResolved, NO_CHOICE, proxyIssue, proxyRoute, type ProxyChoice } from './proxy.ts'

const aChoice = (over: Partial<ProxyChoice>): ProxyChoice => ({ ...NO_CHOICE, ...over })
const manual = aChoice({ mode: 'manual', url: 'http://proxy.example:3128' })
const wayOf = (address: string, choice: ProxyChoice): string => {
  const route = proxyRoute(address, choice)
  return route.kind === 'proxy' ? route.url : route.kind
}

describe('the way of an address', () => {
  test.each([
    ['through the proxy by hand', 'https://chat.example/app', manual, 'http://proxy.example:3128/'],
    ['a realtime line as well', 'wss://chat.example/connect', manual, 'http://proxy.example:3128/'],
    [
      'by a script',
      'https://chat.example',
      aChoice({ mode: 'pac', url: 'http://wpad.example/proxy.pac' }),
      'pac+http://wpad.example/proxy.pac',
    ],
    ['as the system says', 'https://chat.example', NO_CHOICE, 'system'],
    ['straight when switched off', 'https://chat.example', aChoice({ mode: 'none' }), 'direct'],
    [
      'with name and password',
      'https://chat.example',
      aChoice({ ...manual, user: 'ola', password: 'p@ss:wörd' }),
      'http://ola:p%40ss%3Aw%C3%B6rd@proxy.example:3128/',
    ],
  ])('%s', (_title, address, choice, way) => expect(wayOf(address, choice)).toBe(way))

  test.each(['http://127.0.0.1:4000/x', 'http://localhost:4000', 'http://[::1]:4000', 'ws://127.1.2.3/connect'])(
    '%s is this device and never leaves it',
    (address) => {
      expect(wayOf(address, manual)).toBe('direct')
      expect(wayOf(address, NO_CHOICE)).toBe('direct')
    },
  )

  test.each([
    ['intranet.example', 'intranet.example', true],
    ['a.intranet.example', 'intranet.example', true],
    ['a.b.example', '.example', true],
    ['a.example', '*.example, other', true],
    ['notexample', '.example', false],
    ['myintranet.example', 'intranet.example', false],
    ['anything.else', '*', true],
    ['anything.else', ' ', false],
  ])('%s with the exceptions "%s" goes straight: %s', (host, bypass, straight) => {
    expect(wayOf(`https://${host}`, aChoice({ ...manual, bypass })) === 'direct').toBe(straight)
  })
})

test.each([
  ['PROXY a.example:3128; DIRECT', 'http://a.example:3128'],
  ['HTTPS a.example:443', 'https://a.example:443'],
  ['SOCKS5 a.example:1080; PROXY b:1', 'socks5h://a.example:1080'],
  ['DIRECT; PROXY a:1', ''],
  ['NONSENSE a:1; PROXY b:2', 'http://b:2'],
  ['', ''],
])('the system says %j, which means %j', (answer, url) => expect(firstOfResolved(answer)).toBe(url))

test.each([
  ['manual', 'http://proxy:3128', undefined],
  ['manual', 'socks5://proxy:1080', undefined],
  ['manual', 'proxy:3128', 'network/proxy-url'],
  ['manual', '', 'network/proxy-url'],
  ['pac', 'https://wpad/proxy.pac', undefined],
  ['pac', 'ftp://wpad/proxy.pac', 'network/pac-url'],
  ['system', '', undefined],
  ['none', 'nonsense', undefined],
] as const)('a choice of %s with %j: %s', (mode, url, issue) => expect(proxyIssue({ mode, url })).toBe(issue))
