import { afterEach, expect, test, describe } from 'vitest'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fold } from '#shared/rules/messages/text.ts'
import { parseMessage } from '#shared/rules/markdown/parse.ts'
import { splitMentions } from '#shared/rules/messages/mentions.ts'
import { plainText } from '#shared/rules/markdown/plain.ts'
import { aChannel, byCid, createFakeBridge, someSettings } from '../../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../../tests/kit/render-in-app.tsx'
import { toPlainText } from '../actions/copied-text.ts'
import { Markdown, highlight, isEmojiOnly } from './Markdown.tsx'

const NOBODY: readonly never[] = []
/** The elements a message text may render. */
const ALLOWED = new Set(
  'a bdi blockquote br button code div em figcaption figure hr li ol p pre s span strong svg table tbody td th thead tr ul use'.split(
    ' ',
  ),
)
const ALLOWED_ATTRIBUTES = new Set(
  'aria-expanded aria-hidden aria-label class dir draggable focusable height href rel scope start tabindex type width'.split(
    ' ',
  ),
)

const CORPUS: readonly string[] = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<img src="x" onload="alert(1)"/>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<object data="data:text/html,<script>alert(1)</script>">',
  '<embed src="javascript:alert(1)">',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<form action="javascript:alert(1)"><input type=submit>',
  '<input autofocus onfocus=alert(1)>',
  '<body onload=alert(1)>',
  '<video src=x onerror=alert(1)>',
  '<audio src=x onerror=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<marquee onstart=alert(1)>',
  '<math href="javascript:alert(1)">x</math>',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
  '<link rel=stylesheet href="https://evil.example/x.css">',
  '<style>*{background:url(https://evil.example)}</style>',
  '<div style="background:url(javascript:alert(1))">x</div>',
  '<template><script>alert(1)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<!--><img src=x onerror=alert(1)-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml version="1.0"?><script>alert(1)</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;alert(1)&#60;/script&#62;',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java&#115;cript:alert(1))',
  '[x](&#x6A;avascript:alert(1))',
  '[x](java\nscript:alert(1))',
  '[x]( javascript:alert(1))',
  '[x](<javascript:alert(1)>)',
  '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[x](vbscript:msgbox(1))',
  '[x](file:///etc/passwd)',
  '[x](smb://evil.example/share)',
  '[x](//evil.example)',
  '[x](https://user:pass@evil.example)',
  '[x](https://evil.example/"onmouseover="alert(1))',
  "[x](https://evil.example/'onmouseover='alert(1))",
  '[x](https://evil.example "title\\" onmouseover=\\"alert(1)")',
  '[<img src=x onerror=alert(1)>](https://evil.example)',
  '![x](javascript:alert(1))',
  '![x](https://evil.example/track.png)',
  '![x](data:image/svg+xml,<svg onload=alert(1)>)',
  '<javascript:alert(1)>',
  '<https://evil.example/<script>alert(1)</script>>',
  'javascript:alert(1)',
  'https://evil.example/<script>alert(1)</script>',
  '`<script>alert(1)</script>`',
  '```html\n<script>alert(1)</script>\n```',
  '```"><script>alert(1)</script>\nx\n```',
  '```js onload=alert(1)\nx\n```',
  '| <script>alert(1)</script> | b |\n|---|---|\n| <img src=x onerror=alert(1)> | d |',
  '> <script>alert(1)</script>',
  '- <svg onload=alert(1)>',
  '# <img src=x onerror=alert(1)>',
  '**<script>alert(1)</script>**',
  '[a]: javascript:alert(1)\n[a]',
  '[x][y]\n\n[y]: javascript:alert(1)',
  '@<script>alert(1)</script>',
  '\u202Egnp.exe',
  'a\u0000<script>alert(1)</script>',
  '{{constructor.constructor("alert(1)")()}}',
  '${alert(1)}',
  '<x-component is="script">',
  '<a href=https://ok.example onclick=alert(1)>x</a>',
]

