import { expect, test } from 'vitest'
import { CID, refused, SETTINGS } from '#kit/lone-engine.ts'
import { reading, send, type Lone } from '#kit/lone-talk.ts'

const URL_A = 'https://site.example/a'
const PAGE = {
  duration: '12.3ms',
  og_scrape_url: URL_A,
  type: 'image',
  title: 'Page A',
  text: 'What it says',
  image_url: 'https://site.example/a.png',
  thumb_url: 'https://site.example/a.png',
  title_link: URL_A,
  author_name: 'Site',
  author_link: 'https://site.example/',
  html: '<script>',
}
const look = async (lone: Lone, url = URL_A) => await lone.engine.handlers.links.preview({ url }, lone.client)
const sentBody = (lone: Lone, at = 0) =>
  lone.api.to('SendMessage')[at]?.body as { message: { attachments: unknown[] }; skip_enrich_url?: boolean }
const wants = (lone: Lone, mode: 'on' | 'off' | 'ask') =>
  lone.engine.publish({ settings: { ...SETTINGS, linkPreviews: { mode, channels: {}, blocked: [] } } })

test('a preview is requested once, from the server, and sent with the message as an attachment', async () => {
  const lone = await reading()
  wants(lone, 'on')
  lone.api.on('GetOG', () => PAGE)
  const picture = expect.stringMatching(/^preview\/./) as string
  const shown = { url: URL_A, title: 'Page A', text: 'What it says', siteName: 'Site', picture }
  expect(await look(lone)).toEqual(shown)
  expect(await look(lone)).toEqual(shown)
  expect(lone.engine.previewPicture((await look(lone)).picture ?? '')).toBe(PAGE.thumb_url)
  expect(lone.api.to('GetOG').map((ask) => ask.body)).toEqual([{ url: URL_A }])

  await lone.offline()
  await send(lone, `see ${URL_A}`, { previewUrls: [URL_A, 'https://never.asked'], skipEnrich: true })
  expect(lone.replica.messages(`timeline:${CID}`).at(-1)?.attachments).toEqual([
    {
      kind: 'link',
      index: 0,
      linkUrl: URL_A,
      title: 'Page A',
      text: 'What it says',
      authorName: 'Site',
      hasMedia: false,
      hasThumb: false,
    },
  ])
  await lone.online()
  await lone.clock.advance(5_000)
  const { duration: _time, html: _html, ...attachment } = PAGE
  expect(sentBody(lone)).toMatchObject({ message: { attachments: [attachment] }, skip_enrich_url: true })
  expect(sentBody(lone).message.attachments[0]).toEqual(attachment)
})

test.each([4, 16, 19])('code %i is a page without a preview', async (code) => {
  const lone = await reading()
  lone.api.on('GetOG', () => {
    throw refused(400, code)
  })
  await expect(look(lone)).rejects.toMatchObject({ code: 'link/no-preview' })
})

test('a page without data has no preview; without a connection no request is made', async () => {
  const lone = await reading()
  lone.api.on('GetOG', () => ({ duration: '1ms', og_scrape_url: URL_A }))
  await expect(look(lone)).rejects.toMatchObject({ code: 'link/no-preview' })
  await lone.offline()
  await expect(look(lone, 'https://other.example/')).rejects.toMatchObject({ code: 'network/offline' })
})

test('the request of a removed link is aborted', async () => {
  const lone = await reading()
  let gaveUp = false
  lone.api.on('GetOG', ({ signal }) => {
    signal?.addEventListener('abort', () => (gaveUp = true))
    return new Promise(() => {})
  })
  void look(lone).catch(() => {})
  await lone.clock.settle()
  await lone.engine.handlers.links.stop({ url: URL_A }, lone.client)
  expect(gaveUp).toBe(true)
})

test('while previews are off or not confirmed, the server is requested not to preview links either', async () => {
  const lone = await reading()
  for (const mode of ['ask', 'off', 'on'] as const) {
    wants(lone, mode)
    await send(lone, `${mode} ${URL_A}`)
    await lone.clock.advance(2_000)
  }
  await send(lone, 'no link')
  await lone.clock.advance(2_000)
  expect([0, 1, 2, 3].map((at) => sentBody(lone, at).skip_enrich_url)).toEqual([true, true, undefined, undefined])
})
