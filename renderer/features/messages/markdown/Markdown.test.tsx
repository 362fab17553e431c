import { afterEach, expect, test } from 'vitest'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { aChannel, byCid, createFakeBridge, someSettings } from '../../../../tests/kit/fake-bridge/index.ts'
import { renderInApp } from '../../../../tests/kit/render-in-app.tsx'
import { Markdown } from './Markdown.tsx'

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