afterEach(cleanup)

test('the corpus has enough cases', () => {
  expect(new Set(CORPUS).size).toBeGreaterThanOrEqual(60)
})

test('no text renders an element, attribute or address outside the allowed set', async () => {
  for (const text of CORPUS) {
    const view = await renderInApp(<Markdown text={text} mentioned={NOBODY} viewerId={undefined} />, createFakeBridge())
    const elements = [...view.container.querySelectorAll('div > *, div > * *')]
    const attributes = elements.flatMap((element) => [...element.attributes])
    const addresses = [...view.container.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '')
    const foreign = [
      ...elements.map((element) => element.localName).filter((name) => !ALLOWED.has(name)),
      ...attributes.map((attribute) => attribute.name).filter((name) => !ALLOWED_ATTRIBUTES.has(name)),
      ...addresses.filter((address) => !/^(https?|mailto):/.test(address)),
    ]
    expect(foreign, text).toEqual([])
    expect(
      view.container.querySelector('script, img, iframe, object, embed, style, link, meta, form, input'),
    ).toBeNull()
    view.leave()
    cleanup()
  }
})

test('HTML in a text is shown as text', async () => {
  await renderInApp(<Markdown text="<b>not bold</b>" mentioned={NOBODY} viewerId={undefined} />, createFakeBridge())
  expect(screen.getByText('<b>not bold</b>')).toBeDefined()
})

test('a custom emoji is shown as its picture, large when alone, and as text once it is deleted', async () => {
  const parrot = { name: 'parrot', aliases: ['bird'], image: 'emoji/parrot.1', moves: false }
  const bridge = createFakeBridge({ rows: { emoji: { parrot } }, media: (ref) => `media://${ref}/full` })
  const view = await renderInApp(
    <>
      <Markdown text="hi :bird: and `:bird:`, :none:" mentioned={NOBODY} viewerId={undefined} />
      <Markdown text=":parrot: 🎉" mentioned={NOBODY} viewerId={undefined} />
    </>,
    bridge,
  )
  const pictures = () => [...view.container.querySelectorAll('img')].map((img) => img.getAttribute('src'))
  await waitFor(() => expect(pictures()).toEqual(Array(2).fill('media://emoji/parrot.1/full')))
  expect([...view.container.children].map(({ textContent }) => textContent)).toEqual([
    'hi :bird: and :bird:, :none:',
    ':parrot: 🎉',
  ])
  expect(screen.getAllByTitle(':parrot:').length).toBe(2)
  const isLarge = () => view.container.lastElementChild?.className.includes('bigEmoji')
  expect(isLarge()).toBe(true)
  act(() => bridge.change({}, [], { emoji: ['parrot'] }))
  await waitFor(() => expect(pictures()).toEqual([]))
  expect(view.container.textContent).toBe('hi :bird: and :bird:, :none::parrot: 🎉')
  expect(isLarge()).toBe(false)
})

test('with reduced motion an animated emoji is a still picture', async () => {
  const parrot = { name: 'parrot', aliases: [], image: 'emoji/parrot.1', moves: true }
  const bridge = createFakeBridge({
    rows: { emoji: { parrot }, settings: { self: someSettings({ motion: 'reduced' }) } },
    media: () => 'media://emoji/parrot.1/full',
  })
  const view = await renderInApp(<Markdown text=":parrot:" mentioned={NOBODY} viewerId={undefined} />, bridge)
  await waitFor(() => expect(view.container.querySelector('canvas')).not.toBeNull())
  expect(view.container.querySelector('img')).toBeNull()
  expect(view.container.textContent).toBe(':parrot:')
})

test('a link is opened by the engine, never by the page', async () => {
  const bridge = createFakeBridge()
  await renderInApp(<Markdown text="see https://example.org/a" mentioned={NOBODY} viewerId={undefined} />, bridge)
  await userEvent.click(screen.getByRole('link', { name: 'https://example.org/a' }))
  expect(bridge.inputsOf('app.openExternal')).toEqual([{ url: 'https://example.org/a' }])
})

