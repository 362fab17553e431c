import type { Net } from '#main/server/og/fetch.ts'

/** The only page that the local server can load. */
export const PAGE_URL = 'https://page.example/story'
const HTML = `<!doctype html><title>A story</title><meta property="og:title" content="A story">
<meta property="og:description" content="Told once"><meta property="og:site_name" content="Page">
<meta property="og:image" content="https://page.example/picture.png">`

export const onePage: Net = {
  resolve: () => Promise.resolve(['93.184.216.34']),
  ownAddresses: () => new Set(),
  get: () =>
    Promise.resolve({
      status: 200,
      location: undefined,
      contentType: 'text/html',
      body: (async function* () {
        yield await Promise.resolve(new TextEncoder().encode(HTML))
      })(),
    }),
}