test('an unencrypted address asks first', async () => {
  const bridge = createFakeBridge()
  await renderInApp(<Markdown text="see http://example.org/" mentioned={NOBODY} viewerId={undefined} />, bridge)
  await userEvent.click(screen.getByRole('link'))
  expect(bridge.inputsOf('app.openExternal')).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Open example.org' }))
  expect(bridge.inputsOf('app.openExternal')).toEqual([{ url: 'http://example.org/' }])
})

test('a link whose text names another host shows the real one', async () => {
  await renderInApp(
    <Markdown text="[paypal.com](https://evil.example/)" mentioned={NOBODY} viewerId={undefined} />,
    createFakeBridge(),
  )
  expect(screen.getByText(/\(evil\.example\)/)).toBeDefined()
})

test('a long text is folded and can be expanded', async () => {
  const text = Array.from({ length: 60 }, (_, index) => `line ${index}`).join('\n')
  await renderInApp(<Markdown text={text} mentioned={NOBODY} viewerId={undefined} />, createFakeBridge())
  expect(screen.queryByText(/line 59/)).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Show 20 more lines' }))
  expect(screen.getByText(/line 59/)).toBeDefined()
})

test('code folds after eighteen lines', async () => {
  const text = `\`\`\`\n${Array.from({ length: 30 }, (_, index) => `code ${index}`).join('\n')}\n\`\`\``
  await renderInApp(<Markdown text={text} mentioned={NOBODY} viewerId={undefined} />, createFakeBridge())
  expect(screen.queryByText(/code 29/)).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Show all 30 lines' }))
  expect(screen.getByText(/code 29/)).toBeDefined()
})

test('a mention of a known channel is a link; an unknown one is plain text', async () => {
  const channels = byCid([aChannel({ cid: 'team:map-data', name: 'map-data' })])
  const bridge = createFakeBridge({ rows: { channels } })
  const text = 'See #Map-Data, not #elsewhere'
  const { store } = await renderInApp(<Markdown text={text} mentioned={NOBODY} viewerId={undefined} />, bridge)
  await userEvent.click(await screen.findByRole('button', { name: '#Map-Data' }))
  expect(store.getState().ui.route).toMatchObject({ view: 'channel', cid: 'team:map-data' })
  expect(screen.queryByRole('button', { name: '#elsewhere' })).toBeNull()
  act(() => bridge.change({ channels: byCid([aChannel({ cid: 'team:map-data', name: 'elsewhere' })]) }))
  expect(await screen.findByRole('button', { name: '#elsewhere' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: '#Map-Data' })).toBeNull()
})

const OLA = { id: 'ola', name: 'Ola Wiśniewska' }
const kinds = (text: string) => parseMessage(text).map((block) => block.kind)

test('a link into Parlor is a link, bare or with text; an invalid one stays text', () => {
  const links = (text: string) => JSON.stringify(parseMessage(text)).match(/"href":"[^"]*"/g)
  const place = 'parlor://open/demo/message/team:plans/m-1'
  expect(links(`see ${place}, please`)).toEqual([`"href":"${place}"`])
  expect(links(`[here](${place})`)).toEqual([`"href":"${place}"`])
  expect(links('parlor://evil/x and [this](parlor://open/demo/run/x)')).toBeNull()
})

test('channel mentions are separate nodes, but not in a link, in code or in a person’s name', () => {
  const named = (text: string, people: { id: string; name: string }[] = []) =>
    [...JSON.stringify(parseMessage(text, people)).matchAll(/"kind":"channel","name":"([^"]*)"/g)].map(
      ([, name]) => name,
    )
  expect(named('**#map-data** and #random')).toEqual(['map-data', 'random'])
  expect(named('[see #random](https://a.example) `#random` https://a.example/#random')).toEqual([])
  expect(named('@Ola #1', [{ id: 'ola', name: 'Ola #1' }])).toEqual([])
})

test.each(['-', '****', '- ', '> >', '1.', '---'])('%j alone stays as it was written', (text) => {
  expect(parseMessage(text)).toEqual([{ kind: 'paragraph', children: [{ kind: 'text', text: text.trim() }] }])
})

test.each(['> ', '- ', '1. '])('text after 400 times %j is not lost', (marker) => {
  expect(plainText(parseMessage(`before\n\n${marker.repeat(400)}deepword`))).toMatch(/^before.*deepword$/)
})

test('the text of a link cannot disguise its address with direction marks', () => {
  const shown = (text: string) => plainText(parseMessage(text))
  expect(shown('[https://example.com/\u202Egpj.exe](https://example.com/exe.jpg)')).toBe('https://example.com/gpj.exe')
  expect(shown('https://example.com/\u202Egpj.exe')).not.toContain('\u202E')
})

describe('blocks', () => {
  test('common Markdown blocks are parsed', () => {
    expect(kinds('# Head\n\ntext\n\n- a\n- b\n\n> quote\n\n```ts\ncode\n```\n\n|a|b|\n|-|-|\n|1|2|')).toEqual([
      'heading',
      'paragraph',
      'list',
      'quote',
      'codeBlock',
      'table',
    ])
  })

  test('indented text is text, not code', () => {
    expect(kinds('    four spaces')).toEqual(['paragraph'])
  })

  test('a line of dashes under text does not make it a heading', () => {
    expect(kinds('Agenda\n---')).not.toContain('heading')
  })

  test('a line break is preserved', () => {
    expect(parseMessage('a\nb')).toEqual([
      { kind: 'paragraph', children: [{ kind: 'text', text: 'a' }, { kind: 'break' }, { kind: 'text', text: 'b' }] },
    ])
  })

  test('checkboxes at the start of items make a task list', () => {
    const [list] = parseMessage('- [x] done\n- [ ] open\n- plain')
    expect(list?.kind === 'list' && list.items.map((item) => item.checked)).toEqual([true, false, undefined])
  })

  test('a numbered list keeps its first number', () => {
    expect(parseMessage('7. seven\n8. eight')[0]).toMatchObject({ kind: 'list', ordered: true, start: 7 })
  })

  test('thousands of nested quotes or brackets do not throw', () => {
    expect(() => parseMessage('>'.repeat(10_000) + ' deep')).not.toThrow()
    expect(() => parseMessage('['.repeat(5_000))).not.toThrow()
    expect(() => parseMessage('*a '.repeat(5_000))).not.toThrow()
  })

  test('a reference definition does not swallow its line', () => {
    expect(plainText(parseMessage('[note]: https://example.org keep this'))).toContain('keep this')
  })
})

describe('mentions', () => {
  test('full name, first name and id of a mentioned person are mentions', () => {
    for (const text of ['@Ola Wiśniewska', '@Ola', '@ola']) {
      expect(splitMentions(`Hi ${text}, look`, [OLA])).toEqual([
        { kind: 'text', text: 'Hi ' },
        { kind: 'mention', userId: 'ola', text },
        { kind: 'text', text: ', look' },
      ])
    }
  })

  test('a broadcast mention has no user', () => {
    expect(splitMentions('@channel look', [{ id: 'channel', name: 'channel', all: true }])).toEqual([
      { kind: 'mention', text: '@channel' },
      { kind: 'text', text: ' look' },
    ])
  })

  test('part of a word, an email address and other people are not', () => {
    for (const text of ['@Olaf', 'mail@Ola', '@Jonas']) {
      expect(splitMentions(text, [OLA])).toEqual([{ kind: 'text', text }])
    }
  })

  test('code is left alone', () => {
    expect(parseMessage('`@Ola`', [OLA])).toEqual([{ kind: 'paragraph', children: [{ kind: 'code', text: '@Ola' }] }])
  })
})

describe('emoji alone', () => {
  test.each(['🎉', '🎉 🥾', '👩‍👩‍👧', '❤️', '🇵🇱'])('%s is drawn large', (text) => {
    expect(isEmojiOnly(text)).toBe(true)
  })
  test.each(['', '1', '#', 'ok 🎉', '🎉'.repeat(9)])('"%s" is not', (text) => {
    expect(isEmojiOnly(text)).toBe(false)
  })

  test('custom ones count if the workspace has them', () => {
    const isCustom = (name: string) => name === 'parrot'
    expect([':parrot:', ':parrot: 🎉', ':parrot:'.repeat(8)].map((text) => isEmojiOnly(text, isCustom))).toEqual([
      true,
      true,
      true,
    ])
    expect([':other:', 'a :parrot:', ':parrot:'.repeat(9)].map((text) => isEmojiOnly(text, isCustom))).toEqual([
      false,
      false,
      false,
    ])
  })
})

describe('custom emoji', () => {
  const of = (text: string) => parseMessage(text).flatMap((block) => (block.kind === 'paragraph' ? block.children : []))

  test('a name between colons may be one; plain text keeps its source', async () => {
    expect(of('so **:_a_:**!')).toEqual([
      { kind: 'text', text: 'so ' },
      { kind: 'strong', children: [{ kind: 'emoji', name: '_a_', text: ':_a_:' }] },
      { kind: 'text', text: '!' },
    ])
    expect(plainText(parseMessage('so **:_a_:**!'))).toBe('so :_a_:!')
    expect(await toPlainText('- so **:_a_:**!')).toBe('• so :_a_:!')
  })

  test('code, times and addresses are left alone', () => {
    expect(of('`:ab:` 12:30:45')).toEqual([
      { kind: 'code', text: ':ab:' },
      { kind: 'text', text: ' 12:30:45' },
    ])
    expect(of('https://a.example/:ab:/c')).toMatchObject([{ kind: 'link', children: [{ kind: 'text' }] }])
  })
})

describe('long texts', () => {
  test('are cut between lines, with the number of hidden lines', () => {
    const { text, lines } = fold(Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n'))
    expect(text.split('\n')).toHaveLength(40)
    expect(lines).toBe(60)
  })

  test('a cut inside a fence closes it', () => {
    const { text } = fold(['```', ...Array.from({ length: 100 }, () => 'code')].join('\n'))
    expect(text.endsWith('\n```')).toBe(true)
  })

  test('a very long line is cut too, never inside a character', () => {
    const { text, lines } = fold('😀'.repeat(6_000))
    expect(text.length).toBeLessThan(4_100)
    expect(text.isWellFormed()).toBe(true)
    expect(lines).toBe(1)
  })

  test('short ones are left alone', () => {
    expect(fold('a\nb')).toEqual({ text: 'a\nb', lines: 0 })
  })
})

describe('code', () => {
  test('highlighting keeps every character', () => {
    const code = 'const a = "x" // note\nif (a) go(12.5) /* b */\n`t`'
    expect(
      highlight(code, 'ts')
        .map((run) => run.text)
        .join(''),
    ).toBe(code)
  })

  test('distinguishes keywords, strings, numbers, calls and comments', () => {
    const kindOf = (text: string) => highlight("const a = f('s', 6) // c", 'ts').find((run) => run.text === text)?.kind
    expect(kindOf('const')).toBe('keyword')
    expect(kindOf("'s'")).toBe('string')
    expect(kindOf('6')).toBe('number')
    expect(kindOf('f')).toBe('fn')
    expect(kindOf('// c')).toBe('comment')
  })

  test('an unclosed string does not eat the rest', () => {
    const runs = highlight("it's\nconst x = 1", 'js')
    expect(runs.some((run) => run.kind === 'keyword')).toBe(true)
  })
})
